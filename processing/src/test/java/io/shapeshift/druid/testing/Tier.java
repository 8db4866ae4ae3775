// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How much the tests try. Each build tries samples that take every turn of the code; the exhaustive tests, which
 * {@code -Dshapeshift.exhaustive=true} asks for, try all lengths and combinations. Both have the same tests.
 */
public final class Tier {
  private static final boolean EXHAUSTIVE = Boolean.getBoolean("shapeshift.exhaustive");

  private Tier() {}

  /** What this run tries: few in each build, all in exhaustive tests. */
  public static <T> T pick(T few, T all) {
    return EXHAUSTIVE ? all : few;
  }

  /**
   * Whether this run tries one combination of several things: one in so many in each build, all in exhaustive tests.
   *
   * @param combination the sum of the things' indexes, so that each thing is tried, with other ones each time
   */
  public static boolean tries(int combination, int oneIn) {
    return EXHAUSTIVE || combination % oneIn == 0;
  }

  /** Of all combinations those that this run {@link #tries}. */
  public static <T> List<T> oneIn(int oneIn, Stream<T> combinations) {
    final List<T> all = combinations.toList();
    return IntStream.range(0, all.size()).filter(i -> tries(i, oneIn)).mapToObj(all::get).toList();
  }
}
