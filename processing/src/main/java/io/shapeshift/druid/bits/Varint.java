// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/**
 * Variable-length integers in groups of seven bits, the lowest group first. The eighth bit of a byte is set if another
 * byte follows.
 */
public final class Varint {
  /** Bits of a number in each byte. */
  public static final int BITS = 7;
  /** Mask of the bits in a byte that belong to the number. */
  public static final int MASK = (1 << BITS) - 1;

  private Varint() {}

  /**
   * Writes a number.
   *
   * @param number 0 or more
   * @param at     index of the first byte in {@code out}
   * @return index after the last byte
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
