// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.nested.NestedRewrite;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.util.Map;

/** Converter of nested columns, as a merge writes them. Druid's stay as they are unless they shape-shift afterwards. */
final class NestedConverter {
  private final Map<EncodedType, RowEncoding> encodings;

  NestedConverter(Map<EncodedType, RowEncoding> encodings) {
    this.encodings = encodings;
  }

  /** Whether a column is written anew. */
  boolean isConverted(SegmentColumn column) {
    return column.isNested()
        || (encodings.get(EncodedType.NESTED).isShapeShifting() && NestedRewrite.isPossible(column));
  }

  /**
   * Converts a column.
   *
   * @throws IOException if the system's temporary directory is full
   */
  WholeColumn convert(SegmentColumn column) throws IOException {
    final NestedRewrite rewrite = NestedRewrite.write(column, encodings.get(EncodedType.NESTED), encodings);
    final String to = rewrite.isShapeShifting() ? RowEncodings.SHAPE_SHIFTING : ComplexConverter.STOCK;
    return new WholeColumn(
        rewrite.descriptor(),
        rewrite.sizeInBytes(),
        rewrite::writeTo,
        bytes -> ColumnConversion.ofWhole(column, to, bytes, Map.of()),
        rewrite
    );
  }
}
