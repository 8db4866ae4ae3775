// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SearchAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.TextIndexAnalysis;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * Choices of a column: what its entry in an indexSpec can request, for the columns of one name in all segments and
 * projections.
 *
 * @param name         name of the column
 * @param columns      columns of this name
 * @param costs        cost by choice
 * @param hasHashIndex whether any of the columns has a hash index today, which its entry then requests again
 * @param hasTextIndex the same of text indexes
 */
record ColumnChoices(
    String name,
    List<ColumnAnalysis> columns,
    Map<Choice, Cost> costs,
    boolean hasHashIndex,
    boolean hasTextIndex
) {
  /** Shortest time that counts, in nanoseconds. Measured times are rounded and may be zero. */
  private static final double LEAST_NANOS = 1;

  /** Difference of read times that counts as none, as a share. Repeated measurements differ as much. */
  private static final double NOISE = .1;

  /**
   * Cost of a choice.
   *
   * @param nanos read time in nanoseconds; 0 if no column was measured
   */
  record Cost(long bytes, double nanos) {
    Cost plus(Cost other) {
      return new Cost(bytes + other.bytes, nanos + other.nanos);
    }

    /** Difference from another choice of the column. */
    Cost minus(Cost other) {
      final boolean isNoise = Math.abs(nanos - other.nanos) < NOISE * other.nanos;
      return new Cost(bytes - other.bytes, isNoise ? 0 : nanos - other.nanos);
    }
  }

  /** Choices of all columns that were encoded, in the order of the analysis. */
  static List<ColumnChoices> of(Analysis analysis) {
    final Map<String, List<ColumnAnalysis>> byName = analysis.segments().stream()
        .flatMap(segment -> segment.columns().stream())
        .filter(ColumnAnalysis::isEncoded)
        .collect(Collectors.groupingBy(ColumnAnalysis::name, LinkedHashMap::new, Collectors.toList()));
    final List<ColumnChoices> all = new ArrayList<>();
    byName.forEach((name, columns) -> all.add(of(name, columns)));
    return all;
  }

  private static ColumnChoices of(String name, List<ColumnAnalysis> columns) {
    final boolean hasHashIndex =
        columns.stream().anyMatch(each -> each.alternatives() != null && each.alternatives().hasHashIndex());
    final boolean hasTextIndex =
        columns.stream().anyMatch(each -> each.textIndex() != null && each.textIndex().present());
    final Map<Choice, Cost> costs = new EnumMap<>(Choice.class);
    for (Choice choice : Choice.values()) {
      // Druid's own columns would lose the index.
      if ((choice != Choice.DRUID || !(hasHashIndex || hasTextIndex)) && isPossible(choice, columns)) {
        costs.put(choice, columns.stream().map(each -> cost(each, choice)).reduce(new Cost(0, 0), Cost::plus));
      }
    }
    return new ColumnChoices(name, columns, costs, hasHashIndex, hasTextIndex);
  }

  private static boolean isPossible(Choice choice, List<ColumnAnalysis> columns) {
    return choice == choice.withoutVariant()
           ? columns.stream().allMatch(each -> analysis(each, choice) != null)
           : columns.stream().anyMatch(each -> variant(each, choice) != null);
  }

  @Nullable
  private static EncodingAnalysis variant(ColumnAnalysis column, Choice choice) {
    return column.alternatives() == null ? null : column.alternatives().encodings().get(choice.encoding());
  }

  @Nullable
  private static EncodingAnalysis analysis(ColumnAnalysis column, Choice choice) {
    @Nullable final EncodingAnalysis variant = variant(column, choice);
    return variant == null ? column.encodings().get(choice.withoutVariant().encoding()) : variant;
  }

  private static Cost cost(ColumnAnalysis column, Choice choice) {
    final EncodingAnalysis encoding = analysis(column, choice);
    return new Cost(encoding.totalBytes(), nanos(column, choice, encoding));
  }

  /** Geometric mean of the times of what is measured, so that no kind of access outweighs the others. */
  private static double nanos(ColumnAnalysis column, Choice choice, EncodingAnalysis encoding) {
    if (encoding.scanNsPerRow() == null) {
      return 0;
    }
    final DoubleStream.Builder nanos = DoubleStream.builder();
    nanos.add(encoding.scanNsPerRow() * column.rows());
    encoding.selectNsPerRow().forEach(
        (share, perRow) -> nanos.add(perRow * Double.parseDouble(share) * column.rows()));
    if (encoding.filterNs() != null) {
      encoding.filterNs().values().forEach(nanos::add);
    }
    if (encoding.textNs() != null) {
      nanos.add(encoding.textNs() * SpeedTest.MAX_TEXTS);
    }
    if (variant(column, Choice.DEFAULT_WITH_HASH_INDEX) != null) {
      final HashIndexAnalysis index = column.hashIndex();
      nanos.add(choice.hasHashIndex() ? index.lookUpNs() : index.scanNs());
    }
    return Math.exp(nanos.build().map(each -> Math.log(Math.max(LEAST_NANOS, each))).average().orElseThrow());
  }

  /** Size in bytes of the text indexes that the columns could have under the default target. */
  long textIndexBytes() {
    return columns.stream().map(ColumnAnalysis::textIndex).filter(index -> index != null && index.bytes() != null)
        .mapToLong(TextIndexAnalysis::bytes).sum();
  }

  /** Search for a part of texts that is slow without an index, in the first column with one; null if there is none. */
  @Nullable
  SearchAnalysis slowSearch() {
    return columns.stream().map(ColumnAnalysis::textIndex)
        .filter(index -> index != null && index.searches() != null && index.isWorthIt())
        .map(index -> index.searches().values().iterator().next())
        .findFirst().orElse(null);
  }

  /** Present size in bytes. */
  long bytesToday() {
    return columns.stream().mapToLong(column -> column.bytes().total()).sum();
  }

  /** Whether the read time of any of the columns was measured. */
  boolean isMeasured() {
    return costs.values().iterator().next().nanos() > 0;
  }

  /** Possible choices. */
  Stream<Choice> choices() {
    return Arrays.stream(Choice.values()).filter(costs::containsKey);
  }

  /** Cost of a choice that is possible. */
  Cost cost(Choice choice) {
    return costs.get(choice);
  }

  /** Choice for a column in a table with a choice: the default for a column that cannot have it. */
  Choice inTable(Choice table) {
    return costs.containsKey(table) ? table : Choice.DEFAULT;
  }
}
