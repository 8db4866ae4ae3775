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
 *
 * @param smaller         cost under the target {@code smaller}: 1 or more, or {@link #NEVER}
 * @param fastButSmallish cost under the default target: 1 or more, or {@link #NEVER}
 * @param faster          cost under the target {@code faster}: 1 or more, or {@link #NEVER}. Encodings that decode a
 *     whole chunk to read one value are {@code NEVER} used here; this also keeps them out of columns with a hash index
 */
public record ReadCost(double smaller, double fastButSmallish, double faster) {
  /** Cost of an encoding that is not used under a target. */
  public static final double NEVER = Double.POSITIVE_INFINITY;

  /** Cost of values that are read as fast as those of cost 1. */
  public static final ReadCost NONE = new ReadCost(1, 1, 1);

  /**
   * Creates a cost.
   *
   * @throws IllegalArgumentException if a cost is less than 1 or not a number
   */
  public ReadCost {
    check("smaller", smaller);
    check("fastButSmallish", fastButSmallish);
    check("faster", faster);
  }

  private static void check(String target, double cost) {
    if (!(cost >= 1)) {
      throw new IllegalArgumentException(target + "[" + cost + "] must be at least 1, or NEVER");
    }
  }
}
