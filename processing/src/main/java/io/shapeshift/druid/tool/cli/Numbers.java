// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.cli;

import java.util.Locale;

/** Numbers as people and programs like them. */
public final class Numbers {
  private Numbers() {}

  /** With separators between thousands; fractions with three decimals. */
  public static String text(Number number) {
    return number instanceof Double || number instanceof Float
           ? String.format(Locale.ROOT, "%,.3f", number.doubleValue())
           : String.format(Locale.ROOT, "%,d", number.longValue());
  }

  /** Without separators; fractions with at most six decimals. */
  static String csv(Number number) {
    return number instanceof Double || number instanceof Float
           ? String.valueOf(rounded(number.doubleValue()))
           : String.valueOf(number.longValue());
  }

  /** To six decimals: no measurement here is better. */
  public static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
