// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analysis.Analysis.FieldAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.speed.Filter;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/** Formatter of an analysis as text for people. */
final class AnalysisText {
  static final String BASELINE = RowEncodings.DRUID_LZ4.name();

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
      text.append("Bytes today; and bytes of the rows (ids, numbers or objects) under each encoding, ")
          .append("those but druid-lz4 as ratios to it\n")
          .append(sizes(segment)).append('\n');
      addTable(
          text,
          "Bytes of whole columns with druid-lz4; and of their dictionaries, their indexes and of all of them under "
              + "each encoding,\nas ratios to these",
          wholeColumns(segment)
      );
      addTable(
          text,
          "Bytes of dictionaries of strings as Druid stores them by default; and as ratios to these, front coded by "
              + "Druid, and ours",
          dictionaries(segment)
      );
      addTable(
          text,
          "Bytes of objects of complex types as Druid stores them by default; and as ratios to these, compressed by "
              + "Druid, and ours",
          objects(segment)
      );
      for (ColumnAnalysis column : segment.columns()) {
        if (column.fields() != null) {
          text.append("Fields of ").append(column.displayName())
              .append(": bytes today; and bytes under each encoding, those but druid-lz4 as ratios to it. Those of ")
              .append("Druid's share\ndictionaries, which are not counted here\n")
              .append(fields(column).toText()).append('\n');
        }
      }
      IndexTables.addTo(text, segment);
      SpeedTables.addTo(text, segment);
      final long tooSmall = analysis.countTooSmall(segment);
      if (tooSmall > 0) {
        text.append(Numbers.count(tooSmall, "column")).append(tooSmall == 1 ? " has" : " have").append(" fewer than ")
            .append(Numbers.text(analysis.speedMinRows())).append(" rows: ").append(tooSmall == 1 ? "its" : "their")
            .append(" speed was not measured\n");
      }
      for (ColumnAnalysis column : segment.columns()) {
        if (column.problem() != null) {
          text.append("Not analyzed: ").append(column.problem()).append('\n');
        }
        if (column.notCounted() != null) {
          text.append("Not counted: ").append(column.displayName()).append(", ").append(column.displayType())
              .append(": ").append(column.notCounted()).append('\n');
        }
      }
    }
    return text.append(summary()).toString();
  }

  /** Adds a table below its heading; nothing if the table has no rows. */
  static void addTable(StringBuilder text, String heading, Table table) {
    if (table.size() > 0) {
      text.append(heading).append('\n').append(table.toText()).append('\n');
    }
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

  /** Whether an encoding has indexes other than Druid's. */
  private static boolean isOurs(String encoding) {
    return encoding.startsWith(RowEncodings.SHAPE_SHIFTING);
  }

  /** Creates a row per encoded column, and a last row for the segment. */
  private Table wholeColumns(SegmentAnalysis segment) {
    final List<String> header = new ArrayList<>(List.of("column", "rows", "dictionary", "index", "all"));
    final List<String> others = encodings.stream().filter(name -> !name.equals(BASELINE)).toList();
    others.stream().filter(AnalysisText::isOurs).forEach(name -> header.add("dictionary " + shortName(name)));
    others.stream().filter(AnalysisText::isOurs).forEach(name -> header.add("index " + shortName(name)));
    others.forEach(name -> header.add("all " + shortName(name)));
    final Table table = new Table(header.toArray(String[]::new));
    for (ColumnAnalysis column : segment.columns()) {
      @Nullable final EncodingAnalysis baseline = column.encodings().get(BASELINE);
      if (baseline == null) {
        continue;
      }
      final List<Object> row = new ArrayList<>(List.of(
          column.displayName(),
          baseline.bytes(),
          baseline.dictionaryBytes(),
          baseline.indexBytes(),
          baseline.totalBytes()
      ));
      others.stream().filter(AnalysisText::isOurs).forEach(name ->
          row.add(ratio(column.encodings().get(name).dictionaryBytes(), baseline.dictionaryBytes())));
      others.stream().filter(AnalysisText::isOurs).forEach(name ->
          row.add(ratio(column.encodings().get(name).indexBytes(), baseline.indexBytes())));
      others.forEach(name -> {
        @Nullable final EncodingAnalysis encoding = column.encodings().get(name);
        row.add(encoding == null ? null : ratio(encoding.totalBytes(), baseline.totalBytes()));
      });
      table.add(row.toArray());
    }
    if (table.size() > 0) {
      final EncodingTotal baseline = segment.encodings().get(BASELINE);
      final List<Object> row = new ArrayList<>(List.of(
          "the whole segment",
          baseline.bytes(),
          baseline.dictionaryBytes(),
          baseline.indexBytes(),
          baseline.segmentBytes()
      ));
      others.stream().filter(AnalysisText::isOurs).forEach(name ->
          row.add(ratio(segment.encodings().get(name).dictionaryBytes(), baseline.dictionaryBytes())));
      others.stream().filter(AnalysisText::isOurs).forEach(name ->
          row.add(ratio(segment.encodings().get(name).indexBytes(), baseline.indexBytes())));
      others.forEach(name ->
          row.add(ratio(segment.encodings().get(name).segmentBytes(), baseline.segmentBytes())));
      table.add(row.toArray());
    }
    return table;
  }

  @Nullable
  private static Double ratio(long bytes, long baseline) {
    return baseline == 0 ? null : (double) bytes / baseline;
  }

  private Table dictionaries(SegmentAnalysis segment) {
    return alternatives(
        segment,
        List.of("cardinality", "our codings"),
        column -> Arrays.asList(column.cardinality(), codings(column)),
        ColumnAnalysis::dictionaries
    );
  }

  /** Coding of texts of each target, in the order of the encodings; one name if all are the same. */
  private String codings(ColumnAnalysis column) {
    final List<String> codings = encodings.stream()
        .map(column.encodings()::get)
        .filter(each -> each != null && each.dictionaryCoding() != null)
        .map(EncodingAnalysis::dictionaryCoding)
        .toList();
    return String.join(", ", codings.stream().distinct().count() == 1 ? codings.subList(0, 1) : codings);
  }

  private static Table objects(SegmentAnalysis segment) {
    return alternatives(segment, List.of("type"), column -> List.of(column.type()), ColumnAnalysis::objects);
  }

  /** Creates a row per column of which a part has sizes by encoding: the first size, and the others as ratios to it. */
  private static Table alternatives(
      SegmentAnalysis segment,
      List<String> attributes,
      Function<ColumnAnalysis, List<Object>> attributesOf,
      Function<ColumnAnalysis, Map<String, ? extends Number>> sizesOf
  ) {
    final List<ColumnAnalysis> columns =
        segment.columns().stream().filter(column -> sizesOf.apply(column) != null).toList();
    final List<String> names =
        columns.stream().flatMap(column -> sizesOf.apply(column).keySet().stream()).distinct().toList();
    final List<String> header = new ArrayList<>(List.of("column"));
    header.addAll(attributes);
    names.forEach(name -> header.add(shortName(name)));
    final Table table = new Table(header.toArray(String[]::new));
    for (ColumnAnalysis column : columns) {
      final Map<String, ? extends Number> sizes = sizesOf.apply(column);
      final long baseline = sizes.get(names.get(0)).longValue();
      final List<Object> row = new ArrayList<>(List.of(column.displayName()));
      row.addAll(attributesOf.apply(column));
      row.add(baseline);
      names.stream().skip(1).forEach(name -> {
        @Nullable final Number bytes = sizes.get(name);
        row.add(bytes == null ? null : ratio(bytes.longValue(), baseline));
      });
      table.add(row.toArray());
    }
    return table;
  }

  private Table fields(ColumnAnalysis column) {
    final List<String> names = encodings.stream().filter(column.encodings()::containsKey).toList();
    final List<String> header = new ArrayList<>(List.of("field", "type", "rows", "values", "bytes", BASELINE));
    names.stream().filter(name -> !name.equals(BASELINE)).map(AnalysisText::shortName).forEach(header::add);
    final Table table = new Table(header.toArray(String[]::new));
    for (FieldAnalysis field : column.fields()) {
      final long baseline = field.encodings().getOrDefault(BASELINE, 0L);
      final List<Object> row = new ArrayList<>(
          List.of(field.name(), field.types(), field.rows(), field.values(), field.bytes(), baseline));
      names.stream().filter(name -> !name.equals(BASELINE)).forEach(name -> {
        @Nullable final Long bytes = field.encodings().get(name);
        row.add(bytes == null ? null : ratio(bytes, baseline));
      });
      table.add(row.toArray());
    }
    return table;
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

  /** Sums over the columns with rows. */
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
    final List<String> header = new ArrayList<>(List.of("encoding", "rows", "ratio"));
    header.addAll(List.of("indexes", "ratio", "dictionaries", "ratio", "whole segments", "ratio"));
    if (speed) {
      header.add("scan x");
      SpeedTest.SHARES.forEach(share -> header.add(SpeedTables.percent(share) + " x"));
    }
    final List<Filter.Kind> filters = Stream.of(Filter.Kind.values())
        .filter(kind -> comparable.stream().anyMatch(column -> isMeasured(column, kind)))
        .toList();
    filters.forEach(kind -> header.add(kind.json() + " x"));
    final Table table = new Table(header.toArray(String[]::new));
    final EncodingTotal baseline = analysis.totals().encodings().get(BASELINE);
    for (Map.Entry<String, EncodingTotal> encoding : analysis.totals().encodings().entrySet()) {
      final List<Object> row = new ArrayList<>();
      row.add(encoding.getKey());
      final EncodingTotal total = encoding.getValue();
      row.addAll(Arrays.asList(
          total.bytes(),
          ratio(total.bytes(), baseline.bytes()),
          total.indexBytes(),
          ratio(total.indexBytes(), baseline.indexBytes()),
          total.dictionaryBytes(),
          ratio(total.dictionaryBytes(), baseline.dictionaryBytes()),
          total.segmentBytes(),
          ratio(total.segmentBytes(), baseline.segmentBytes())
      ));
      if (speed) {
        final List<ColumnAnalysis> measured = comparable.stream()
            .filter(column -> column.encodingOrDefault(encoding.getKey()).scanNsPerRow() != null)
            .toList();
        row.add(speedUp(measured, encoding.getKey(), EncodingAnalysis::scanNsPerRow));
        for (String share : SpeedTest.SHARES) {
          row.add(speedUp(measured, encoding.getKey(), each -> each.selectNsPerRow().get(share)));
        }
      }
      for (Filter.Kind kind : filters) {
        row.add(speedUp(
            comparable.stream().filter(column -> isMeasured(column, kind)).toList(),
            encoding.getKey(),
            each -> each.filterNs().get(kind.json())
        ));
      }
      table.add(row.toArray());
    }
    return "The " + Numbers.count(comparable.size(), "column")
        + " of strings, numbers, complex types and nested data, of "
        + Numbers.text(analysis.totals().bytes()) + " bytes in all"
        + (speed ? "; speed as a geometric mean, druid-lz4 = 1" : "") + "\n" + table.toText();
  }

  private static boolean isMeasured(ColumnAnalysis column, Filter.Kind kind) {
    return column.filters() != null && column.filters().containsKey(kind.json());
  }

  /** Geometric mean of the ratios of the baseline's time to an encoding's time. */
  private static Numbers.Rough speedUp(
      List<ColumnAnalysis> columns,
      String encoding,
      ToDoubleFunction<EncodingAnalysis> nanos
  ) {
    return new Numbers.Rough(Math.exp(
        columns.stream()
            .mapToDouble(column -> Math.log(
                nanos.applyAsDouble(column.encodings().get(BASELINE))
                    / nanos.applyAsDouble(column.encodingOrDefault(encoding))
            ))
            .average()
            .orElse(1)
    ));
  }
}
