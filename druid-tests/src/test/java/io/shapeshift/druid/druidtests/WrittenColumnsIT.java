// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs after Druid's tests: those are worth nothing if the columns that they wrote and read were Druid's own. */
class WrittenColumnsIT {
  /** Columns of which we store nothing: those without a value, complex metrics, and nested data. */
  private static final Set<String> NEVER_OURS = Set.of(
      "NullColumnPartSerde", "ComplexColumnPartSerde", "NestedCommonFormatColumnPartSerde");

  /** By encoding and kind of column. */
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

  @Test
  void theColumnsOfDruidsTestsWereOurs() throws IOException {
    final Map<String, Map<String, Long>> columns = columns();
    assertFalse(columns.isEmpty(), "no column was counted");
    columns.forEach((encoding, kinds) -> {
      System.out.println("Columns that Druid's tests wrote as " + encoding + ": " + kinds);
      final Set<String> druids = new TreeSet<>();
      final Set<String> ours = new TreeSet<>();
      kinds.keySet().forEach(kind -> {
        if (kind.contains(" ShapeShift")) {
          ours.add(kind);
        } else if (NEVER_OURS.stream().noneMatch(kind::contains)) {
          druids.add(kind);
        }
      });
      assertEquals(Set.of(), druids, encoding);
      assertTrue(
          ours.containsAll(Set.of(
              "STRING ShapeShiftStringColumnPartSerde",
              "LONG ShapeShiftNumberColumnPartSerde$Longs",
              "DOUBLE ShapeShiftNumberColumnPartSerde$Doubles",
              "FLOAT ShapeShiftNumberColumnPartSerde$Floats",
              "COMPLEX ShapeShiftAutoColumnPartSerde"
          )),
          () -> encoding + ": " + ours
      );
    });
  }
}
