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

/** Check of a column's indexes against its rows. */
final class IndexCheck {
  private static final ImmutableBitmap EMPTY = new RoaringBitmapFactory().makeEmptyImmutableBitmap();

  private final RowValues values;
  private final RowsById rows;
  private final boolean isNullFirst;
  private final Words words;
  /** Deviations that are not damage; null if none is allowed. */
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

  /** Index of a column, or null if it has no index of this type. */
  @Nullable
  static <T> T index(BaseColumnHolder holder, Class<T> type) {
    return holder.getIndexSupplier() == null ? null : holder.getIndexSupplier().as(type);
  }


  /**
   * Checks that the bitmap of each value has exactly the rows with the value.
   *
   * @param values ids, all within the dictionary
   * @return description of an error that Druid itself makes when it writes; null if there is none
   * @throws Damage that names the first wrong row
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
    // Old segments have "" instead of null.
    @Nullable final Object firstValue = Damage.reading("the dictionary", () -> index.getValue(0));
    final boolean isNullFirst = firstValue == null || firstValue.equals("");
    final IndexPart stored = column.parts().index();
    checkLists(stored, values.rows());
    final DruidFaults faults = DruidFaults.of(column, values, isNullFirst);
    // Druid's single-threaded reader fails on an empty bitmap after another one.
    final IntFunction<ImmutableBitmap> bitmaps = stored.lists() == null
                                                 ? Damage.reading("the index", stored.reader()::get)
                                                 : index::getBitmap;
    new IndexCheck(values, isNullFirst, Words.of(part, values), faults).run(bitmaps);
    return faults.note();
  }

  /**
   * Checks the same for a column with values of several types, or arrays. Druid's indexes of such columns do not return
   * single bitmaps.
   *
   * @param values ids across all dictionaries
   * @throws Damage that names the first missing or superfluous row of a value's bitmap
   */
  static void checkAnyBitmaps(SegmentColumn column, RowPart part, RowValues values) {
    final IndexPart index = column.parts().index();
    checkLists(index, values.rows());
    check(values, Damage.reading("the index", index.reader()::get), Words.of(part, values));
  }

  /**
   * Checks the same for array elements.
   *
   * @param part     row part of the arrays' ids
   * @param elements for each row, the positions of its elements in their index
   * @param ids      id of an element across all dictionaries, for messages
   * @throws Damage that names the first missing or superfluous row of an element's bitmap
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
   * Checks the same for a field of nested data.
   *
   * @param bitmaps bitmap of each id
   * @param names   name of an id, for messages
   * @throws Damage that names the first missing or superfluous row of a value's bitmap
   */
  static void checkFieldBitmaps(RowValues values, IntFunction<ImmutableBitmap> bitmaps, IntFunction<String> names) {
    check(values, bitmaps, new Words(row -> "", names));
  }

  /**
   * Words for messages.
   *
   * @param places place of a row, appended to its number; may be empty
   * @param ids    name of an id
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
        // Druid writes no bitmap for null in an auto column without null rows.
        checkBitmap(current, bitmap == null ? EMPTY.iterator() : bitmap.iterator());
        return current;
      });
    }
  }

  /** Checks the number of rows that posting lists declare. */
  private static void checkLists(@Nullable IndexPart index, int numRows) {
    if (index != null && index.lists() != null && index.lists().numRows() != numRows) {
      throw new Damage("the index has " + index.lists().numRows() + " rows, but there are " + numRows);
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


  /**
   * Null rows according to an index; null if no index has them.
   *
   * @throws Damage if the index cannot be read, or has rows that do not exist
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
   * Rows of a bitmap.
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
