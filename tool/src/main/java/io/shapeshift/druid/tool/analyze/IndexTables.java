// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.tool.analysis.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SearchAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.cli.Names;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/** Tables of the hash indexes and text indexes that columns could have. */
final class IndexTables {
  private IndexTables() {}

  /** Adds the tables that have rows, and the reasons why columns can have no text index. */
  static void addTo(StringBuilder text, SegmentAnalysis segment) {
    AnalysisText.addTable(
        text,
        "Hash indexes that columns could have: bytes; and about how long it takes to find a number by one, by a scan "
            + "of\nthe column, and how many times as fast (x) the index is",
        hashIndexes(segment)
    );
    AnalysisText.addTable(
        text,
        "Text indexes that columns could have: bytes; and, if speed is measured, ms to find the rows whose texts have "
            + "a part,\nin Druid's column, in ours without the index, and with it",
        textIndexes(segment)
    );
    text.append(withoutTextIndex(segment));
  }

  private static Table hashIndexes(SegmentAnalysis segment) {
    final Table table = new Table("column", "keys", "bytes", "bytes per row", "index ns", "scan ns", "x");
    for (ColumnAnalysis column : segment.columns()) {
      @Nullable final HashIndexAnalysis index = column.hashIndex();
      if (index != null) {
        table.add(
            column.displayName(),
            index.keys(),
            index.bytes(),
            index.bytesPerRow(),
            new Numbers.Rough(index.lookUpNs()),
            new Numbers.Rough(index.scanNs()),
            new Numbers.Rough(index.scanNs() / index.lookUpNs())
        );
      }
    }
    return table;
  }

  /** Creates a row per column with an index that is worth it, and per search. */
  private static Table textIndexes(SegmentAnalysis segment) {
    final List<ColumnAnalysis> columns = segment.columns().stream()
        .filter(column -> column.textIndex() != null && column.textIndex().isWorthIt())
        .toList();
    final boolean hasSearches = columns.stream().anyMatch(column -> column.textIndex().searches() != null);
    final Table table = hasSearches
        ? new Table("column", "values", "bytes", "search", "texts found", "druid ms", "without ms", "with ms")
        : new Table("column", "values", "bytes");
    for (ColumnAnalysis column : columns) {
      final List<Object> row =
          Arrays.asList(column.displayName(), column.cardinality(), column.textIndex().bytes());
      if (column.textIndex().searches() == null) {
        table.add(Arrays.copyOf(row.toArray(), hasSearches ? 8 : 3));
        continue;
      }
      for (SearchAnalysis search : column.textIndex().searches().values()) {
        final List<Object> ofSearch = new ArrayList<>(row);
        ofSearch.addAll(List.of(
            search.condition(),
            search.texts(),
            Numbers.millis(search.druidNs()),
            Numbers.millis(search.plainNs()),
            Numbers.millis(search.indexedNs())
        ));
        table.add(ofSearch.toArray());
      }
    }
    return table;
  }

  /** Names the columns that can have no text index, for each reason. */
  private static String withoutTextIndex(SegmentAnalysis segment) {
    final Map<String, List<String>> byReason = segment.columns().stream()
        .filter(column -> column.textIndex() != null && column.textIndex().none() != null)
        .collect(Collectors.groupingBy(
            column -> column.textIndex().none(),
            TreeMap::new,
            Collectors.mapping(ColumnAnalysis::displayName, Collectors.toList())));
    return byReason.entrySet().stream()
        .map(each -> "No text index, because " + each.getKey() + ": " + Names.listed(each.getValue()) + "\n")
        .collect(Collectors.joining("", "", byReason.isEmpty() ? "" : "\n"));
  }
}
