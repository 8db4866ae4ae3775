// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.results;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a benchmark of columns says of it.
 *
 * @param type   {@code ints}, {@code longs}, {@code floats} or {@code doubles}
 * @param task   {@code encode} or {@code select}
 * @param source {@code generator} or {@code segments}
 */
record BenchmarkName(String type, String task, String source) {
  private static final Pattern PATTERN =
      Pattern.compile("Columnar(Ints|Longs|Floats|Doubles)(EncodeData|SelectRows)From(Generator|Segment)Benchmark");

  /** Whether it is one of columns; the others are of queries. */
  static boolean isOfColumns(String simpleName) {
    return PATTERN.matcher(simpleName).matches();
  }

  static BenchmarkName of(String simpleName) {
    final Matcher name = PATTERN.matcher(simpleName);
    if (!name.matches()) {
      throw new IllegalArgumentException(simpleName);
    }
    return new BenchmarkName(
        name.group(1).toLowerCase(Locale.ROOT),
        name.group(2).equals("EncodeData") ? "encode" : "select",
        name.group(3).equals("Generator") ? "generator" : "segments"
    );
  }

  /** The file of its results, without what tells CSV and JSON apart. */
  static String file(String simpleName) {
    if (!isOfColumns(simpleName)) {
      return "query-speed";
    }
    final BenchmarkName name = of(simpleName);
    return String.join("-", "column", name.type, name.task, "speed", name.source);
  }
}
