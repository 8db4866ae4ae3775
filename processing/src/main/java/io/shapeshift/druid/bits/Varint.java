// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/** Writes numbers in groups of seven bits, the lowest first; the eighth bit of a byte says that there are more. */
public final class Varint {
  /** Bits of a number in each byte. */
  public static final int BITS = 7;
  /** Those of a byte that are bits of the number. */
  public static final int MASK = (1 << BITS) - 1;

  private Varint() {}

  /**
   * Writes a number.
   *
   * @param number 0 or more
   * @param at     index in {@code out} of its first byte
   * @return index behind its last byte
   */
  public static int put(int number, byte[] out, int at) {
    int end = at;
    int left = number;
    while (left > MASK) {
      out[end++] = (byte) (left | 1 << BITS);
      left >>>= BITS;
    }
    out[end++] = (byte) left;
    return end;
  }
}
