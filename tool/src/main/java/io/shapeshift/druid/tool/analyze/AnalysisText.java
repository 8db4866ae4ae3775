// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.tool.analyze.Analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analyze.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/** An analysis as people read it. */
final class AnalysisText {
  private static final String BASELINE = RowEncodings.DRUID_LZ4.name();

  private final Analysis analysis;
  private final List<String> encodings;

  AnalysisText(Analysis analysis) {
    this.analysis = analysis;
    this.encodings = List.copyOf(analysis.totals().encodings().keySet());
  }

  String text() {
    final StringBuilder text = new StringBuilder();
    for (SegmentAnalysis segment : analysis.segments()) {
      text.append(segment.path()).append(": version ").append(segment.version())
          .append(", ").append(Numbers.count(segment.rows(), "row")).append(", ").append(segment.interval())
          .append(", ").append(Numbers.text(segment.bytes())).append(" bytes\n\n");
      text.append("Bytes today; and bytes of the rows (ids or numbers) under each encoding, ")
          .append("those but druid-lz4 as ratios to it\n")
          .append(sizes(segment)).append('\n');
      final Table speeds = speeds(segment);
      if (speeds.size() > 0) {
        text.append("Reading all rows (scan) or a share of them by position: ns per row that is read with ")
            .append("druid-lz4, and how many times\nas fast (x) ").append(Analyzer.DEFAULT_ENCODING).append(" is\n")
            .append(speeds.toText()).append('\n');
      }
      for (ColumnAnalysis column : segment.columns()) {
        if (column.problem() != null) {
          text.append("Not analyzed: ").append(column.problem()).append('\n');
        }
      }
    }
    return text.append(summary()).toString();
  }

  private String sizes(SegmentAnalysis segment) {
    final List<String> header = new ArrayList<>(
        List.of("column", "type", "cardinality", "total", "dictionary", "index", "rows", "stored as", BASELINE)
    );
    encodings.stream().filter(name -> !name.equals(BASELINE)).map(AnalysisText::shortName).forEach(header::add);
    header.add("chunks by form (" + shortName(Analyzer.DEFAULT_ENCODING) + ")");
    final Table table = new Table(header.toArray(String[]::new));
    for (ColumnAnalysis column : segment.columns()) {
      final List<Object> row = new ArrayList<>(Arrays.asList(
          column.displayName(),
          column.displayType(),
          column.cardinality(),
          column.bytes().total(),
          column.bytes().dictionary(),
          column.bytes().index(),
          column.encoding() == null ? null : column.bytes().values(),
          column.encoding()
      ));
      @Nullable final EncodingAnalysis baseline = column.encodings().get(BASELINE);
      row.add(baseline == null ? null : baseline.bytes());
      for (String name : encodings) {
        if (!name.equals(BASELINE)) {
          row.add(ratio(column.encodings().get(name), baseline));
        }
      }
      row.add(forms(column.encodings().get(Analyzer.DEFAULT_ENCODING)));
      table.add(row.toArray());
    }
    return table.toText();
  }

  @Nullable
  static Double ratio(@Nullable EncodingAnalysis encoding, @Nullable EncodingAnalysis baseline) {
    return encoding == null || baseline == null ? null : (double) encoding.bytes() / baseline.bytes();
  }

  private static String shortName(String encoding) {
    return encoding.replaceFirst("^(druid|shapeshift)-", "");
  }

  private static String forms(@Nullable EncodingAnalysis encoding) {
    return encoding == null || encoding.forms() == null
           ? ""
           : encoding.forms().entrySet().stream()
               .sorted((a, b) -> Integer.compare(b.getValue().chunks(), a.getValue().chunks()))
               .map(form -> form.getKey() + " " + form.getValue().chunks())
               .collect(Collectors.joining(", "));
  }

  private static Table speeds(SegmentAnalysis segment) {
    final List<String> header = new ArrayList<>(List.of("column", "scan ns", "scan x"));
    for (String share : SpeedTest.SHARES) {
      header.add(percent(share) + " ns");
      header.add(percent(share) + " x");
    }
    final Table table = new Table(header.toArray(String[]::new));
    for (ColumnAnalysis column : segment.columns()) {
      @Nullable final EncodingAnalysis baseline = column.encodings().get(BASELINE);
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

  private static String percent(String share) {
    return String.valueOf(Double.parseDouble(share) * 100).replaceFirst("\\.0$", "") + "%";
  }

  /** The sums, over the columns that have rows. */
  private String summary() {
    final List<ColumnAnalysis> comparable = analysis.segments().stream()
        .flatMap(segment -> segment.columns().stream())
        .filter(ColumnAnalysis::isEncoded)
        .toList();
    if (comparable.isEmpty()) {
      return analysis.hasProblems() ? "" : "None of these columns can shape-shift\n";
    }
    final boolean speed =
        comparable.stream().anyMatch(column -> column.encodings().get(BASELINE).scanNsPerRow() != null);
    final List<String> header = new ArrayList<>(List.of("encoding", "bytes", "ratio"));
    if (speed) {
      header.add("scan x");
      SpeedTest.SHARES.forEach(share -> header.add(percent(share) + " x"));
    }
    final Table table = new Table(header.toArray(String[]::new));
    final long baselineBytes = analysis.totals().encodings().get(BASELINE).bytes();
    for (Map.Entry<String, EncodingTotal> encoding : analysis.totals().encodings().entrySet()) {
      final List<Object> row = new ArrayList<>();
      row.add(encoding.getKey());
      row.add(encoding.getValue().bytes());
      row.add((double) encoding.getValue().bytes() / baselineBytes);
      if (speed) {
        row.add(speedUp(comparable, encoding.getKey(), EncodingAnalysis::scanNsPerRow));
        for (String share : SpeedTest.SHARES) {
          row.add(speedUp(comparable, encoding.getKey(), each -> each.selectNsPerRow().get(share)));
        }
      }
      table.add(row.toArray());
    }
    return "Rows of the " + Numbers.count(comparable.size(), "column") + " of strings and numbers, of "
        + Numbers.text(analysis.totals().bytes()) + " bytes in all"
        + (speed ? "; speed as a geometric mean, druid-lz4 = 1" : "") + "\n" + table.toText();
  }

  /** Geometric mean of how many times as fast an encoding is as the baseline. */
  private static Numbers.Rough speedUp(
      List<ColumnAnalysis> columns,
      String encoding,
      ToDoubleFunction<EncodingAnalysis> nanos
  ) {
    return new Numbers.Rough(Math.exp(
        columns.stream()
            .filter(column -> column.encodingOrDefault(encoding).scanNsPerRow() != null)
            .mapToDouble(column -> Math.log(
                nanos.applyAsDouble(column.encodings().get(BASELINE))
                    / nanos.applyAsDouble(column.encodingOrDefault(encoding))
            ))
            .average()
            .orElse(1)
    ));
  }
}
