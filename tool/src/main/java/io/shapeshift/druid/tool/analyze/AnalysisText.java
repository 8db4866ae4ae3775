// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.tool.analyze.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analyze.Analysis.FieldAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.FilterAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.SearchAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.speed.Filter;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/** Formatter of an analysis as text for people. */
final class AnalysisText {
  private static final String BASELINE = RowEncodings.DRUID_LZ4.name();
  private static final double NANOS_PER_MILLI = 1e6;

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
      final Table columns = wholeColumns(segment);
      if (columns.size() > 0) {
        text.append("Bytes of whole columns with druid-lz4; and of their dictionaries, their indexes and of all of ")
            .append("them under each encoding,\nas ratios to these\n")
            .append(columns.toText()).append('\n');
      }
      final Table dictionaries = dictionaries(segment);
      if (dictionaries.size() > 0) {
        text.append("Bytes of dictionaries of strings as Druid stores them by default; and as ratios to these, front ")
            .append("coded by Druid, and ours\n")
            .append(dictionaries.toText()).append('\n');
      }
      final Table objects = objects(segment);
      if (objects.size() > 0) {
        text.append("Bytes of objects of complex types as Druid stores them by default; and as ratios to these, ")
            .append("compressed by Druid, and ours\n")
            .append(objects.toText()).append('\n');
      }
      for (ColumnAnalysis column : segment.columns()) {
        if (column.fields() != null) {
          text.append("Fields of ").append(column.displayName())
              .append(": bytes today; and bytes under each encoding, those but druid-lz4 as ratios to it. Those of ")
              .append("Druid's share\ndictionaries, which are not counted here\n")
              .append(fields(column).toText()).append('\n');
        }
      }
      final Table hashIndexes = hashIndexes(segment);
      if (hashIndexes.size() > 0) {
        text.append("Hash indexes that columns could have: bytes; and about how long it takes to find a number by ")
            .append("one, by a scan of\nthe column, and how many times as fast (x) the index is\n")
            .append(hashIndexes.toText()).append('\n');
      }
      final Table textIndexes = textIndexes(segment);
      if (textIndexes.size() > 0) {
        text.append("Text indexes that columns could have: bytes, and ms to find the rows whose texts have a part: in ")
            .append("Druid's column, in ours\nwithout the index, and with it\n")
            .append(textIndexes.toText()).append('\n');
      }
      text.append(withoutTextIndex(segment));
      final Table speeds = speeds(segment);
      if (speeds.size() > 0) {
        text.append("Reading all rows (scan) or a share of them by position: ns per row that is read with ")
            .append("druid-lz4, and how many times\nas fast (x) ").append(Analyzer.DEFAULT_ENCODING).append(" is\n")
            .append(speeds.toText()).append('\n');
      }
      final Table filters = filters(segment);
      if (filters.size() > 0) {
        text.append("Filtering by an index, until all rows that were found have been gone through: ns with druid-lz4, ")
            .append("and how many times\nas fast (x) ").append(Analyzer.DEFAULT_ENCODING).append(" is\n")
            .append(filters.toText()).append('\n');
      }
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
            millis(search.druidNs()),
            millis(search.plainNs()),
            millis(search.indexedNs())
        ));
        table.add(ofSearch.toArray());
      }
    }
    return table;
  }

  /** Formats nanoseconds as milliseconds. */
  static Numbers.Rough millis(double nanos) {
    return new Numbers.Rough(nanos / NANOS_PER_MILLI);
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
        .map(each -> "No text index, because " + each.getKey() + ": " + AdviceNotes.listed(each.getValue()) + "\n")
        .collect(Collectors.joining("", "", byReason.isEmpty() ? "" : "\n"));
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
        final double baseline = column.encodings().get(BASELINE).filterNs().get(kind.json());
        final double ours = column.encodings().get(Analyzer.DEFAULT_ENCODING).filterNs().get(kind.json());
        row.addAll(List.of(
            filter.values(), filter.rows(), new Numbers.Rough(baseline), new Numbers.Rough(baseline / ours)));
      }
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
      SpeedTest.SHARES.forEach(share -> header.add(percent(share) + " x"));
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
