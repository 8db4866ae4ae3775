// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.Place;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.DictionaryEncodedValueIndex;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.roaringbitmap.IntIterator;

/** Checks a column's indexes against its rows. */
final class IndexCheck {
  private static final ImmutableBitmap EMPTY = new RoaringBitmapFactory().makeEmptyImmutableBitmap();

  private final RowValues values;
  private final RowsById rows;
  private final boolean isNullFirst;
  private final Words words;
  /** What may be wrong without damage; null for nothing. */
  @Nullable
  private final DruidFaults faults;

  private IndexCheck(
      RowValues values,
      boolean isNullFirst,
      Words words,
      @Nullable DruidFaults faults
  ) {
    this.values = values;
    this.rows = new RowsById(values);
    this.isNullFirst = isNullFirst;
    this.words = words;
    this.faults = faults;
  }

  /** An index of a column, or null where it has none. */
  @Nullable
  static <T> T index(BaseColumnHolder holder, Class<T> type) {
    return holder.getIndexSupplier() == null ? null : holder.getIndexSupplier().as(type);
  }

  // ---- bitmaps of values

  /**
   * Checks that each value's bitmap has exactly the rows that have the value.
   *
   * @param values ids within the dictionary
   * @return what Druid itself wrote wrongly, for people; null if there is no such thing
   * @throws Damage naming the first row that it does not
   */
  @Nullable
  static String checkBitmaps(SegmentColumn column, RowPart part, RowValues values) {
    @Nullable final DictionaryEncodedValueIndex<?> index = Damage.reading(
        "the bitmap indexes",
        () -> index(column.holder(), DictionaryEncodedStringValueIndex.class)
    );
    if (index == null) {
      if (column.parts().index() != null) {
        throw new Damage("it has an index of values that Druid does not find");
      }
      return null;
    }
    // Segments of long ago have "" in place of null.
    @Nullable final Object firstValue = Damage.reading("the dictionary", () -> index.getValue(0));
    final boolean isNullFirst = firstValue == null || firstValue.equals("");
    final IndexPart stored = column.parts().index();
    checkLists(stored, values.rows());
    final DruidFaults faults = DruidFaults.of(column, values, isNullFirst);
    // Druid's reader for one thread fails at an empty bitmap behind another one.
    final IntFunction<ImmutableBitmap> bitmaps = stored.lists() == null
                                                 ? Damage.reading("the index", stored.reader()::get)
                                                 : index::getBitmap;
    new IndexCheck(values, isNullFirst, Words.of(part, values), faults).run(bitmaps);
    return faults.note();
  }

  /**
   * Checks the same of values of several types, or arrays, which Druid's indexes do not hand out one by one.
   *
   * @param values ids through all dictionaries
   * @throws Damage naming the first row that a value's bitmap does not have, or has without a reason
   */
  static void checkAnyBitmaps(SegmentColumn column, RowPart part, RowValues values) {
    final IndexPart index = column.parts().index();
    checkLists(index, values.rows());
    check(values, Damage.reading("the index", index.reader()::get), Words.of(part, values));
  }

  /**
   * Checks the same of elements of arrays.
   *
   * @param part     the ids of the arrays
   * @param elements for each row where its elements are in their index
   * @param ids      gives, for messages, the id of an element, which is one through all dictionaries
   * @throws Damage naming the first row that an element's bitmap does not have, or has without a reason
   */
  static void checkElements(SegmentColumn column, RowPart part, RowValues.MultiIds elements, IntUnaryOperator ids) {
    final IndexPart index = column.parts().elements();
    final String file = ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME;
    checkLists(index, elements.rows());
    check(
        elements,
        Damage.reading("its file " + file, index.reader()::get),
        new Words(
            row -> row < elements.rows() ? Place.of(part, row, row) : "",
            element -> "element " + ids.applyAsInt(element) + " (file " + file + ")"
        )
    );
  }

  /**
   * Checks the same of a field of nested data.
   *
   * @param bitmaps the bitmap of each id
   * @param names   what messages call an id
   * @throws Damage naming the first row that a value's bitmap does not have, or has without a reason
   */
  static void checkFieldBitmaps(RowValues values, IntFunction<ImmutableBitmap> bitmaps, IntFunction<String> names) {
    check(values, bitmaps, new Words(row -> "", names));
  }

  /**
   * What messages say.
   *
   * @param places where a row is, behind its number; empty if that is all there is to say
   * @param ids    what an id is
   */
  private record Words(IntFunction<String> places, IntFunction<String> ids) {
    static Words of(RowPart part, RowValues values) {
      return new Words(row -> row < values.rows() ? Place.of(part, values, row) : "", id -> "id " + id);
    }
  }

  private static void check(RowValues values, IntFunction<ImmutableBitmap> bitmaps, Words words) {
    new IndexCheck(values, false, words, null).run(bitmaps);
  }

  private void run(IntFunction<ImmutableBitmap> bitmaps) {
    for (int id = 0; id < rows.cardinality(); id++) {
      final int current = id;
      Damage.reading("the bitmap index of " + words.ids.apply(id), () -> {
        @Nullable final ImmutableBitmap bitmap = bitmaps.apply(current);
        // Druid writes none for null in columns of type auto where no row is null.
        checkBitmap(current, bitmap == null ? EMPTY.iterator() : bitmap.iterator());
        return current;
      });
    }
  }

  /** Checks what posting lists say of the table. */
  private static void checkLists(@Nullable IndexPart index, int numRows) {
    if (index != null && index.lists() != null && index.lists().numRows() != numRows) {
      throw new Damage("the index is of " + index.lists().numRows() + " rows, but there are " + numRows);
    }
  }

  private void checkBitmap(int id, IntIterator bits) {
    final int end = rows.end(id);
    int next = rows.start(id);
    int least = 0;
    if (faults != null) {
      faults.addBitmap(!bits.hasNext());
    }
    while (bits.hasNext()) {
      final int bit = bits.next();
      for (; next < end && rows.row(next) < bit; next++) {
        checkLacking(rows.row(next), id);
      }
      if (next < end && rows.row(next) == bit) {
        next++;
      } else if (id != 0 || !isNullFirst || !isEmptyRow(bit)) {
        // Druid finds rows without values as null.
        checkExtra(bit, id, bit >= least && bit < values.rows());
      }
      least = bit + 1;
    }
    for (; next < end; next++) {
      checkLacking(rows.row(next), id);
    }
  }

  private void checkExtra(int row, int id, boolean isRow) {
    if (!isRow || faults == null || !faults.allowsExtraRow(id)) {
      throw new Damage("row " + row + words.places.apply(row) + " is in the bitmap index of " + words.ids.apply(id)
          + ", which it does not have");
    }
  }

  private void checkLacking(int row, int id) {
    if (faults == null || !faults.allowsLackingRow(id)) {
      throw new Damage("row " + row + words.places.apply(row) + " has " + words.ids.apply(id)
          + ", but is not in the bitmap index of it");
    }
  }

  private boolean isEmptyRow(int row) {
    return values instanceof RowValues.MultiIds multi
        && row < multi.rows()
        && multi.offsets()[row] == multi.offsets()[row + 1];
  }

  // ---- nulls

  /**
   * The rows that are null, if an index tells, or null if none does.
   *
   * @throws Damage if it cannot be read, or tells of rows that do not exist
   */
  @Nullable
  static IntList nulls(BaseColumnHolder column, int numRows) {
    return Damage.reading("the bitmap of nulls", () -> {
      @Nullable final NullValueIndex index = index(column, NullValueIndex.class);
      if (index == null) {
        return null;
      }
      return rows(index.get().computeBitmapResult(new DefaultBitmapResultFactory(null), false), numRows);
    });
  }

  /**
   * The rows of a bitmap.
   *
   * @throws Damage if it has rows that do not exist
   */
  static IntList rows(ImmutableBitmap bitmap, int numRows) {
    final IntList rows = new IntArrayList();
    for (IntIterator bits = bitmap.iterator(); bits.hasNext(); ) {
      final int row = bits.next();
      if (row < 0 || row >= numRows) {
        throw new Damage("it has row " + row + ", but there are " + numRows + " rows");
      }
      rows.add(row);
    }
    return rows;
  }
}
