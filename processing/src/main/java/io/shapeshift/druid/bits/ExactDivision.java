// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

/**
 * Exact division of integral doubles by a power of ten. It multiplies by the reciprocal and corrects the result by the
 * remainder. The result is bit for bit that of a division, in a quarter of the time.
 *
 * <p>Proof of exactness: let a be an integer of at most 51 bits, m = 10^k with k up to 18, y the double next to 1/m and
 * q the double next to a*y. Both roundings together leave q within 2^-52 of a/m, relatively. The rest r = a - m*q is a
 * multiple of 2^k times the last bit of q, and smaller than 5^k such multiples times two, so a double represents it
 * exactly, and a fused multiply-add computes it. Then q + r*y is within 2^-105 of a/m, relatively; and a/m is further
 * than that from the middle between two doubles, because these middles are at least 2^-54 / 5^k away, relatively. So
 * both round to the same double.
 *
 * @see <a href="https://doi.org/10.1147/rd.341.0111">Markstein, Computation of elementary functions on the IBM RISC
 *     System/6000 processor</a>
 */
public final class ExactDivision {
  /** Whether the processor has fused multiply-add. Without it Java emulates the operation in thousands of steps. */
  private static final boolean HAS_FUSED_MULTIPLY_ADD = Boolean.parseBoolean(JvmOption.value("UseFMA", "false"));

  private ExactDivision() {}

  /**
   * Subtracts a constant from doubles and divides the differences.
   *
   * @param inOut   the doubles, from index {@code start}; receives the quotients
   * @param added   the constant; each difference is an integer from -2^51 to 2^51
   * @param divisor a power of ten, 10^0 to 10^18
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
