// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/**
 * Division of integers in doubles by a power of ten, with the result of a division bit for bit, in a quarter of its
 * time: by a multiplication with the reciprocal, and what that leaves over.
 *
 * <p>Why it is exact: let a be an integer of at most 51 bits, m = 10^k with k up to 18, y the double next to 1/m and q
 * the double next to a*y. Both roundings together leave q within 2^-52 of a/m, relatively. The rest r = a - m*q is a
 * multiple of 2^k times the last bit of q, and smaller than 5^k such multiples times two, so that a double has it
 * exactly, and a fused multiply-add computes it. Then q + r*y is within 2^-105 of a/m, relatively; and a/m is not as
 * close as that to the middle between two doubles, as these middles are at least 2^-54 / 5^k away, relatively. So both
 * round to the same double.
 *
 * @see <a href="https://doi.org/10.1147/rd.341.0111">Markstein, Computation of elementary functions on the IBM RISC
 *     System/6000 processor</a>
 */
public final class ExactDivision {
  /** Whether the processor has fused multiply-add: without it Java computes one in thousands of steps. */
  private static final boolean HAS_FUSED_MULTIPLY_ADD = Boolean.parseBoolean(JvmOption.value("UseFMA", "false"));

  private ExactDivision() {}

  /**
   * Divides doubles, each of which is an integer with something added.
   *
   * @param inOut   where they are, from {@code start} on
   * @param added   what is to be taken off before; the difference is an integer from -2^51 to 2^51
   * @param divisor ten to the power of 0 to 18
   */
  public static void subtractAndDivide(double[] inOut, int start, int length, double added, double divisor) {
    if (HAS_FUSED_MULTIPLY_ADD) {
      byReciprocal(inOut, start, length, added, divisor, 1 / divisor);
    } else {
      byDivision(inOut, start, length, added, divisor);
    }
  }

  static void byDivision(double[] inOut, int start, int length, double added, double divisor) {
    for (int i = start; i < start + length; i++) {
      inOut[i] = (inOut[i] - added) / divisor;
    }
  }

  static void byReciprocal(double[] inOut, int start, int length, double added, double divisor, double reciprocal) {
    for (int i = start; i < start + length; i++) {
      final double dividend = inOut[i] - added;
      final double quotient = dividend * reciprocal;
      inOut[i] = Math.fma(Math.fma(-divisor, quotient, dividend), reciprocal, quotient);
    }
  }
}
