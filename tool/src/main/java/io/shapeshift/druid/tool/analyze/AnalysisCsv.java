// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.FilterAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SearchAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.TextIndexAnalysis;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.speed.Filter;
import io.shapeshift.druid.tool.speed.PartFilters;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/** Formatter of an analysis as one CSV table. */
final class AnalysisCsv {
  private static final String BASELINE = RowEncodings.DRUID_LZ4.name();

  private AnalysisCsv() {}

  /** Creates a row per column and encoding, and one row without an encoding for a column that has none. */
  static Table of(Analysis analysis) {
    final List<String> header = new ArrayList<>(List.of(
        "segment", "column", "projection", "type", "auto", "multiValue", "rows", "cardinality", "storedAs",
        "totalBytes", "dictionaryBytes", "valuesBytes", "indexBytes", "otherBytes",
        "encoding", "bytes", "ratio", "scanNsPerRow", "scanSpeedUp"
    ));
    for (String share : SpeedTest.SHARES) {
      header.add("select" + share + "NsPerRow");
      header.add("select" + share + "SpeedUp");
    }
    header.add("forms");
    header.add("problem");
    header.addAll(List.of(
        "encodedIndexBytes", "encodedDictionaryBytes", "encodedTotalBytes", "encodedTotalRatio", "indexForms"
    ));
    for (Filter.Kind kind : Filter.Kind.values()) {
      header.add(kind.json() + "Filter");
      header.add(kind.json() + "Rows");
      header.add(kind.json() + "Ns");
      header.add(kind.json() + "SpeedUp");
    }
    header.addAll(List.of("encodedDictionaryRatio", "notCounted", "dictionaryCoding", "textIndexBytes"));
    for (PartFilters.Hits hits : PartFilters.Hits.values()) {
      header.add(hits.json() + "Filter");
      header.add(hits.json() + "Ns");
      header.add(hits.json() + "IndexedNs");
    }
    final Table table = new Table(header.toArray(String[]::new));
    for (SegmentAnalysis segment : analysis.segments()) {
      segment.columns().forEach(column -> addColumn(table, segment, column));
    }
    return table;
  }

  private static void addColumn(Table table, SegmentAnalysis segment, ColumnAnalysis column) {
    for (String name : column.encodings().isEmpty() ? List.of("") : column.encodings().keySet()) {
      final List<Object> row = new ArrayList<>(Arrays.asList(
          segment.path(),
          column.name(),
          column.projection(),
          column.type(),
          column.auto(),
          column.multiValue(),
          column.rows(),
          column.cardinality(),
          column.encoding(),
          column.bytes().total(),
          column.bytes().dictionary(),
          column.bytes().values(),
          column.bytes().index(),
          column.bytes().other(),
          name
      ));
      addEncoding(row, column.encodings().get(name), column.encodings().get(BASELINE));
      row.add(column.problem());
      addWhole(row, column.encodings().get(name), column.encodings().get(BASELINE));
      addFilters(row, column.filters(), column.encodings().get(name), column.encodings().get(BASELINE));
      addDictionary(row, column.encodings().get(name), column.encodings().get(BASELINE));
      row.add(column.notCounted());
      row.add(column.isEncoded() ? column.encodings().get(name).dictionaryCoding() : null);
      addTextIndex(row, column.textIndex(), name);
      table.add(row.toArray());
    }
  }

  private static void addDictionary(
      List<Object> row,
      @Nullable EncodingAnalysis encoding,
      @Nullable EncodingAnalysis baseline
  ) {
    row.add(encoding == null || baseline.dictionaryBytes() == 0
            ? null
            : (double) encoding.dictionaryBytes() / baseline.dictionaryBytes());
  }

  private static void addEncoding(
      List<Object> row,
      @Nullable EncodingAnalysis encoding,
      @Nullable EncodingAnalysis baseline
  ) {
    row.add(encoding == null ? null : encoding.bytes());
    row.add(AnalysisText.ratio(encoding, baseline));
    final boolean speed = encoding != null && encoding.scanNsPerRow() != null;
    row.add(speed ? encoding.scanNsPerRow() : null);
    row.add(speed ? baseline.scanNsPerRow() / encoding.scanNsPerRow() : null);
    for (String share : SpeedTest.SHARES) {
      row.add(speed ? encoding.selectNsPerRow().get(share) : null);
      row.add(speed ? baseline.selectNsPerRow().get(share) / encoding.selectNsPerRow().get(share) : null);
    }
    row.add(text(encoding == null ? null : encoding.forms()));
  }

  /** Adds the sizes and speeds of the column outside of its rows. */
  private static void addWhole(
      List<Object> row,
      @Nullable EncodingAnalysis encoding,
      @Nullable EncodingAnalysis baseline
  ) {
    final boolean known = encoding != null;
    row.add(known ? encoding.indexBytes() : null);
    row.add(known ? encoding.dictionaryBytes() : null);
    row.add(known ? encoding.totalBytes() : null);
    row.add(known ? (double) encoding.totalBytes() / baseline.totalBytes() : null);
    row.add(text(known ? encoding.indexForms() : null));
  }

  private static void addFilters(
      List<Object> row,
      @Nullable Map<String, FilterAnalysis> filters,
      @Nullable EncodingAnalysis encoding,
      @Nullable EncodingAnalysis baseline
  ) {
    for (Filter.Kind kind : Filter.Kind.values()) {
      @Nullable final FilterAnalysis filter = filters == null ? null : filters.get(kind.json());
      if (filter == null) {
        row.addAll(Arrays.asList(null, null, null, null));
        continue;
      }
      final double nanos = encoding.filterNs().get(kind.json());
      row.addAll(
          List.of(filter.condition(), filter.rows(), nanos, baseline.filterNs().get(kind.json()) / nanos));
    }
  }

  /** Adds the text index under the default target, and the searches in its column and in Druid's. */
  private static void addTextIndex(List<Object> row, @Nullable TextIndexAnalysis index, String encoding) {
    final boolean isOurs = encoding.equals(Analyzer.DEFAULT_ENCODING);
    row.add(index != null && isOurs ? index.bytes() : null);
    for (PartFilters.Hits hits : PartFilters.Hits.values()) {
      @Nullable final SearchAnalysis search =
          index == null || index.searches() == null || !(isOurs || encoding.equals(BASELINE))
          ? null
          : index.searches().get(hits.json());
      row.add(search == null ? null : search.condition());
      row.add(search == null ? null : isOurs ? search.plainNs() : search.druidNs());
      row.add(search != null && isOurs ? search.indexedNs() : null);
    }
  }

  private static String text(@Nullable Map<String, FormUsage> forms) {
    return forms == null
           ? ""
           : forms.entrySet().stream()
               .map(form -> form.getKey() + ":" + form.getValue().chunks() + ":" + form.getValue().bytes())
               .collect(Collectors.joining(" "));
  }
}
