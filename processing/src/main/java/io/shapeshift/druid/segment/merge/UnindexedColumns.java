// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.column.ColumnHolder;

/**
 * Warnings about columns that get no hash index although the indexSpec lists them. This is not an error, because the
 * columns of a segment and their types may differ between intervals.
 */
final class UnindexedColumns {
  private static final Logger LOG = new Logger(UnindexedColumns.class);
  private static final String NO_COLUMN = "there is no such column";
  private static final int MAX_WARNINGS = 100;
  /** Warnings already logged. A task writes many segments, including intermediate persists. */
  private static final Set<String> GIVEN = ConcurrentHashMap.newKeySet();

  private UnindexedColumns() {}

  /**
   * Logs a warning for each such column, once per process.
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
   * Warnings about the columns of segments. If only the system's default names a column, the column is allowed to be
   * missing.
   */
  static List<String> warnings(List<IndexableAdapter> segments, IndexSpec indexSpec) {
    final List<String> warnings = new ArrayList<>();
    final Set<String> ofDefault = ShapeShiftIndexSpec.hashIndexesOf(IndexSpec.getDefault());
    for (String column : ShapeShiftIndexSpec.hashIndexesOf(indexSpec)) {
      @Nullable final String reason = reason(segments, indexSpec, column);
      if (reason != null && !(reason.equals(NO_COLUMN) && ofDefault.contains(column))) {
        warnings.add(StringUtils.format(
            "Column[%s], of \"%s\", gets no hash index: %s", column, EncodingStrategies.HASH_INDEXES, reason));
      }
    }
    return warnings;
  }

  /** Reason why a column gets no index, or null if it gets one. */
  @Nullable
  static String reason(List<IndexableAdapter> segments, IndexSpec indexSpec, String column) {
    if (column.equals(ColumnHolder.TIME_COLUMN_NAME)) {
      return shapeShifts(NumberKind.LONG, indexSpec) ? null : "its type does not shape-shift";
    }
    final List<ColumnFormat> formats = segments
        .stream()
        .map(segment -> segment.getDimensionNames(false).contains(column)
            || segment.getMetricNames().contains(column) ? segment.getFormat(column) : null)
        .filter(Objects::nonNull)
        .toList();
    if (formats.isEmpty()) {
      return NO_COLUMN;
    }
    final Set<NumberKind> kinds = EnumSet.noneOf(NumberKind.class);
    formats.forEach(format -> addKind(format, column, kinds));
    if (kinds.isEmpty()) {
      return "it is of type " + formats
          .stream()
          .map(format -> format.toColumnCapabilities().asTypeString())
          .distinct()
          .collect(Collectors.joining(", ")) + ", not a column of longs, doubles or floats";
    }
    return kinds.stream().anyMatch(kind -> shapeShifts(kind, indexSpec)) ? null : "its type does not shape-shift";
  }

  private static boolean shapeShifts(NumberKind kind, IndexSpec indexSpec) {
    return ShapeShiftIndexSpec.encodingOf(indexSpec, kind.encodedType).isShapeShift();
  }

  /** Adds the number kind of a column. An {@code auto} column has a dictionary instead, and no kind. */
  private static void addKind(ColumnFormat format, String column, Set<NumberKind> kinds) {
    @Nullable final NumberKind kind = NumberKind.of(format.getLogicalType());
    if (kind != null && NumberKind.of(format.getColumnHandler(column)) == kind) {
      kinds.add(kind);
    }
  }
}
