// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Parameters of the benchmarks that take the rows of a column of a Druid segment. */
// As Encoding says.
@State(Scope.Thread)
public class SegmentRows {
  /** A directory or an {@code index.zip}. */
  @Param("")
  private String segmentPath;

  /** The column, of a projection as {@code PROJECTION/NAME}. */
  @Param("")
  private String columnName;

  RowValues of(EncodedType type) {
    return SegmentColumns.read(segmentPath, columnName, type);
  }
}
