// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

/** The values of a column's rows: dictionary ids or numbers, apart from how they are stored. */
@SuppressWarnings("ArrayRecordComponent") // They are handed on, never compared or changed.
public sealed interface RowValues {
  /** Number of rows. */
  int rows();

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
  }

  /** A long for each row, 0 where it is null. */
  record Longs(long[] values) implements RowValues {
    @Override
    public int rows() {
      return values.length;
    }
  }

  /** A float for each row, 0 where it is null. */
  record Floats(float[] values) implements RowValues {
    @Override
    public int rows() {
      return values.length;
    }
  }

  /** A double for each row, 0 where it is null. */
  record Doubles(double[] values) implements RowValues {
    @Override
    public int rows() {
      return values.length;
    }
  }
}
