// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import com.google.common.collect.ImmutableMap;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.Totals;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.encoding.FormUsage;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import javax.annotation.Nullable;

/** Makes analyses in the shape of the analyzer's, with figures that follow from a column's number. */
final class TestAnalysis {
  static final List<String> DRUID = List.of("druid-lz4", "druid-zstd", "druid-uncompressed");
  static final List<String> ALL = List.of(
      "druid-lz4",
      "druid-zstd",
      "druid-uncompressed",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  );
  static final int ROWS = 39_244;
  /** What each encoding takes of each byte that Druid's lz4 takes, per mill, in the order of {@link #ALL}. */
  private static final int[] SIZES = {1000, 800, 4000, 600, 700, 900};
  private static final int MISCELLANEOUS_BYTES = 5000;

  private TestAnalysis() {}

  /** An analysis of segments. */
  static Analysis of(SegmentAnalysis... segments) {
    final List<ColumnAnalysis> columns =
        Arrays.stream(segments).flatMap(segment -> segment.columns().stream()).toList();
    final long bytes = Arrays.stream(segments).mapToLong(SegmentAnalysis::bytes).sum();
    return new Analysis(
        "OpenJDK 64-Bit Server VM 17, Linux amd64, 2 processors",
        List.of(segments),
        new Totals(bytes, counted(columns).size(), totals(columns, bytes)),
        null,
        null
    );
  }

  private static List<ColumnAnalysis> counted(List<ColumnAnalysis> columns) {
    return columns.stream().filter(column -> column.encodings().size() == ALL.size()).toList();
  }

  private static Map<String, EncodingTotal> totals(List<ColumnAnalysis> columns, long segmentBytes) {
    final List<ColumnAnalysis> counted = counted(columns);
    final long today = counted.stream().mapToLong(column -> column.bytes().total()).sum();
    final Map<String, EncodingTotal> totals = new LinkedHashMap<>();
    for (String name : ALL) {
      final ToLongFunction<ToLongFunction<EncodingAnalysis>> sum =
          part -> counted.stream().mapToLong(column -> part.applyAsLong(column.encodings().get(name))).sum();
      totals.put(name, new EncodingTotal(
          sum.applyAsLong(EncodingAnalysis::bytes),
          sum.applyAsLong(EncodingAnalysis::indexBytes),
          sum.applyAsLong(EncodingAnalysis::dictionaryBytes),
          sum.applyAsLong(EncodingAnalysis::totalBytes),
          segmentBytes - today + sum.applyAsLong(EncodingAnalysis::totalBytes)
      ));
    }
    return totals;
  }

  /** A segment. */
  static SegmentAnalysis segment(String path, ColumnAnalysis... columns) {
    final long bytes = MISCELLANEOUS_BYTES + Arrays.stream(columns).mapToLong(column -> column.bytes().total()).sum();
    return new SegmentAnalysis(
        path,
        9,
        ROWS,
        "2015-09-12T00:00:00.000Z/2015-09-13T00:00:00.000Z",
        bytes,
        List.of(columns),
        totals(List.of(columns), bytes)
    );
  }

  /** A segment of so many columns that shape-shift. */
  static SegmentAnalysis segment(String path, int columns) {
    return segment(
        path,
        IntStream.range(0, columns).mapToObj(i -> column("column" + i, i, true)).toArray(ColumnAnalysis[]::new)
    );
  }

  /**
   * A string column that shape-shifts.
   *
   * @param number the greater, the larger it is; at least 0
   * @param speed  whether it was measured
   */
  static ColumnAnalysis column(String name, int number, boolean speed) {
    final long lz4 = 1000L * (number + 1);
    final Map<String, EncodingAnalysis> encodings = new LinkedHashMap<>();
    for (int i = 0; i < ALL.size(); i++) {
      final double nanos = 1.0 / (1 + (i + number) % 4);
      final boolean isStock = DRUID.contains(ALL.get(i));
      final long bytes = lz4 * SIZES[i] / 1000;
      final long indexBytes = isStock ? 20 : 8;
      final long dictionaryBytes = isStock ? 10 : 5;
      encodings.put(ALL.get(i), new EncodingAnalysis(
          bytes,
          indexBytes,
          dictionaryBytes,
          bytes + indexBytes + dictionaryBytes,
          speed ? nanos : null,
          speed ? Map.of("0.01", 50 * nanos, "0.1", 5 * nanos) : null,
          speed ? Map.of("equality", isStock ? 300.0 : 200.0) : null,
          null,
          isStock ? null : "front",
          isStock ? null : ImmutableMap.of("bytepack", new FormUsage(1, 100), "tans", new FormUsage(2, 300)),
          isStock ? null : ImmutableMap.of("runs", new FormUsage(1, 8))
      ));
    }
    return column(name, "STRING", 7 * (number + 1), new ColumnBytes(lz4 + 30, 10, lz4, 20, 0), encodings, null);
  }

  /** A column whose chunks have these forms under all targets, the first of them most bytes. */
  static ColumnAnalysis withForms(String name, List<String> forms) {
    final ColumnAnalysis column = column(name, 0, false);
    final Map<String, FormUsage> usages = new LinkedHashMap<>();
    forms.forEach(form -> usages.put(form, new FormUsage(1, 1000 / (usages.size() + 1))));
    final Map<String, EncodingAnalysis> encodings = new LinkedHashMap<>();
    column.encodings().forEach((encoding, analysis) -> encodings.put(
        encoding, rows(analysis.bytes(), analysis.forms() == null ? null : usages)));
    return column(name, "LONG", null, column.bytes(), encodings, null);
  }

  /** A column of numbers, of which only Druid's encodings are known, as analyses once had them. */
  static ColumnAnalysis numbers(String name) {
    final Map<String, EncodingAnalysis> encodings = new LinkedHashMap<>();
    DRUID.forEach(encoding -> encodings.put(encoding, rows(8000, null)));
    return column(name, "LONG", null, new ColumnBytes(8000, 0, 8000, 0, 0), encodings, null);
  }

  /** A column of longs, which Druid has one more encoding for. */
  static ColumnAnalysis longs(String name) {
    final ColumnAnalysis column = column(name, 0, false);
    final Map<String, EncodingAnalysis> encodings = new LinkedHashMap<>(column.encodings());
    encodings.put("druid-auto-lz4", rows(500, null));
    return column(name, "LONG", null, column.bytes(), encodings, null);
  }

  /** A column without a dictionary and an index. */
  private static EncodingAnalysis rows(long bytes, @Nullable Map<String, FormUsage> forms) {
    return new EncodingAnalysis(bytes, 0, 0, bytes, null, null, null, null, null, forms, null);
  }

  /** A column that has no encodings. */
  static ColumnAnalysis opaque(String name, @Nullable String problem) {
    return column(name, "COMPLEX<hyperUnique>", null, new ColumnBytes(600, 0, 0, 0, 600), Map.of(), problem);
  }

  /** A column of objects, whose speed is not measured. */
  static ColumnAnalysis objects(String name) {
    final Map<String, EncodingAnalysis> encodings = new LinkedHashMap<>();
    final Map<String, Long> objects = new LinkedHashMap<>(Map.of("uncompressed", 600L));
    for (String encoding : ALL) {
      final boolean isStock = DRUID.contains(encoding);
      encodings.put(
          encoding, isStock ? rows(600, null) : rows(200, ImmutableMap.of("words", new FormUsage(1, 200))));
      if (!isStock) {
        objects.put(encoding, 200L);
      }
    }
    return complex(name, "uncompressed", new ColumnBytes(600, 0, 600, 0, 0), encodings, objects, null);
  }

  /** A column of a type with a column of its own. */
  static ColumnAnalysis notCounted(String name, String reason) {
    return complex(name, null, new ColumnBytes(600, 0, 0, 0, 600), Map.of(), null, reason);
  }

  private static ColumnAnalysis complex(
      String name,
      @Nullable String stored,
      ColumnBytes bytes,
      Map<String, EncodingAnalysis> encodings,
      @Nullable Map<String, Long> objects,
      @Nullable String notCounted
  ) {
    return new ColumnAnalysis.Builder(name, null, "COMPLEX<sketch>", ROWS, bytes)
        .encoding(stored)
        .encodings(encodings)
        .objects(objects)
        .notCounted(notCounted)
        .build();
  }

  private static ColumnAnalysis column(
      String name,
      String type,
      @Nullable Integer cardinality,
      ColumnBytes bytes,
      Map<String, EncodingAnalysis> encodings,
      @Nullable String problem
  ) {
    return new ColumnAnalysis.Builder(name, null, type, ROWS, bytes)
        .cardinality(cardinality)
        .encoding(encodings.isEmpty() ? null : "lz4")
        .encodings(encodings)
        .problem(problem)
        .build();
  }
}
