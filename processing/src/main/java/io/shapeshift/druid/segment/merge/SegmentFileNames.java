// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import com.fasterxml.jackson.core.StreamReadConstraints;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
import org.apache.druid.error.InvalidInput;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.AggregateProjectionMetadata;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.column.CapabilitiesBasedFormat;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.nested.NestedCommonFormatColumnSerializer;
import org.apache.druid.segment.projections.AggregateProjectionSchema;
import org.apache.druid.segment.projections.Projections;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.CompressedComplexColumnSerializer;

/**
 * Check that no two columns of a segment share a file. Druid derives file names from the names of columns and
 * projections. A second file of the same name replaces the first without an error. Such a segment is refused before
 * any file is written.
 *
 * <p>The check knows the additional files of columns of Druid's core. Names that another extension derives are checked
 * while a column is written, by {@code SegmentSummary}.
 */
final class SegmentFileNames {
  /** Suffixes of the additional files of a column that is nested or of type {@code auto}; a dot precedes them. */
  private static final Pattern OF_NESTED = Pattern.compile(String.join(
      "|",
      ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME,
      ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME,
      ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME,
      ColumnSerializerUtils.ARRAY_DICTIONARY_FILE_NAME,
      ColumnSerializerUtils.ARRAY_ELEMENT_DICTIONARY_FILE_NAME,
      ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME,
      ColumnSerializerUtils.LONG_VALUE_COLUMN_FILE_NAME,
      ColumnSerializerUtils.DOUBLE_VALUE_COLUMN_FILE_NAME,
      ColumnSerializerUtils.BITMAP_INDEX_FILE_NAME,
      ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME,
      ColumnSerializerUtils.NULL_BITMAP_FILE_NAME,
      NestedCommonFormatColumnSerializer.RAW_FILE_NAME,
      NestedCommonFormatColumnSerializer.NESTED_FIELD_PREFIX + "[0-9]+"
  ));
  private static final Pattern OF_COMPLEX = Pattern.compile(CompressedComplexColumnSerializer.FILE_NAME);
  /** Maximum bytes of a name in version 10, where names are keys of JSON and Druid's parser limits their length. */
  private static final int MAX_BYTES_OF_VERSION_10 = StreamReadConstraints.DEFAULT_MAX_NAME_LEN - 100;
  /** Maximum number of characters of a name in a message. */
  private static final int MAX_CHARS_OF_MESSAGE = 100;
  private static final Set<String> OF_VERSION_9 = Set.of("index.drd", "metadata.drd");

  private final int version;
  /** Owner of each file, by the name of the file. */
  private final Map<String, String> owners = new HashMap<>();
  /** Patterns of the suffixes of additional files, by the name of the column's own file. */
  private final Map<String, Pattern> furtherFiles = new HashMap<>();

  private SegmentFileNames(int version) {
    this.version = version;
  }

  /**
   * Refuses a segment in which two columns would be stored in the same file.
   *
   * @param version    version of the segment, 9 or 10
   * @param segments   the segments that are merged
   * @param metadata   metadata of the merged segment
   * @param dimensions names of the base table's dimensions
   * @param metrics    names of the base table's metrics
   * @throws DruidException if two columns share a file; the message names both
   */
  static void requireDistinct(
      int version,
      List<IndexableAdapter> segments,
      @Nullable Metadata metadata,
      List<String> dimensions,
      List<String> metrics
  ) {
    final SegmentFileNames names = new SegmentFileNames(version);
    names.addTable(
        version == 9 ? "" : Projections.BASE_TABLE_PROJECTION_NAME + "/",
        columns(dimensions, ColumnHolder.TIME_COLUMN_NAME, metrics.stream()),
        "",
        segments
    );
    if (metadata != null && metadata.getProjections() != null) {
      for (AggregateProjectionMetadata projection : metadata.getProjections()) {
        names.addProjection(projection.getSchema(), segments);
      }
    }
    names.owners.keySet().forEach(names::requireNotFurther);
  }

  /** Names of a table's columns. The time may also be a dimension, and is listed once. */
  private static List<String> columns(List<String> dimensions, @Nullable String time, Stream<String> metrics) {
    final Set<String> ofRows = new LinkedHashSet<>(dimensions);
    if (time != null) {
      ofRows.add(time);
    }
    return Stream.concat(ofRows.stream(), metrics).toList();
  }

  private void addProjection(AggregateProjectionSchema projection, List<IndexableAdapter> segments) {
    final String name = projection.getName();
    if (version != 9 && name.equals(Projections.BASE_TABLE_PROJECTION_NAME)) {
      throw InvalidInput.exception(
          "projection[%s] has the name that the table itself has in segments of version 10: rename it", name);
    }
    addTable(
        Projections.getProjectionSmooshPrefix(projection),
        columns(
            projection.getGroupingColumns(),
            projection.getTimeColumnName(),
            Arrays.stream(projection.getAggregators()).map(AggregatorFactory::getName)
        ),
        " of projection[" + start(name) + "]",
        segments.stream().map(segment -> segment.getProjectionAdapter(name)).filter(Objects::nonNull).toList()
    );
  }

  private void addTable(String prefix, List<String> columns, String ofTable, List<IndexableAdapter> parts) {
    for (String column : columns) {
      final String file = prefix + column;
      final String owner = "column[" + start(column) + "]" + ofTable;
      if (version == 9 && OF_VERSION_9.contains(file)) {
        throw InvalidInput.exception(
            "%s would be stored in the file[%s], which is Druid's own in segments of version 9: rename it",
            owner,
            file
        );
      }
      final int bytes = file.getBytes(StandardCharsets.UTF_8).length;
      if (version != 9 && bytes > MAX_BYTES_OF_VERSION_10) {
        throw InvalidInput.exception(
            "%s would be stored in the file[%s], whose name has %,d bytes, too many for segments of version 10, which "
                + "Druid could not load: use a shorter name",
            owner,
            start(file),
            bytes
        );
      }
      @Nullable final String other = owners.putIfAbsent(file, owner);
      if (other != null) {
        throw clash(owner, other, file);
      }
    }
    for (IndexableAdapter part : parts) {
      part.getDimensionNames(false).forEach(column -> addFurther(prefix + column, part.getFormat(column)));
      part.getMetricNames().forEach(column -> addFurther(prefix + column, part.getFormat(column)));
    }
  }

  /** The first characters of a name, as many as a message may show. */
  private static String start(String name) {
    if (name.length() <= MAX_CHARS_OF_MESSAGE) {
      return name;
    }
    final int end = MAX_CHARS_OF_MESSAGE - (Character.isHighSurrogate(name.charAt(MAX_CHARS_OF_MESSAGE - 1)) ? 1 : 0);
    return name.substring(0, end) + "...";
  }

  private void addFurther(String file, ColumnFormat format) {
    if (!(format instanceof CapabilitiesBasedFormat)) {
      furtherFiles.put(file, OF_NESTED);
    } else if (format.getLogicalType().is(ValueType.COMPLEX)) {
      furtherFiles.put(file, OF_COMPLEX);
    }
  }

  /** Rejects a file if another column derives the same name for one of its additional files. */
  private void requireNotFurther(String file) {
    final int dot = file.lastIndexOf('.');
    if (dot > 0) {
      final String column = file.substring(0, dot);
      @Nullable final Pattern further = furtherFiles.get(column);
      // Segments that are merged may have columns that are not written.
      if (further != null && owners.containsKey(column) && further.matcher(file.substring(dot + 1)).matches()) {
        throw clash(owners.get(file), owners.get(column), file);
      }
    }
  }

  /** Exception for two columns that share a file. */
  static DruidException clash(String owner, String other, String file) {
    return InvalidInput.exception(
        "%s and %s would both be stored in the file[%s] of the segment: rename one of them", owner, other, file);
  }
}
