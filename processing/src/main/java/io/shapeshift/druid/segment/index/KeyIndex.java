// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.ShapeShiftingColumn;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.column.numbers.NumberScan;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoubles;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloats;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.rows.RowSet;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.Closeable;
import java.util.function.IntToLongFunction;

/**
 * Index that finds the rows of single numbers in a column with a {@link HashIndex}. Keys are
 * {@linkplain NumberType#sortable sortable bits}; all NaNs share one key. For any number of threads.
 */
public final class KeyIndex {
  private final HashIndex index;
  private final ShapeShiftingNumbersSupplier<?> numbers;
  private final Supplier<KeyCost> cost;

  /**
   * Creates an index.
   *
   * @param index   hash index of the numbers in non-null rows
   * @param numbers column in which candidates are checked
   */
  public KeyIndex(HashIndex index, ShapeShiftingNumbersSupplier<?> numbers) {
    this.index = index;
    this.numbers = numbers;
    this.cost = Suppliers.memoize(this::cost);
  }

  private KeyCost cost() {
    try (NumberScan scan = numbers.scan()) {
      return KeyCost.of(index, scan.decodedWhole());
    }
  }

  /** Type of the numbers. */
  public NumberType type() {
    return numbers.type();
  }

  /** Stored hash index. */
  public HashIndex hashes() {
    return index;
  }

  /** Whether looking up {@code count} numbers is faster than scanning the column. */
  boolean isCheaper(long count) {
    return count <= index.numRows() && cost.get().lookUpNanos((int) count) < cost.get().scanNanos((int) count);
  }

  /** Nanoseconds to look up {@code count} numbers, valid if {@link #isCheaper} returns true. */
  double nanos(long count) {
    return cost.get().lookUpNanos((int) count);
  }

  /** Opens a reader. */
  public Reader open() {
    return new Reader();
  }

  /** Reader that looks up numbers. For one thread. */
  public final class Reader implements Closeable {
    private final ShapeShiftingColumn<?> column = (ShapeShiftingColumn<?>) numbers.get();
    private final HashIndexReader keys = index.reader(keysOf(type(), column));

    private Reader() {}

    /**
     * Adds the rows of a number.
     *
     * @param out set for the rows of the column
     * @throws io.shapeshift.druid.column.ColumnFormatException if the column or its index is damaged
     */
    public void find(long key, RowSet out) {
      keys.find(key, out);
    }

    /**
     * Row of a number in a column of unique numbers; -1 if no row has it.
     *
     * @throws io.shapeshift.druid.column.ColumnFormatException if the column or its index is damaged
     */
    public int findUnique(long key) {
      return keys.findUnique(key);
    }

    /** Adds the rows of several numbers; see {@link #find(long, RowSet)}. */
    void find(LongList wanted, RowSet out) {
      keys.find(wanted, out);
    }

    /** Returns the buffers to their pool. Later reads acquire new ones. */
    @Override
    public void close() {
      column.close();
    }
  }

  private static IntToLongFunction keysOf(NumberType type, ShapeShiftingColumn<?> column) {
    return switch (type) {
      case LONG -> ((ShapeShiftingColumnarLongs) column)::get;
      case DOUBLE -> {
        final ShapeShiftingColumnarDoubles doubles = (ShapeShiftingColumnarDoubles) column;
        yield row -> type.sortableOf(doubles.get(row));
      }
      case FLOAT -> {
        final ShapeShiftingColumnarFloats floats = (ShapeShiftingColumnarFloats) column;
        yield row -> type.sortableOf(floats.get(row));
      }
    };
  }
}
