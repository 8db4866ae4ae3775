// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.store;

import io.shapeshift.druid.incremental.dimension.StringDimension;
import io.shapeshift.druid.incremental.row.StoredRow;
import java.util.Arrays;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.UOE;
import org.roaringbitmap.IntIterator;

/**
 * Bitmap of the rows of one value, for persisting. It is a range of a sorted array of rows that all values share. Druid
 * would fill a bitmap per value, row by row. A merger only counts and iterates, for which a sorted array suffices, and
 * the array is filled in the order of memory.
 */
public final class RowsOfValue implements MutableBitmap {
  /** Maximum length of an array. */
  private static final int MOST_VALUES = Integer.MAX_VALUE - 8;

  private final int[] rows;
  private final int from;
  private final int to;

  private RowsOfValue(int[] rows, int from, int to) {
    this.rows = rows;
    this.from = from;
    this.to = to;
  }

  /**
   * Groups the rows of a string dimension by value. Call it only between {@code Readers#enter} and {@code
   * Readers#exit}.
   *
   * @param order the rows in the order in which they are persisted
   * @param bitmaps array to fill, by id; its last element is set in any case
   */
  public static void fill(RowStore rows, int dimension, int[] order, MutableBitmap[] bitmaps) {
    final StoredRow stored = new StoredRow();
    final int[] slots = new int[order.length];
    final int[] ends = new int[bitmaps.length];
    long total = 0;
    for (int row = 0; row < slots.length; row++) {
      rows.moveTo(row, stored);
      final int slot = stored.intSlot(dimension);
      slots[row] = slot;
      final int size = StringDimension.size(slot, stored);
      for (int i = 0; i < size; i++) {
        ends[StringDimension.id(slot, i, stored)]++;
      }
      total += size;
    }
    if (total > MOST_VALUES) {
      throw DruidException.forPersona(DruidException.Persona.OPERATOR)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build("A dimension of an index in memory has [%,d] values: lower maxBytesInMemory", total);
    }
    for (int id = 0, start = 0; id < ends.length; id++) {
      final int size = ends[id];
      ends[id] = start;
      start += size;
    }
    final int[] starts = ends.clone();
    final int[] sorted = new int[(int) total];
    for (int place = 0; place < order.length; place++) {
      final int slot = slots[order[place]];
      if (slot >= 0) {
        sorted[ends[slot]++] = place;
      } else if (StringDimension.isList(slot)) {
        rows.moveTo(order[place], stored);
        final int size = StringDimension.size(slot, stored);
        for (int i = 0; i < size; i++) {
          final int id = StringDimension.id(slot, i, stored);
          // A row may have the same value twice.
          if (ends[id] == starts[id] || sorted[ends[id] - 1] != place) {
            sorted[ends[id]++] = place;
          }
        }
      }
    }
    for (int id = 0; id < bitmaps.length; id++) {
      if (ends[id] > starts[id] || id == bitmaps.length - 1) {
        bitmaps[id] = new RowsOfValue(sorted, starts[id], ends[id]);
      }
    }
  }

  @Override
  public IntIterator iterator() {
    return new RowIterator(from);
  }

  @Override
  public int size() {
    return to - from;
  }

  @Override
  public boolean isEmpty() {
    return from == to;
  }

  @Override
  public int getSizeInBytes() {
    return size() * Integer.BYTES;
  }

  @Override
  public boolean get(int value) {
    return Arrays.binarySearch(rows, from, to, value) >= 0;
  }

  @Override
  public byte[] toBytes() {
    throw isForMergers();
  }

  @Override
  public ImmutableBitmap intersection(ImmutableBitmap otherBitmap) {
    throw isForMergers();
  }

  @Override
  public ImmutableBitmap union(ImmutableBitmap otherBitmap) {
    throw isForMergers();
  }

  @Override
  public void clear() {
    throw isForMergers();
  }

  @Override
  public void or(MutableBitmap mutableBitmap) {
    throw isForMergers();
  }

  @Override
  public void add(int entry) {
    throw isForMergers();
  }

  @Override
  public void remove(int entry) {
    throw isForMergers();
  }

  private static UOE isForMergers() {
    return new UOE("The rows of a value that is persisted are only counted and iterated");
  }

  /** Iterator over the rows from one place of the array on. */
  private final class RowIterator implements IntIterator {
    private int place;

    RowIterator(int place) {
      this.place = place;
    }

    @Override
    public boolean hasNext() {
      return place < to;
    }

    @Override
    public int next() {
      return rows[place++];
    }

    @Override
    @SuppressWarnings("MethodDoesntCallSuperMethod") // A new iterator at the same place is a complete copy.
    public IntIterator clone() {
      return new RowIterator(place);
    }
  }
}
