// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.segment.index.PostingIndex;
import io.shapeshift.druid.segment.index.ValueBitmaps;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import io.shapeshift.druid.tool.encoding.EncodedIndex;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.roaringbitmap.IntIterator;

/**
 * Index of a column's values: Druid's bitmaps, or posting lists.
 *
 * @param encoding      name of the encoding: {@code roaring}, {@code concise}, or {@code shapeshift}
 * @param bytes         encoded bytes
 * @param size          number of values
 * @param bitmaps       type of the bitmaps that it has, or that queries get
 * @param lists         posting lists; null for Druid's bitmaps
 * @param reader        supplier of a reader for one thread, which returns the rows of a dictionary id
 * @param dictionary    supplier that opens the values; null if they are not strings
 * @param mayShapeShift whether the index has posting lists or could; false with a spatial index, and in projections
 *     whose stock index disagrees with the rows
 * @param owner         kind of column, which determines Druid's writer
 */
public record IndexPart(
    String encoding,
    ByteBuffer bytes,
    int size,
    BitmapSerdeFactory bitmaps,
    @Nullable PostingLists lists,
    Supplier<IntFunction<ImmutableBitmap>> reader,
    @Nullable Supplier<? extends Indexed<ByteBuffer>> dictionary,
    Supplier<Boolean> mayShapeShift,
    IndexValues.Owner owner
) {
  /**
   * Reads the index of a string column, and advances the buffer's position past it.
   *
   * @param size number of values
   * @param ids  ids of the rows, which are scanned if there are no lists; null for a multi-value column
   */
  static IndexPart read(
      SegmentColumn column,
      ByteBuffer buffer,
      int size,
      @Nullable RowPart ids,
      Supplier<? extends Indexed<ByteBuffer>> dictionary
  ) {
    final IndexPart index =
        read(column, buffer, column.isShapeShifting(StringColumnPart.INDEXES), ids, dictionary);
    if (index.size != size) {
      throw column.damaged("its index has " + index.size + " values, but its dictionary has " + size, null);
    }
    return index;
  }

  /**
   * Reads an index of an {@code auto} column, in a file of its own.
   *
   * @param suffix     suffix of the file after the dot
   * @param ids        ids of the rows; null if they cannot be scanned instead
   * @param dictionary supplier of the values; null if they are not strings
   */
  static IndexPart readFile(
      SegmentColumn column,
      String suffix,
      @Nullable RowPart ids,
      @Nullable Supplier<? extends Indexed<ByteBuffer>> dictionary
  ) {
    return read(column, column.internalFile(suffix), column.isShapeShifting(suffix), ids, dictionary);
  }

  private static IndexPart read(
      SegmentColumn column,
      ByteBuffer buffer,
      boolean isShapeShifting,
      @Nullable RowPart ids,
      @Nullable Supplier<? extends Indexed<ByteBuffer>> dictionary
  ) {
    final int start = buffer.position();
    final BitmapSerdeFactory bitmaps = column.bitmaps();
    final String encoding;
    final int size;
    @Nullable final PostingLists lists;
    final Supplier<IntFunction<ImmutableBitmap>> reader;
    if (isShapeShifting) {
      encoding = RowEncodings.SHAPE_SHIFTING;
      lists = PostingLists.read(column.displayName(), buffer);
      size = lists.size();
      reader = () -> {
        final ValueBitmaps values = new PostingIndex(
            lists, ids == null ? null : () -> (ColumnarInts) ids.column().get(), bitmaps.getBitmapFactory()).get();
        return values::get;
      };
    } else {
      encoding = EncodedIndex.nameOf(bitmaps);
      lists = null;
      final GenericIndexed<ImmutableBitmap> stored =
          GenericIndexed.read(buffer, bitmaps.getObjectStrategy(), column.segment().files());
      size = stored.size();
      // Druid's single-threaded reader fails on the empty bitmap of an id without rows, after another bitmap.
      reader = () -> stored::get;
    }
    final ByteBuffer bytes = buffer.duplicate().flip().position(start).slice();
    return new IndexPart(
        encoding,
        bytes,
        size,
        bitmaps,
        lists,
        reader,
        dictionary,
        mayShapeShift(column, buffer, lists == null ? ids : null, reader),
        owner(column)
    );
  }

  private static IndexValues.Owner owner(SegmentColumn column) {
    if (!column.isAuto()) {
      return IndexValues.Owner.STRINGS;
    }
    return column.internalFiles().containsKey(ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME)
           ? IndexValues.Owner.AUTO_VARIANTS
           : IndexValues.Owner.AUTO_SCALARS;
  }

  /**
   * Whether posting lists could have the contents of an index.
   *
   * @param ids ids that must agree with the index; null if they always do
   */
  private static Supplier<Boolean> mayShapeShift(
      SegmentColumn column,
      ByteBuffer behind,
      @Nullable RowPart ids,
      Supplier<IntFunction<ImmutableBitmap>> reader
  ) {
    if (column.isAuto() || column.projection() == null) {
      final boolean mayShapeShift = column.isAuto() || !behind.hasRemaining();
      return () -> mayShapeShift;
    }
    @Nullable final SegmentColumn parent = column.parent();
    if (behind.hasRemaining() || parent == null || parent.parts().multiValue()) {
      return () -> false;
    }
    return ids == null ? () -> true : Suppliers.memoize(() -> {
      try {
        return Damage.reading("the index of id 0", () -> hasAllNulls(column, ids, reader.get().apply(0)));
      } catch (Damage e) {
        // A complete read of the index reports the damage.
        return true;
      }
    });
  }

  /** Whether an index has all rows of the first id. Druid's merges may omit nulls in indexes of projections. */
  private static boolean hasAllNulls(SegmentColumn column, RowPart ids, @Nullable ImmutableBitmap nulls) {
    final RowValues.Ids rows = (RowValues.Ids) ids.read(column.numRows());
    return IntStream.of(rows.ids()).filter(id -> id == 0).count() == (nulls == null ? 0 : nulls.size());
  }

  /** Whether the index has posting lists or could. */
  public boolean canShapeShift() {
    return mayShapeShift.get();
  }

  /** Usage of each form among chunks of posting lists, by name; empty for Druid's bitmaps. */
  public Map<String, FormUsage> forms() {
    return lists == null ? Map.of() : EncodedIndex.formsOf(lists);
  }

  /**
   * Reads and checks the whole index.
   *
   * @param numRows number of rows of the table
   * @throws Damage if the rows of a value cannot be read, do not ascend, or are outside of the table
   */
  public IndexValues read(int numRows) {
    final int[] ends = new int[size];
    final IntArrayList rows = new IntArrayList();
    final IntFunction<ImmutableBitmap> opened = Damage.reading("the index", reader::get);
    for (int id = 0; id < size; id++) {
      final int current = id;
      ends[id] = Damage.reading("the index of id " + id, () -> {
        int least = 0;
        @Nullable final ImmutableBitmap bitmap = opened.apply(current);
        if (bitmap == null) {
          // In auto columns without null rows, Druid writes no bitmap for null.
          return rows.size();
        }
        for (IntIterator bits = bitmap.iterator(); bits.hasNext(); ) {
          final int row = bits.next();
          if (row < least || row >= numRows) {
            throw new Damage("the index of id " + current + " has row " + row + ", expected " + least + " to "
                + (numRows - 1));
          }
          rows.add(row);
          least = row + 1;
        }
        return rows.size();
      });
    }
    return new IndexValues(numRows, ends, rows.toIntArray(), bitmaps, owner);
  }
}
