// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people and programs like them. */
public final class Numbers {
  /** From here on downwards Java writes an exponent. */
  private static final double LEAST_WITHOUT_EXPONENT = 1e-3;

  private Numbers() {}

  /** With separators between thousands; fractions with three decimals. */
  public static String text(Number number) {
    return number instanceof Double || number instanceof Float
           ? String.format(Locale.ROOT, "%,.3f", number.doubleValue())
           : String.format(Locale.ROOT, "%,d", number.longValue());
  }

  /**
   * A measured number: people see two significant digits, since no more of it would be the same the next time.
   *
   * @param value what was measured
   */
  public record Rough(double value) {
    @Override
    public String toString() {
      return new BigDecimal(value).round(new MathContext(2)).toPlainString();
    }
  }

  /** A count of things, such as "1 row" or "2 rows". */
  public static String count(long number, String thing) {
    return text(number) + " " + thing + (number == 1 ? "" : "s");
  }

  /** Without separators; fractions with at most six decimals. */
  static String csv(Number number) {
    return number instanceof Double || number instanceof Float
           ? plain(rounded(number.doubleValue()))
           : String.valueOf(number.longValue());
  }

  /** Without an exponent, which not every reader of CSV knows. */
  private static String plain(double value) {
    return Double.isFinite(value) && value != 0 && Math.abs(value) < LEAST_WITHOUT_EXPONENT
           ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
           : String.valueOf(value);
  }

  /** To six decimals: no measurement here is better. */
  public static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
