// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.ColumnRead;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A/A check of the measurement itself: each encoding of a column is stored twice, and both copies are measured like two
 * encodings. Their times differ by noise alone if the measurement is fair.
 */
final class Twins {
  /** Greatest relative difference between the mean times of the two copies of an encoding. */
  private static final double TOLERANCE = .03;
  private static final String SECOND = " again";

  private final Set<String> encodings = new LinkedHashSet<>();
  private final List<Pair> pairs = new ArrayList<>();

  /**
   * One read of both copies.
   *
   * @param first  nanoseconds per row that is read
   * @param second the same, of the other copy
   */
  private record Pair(Shape shape, String encoding, String read, double first, double second) {
    double ratio() {
      return second / first;
    }
  }

  /** Checks the encodings that some promises compare. */
  Twins(Set<Promise> promises) {
    for (Promise promise : promises) {
      encodings.add(promise.baseline());
      encodings.add(promise.encoding());
    }
  }

  /** Measures a column. */
  void measure(Shape shape, SpeedTest speedTest) {
    final RowValues values = shape.values().get();
    final Map<String, EncodedRows> rows = new LinkedHashMap<>();
    try {
      for (String encoding : encodings) {
        rows.put(encoding, RowEncodings.parse(encoding).encode(shape.name(), values));
      }
      // The copies are in reverse order: in a fixed order the two copies of an encoding would follow different others.
      final List<String> reverse = new ArrayList<>(encodings);
      Collections.reverse(reverse);
      for (String encoding : reverse) {
        rows.put(encoding + SECOND, RowEncodings.parse(encoding).encode(shape.name(), values));
      }
      final List<ColumnRead> reads = Trial.READS.stream().map(read -> ColumnRead.of(read, values.rows())).toList();
      speedTest.measure(rows, reads).forEach((read, nanos) -> encodings.forEach(encoding -> pairs.add(
          new Pair(shape, encoding, read, nanos.get(encoding), nanos.get(encoding + SECOND)))));
    } catch (IOException e) {
      throw new ToolException(shape.toString(), "it cannot be written: " + e, "Make room for temporary files", e);
    } finally {
      rows.values().forEach(EncodedRows::close);
    }
  }

  private double mean(String encoding) {
    return StatUtils.geometricMean(ratios(encoding));
  }

  private double[] ratios(String encoding) {
    return pairs.stream().filter(pair -> pair.encoding.equals(encoding)).mapToDouble(Pair::ratio).toArray();
  }

  private static boolean isNear(double ratio) {
    return Math.abs(Math.log(ratio)) <= Math.log1p(TOLERANCE);
  }

  /** Returns 0 if the mean times of the two copies of each encoding are within the tolerance, and otherwise 1. */
  int exitCode() {
    return encodings.stream().allMatch(encoding -> isNear(mean(encoding))) ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  /** Table with a row for each read of each column in each encoding. */
  Table csv() {
    final Table table = new Table("type", "shape", "encoding", "read", "nanosPerRow", "nanosPerRowAgain", "ratio");
    pairs.forEach(pair -> table.add(
        Shape.name(pair.shape.type()), pair.shape.name(), pair.encoding, pair.read, pair.first, pair.second,
        pair.ratio()
    ));
    return table;
  }

  /** Report for people: means by encoding. */
  String text() {
    final Table table = new Table(
        "encoding", "reads", "mean ratio", "within 3 %", "least", "first quartile", "third quartile", "greatest");
    for (String encoding : encodings) {
      final double[] ratios = ratios(encoding);
      table.add(
          encoding, ratios.length, Numbers.rounded(mean(encoding)), isNear(mean(encoding)) ? "yes" : "no",
          Numbers.rounded(StatUtils.min(ratios)), Numbers.rounded(StatUtils.percentile(ratios, 25)),
          Numbers.rounded(StatUtils.percentile(ratios, 75)), Numbers.rounded(StatUtils.max(ratios))
      );
    }
    return "Two copies of each encoding: the time of the second divided by that of the first" + System.lineSeparator()
        + table.toText();
  }
}
