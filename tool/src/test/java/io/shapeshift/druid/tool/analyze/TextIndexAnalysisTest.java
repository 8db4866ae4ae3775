// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.TextRows;
import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.advise.Adviser;
import io.shapeshift.druid.tool.advise.Aim;
import io.shapeshift.druid.tool.analysis.Advice;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.SearchAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.TextIndexAnalysis;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What analysis and advice say of text indexes. */
class TextIndexAnalysisTest {
  private static final int NUM_ROWS = 4000;

  @TempDir
  private Path folder;

  private Path persist(String name, IndexSpec spec, Version version) {
    return TestSegments.persist(
        TextRows.inMemory(NUM_ROWS), folder.resolve(name).toFile(), spec, version).toPath();
  }

  private static Analysis analyze(Path path, boolean speed) {
    return new Analyzer(new Analyzer.Options(new ColumnOption(), BlockSize.LARGE, speed, false, true, null))
        .analyze(SegmentLocation.find(List.of(path)));
  }

  private static Map<String, ColumnAnalysis> columns(Analysis analysis) {
    final SegmentAnalysis segment = analysis.segments().get(0);
    return segment.columns().stream().collect(Collectors.toMap(ColumnAnalysis::name, column -> column));
  }

  private static long sizeOf(Path path, String column) {
    try (Segment segment = Segment.open(path)) {
      return segment.baseColumn(column).sizeInBytes();
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void indexesTakeTheAnnouncedBytes(Version version) {
    final Path plain = persist("plain", TestSegments.ALL_SHAPE_SHIFT, version);
    final Path indexed = persist("indexed", TextRows.INDEXED, version);
    final Map<String, ColumnAnalysis> ofStock = columns(analyze(persist("stock", TestSegments.STOCK, version), false));
    final Map<String, ColumnAnalysis> ofIndexed = columns(analyze(indexed, false));
    for (String name : TextRows.COLUMNS) {
      final long bytes = sizeOf(indexed, name) - sizeOf(plain, name);
      assertTrue(bytes > 1 << 12, name + ": " + bytes);
      assertEquals(new TextIndexAnalysis(bytes, null, false, null), ofStock.get(name).textIndex(), name);
      assertEquals(new TextIndexAnalysis(bytes, null, true, null), ofIndexed.get(name).textIndex(), name);
      // A conversion keeps the index, so that it is in the sizes of the encodings.
      assertEquals(sizeOf(plain, name), defaultBytes(ofStock.get(name)), name);
      assertEquals(sizeOf(indexed, name), defaultBytes(ofIndexed.get(name)), name);
    }
    assertNull(ofStock.get("__time").textIndex());
  }

  private static long defaultBytes(ColumnAnalysis column) {
    return column.encodings().get("shapeshift-fastbutsmallish").totalBytes();
  }

  @Test
  void searchesAreMeasured() {
    final Map<String, ColumnAnalysis> columns =
        columns(analyze(persist("stock", TestSegments.STOCK, Version.V10), true));
    for (String name : List.of("plain", "auto")) {
      final TextIndexAnalysis index = columns.get(name).textIndex();
      assertNotNull(index.searches(), columns.get(name)::toString);
      assertEquals(List.of("fewHits", "noHits"), List.copyOf(index.searches().keySet()), name);
      final SearchAnalysis few = index.searches().get("fewHits");
      assertTrue(few.condition().matches("like '%.{6}%'"), few.condition());
      assertTrue(few.texts() >= 1 && few.texts() <= 10, few::toString);
      assertTrue(few.rows() >= few.texts(), few::toString);
      final SearchAnalysis none = index.searches().get("noHits");
      assertEquals(List.of(0L, 0L), List.of((long) none.texts(), none.rows()));
      assertTrue(none.indexedNs() > 0 && none.indexedNs() < none.plainNs(), none::toString);
      assertTrue(none.plainNs() < none.druidNs(), none::toString);
    }
    assertNull(columns.get("nested").textIndex().searches());
  }

  /** A column of few texts, and one whose texts all have the same trigrams. */
  private Path withoutIndexes() {
    final Random random = new Random(1);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < NUM_ROWS; i++) {
      rows.add(Map.of(
          "time", "2026-01-01",
          "few", "text" + i % 50,
          "bits", Long.toBinaryString(random.nextLong())
      ));
    }
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(
            List.of(new StringDimensionSchema("few"), new StringDimensionSchema("bits"))))
        .withRollup(false)
        .build();
    return TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows), folder.resolve("segment").toFile(), TestSegments.STOCK, Version.V9)
        .toPath();
  }

  @Test
  void reasonsAreNamed() throws IOException {
    final String path = withoutIndexes().toString();
    final String alike = "the texts are too much alike, or too irregular";
    final String few = "the texts have fewer than 16,384 bytes";
    final String text = ToolInJvm.run("analyze", "--no-speed", path).fine();
    assertTrue(text.contains("\nNo text index, because " + alike + ": bits\nNo text index, because " + few + ": few\n"),
        text);
    assertFalse(text.contains("Text indexes"), text);
    final JsonNode segment =
        new ObjectMapper().readTree(ToolInJvm.run("analyze", "--no-speed", "--json", path).fine()).findPath("columns");
    for (JsonNode column : segment) {
      final JsonNode index = column.path("textIndex");
      switch (column.path("name").asText()) {
        case "few" -> assertEquals(few, index.path("none").asText());
        case "bits" -> assertEquals(alike, index.path("none").asText());
        default -> assertTrue(index.isMissingNode());
      }
      assertFalse(index.has("bytes"));
    }
  }

  @Test
  void textAndCsvHaveTheBytes() {
    final Path path = persist("stock", TestSegments.STOCK, Version.V9);
    final long bytes = columns(analyze(path, false)).get("plain").textIndex().bytes();
    final String text = ToolInJvm.run("analyze", "--no-speed", path.toString()).fine();
    assertTrue(text.lines().anyMatch(line -> line.matches("column +values +bytes")), text);
    assertTrue(
        text.lines().anyMatch(line -> line.matches(String.format("plain +[34],[0-9]{3} +%,d", bytes))), text);
    assertTrue(text.lines().anyMatch(line -> line.matches("nested +[0-9,]+")), text);
    final List<String> csv = ToolInJvm.run("analyze", "--no-speed", "--csv", path.toString()).fine().lines()
        .filter(line -> line.startsWith("segment,") || line.contains(",plain,")).toList();
    final int at = List.of(csv.get(0).split(",")).indexOf("textIndexBytes");
    final List<String> values = csv.stream().map(line -> line.split(",", -1)[at]).toList();
    assertEquals(1, values.stream().filter(String.valueOf(bytes)::equals).count(), values::toString);
    assertEquals(values.size() - 2, values.stream().filter(String::isEmpty).count(), values::toString);
  }

  private static ColumnAnalysis with(ColumnAnalysis column, TextIndexAnalysis index) {
    return column.toBuilder().textIndex(index).build();
  }

  /** Replaces what is known of some columns' text indexes. */
  private static Analysis with(Analysis analysis, Map<String, TextIndexAnalysis> indexes) {
    final SegmentAnalysis segment = analysis.segments().get(0);
    final List<ColumnAnalysis> columns = segment.columns().stream()
        .map(column -> with(column, indexes.getOrDefault(column.name(), column.textIndex()))).toList();
    return new Analysis(
        analysis.jvm(),
        List.of(new SegmentAnalysis(segment.path(), segment.version(), segment.rows(), segment.interval(),
            segment.bytes(), columns, segment.encodings())),
        analysis.totals(),
        null,
        null
    );
  }

  private static Advice advice(Analysis analysis) {
    return new Adviser(analysis, BlockSize.LARGE).serving(Aim.SIZE);
  }

  private static TextIndexAnalysis measured(double druidNs, double plainNs, double indexedNs) {
    return new TextIndexAnalysis(
        12_345L,
        null,
        false,
        Map.of("fewHits", new SearchAnalysis("like '%abc%'", 1, 1, druidNs, plainNs, indexedNs))
    );
  }

  @Test
  void adviceNamesSlowColumnsAndKeepsIndexes() {
    final Analysis stock = analyze(persist("stock", TestSegments.STOCK, Version.V9), false);
    final Advice advice =
        advice(with(stock, Map.of("plain", measured(9e6, 2.34e6, 5e4), "auto", measured(9e5, 3e5, 1e4))));
    assertTrue(
        advice.notes().contains("If queries search for parts of texts, such as like '%abc%', add \"textIndex\": true "
            + "to the column's entry. Under the default target: plain (12,345 bytes; 0.050 instead of 2.3 ms)."),
        advice.notes()::toString
    );
    assertFalse(advice.indexSpec().toString().contains("textIndex"), advice.indexSpec()::toString);
    final Advice kept = advice(analyze(persist("indexed", TextRows.INDEXED, Version.V9), false));
    final Map<?, ?> entries = (Map<?, ?>) kept.indexSpec().get("columns");
    for (String column : TextRows.COLUMNS) {
      assertEquals(true, ((Map<?, ?>) entries.get(column)).get("textIndex"), column);
    }
    assertFalse(kept.notes().toString().contains("textIndex"), kept.notes()::toString);
  }

  /** Searches of nested columns are not measured, so that such a row has bytes alone. */
  @Test
  void theTableHasColumnsWithAndWithoutSearches() {
    final Analysis stock = analyze(persist("stock", TestSegments.STOCK, Version.V9), false);
    final String text = new AnalysisText(with(stock, Map.of("plain", measured(9e6, 2.34e6, 5e4)))).text();
    assertTrue(text.lines().anyMatch(line -> line.matches("nested +[0-9,]+ *")), text);
    assertTrue(
        text.lines().anyMatch(line -> line.matches("plain +[0-9,]+ +12,345 +like '%abc%' +1 +9 +2.3 +0.050 *")), text);
  }
}
