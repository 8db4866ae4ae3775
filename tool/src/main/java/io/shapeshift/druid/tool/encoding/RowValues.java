// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Arrays;
import java.util.BitSet;

/** The values of a column's rows: dictionary ids or numbers, apart from how they are stored. */
@SuppressWarnings("ArrayRecordComponent") // They are handed on, never compared or changed.
public sealed interface RowValues {
  /** Number of rows. */
  int rows();

  /**
   * The first rows.
   *
   * @param count number of rows; all rows if there are fewer
   */
  RowValues first(int count);

  /**
   * A dictionary id for each row.
   *
   * @param ids         from 0 to less than the cardinality
   * @param cardinality values in the dictionary
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
   * Any number of dictionary ids for each row.
   *
   * @param offsets     where the ids of each row start, and at last where those of the last row end
   * @param ids         the ids of all rows
   * @param cardinality values in the dictionary
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

  /** A number for each row. What stands where a row is null depends on who wrote it, and means nothing. */
  sealed interface Numbers extends RowValues {
    /** What they are. */
    NumberType type();

    /** The rows that are null. */
    BitSet nulls();

    /** The number of a row. */
    Number number(int row);

    /**
     * Its key, by which hash indexes have it: {@linkplain NumberType#sortable sortable bits}, one key for all bits that
     * are not a number.
     */
    default long key(int row) {
      final Number number = number(row);
      return type() == NumberType.LONG ? number.longValue() : type().sortableOf(number.doubleValue());
    }
  }

  /**
   * A long for each row.
   *
   * @param nulls the rows that are null
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
   * A float for each row.
   *
   * @param nulls the rows that are null
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
   * A double for each row.
   *
   * @param nulls the rows that are null
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
