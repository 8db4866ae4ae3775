// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

/** Powers of ten that doubles represent exactly. */
public final class PowersOfTen {
  /** Greatest exponent. */
  public static final int MAX_EXPONENT = 18;

  private static final double[] POWERS = new double[MAX_EXPONENT + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i <= MAX_EXPONENT; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private PowersOfTen() {}

  /**
   * Returns ten to the power of an exponent.
   *
   * @param exponent 0 to {@link #MAX_EXPONENT}
   */
  public static double of(int exponent) {
    return POWERS[exponent];
  }
}
