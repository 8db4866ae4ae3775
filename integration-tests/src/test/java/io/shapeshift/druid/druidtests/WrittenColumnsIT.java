// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.common.base.Splitter;
import com.google.common.collect.Sets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks after Druid's tests that they have written and read shape-shifting columns. */
class WrittenColumnsIT {
  private static final String OF_ARRAYS =
      ": ids indexes element_indexes string_dictionary long_dictionary double_dictionary";

  /** Columns that stay Druid's: those without values, and complex metrics of few rows or with a column of their own. */
  private static final String DRUIDS = "druids (\\w+: NullColumnPartSerde|complex: ComplexColumnPartSerde)";

  private static final String ROWS = "ours rows in memory";

  /**
   * Further allowed kinds beside {@link #columnsOf}. Strings may have no index, or one of Druid's in a projection;
   * spatial strings have a dictionary of Druid's as well.
   */
  private static final Predicate<String> ALLOWED =
      Pattern.compile(DRUIDS + "|ours strings?: ids( dictionary)?|ours auto array<\\w+>" + OF_ARRAYS)
          .asMatchPredicate();

  /**
   * Returns the kinds of columns that must have been written with an encoding. This ensures that none of our kinds is
   * untested.
   */
  private static Set<String> columnsOf(Encoding encoding) {
    final String numbers = encoding.hasHashIndexes() ? ": numbers hash" : ": numbers";
    return Set.of(
        "ours string: ids indexes dictionary",
        "ours strings: ids indexes dictionary",
        "ours long" + numbers,
        "ours double" + numbers,
        "ours float" + numbers,
        "ours complex: values",
        "ours auto complex<json>: nested",
        "ours auto string: ids indexes string_dictionary",
        "ours auto long: ids longs indexes long_dictionary",
        "ours auto double: ids doubles indexes double_dictionary",
        "ours auto array<string>" + OF_ARRAYS,
        "ours auto mixed" + OF_ARRAYS
    );
  }

  /** Counts by encoding and kind of column. */
  private static Map<String, Map<String, Long>> columns() throws IOException {
    final Map<String, Map<String, Long>> columns = new TreeMap<>();
    try (Stream<Path> files = Files.walk(Path.of(System.getProperty("druidtests.output")))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".tsv")).toList()) {
        final Map<String, Long> kinds =
            columns.computeIfAbsent(file.getParent().getFileName().toString(), encoding -> new TreeMap<>());
        for (String line : Files.readAllLines(file)) {
          final List<String> fields = Splitter.on('\t').splitToList(line);
          kinds.merge(fields.get(1), Long.parseLong(fields.get(2)), Long::sum);
        }
      }
    }
    return columns;
  }

  private static void print(String encoding, Map<String, Long> kinds) {
    System.out.println("Columns that Druid's tests wrote as " + encoding + ":");
    kinds.forEach((kind, count) -> System.out.printf("%,11d %s%n", count, kind));
  }

  @Test
  void theColumnsOfDruidTestsWereOurs() throws IOException {
    final Map<String, Map<String, Long>> columns = columns();
    assertFalse(columns.isEmpty(), "no column was counted");
    columns.forEach(WrittenColumnsIT::print);
    columns.forEach((name, kinds) -> {
      final Encoding encoding = Encoding.parse(name);
      if (encoding.target() == null) {
        // All columns are Druid's, as requested.
        return;
      }
      final Set<String> complete = columnsOf(encoding);
      // Few classes keep rows off the heap, and these become the same columns.
      final Set<String> required = encoding.isOffHeap() ? Set.of(ROWS) : complete;
      assertEquals(
          Set.of(),
          kinds.keySet().stream()
              .filter(kind -> !required.contains(kind) && !complete.contains(kind))
              .filter(ALLOWED.negate())
              .collect(Collectors.toSet()),
          () -> name + ": columns that are Druid's, or in part"
      );
      assertEquals(Set.of(), Sets.difference(required, kinds.keySet()), () -> name + ": missing");
    });
  }
}
