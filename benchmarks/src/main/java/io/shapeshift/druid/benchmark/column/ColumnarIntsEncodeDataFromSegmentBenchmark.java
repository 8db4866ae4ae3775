// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowValues;
import org.openjdk.jmh.annotations.Param;

/** Encodes dictionary ids of a column of a Druid segment. */
public class ColumnarIntsEncodeDataFromSegmentBenchmark extends EncodeDataBenchmark {
  /** A directory or an {@code index.zip}. */
  @Param("")
  private String segmentPath;

  /** The column, of a projection as {@code PROJECTION/NAME}. */
  @Param("")
  private String columnName;

  /** How it is stored: see {@link io.shapeshift.druid.tool.encoding.RowEncoding#parse}. */
  @Param({
      "druid-lz4",
      "druid-zstd",
      "druid-uncompressed",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  })
  private String encoding;

  @Override
  RowValues values() {
    return SegmentColumns.read(segmentPath, columnName, EncodedType.INT);
  }

  @Override
  String encodingName() {
    return encoding;
  }
}
