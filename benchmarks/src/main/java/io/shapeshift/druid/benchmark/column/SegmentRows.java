// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parameters of the benchmarks that take the rows of a column of a Druid segment: those of Druid PR #6016. */
// The scope is Thread for the reason in Encoding.
@State(Scope.Thread)
public class SegmentRows {
  /** A directory or an {@code index.zip}. */
  @Param("")
  private String segmentPath;

  /** The column, of a projection as {@code PROJECTION/NAME}. */
  @Param("")
  private String columnName;

  /** Name of the segment in the results; its path if empty. */
  @Param("")
  @SuppressWarnings("unused") // JMH alone reads it.
  private String segmentName;

  /** Number of the segment's rows that are used, counted from the first; 0 for all. */
  @Param("0")
  private int rows;

  RowValues of(EncodedType type) {
    final RowValues values = SegmentColumns.read(segmentPath, columnName, type);
    return rows == 0 ? values : values.first(rows);
  }
}
