// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Cost of reading an encoding under each optimization target. Selection multiplies the bytes of a chunk with the cost,
 * and chooses the encoding with the smallest product. A cost of 1 is that of:
 *
 * <ul>
 *   <li>ints and numbers: bit packing, read where it lies. Our forms that are decoded in blocks cost about 1.1 to 1.5;
 *   <li>posting lists: Roaring bitmaps;
 *   <li>texts: front coding, each text without the prefix that it shares with the first of its bucket. Our other
 *       codings cost, in the order of the parameters, 1, 1.15 and 2.5 with a table of symbols; 1.02, 1.5 and
 *       {@code NEVER} where each text depends on the one before; 1.05, 1.5 and {@code NEVER} in blocks under Zstandard.
 * </ul>
 */
public final class ReadCost {
  /** Cost of an encoding that is not used under a target. */
  public static final double NEVER = Double.POSITIVE_INFINITY;

  /** Cost of values that are read as fast as those of cost 1. */
  public static final ReadCost NONE = of(1, 1, 1);

  private final double smaller;
  private final double fastButSmallish;
  private final double faster;

  private ReadCost(double smaller, double fastButSmallish, double faster) {
    this.smaller = smaller;
    this.fastButSmallish = fastButSmallish;
    this.faster = faster;
  }

  /**
   * Returns a cost.
   *
   * @param smaller         cost under the target {@code smaller}: 1 or more, or {@link #NEVER}
   * @param fastButSmallish cost under the default target: 1 or more, or {@link #NEVER}
   * @param faster          cost under the target {@code faster}: 1 or more, or {@link #NEVER}. Encodings that decode a
   *     whole chunk to read one value are {@code NEVER} used here; this also keeps them out of columns with a hash
   *     index
   * @throws IllegalArgumentException if a cost is less than 1 or not a number
   */
  public static ReadCost of(double smaller, double fastButSmallish, double faster) {
    check("smaller", smaller);
    check("fastButSmallish", fastButSmallish);
    check("faster", faster);
    return new ReadCost(smaller, fastButSmallish, faster);
  }

  private static void check(String target, double cost) {
    if (!(cost >= 1)) {
      throw new IllegalArgumentException(target + "[" + cost + "] must be at least 1, or NEVER");
    }
  }

  /** Returns the cost under the target {@code smaller}. */
  public double smaller() {
    return smaller;
  }

  /** Returns the cost under the default target. */
  public double fastButSmallish() {
    return fastButSmallish;
  }

  /** Returns the cost under the target {@code faster}. */
  public double faster() {
    return faster;
  }
}
