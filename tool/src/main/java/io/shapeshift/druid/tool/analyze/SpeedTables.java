// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.FilterAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.speed.Filter;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;

/** Tables of the speed of reads and filters, of Druid's default and of the extension's. */
final class SpeedTables {
  private SpeedTables() {}

  /** Adds the tables that have rows. */
  static void addTo(StringBuilder text, SegmentAnalysis segment) {
    AnalysisText.addTable(
        text,
        "Reading all rows (scan) or a share of them by position: ns per row that is read with druid-lz4, and how many "
            + "times\nas fast (x) " + Analyzer.DEFAULT_ENCODING + " is",
        speeds(segment)
    );
    AnalysisText.addTable(
        text,
        "Filtering by an index, until all rows that were found have been gone through: ns with druid-lz4, and how "
            + "many times\nas fast (x) " + Analyzer.DEFAULT_ENCODING + " is",
        filters(segment)
    );
  }

  private static Table speeds(SegmentAnalysis segment) {
    final List<String> header = new ArrayList<>(List.of("column", "scan ns", "scan x"));
    for (String share : SpeedTest.SHARES) {
      header.add(percent(share) + " ns");
      header.add(percent(share) + " x");
    }
    final Table table = new Table(header.toArray(String[]::new));
    for (ColumnAnalysis column : segment.columns()) {
      @Nullable final EncodingAnalysis baseline = column.encodings().get(AnalysisText.BASELINE);
      @Nullable final EncodingAnalysis ours = column.encodings().get(Analyzer.DEFAULT_ENCODING);
      if (baseline == null || ours == null || baseline.scanNsPerRow() == null) {
        continue;
      }
      final List<Object> row = new ArrayList<>();
      row.add(column.displayName());
      row.add(new Numbers.Rough(baseline.scanNsPerRow()));
      row.add(new Numbers.Rough(baseline.scanNsPerRow() / ours.scanNsPerRow()));
      for (String share : SpeedTest.SHARES) {
        row.add(new Numbers.Rough(baseline.selectNsPerRow().get(share)));
        row.add(new Numbers.Rough(baseline.selectNsPerRow().get(share) / ours.selectNsPerRow().get(share)));
      }
      table.add(row.toArray());
    }
    return table;
  }

  /** Formats a share of rows. */
  static String percent(String share) {
    return String.valueOf(Double.parseDouble(share) * 100).replaceFirst("\\.0$", "") + "%";
  }

  private static Table filters(SegmentAnalysis segment) {
    final List<String> header = new ArrayList<>(List.of("column"));
    for (Filter.Kind kind : Filter.Kind.values()) {
      header.addAll(List.of(kind.json(), "rows", "ns", "x"));
    }
    final Table table = new Table(header.toArray(String[]::new));
    for (ColumnAnalysis column : segment.columns()) {
      if (column.filters() == null) {
        continue;
      }
      final List<Object> row = new ArrayList<>(List.of(column.displayName()));
      for (Filter.Kind kind : Filter.Kind.values()) {
        @Nullable final FilterAnalysis filter = column.filters().get(kind.json());
        if (filter == null) {
          row.addAll(Arrays.asList(null, null, null, null));
          continue;
        }
        final double baseline = column.encodings().get(AnalysisText.BASELINE).filterNs().get(kind.json());
        final double ours = column.encodings().get(Analyzer.DEFAULT_ENCODING).filterNs().get(kind.json());
        row.addAll(List.of(
            filter.values(), filter.rows(), new Numbers.Rough(baseline), new Numbers.Rough(baseline / ours)));
      }
      table.add(row.toArray());
    }
    return table;
  }
}
