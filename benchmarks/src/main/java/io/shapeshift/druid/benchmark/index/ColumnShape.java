// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import com.google.common.base.Ascii;
import io.shapeshift.druid.tool.encoding.RowValues;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** Distributions of the values of a column over its rows. The same arguments always make the same rows. */
enum ColumnShape {
  /** Equally frequent values at random places: with as many values as rows, each value in one row. */
  UNIFORM {
    @Override
    int[] draw(int numRows, int numValues, Random random) {
      return IntArrays.shuffle(sorted(numRows, numValues), random);
    }
  },
  /** Frequencies as 1/k (exponent 1); frequent values are anywhere in the dictionary. */
  ZIPF {
    @Override
    int[] draw(int numRows, int numValues, Random random) {
      final int[] ids = IntArrays.shuffle(IntStream.range(0, numValues).toArray(), random);
      return IntStream.range(0, numRows)
          .map(row -> ids[(int) Math.min(numValues, Math.pow(numValues + 1.0, random.nextDouble())) - 1])
          .toArray();
    }
  },
  /** One run per value, all of one length, as in the column that a segment is sorted by. */
  SORTED {
    @Override
    int[] draw(int numRows, int numValues, Random random) {
      return sorted(numRows, numValues);
    }
  },
  /** Runs of 50 rows on average, of equally frequent values, as where related rows arrive together. */
  RUNS {
    @Override
    int[] draw(int numRows, int numValues, Random random) {
      final int[] ids = new int[numRows];
      for (int row = 0; row < numRows; row++) {
        ids[row] = row == 0 || random.nextInt(RUN_LENGTH) == 0 ? random.nextInt(numValues) : ids[row - 1];
      }
      return ids;
    }
  };

  private static final int RUN_LENGTH = 50;

  /**
   * The shape with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static ColumnShape parse(String name) {
    return Arrays.stream(values()).filter(shape -> shape.toString().equals(name)).findFirst().orElseThrow(() ->
        new IllegalArgumentException("There is no shape " + name + ". There are " + Arrays.toString(values())));
  }

  /**
   * Dictionary ids of rows. The cardinality is the number of values that were drawn, because a dictionary has no
   * others.
   *
   * @param numValues how many values the rows are drawn from, at most as many as there are rows
   */
  RowValues.Ids rows(int numRows, int numValues, long seed) {
    final int[] drawn = draw(numRows, numValues, new Random(seed));
    final int[] ids = new int[numValues];
    for (int value : drawn) {
      ids[value] = 1;
    }
    int cardinality = 0;
    for (int value = 0; value < numValues; value++) {
      final int id = cardinality;
      cardinality += ids[value];
      ids[value] = id;
    }
    return new RowValues.Ids(Arrays.stream(drawn).map(value -> ids[value]).toArray(), cardinality);
  }

  abstract int[] draw(int numRows, int numValues, Random random);

  private static int[] sorted(int numRows, int numValues) {
    return IntStream.range(0, numRows).map(row -> (int) ((long) row * numValues / numRows)).toArray();
  }

  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
