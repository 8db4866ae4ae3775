// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Formats of numbers, for people and for programs. */
public final class Numbers {
  /** Java uses an exponent for smaller numbers. */
  private static final double LEAST_WITHOUT_EXPONENT = 1e-3;
  private static final double NANOS_PER_MILLI = 1e6;

  private Numbers() {}

  /** Formats with separators between thousands; fractions have three decimals. */
  public static String text(Number number) {
    return number instanceof Double || number instanceof Float
           ? String.format(Locale.ROOT, "%,.3f", number.doubleValue())
           : String.format(Locale.ROOT, "%,d", number.longValue());
  }

  /**
   * Measured number. Displayed with two significant digits, because further digits are not reproducible.
   *
   * @param value measured value
   */
  public record Rough(double value) {
    @Override
    public String toString() {
      return new BigDecimal(value).round(new MathContext(2)).toPlainString();
    }
  }

  /** Milliseconds of a measured number of nanoseconds. */
  public static Rough millis(double nanos) {
    return new Rough(nanos / NANOS_PER_MILLI);
  }

  /** Formats a count, such as "1 row" or "2 rows". */
  public static String count(long number, String thing) {
    return text(number) + " " + thing + (number == 1 ? "" : "s");
  }

  /** Formats without separators; fractions have at most six decimals. */
  static String csv(Number number) {
    return number instanceof Double || number instanceof Float
           ? plain(rounded(number.doubleValue()))
           : String.valueOf(number.longValue());
  }

  /** Formats without an exponent, which not every CSV reader accepts. */
  private static String plain(double value) {
    return Double.isFinite(value) && value != 0 && Math.abs(value) < LEAST_WITHOUT_EXPONENT
           ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
           : String.valueOf(value);
  }

  /** Rounds to six decimals, the best precision of any measurement here. */
  public static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
