// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/**
 * Cost of reading an encoding under each optimization target. Selection multiplies the bytes of a chunk with the cost,
 * and chooses the encoding with the smallest product. The cost of the extension's own forms is 1 for bit packing, which
 * is read where it lies, and about 1.1 to 1.5 for forms that are decoded in blocks.
 *
 * @param smaller         cost under the target {@code smaller}: 1 or more, or {@link #NEVER}
 * @param fastButSmallish cost under the default target: 1 or more, or {@link #NEVER}
 * @param faster          cost under the target {@code faster}: 1 or more, or {@link #NEVER}. Encodings that decode a
 *     whole chunk to read one value are {@code NEVER} used here; this also keeps them out of columns with a hash index
 */
public record ReadCost(double smaller, double fastButSmallish, double faster) {
  /** Cost of an encoding that is not used under a target. */
  public static final double NEVER = Double.POSITIVE_INFINITY;

  /** Cost of values that are read where they lie, as fast as bit-packed ones. */
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
