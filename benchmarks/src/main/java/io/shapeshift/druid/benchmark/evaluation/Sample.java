// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.tool.encoding.RowValues;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sample of a block: runs of neighbouring values, at equal distances (BtrBlocks, SIGMOD 2023, section 3.1).
 *
 * @param runs   number of runs
 * @param length values of each run
 */
record Sample(int runs, int length) {
  /** Samples of 640 values, from single values to one run; and of .1 to 100 % of a block, in runs of 64. */
  static List<Sample> all(int block) {
    return Stream.concat(
        IntStream.of(640, 320, 160, 80, 40, 10, 1).mapToObj(runs -> new Sample(runs, 640 / runs)),
        Stream.of(.001, .003, .03, .1, .3, 1.).map(share -> new Sample((int) Math.ceil(share * block / 64), 64))
    ).toList();
  }

  /** Name, such as {@code 10 x 64}. */
  String name() {
    return runs + " x " + length;
  }

  /** The sample of a block; the block itself, if it has no more values. */
  RowValues of(RowValues block) {
    return block.rows() <= runs * length ? block : pick(block, rows(block.rows()));
  }

  private int[] rows(int block) {
    return IntStream.range(0, runs)
        .map(run -> runs == 1 ? (block - length) / 2 : (int) ((long) run * (block - length) / (runs - 1)))
        .flatMap(start -> IntStream.range(start, start + length))
        .toArray();
  }

  /** Some rows of a column without multi-values. */
  static RowValues pick(RowValues values, int[] rows) {
    if (values instanceof RowValues.Ids ids) {
      return new RowValues.Ids(Arrays.stream(rows).map(row -> ids.ids()[row]).toArray(), ids.cardinality());
    }
    final RowValues.Numbers numbers = (RowValues.Numbers) values;
    final BitSet nulls = new BitSet();
    IntStream.range(0, rows.length).filter(i -> numbers.nulls().get(rows[i])).forEach(nulls::set);
    if (values instanceof RowValues.Longs longs) {
      return new RowValues.Longs(Arrays.stream(rows).mapToLong(row -> longs.values()[row]).toArray(), nulls);
    }
    if (values instanceof RowValues.Doubles doubles) {
      return new RowValues.Doubles(Arrays.stream(rows).mapToDouble(row -> doubles.values()[row]).toArray(), nulls);
    }
    final float[] floats = new float[rows.length];
    for (int i = 0; i < rows.length; i++) {
      floats[i] = ((RowValues.Floats) values).values()[rows[i]];
    }
    return new RowValues.Floats(floats, nulls);
  }
}
