// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Arrays;
import java.util.BitSet;

/** Values of a column's rows: dictionary ids or numbers, independent of their encoding. */
@SuppressWarnings("ArrayRecordComponent") // The arrays are only passed on, never compared or modified.
public sealed interface RowValues {
  /** Number of rows. */
  int rows();

  /**
   * Values of the first rows.
   *
   * @param count maximum number of rows
   */
  RowValues first(int count);

  /**
   * One dictionary id per row.
   *
   * @param ids         ids from 0 to {@code cardinality} - 1
   * @param cardinality number of values in the dictionary
   */
  record Ids(int[] ids, int cardinality) implements RowValues {
    @Override
    public int rows() {
      return ids.length;
    }

    @Override
    public Ids first(int count) {
      return new Ids(Arrays.copyOf(ids, Math.min(count, rows())), cardinality);
    }
  }

  /**
   * Any number of dictionary ids per row.
   *
   * @param offsets     start of each row's ids in {@code ids}, followed by the end of the last row's ids
   * @param ids         ids of all rows
   * @param cardinality number of values in the dictionary
   */
  record MultiIds(int[] offsets, int[] ids, int cardinality) implements RowValues {
    @Override
    public int rows() {
      return offsets.length - 1;
    }

    @Override
    public MultiIds first(int count) {
      final int[] some = Arrays.copyOf(offsets, Math.min(count, rows()) + 1);
      return new MultiIds(some, Arrays.copyOf(ids, some[some.length - 1]), cardinality);
    }
  }

  /** One numeric value per row. The value in a null row depends on the writer, and has no meaning. */
  sealed interface Numbers extends RowValues {
    /** Type of the numbers. */
    NumberType type();

    /** Null rows. */
    BitSet nulls();

    /** Number of a row. */
    Number number(int row);

    /**
     * Key by which hash indexes know the numeric value of a row: the value's {@linkplain NumberType#sortable sortable
     * bits}. All NaNs share one key.
     */
    default long key(int row) {
      final Number number = number(row);
      return type() == NumberType.LONG ? number.longValue() : type().sortableOf(number.doubleValue());
    }
  }

  /**
   * One long per row.
   *
   * @param nulls null rows
   */
  record Longs(long[] values, BitSet nulls) implements Numbers {
    /** Longs without nulls. */
    public Longs(long[] values) {
      this(values, new BitSet());
    }

    @Override
    public NumberType type() {
      return NumberType.LONG;
    }

    @Override
    public Number number(int row) {
      return values[row];
    }

    @Override
    public int rows() {
      return values.length;
    }

    @Override
    public Longs first(int count) {
      final int some = Math.min(count, rows());
      return new Longs(Arrays.copyOf(values, some), nulls.get(0, some));
    }
  }

  /**
   * One float per row.
   *
   * @param nulls null rows
   */
  record Floats(float[] values, BitSet nulls) implements Numbers {
    /** Floats without nulls. */
    public Floats(float[] values) {
      this(values, new BitSet());
    }

    @Override
    public NumberType type() {
      return NumberType.FLOAT;
    }

    @Override
    public Number number(int row) {
      return values[row];
    }

    @Override
    public int rows() {
      return values.length;
    }

    @Override
    public Floats first(int count) {
      final int some = Math.min(count, rows());
      return new Floats(Arrays.copyOf(values, some), nulls.get(0, some));
    }
  }

  /**
   * One double per row.
   *
   * @param nulls null rows
   */
  record Doubles(double[] values, BitSet nulls) implements Numbers {
    /** Doubles without nulls. */
    public Doubles(double[] values) {
      this(values, new BitSet());
    }

    @Override
    public NumberType type() {
      return NumberType.DOUBLE;
    }

    @Override
    public Number number(int row) {
      return values[row];
    }

    @Override
    public int rows() {
      return values.length;
    }

    @Override
    public Doubles first(int count) {
      final int some = Math.min(count, rows());
      return new Doubles(Arrays.copyOf(values, some), nulls.get(0, some));
    }
  }
}
