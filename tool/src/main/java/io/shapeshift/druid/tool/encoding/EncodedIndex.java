// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import com.google.common.collect.Maps;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.segment.index.PostingIndex;
import io.shapeshift.druid.segment.index.QueriedRows;
import io.shapeshift.druid.segment.index.StringIndexSupplier;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.serde.StringUtf8ColumnIndexSupplier;

/** Index of a column's values in one encoding: Druid's bitmaps, or posting lists. */
public final class EncodedIndex implements Closeable {
  private final String column;
  private final boolean isShapeShifting;
  private final BitmapSerdeFactory bitmaps;
  private final EncodedBytes bytes;

  private EncodedIndex(String column, boolean isShapeShifting, BitmapSerdeFactory bitmaps, EncodedBytes bytes) {
    this.column = column;
    this.isShapeShifting = isShapeShifting;
    this.bitmaps = bitmaps;
    this.bytes = bytes;
  }

  /** Writes the output of a serializer. */
  static EncodedIndex write(String column, boolean isShapeShifting, BitmapSerdeFactory bitmaps, Serializer serializer)
      throws IOException {
    return new EncodedIndex(column, isShapeShifting, bitmaps, EncodedBytes.of(column, serializer));
  }

  /** Index of a column that scans its ids instead of posting lists. */
  static EncodedIndex withoutLists(String column, IndexValues values) throws IOException {
    return write(
        column, true, values.bitmaps(), PostingListsSerializer.withoutLists(values.numRows(), values.size()));
  }

  /** Name of the encoding: {@code roaring}, {@code concise}, or {@code shapeshift}. */
  public String encoding() {
    return isShapeShifting ? RowEncodings.SHAPE_SHIFTING : nameOf(bitmaps);
  }

  /** Name of the encoding of a stock index. */
  public static String nameOf(BitmapSerdeFactory bitmaps) {
    return bitmaps instanceof RoaringBitmapSerdeFactory ? "roaring" : "concise";
  }

  /** Encoded bytes. */
  public ByteBuffer bytes() {
    return bytes.buffer();
  }

  /** Number of encoded bytes. */
  public int sizeInBytes() {
    return bytes.size();
  }

  /** Usage of each form among chunks of posting lists, by name; empty for Druid's bitmaps. */
  public Map<String, FormUsage> forms() {
    return isShapeShifting ? formsOf(lists()) : Map.of();
  }

  /** Usage of each form among chunks of posting lists, by name. */
  public static Map<String, FormUsage> formsOf(PostingLists lists) {
    return Maps.transformValues(lists.composition(), share -> new FormUsage(share.chunks(), share.bytes()));
  }

  private PostingLists lists() {
    return PostingLists.read(column, bytes());
  }

  /**
   * Opens the index as a query of all rows does.
   *
   * @param dictionary values of the column
   * @param rows       rows of the column in the same encoding, whose ids may be scanned
   */
  ColumnIndexSupplier open(Supplier<? extends Indexed<ByteBuffer>> dictionary, EncodedRows rows) {
    if (!isShapeShifting) {
      return new StringUtf8ColumnIndexSupplier<>(
          bitmaps.getBitmapFactory(),
          dictionary,
          GenericIndexed.read(bytes(), bitmaps.getObjectStrategy(), null),
          null
      );
    }
    @Nullable final ShapeShiftingColumnarIntsSupplier ids =
        rows.column() instanceof ShapeShiftingColumnarIntsSupplier single ? single : null;
    final PostingLists lists = lists();
    return new StringIndexSupplier(dictionary, new PostingIndex(lists, ids, bitmaps.getBitmapFactory()))
        .of(QueriedRows.all(lists.numRows()));
  }

  @Override
  public void close() {
    bytes.close();
  }
}
