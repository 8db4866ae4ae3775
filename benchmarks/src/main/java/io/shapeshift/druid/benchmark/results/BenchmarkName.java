// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.results;

import com.google.common.base.Ascii;
import io.shapeshift.druid.segment.spec.EncodedType;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parts of the name of a benchmark of columns.
 *
 * @param type   of the rows
 * @param task   {@code encode}, {@code select} or {@code filter}
 * @param source {@code generator} or {@code segments}
 */
public record BenchmarkName(EncodedType type, String task, String source) {
  private static final Pattern PATTERN =
      Pattern.compile("Columnar(\\w+)s(EncodeData|SelectRows|FilterRows)From(Generator|Segment)Benchmark");
  private static final Pattern INDEX_PATTERN = Pattern.compile("Index(Build|Filter)Benchmark");
  private static final Pattern DICTIONARY_PATTERN =
      Pattern.compile("Dictionary(Build|Read)From(Generator|Segment)Benchmark");

  /** Parses the simple name of a class; empty for all but benchmarks of columns. */
  public static Optional<BenchmarkName> of(String simpleName) {
    final Matcher name = PATTERN.matcher(simpleName);
    if (!name.matches()) {
      return Optional.empty();
    }
    return Optional.of(new BenchmarkName(
        EncodedType.valueOf(Ascii.toUpperCase(name.group(1))),
        switch (name.group(2)) {
          case "EncodeData" -> "encode";
          case "SelectRows" -> "select";
          default -> "filter";
        },
        source(name.group(3))
    ));
  }

  /** Task of a benchmark of indexes, {@code build} or {@code filter}; empty for other benchmarks. */
  public static Optional<String> taskOfIndexes(String simpleName) {
    final Matcher name = INDEX_PATTERN.matcher(simpleName);
    return name.matches() ? Optional.of(Ascii.toLowerCase(name.group(1))) : Optional.empty();
  }

  /**
   * Parts of the name of a benchmark of dictionaries.
   *
   * @param task   {@code build} or {@code read}
   * @param source {@code generator} or {@code segments}
   */
  public record OfDictionaries(String task, String source) {}

  /** Parses the simple name of a class; empty for all but benchmarks of dictionaries. */
  public static Optional<OfDictionaries> ofDictionaries(String simpleName) {
    final Matcher name = DICTIONARY_PATTERN.matcher(simpleName);
    return name.matches()
           ? Optional.of(new OfDictionaries(Ascii.toLowerCase(name.group(1)), source(name.group(2))))
           : Optional.empty();
  }

  private static String source(String name) {
    return name.equals("Generator") ? "generator" : "segments";
  }

  /** Name of the type in results: {@code ints}, {@code longs}, {@code floats} or {@code doubles}. */
  String types() {
    return Ascii.toLowerCase(type.name()) + "s";
  }

  /** Name of the file of results, without its extension. */
  static String file(String simpleName) {
    return of(simpleName)
        .map(name -> String.join("-", "column", name.types(), name.task, "speed", name.source))
        .or(() -> ofDictionaries(simpleName)
            .map(name -> String.join("-", "dictionary", name.task, "speed", name.source)))
        .or(() -> taskOfIndexes(simpleName).map(task -> "index-" + task + "-speed"))
        .orElse(simpleName);
  }
}
