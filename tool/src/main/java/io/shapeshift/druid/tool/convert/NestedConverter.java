// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.nested.NestedPart;
import io.shapeshift.druid.tool.nested.NestedRewrite;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.util.Map;
import javax.annotation.Nullable;

/** Converter of nested columns, as a merge writes them. Druid's stay as they are unless they shape-shift afterwards. */
final class NestedConverter {
  private final Map<EncodedType, RowEncoding> encodings;
  @Nullable
  private final Boolean textIndex;

  /**
   * Creates a converter.
   *
   * @param textIndex whether dictionaries of fields get a text index; null to keep those that there are
   */
  NestedConverter(Map<EncodedType, RowEncoding> encodings, @Nullable Boolean textIndex) {
    this.encodings = encodings;
    this.textIndex = textIndex;
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
    final NestedRewrite rewrite = NestedRewrite.write(
        column,
        encodings.get(EncodedType.NESTED),
        encodings,
        textIndex == null ? NestedPart.of(column).hasTextIndex() : textIndex
    );
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
