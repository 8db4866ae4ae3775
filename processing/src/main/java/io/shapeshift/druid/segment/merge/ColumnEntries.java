// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;

/**
 * Warnings about entries in {@code columns} of the indexSpec that do not do what they ask for. This is not an error,
 * because the columns of a segment and their types may differ between intervals.
 */
final class ColumnEntries {
  private static final Logger LOG = new Logger(ColumnEntries.class);
  private static final String NOT_SHAPE_SHIFTING = "its type does not shape-shift";
  private static final int MAX_WARNINGS = 100;
  /** Warnings already logged. A task writes many segments, including intermediate persists. */
  private static final Set<String> GIVEN = ConcurrentHashMap.newKeySet();

  private ColumnEntries() {}

  /**
   * Logs a warning for each such entry, once per process.
   *
   * @param indexSpec {@link IndexSpec#getEffectiveSpec effective}
   */
  static void warn(List<IndexableAdapter> segments, IndexSpec indexSpec) {
    for (String warning : warnings(segments, indexSpec)) {
      if (GIVEN.size() < MAX_WARNINGS && GIVEN.add(warning)) {
        LOG.warn(warning);
      }
    }
  }

  /**
   * Warnings about the columns of segments. If the system's default has an entry for a column, the column is allowed to
   * be missing.
   */
  static List<String> warnings(List<IndexableAdapter> segments, IndexSpec indexSpec) {
    final List<String> warnings = new ArrayList<>();
    final Set<String> ofDefault = ShapeShiftIndexSpec.strategiesOf(IndexSpec.getDefault()).ofColumns().keySet();
    ShapeShiftIndexSpec.strategiesOf(indexSpec).ofColumns().forEach((column, options) -> {
      if (!exists(segments, column)) {
        if (!ofDefault.contains(column)) {
          warnings.add(StringUtils.format(
              "Column[%s] is not in the segment. Its entry in \"columns\" of the indexSpec changes nothing", column));
        }
        return;
      }
      if (options.hasHashIndex()) {
        @Nullable final String reason = whyUnindexed(segments, indexSpec, column);
        if (reason != null) {
          warnings.add(StringUtils.format("Column[%s] gets no hash index: %s", column, reason));
        }
      }
      if (options.hasTextIndex()) {
        @Nullable final String reason = whyWithoutTexts(segments, indexSpec, column);
        if (reason != null) {
          warnings.add(StringUtils.format("Column[%s] gets no text index: %s", column, reason));
        }
      }
    });
    return warnings;
  }

  private static boolean exists(List<IndexableAdapter> segments, String column) {
    return column.equals(ColumnHolder.TIME_COLUMN_NAME)
        || segments.stream().anyMatch(segment -> hasColumn(segment, column));
  }

  private static boolean hasColumn(IndexableAdapter segment, String column) {
    return segment.getDimensionNames(false).contains(column) || segment.getMetricNames().contains(column);
  }

  /** Reason why an existing column gets no index, or null if it gets one. */
  @Nullable
  static String whyUnindexed(List<IndexableAdapter> segments, IndexSpec indexSpec, String column) {
    if (column.equals(ColumnHolder.TIME_COLUMN_NAME)) {
      return shapeShifts(NumberKind.LONG, indexSpec, column) ? null : NOT_SHAPE_SHIFTING;
    }
    final List<ColumnFormat> formats = segments
        .stream()
        .filter(segment -> hasColumn(segment, column))
        .map(segment -> segment.getFormat(column))
        .toList();
    final Set<NumberKind> kinds = EnumSet.noneOf(NumberKind.class);
    formats.forEach(format -> addKind(format, column, kinds));
    if (kinds.isEmpty()) {
      return "it is of type " + formats
          .stream()
          .map(format -> format.toColumnCapabilities().asTypeString())
          .distinct()
          .collect(Collectors.joining(", ")) + ", not a column of longs, doubles or floats";
    }
    return kinds.stream().anyMatch(kind -> shapeShifts(kind, indexSpec, column)) ? null : NOT_SHAPE_SHIFTING;
  }

  /** Reason why an existing column gets no text index, or null if it may get one. */
  @Nullable
  private static String whyWithoutTexts(List<IndexableAdapter> segments, IndexSpec indexSpec, String column) {
    final List<ColumnCapabilities> types = segments
        .stream()
        .filter(segment -> hasColumn(segment, column))
        .map(segment -> segment.getFormat(column).toColumnCapabilities())
        .toList();
    if (types.stream().noneMatch(type -> type.is(ValueType.STRING) || type.isArray() || isNested(type))) {
      return "it has no strings, but " + (types.isEmpty() ? "the time" : types
          .stream()
          .map(ColumnCapabilities::asTypeString)
          .distinct()
          .collect(Collectors.joining(", ")));
    }
    return ShapeShiftIndexSpec.encodingOf(indexSpec, column, EncodedType.DICTIONARY).isShapeShift()
        || ShapeShiftIndexSpec.encodingOf(indexSpec, column, EncodedType.NESTED).isShapeShift()
        ? null
        : NOT_SHAPE_SHIFTING;
  }

  private static boolean isNested(ColumnCapabilities type) {
    return ColumnType.NESTED_DATA.equals(type.toColumnType());
  }

  private static boolean shapeShifts(NumberKind kind, IndexSpec indexSpec, String column) {
    return ShapeShiftIndexSpec.encodingOf(indexSpec, column, kind.encodedType).isShapeShift();
  }

  /** Adds the number kind of a column. An {@code auto} column has a dictionary instead, and no kind. */
  private static void addKind(ColumnFormat format, String column, Set<NumberKind> kinds) {
    @Nullable final NumberKind kind = NumberKind.of(format.getLogicalType());
    if (kind != null && NumberKind.of(format.getColumnHandler(column)) == kind) {
      kinds.add(kind);
    }
  }
}
