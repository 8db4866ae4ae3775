// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SearchAnalysis;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.cli.Names;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.speed.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/** Remarks on columns that an indexSpec cannot express, or that depend on queries. */
final class AdviceNotes {
  /** Least share of all bytes that is worth a remark. */
  private static final double LEAST_SHARE = .02;
  private static final double NANOS_PER_MICRO = 1000;

  private final Analysis analysis;
  private final Map<ColumnChoices, Choice> chosen;
  private final long bytes;
  private final List<String> notes = new ArrayList<>();

  /**
   * Constructor.
   *
   * @param chosen advised choice of each column
   * @param bytes  bytes of all files with these
   */
  AdviceNotes(Analysis analysis, Map<ColumnChoices, Choice> chosen, long bytes) {
    this.analysis = analysis;
    this.chosen = chosen;
    this.bytes = bytes;
  }

  List<String> notes() {
    addLongs();
    addKeys();
    addTextIndexes();
    addIndexes();
    addColumnsWithoutAdvice();
    return notes;
  }

  private void addLongs() {
    chosen.forEach((column, choice) -> {
      if (column.columns().stream()
          .allMatch(each -> each.alternatives() != null && each.alternatives().asLong() != null)) {
        final long asLong = column.columns().stream().mapToLong(each -> each.alternatives().asLong()).sum();
        notes.add(String.format(
            Locale.ROOT,
            "%s: every text is a whole number, and few rows are alike. If it is looked up as a key, make it a long "
                + "dimension with \"hashIndex\": true: %,d bytes instead of %,d.",
            column.name(),
            asLong,
            column.cost(choice).bytes()
        ));
      }
    });
  }

  private void addKeys() {
    chosen.forEach((column, choice) -> {
      if (column.costs().containsKey(Choice.DEFAULT_WITH_HASH_INDEX) && !choice.hasHashIndex()) {
        final HashIndexAnalysis index = column.columns().get(0).hashIndex();
        notes.add(String.format(
            Locale.ROOT,
            "%s: few rows are alike. If it is looked up as a key, \"hashIndex\": true takes %,d bytes more, and finds "
                + "the rows of a number in about %s instead of %s microseconds.",
            column.name(),
            column.cost(Choice.DEFAULT_WITH_HASH_INDEX).bytes() - column.cost(choice).bytes(),
            micros(index.lookUpNs()),
            micros(index.scanNs())
        ));
      }
    });
  }

  /** Queries decide whether a text index pays, so that it is only named. */
  private void addTextIndexes() {
    final List<String> columns = new ArrayList<>();
    chosen.forEach((column, choice) -> {
      @Nullable final SearchAnalysis search = column.slowSearch();
      if (search != null && choice != Choice.DRUID && !column.hasTextIndex()) {
        columns.add(String.format(
            Locale.ROOT,
            "%s (%,d bytes; %s instead of %s ms)",
            column.name(),
            column.textIndexBytes(),
            Numbers.millis(search.indexedNs()),
            Numbers.millis(search.plainNs())
        ));
      }
    });
    if (!columns.isEmpty()) {
      notes.add("If queries search for parts of texts, such as like '%abc%', add \"textIndex\": true to the column's "
          + "entry. Under the default target: " + Names.listed(columns) + ".");
    }
  }

  private void addIndexes() {
    chosen.forEach((column, choice) -> {
      @Nullable final Choice without = withoutLists(choice);
      if (without == null || !column.costs().containsKey(without) || !column.costs().containsKey(choice)) {
        return;
      }
      final long saved = column.cost(choice).bytes() - column.cost(without).bytes();
      if (saved < LEAST_SHARE * bytes) {
        return;
      }
      notes.add(String.format(
          Locale.ROOT,
          "%s: the index takes %,d bytes, %.0f %% of all. Without posting lists (\"indexEncodingStrategy\": "
              + "{\"strategy\": \"shapeshift\", \"optimizationTarget\": \"smaller\"}) a filter scans the column%s.",
          column.name(),
          saved,
          100.0 * saved / bytes,
          equality(column, choice, without)
      ));
    });
  }

  /** Choice that differs only in the lack of posting lists; null if there is none. */
  @Nullable
  private static Choice withoutLists(Choice choice) {
    return switch (choice) {
      case DEFAULT -> Choice.DEFAULT_WITHOUT_LISTS;
      case SMALLER_WITH_LISTS -> Choice.SMALLER;
      default -> null;
    };
  }

  /** Time of a filter on one value in both choices; empty if it was not measured in the first column. */
  private static String equality(ColumnChoices column, Choice choice, Choice without) {
    final ColumnAnalysis first = column.columns().get(0);
    final List<EncodingAnalysis> both = Stream.of(without, choice)
        .map(each -> first.encodings().getOrDefault(
            each.encoding(), first.alternatives().encodings().get(each.encoding())))
        .toList();
    final String kind = Filter.Kind.EQUALITY.json();
    return both.stream().allMatch(each -> each != null && each.filterNs() != null && each.filterNs().containsKey(kind))
           ? ": one value takes " + micros(both.get(0).filterNs().get(kind)) + " instead of "
               + micros(both.get(1).filterNs().get(kind)) + " microseconds"
           : "";
  }

  private static String micros(double nanos) {
    return new Numbers.Rough(nanos / NANOS_PER_MICRO).toString();
  }

  private void addColumnsWithoutAdvice() {
    if (analysis.speedMinRows() != null) {
      add(
          chosen.keySet().stream().filter(column -> !column.isMeasured()).map(ColumnChoices::name),
          "Not measured, because they have too few rows, objects or nested data: "
      );
    }
    add(columns().filter(column -> column.notCounted() != null).map(ColumnAnalysis::displayName),
        "Stored by Druid in any case: ");
    add(columns().filter(column -> column.problem() != null).map(ColumnAnalysis::displayName),
        "Could not be read, and is not in the figures: ");
  }

  private Stream<ColumnAnalysis> columns() {
    return analysis.segments().stream().flatMap(segment -> segment.columns().stream());
  }

  private void add(Stream<String> names, String remark) {
    final List<String> all = names.distinct().toList();
    if (!all.isEmpty()) {
      notes.add(remark + Names.listed(all) + ".");
    }
  }
}
