// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.segment.AutoColumns;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.NumberRows;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.ToolProcess.Result;
import io.shapeshift.druid.tool.analysis.Advice;
import io.shapeshift.druid.tool.analysis.Advice.Alternative;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.Alternatives;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.analysis.Variants;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.convert.Conversion;
import io.shapeshift.druid.tool.convert.TargetEncodings;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.segment.SketchRows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Advice about real segments takes, once they are converted, as many bytes as it says. */
@Tag("slow")
class AdviceTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  /** Bytes by which descriptors, metadata and checksums of a segment may grow, per column. */
  private static final long BYTES_PER_COLUMN = 150;
  private static final int ROWS_WITH_KEYS = 12_000;

  @TempDir
  private Path folder;

  /** Rows of all kinds of columns, with projections, nested and complex ones. */
  private enum Rows {
    EVERY_COLUMN(EveryColumn.inMemory(1, 1000)),
    NUMBERS(NumberRows.inMemory(1, 800, false)),
    AUTO(AutoColumns.inMemory(1, 800)),
    OBJECTS(SketchRows.inMemory(1)),
    KEYS(keys()),
    ONE_ROW(EveryColumn.inMemory(1, 1));

    private final IncrementalIndex inMemory;

    Rows(IncrementalIndex inMemory) {
      this.inMemory = inMemory;
    }
  }

  /** Two columns that are like keys, of numbers and of texts, and two that are not. */
  private static IncrementalIndex keys() {
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new StringDimensionSchema("text"),
            new LongDimensionSchema("key"),
            new StringDimensionSchema("city"),
            new StringDimensionSchema("country")
        )))
        .build();
    final List<Integer> keys = new ArrayList<>(IntStream.range(0, ROWS_WITH_KEYS).boxed().toList());
    Collections.shuffle(keys, new Random(1));
    final Random random = new Random(2);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS_WITH_KEYS; i++) {
      final int city = random.nextInt(300);
      rows.add(Map.of(
          "time", "2026-01-01", "text", String.valueOf(7L * keys.get(i)), "key", 1_000_003L * keys.get(i),
          "city", "city" + city, "country", "country" + city % 7
      ));
    }
    return TestSegments.rowsInMemory(schema, rows);
  }

  private Path persist(Rows rows, Version version) {
    return TestSegments.persist(
        rows.inMemory, folder.resolve("segment").toFile(), TestSegments.STOCK, version).toPath();
  }

  private static Analysis analyze(Path segment) {
    return new Analyzer(
        new Analyzer.Options(new ColumnOption(), BlockSize.LARGE, false, false, true, null))
        .analyze(SegmentLocation.find(List.of(segment)));
  }

  private static IndexSpec spec(Advice advice) throws JsonProcessingException {
    return Druid.json().readValue(JSON.writeValueAsString(advice.indexSpec()), IndexSpec.class);
  }

  /** Copy of an analysis with made up read times, so that all choices are advised for some column. */
  private static Analysis timed(Analysis analysis, long seed) {
    final Random random = new Random(seed);
    return new Analysis(
        analysis.jvm(),
        analysis.segments().stream().map(segment -> new SegmentAnalysis(
            segment.path(),
            segment.version(),
            segment.rows(),
            segment.interval(),
            segment.bytes(),
            segment.columns().stream().map(column -> timed(column, random)).toList(),
            segment.encodings()
        )).toList(),
        analysis.totals(),
        1,
        null
    );
  }

  private static ColumnAnalysis timed(ColumnAnalysis column, Random random) {
    final Alternatives others = column.alternatives();
    final ColumnAnalysis.Builder timed = column.toBuilder().encodings(timed(column.encodings(), random));
    if (others != null) {
      timed.alternatives(
          new Alternatives(timed(others.encodings(), random), others.asLong(), others.hasHashIndex()));
    }
    return timed.build();
  }

  private static Map<String, EncodingAnalysis> timed(Map<String, EncodingAnalysis> encodings, Random random) {
    final Map<String, EncodingAnalysis> timed = new LinkedHashMap<>();
    encodings.forEach((name, each) -> {
      final double nanos = Math.exp(4 * random.nextDouble());
      timed.put(name, new EncodingAnalysis(
          each.bytes(), each.indexBytes(), each.dictionaryBytes(), each.totalBytes(), nanos, Map.of("1.0", nanos),
          null, null, null, each.forms(), each.indexForms()));
    });
    return timed;
  }

  static List<Arguments> versionsAndRows() {
    return Stream.of(Version.values())
        .flatMap(version -> Stream.of(Rows.values()).map(rows -> Arguments.of(version, rows)))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("versionsAndRows")
  void convertedColumnsTakeTheAnnouncedBytes(Version version, Rows rows) throws IOException {
    final Path segment = persist(rows, version);
    final Analysis sizes = analyze(segment);
    final Set<String> choices = new HashSet<>();
    for (Aim aim : Aim.values()) {
      final Advice advice = new Adviser(timed(sizes, aim.ordinal()), BlockSize.LARGE).serving(aim);
      assertAnnounced(segment, advice, aim.name());
      advice.alternatives().stream().filter(Alternative::advised).forEach(each -> choices.add(each.choice()));
    }
    final Advice smallest = new Adviser(sizes, BlockSize.LARGE).serving(Aim.SIZE);
    final long budget = smallest.bytes() + smallest.bytes() / 10;
    assertAnnounced(segment, new Adviser(timed(sizes, 99), BlockSize.LARGE).within(budget), "budget");
    assertTrue(choices.size() >= (rows == Rows.OBJECTS ? 3 : 4), choices::toString);
  }

  private void assertAnnounced(Path segment, Advice advice, String name) throws IOException {
    final Path out = folder.resolve(name);
    final Conversion conversion = new Conversion(TargetEncodings.of(spec(advice)), false);
    conversion.run(segment, SegmentLocation.find(List.of(segment)), out);
    final Map<String, Long> bytes = new TreeMap<>();
    final int columns;
    try (Segment converted = Segment.open(out)) {
      columns = converted.columns().size();
      for (SegmentColumn column : converted.columns()) {
        bytes.merge(column.name(), Analyzer.bytes(column).total(), Long::sum);
      }
    }
    for (Alternative each : advice.alternatives()) {
      if (each.advised()) {
        assertEquals(each.bytes(), bytes.get(each.column()), each + " of " + advice.indexSpec());
      }
    }
    final long whole = FileUtils.sizeOfDirectory(out.toFile());
    assertTrue(
        Math.abs(whole - advice.bytes()) <= BYTES_PER_COLUMN * columns,
        () -> name + ": " + whole + " bytes instead of " + advice.bytes() + ", in " + columns + " columns"
    );
  }

  @Test
  void keysAreKnown() throws IOException {
    final Path segment = persist(Rows.KEYS, Version.V9);
    final Advice advice = new Adviser(analyze(segment), BlockSize.LARGE).serving(Aim.SIZE);
    assertEquals("smaller", advice.table());
    final String notes = String.join("\n", advice.notes());
    assertTrue(notes.contains("text: every text is a whole number, and few rows are alike. "), notes);
    assertTrue(
        notes.contains("key: few rows are alike. If it is looked up as a key, \"hashIndex\": true takes "), notes);
    assertFalse(notes.contains("city"), notes);
    // With a hash index, as the remark says.
    final IndexSpec indexed = Druid.json().readValue(
        "{\"encodingStrategy\": \"shapeshift\", \"columns\": {\"key\": {\"hashIndex\": true}}}", IndexSpec.class);
    new Conversion(TargetEncodings.of(indexed), false)
        .run(segment, SegmentLocation.find(List.of(segment)), folder.resolve("indexed"));
    try (Segment converted = Segment.open(folder.resolve("indexed"))) {
      assertNotNull(converted.baseColumn("key").parts().hashIndex());
      final ColumnAnalysis key = analyze(segment).segments().get(0).columns().stream()
          .filter(column -> column.name().equals("key")).findFirst().orElseThrow();
      assertEquals(
          key.alternatives().encodings().get(Variants.HASH_INDEX).totalBytes(),
          Analyzer.bytes(converted.baseColumn("key")).total()
      );
    }
    final Map<?, ?> entries = (Map<?, ?>) new Adviser(analyze(folder.resolve("indexed")), BlockSize.LARGE)
        .serving(Aim.SIZE).indexSpec().get("columns");
    // What has an index keeps it.
    assertEquals(Map.of("hashIndex", true), entries.get("key"));
  }

  @Test
  void textsBecomeLongsThatTakeTheAnnouncedBytes() throws IOException {
    final ColumnAnalysis text = analyze(persist(Rows.KEYS, Version.V9)).segments().get(0).columns().stream()
        .filter(column -> column.name().equals("text")).findFirst().orElseThrow();
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new LongDimensionSchema("text"))))
        .build();
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS_WITH_KEYS; i++) {
      rows.add(Map.of("time", "2026-01-01", "text", 7L * i));
    }
    final IndexSpec indexed = Druid.json().readValue(
        "{\"encodingStrategy\": \"shapeshift\", \"columns\": {\"text\": {\"hashIndex\": true}}}", IndexSpec.class);
    final Path longs = TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows), folder.resolve("longs").toFile(), indexed, Version.V9).toPath();
    try (Segment written = Segment.open(longs)) {
      final SegmentColumn column = written.baseColumn("text");
      // Those are sorted as texts here, so that rows take more; the index takes the same.
      final long index = column.parts().hashIndex().bytes().remaining();
      assertTrue(text.alternatives().asLong() > index, text.alternatives()::toString);
      assertTrue(text.alternatives().asLong() < index + 8L * ROWS_WITH_KEYS, text.alternatives()::toString);
    }
  }

  /** Several columns that depend on a city, behind one that does not. */
  @Test
  void ordersAreTried() throws IOException {
    final List<String> dimensions = List.of("noise", "city", "zip", "region", "country");
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(DimensionsSpec.getDefaultSchemas(dimensions)))
        .withMetrics(new CountAggregatorFactory("count"))
        .withRollup(false)
        .build();
    final Random random = new Random(3);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS_WITH_KEYS; i++) {
      final int city = random.nextInt(300);
      rows.add(Map.of(
          "time", "2026-01-01T00:00:0" + i % 10, "noise", "n" + random.nextInt(3000), "city", "city" + city,
          "zip", "zip" + 31 * city, "region", "region" + city % 40, "country", "country" + city % 7
      ));
    }
    final Path path = TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows), folder.resolve("cities").toFile(), TestSegments.STOCK, Version.V10)
        .toPath();
    try (Segment segment = Segment.open(path)) {
      final DimensionOrders.Result tried = DimensionOrders.of(segment, TestSegments.ALL_SHAPE_SHIFT);
      assertEquals(ROWS_WITH_KEYS, tried.rows());
      assertTrue(tried.orders() >= 4, tried::toString);
      assertEquals("__time", tried.byTime().columns().get(0));
      assertEquals("noise", tried.byTime().columns().get(dimensions.size()), tried::toString);
      assertTrue(tried.byTime().bytes() < .9 * tried.present(), tried::toString);
      assertTrue(tried.free().bytes() < tried.byTime().bytes(), tried::toString);
      assertFalse(tried.free().isByTime());
    }
    final String text =
        ToolInJvm.run("analyze", "--advise", "--aim", "size", "--no-speed", path.toString()).fine();
    assertTrue(text.contains("\n- Sorted by __time, "), text);
    assertTrue(text.contains(" (\"forceSegmentSortByTime\": false, which Druid calls experimental), a sample of 12,000 "
        + "rows takes "), text);
    assertTrue(text.contains("\n- \"appendableIndexSpec\": {\"type\": \"shapeshift\"} keeps all rows of this table off "
        + "the heap "), text);
  }

  @Test
  void commandPrintsASpecThatConvertAndBuildTake() throws IOException {
    final Path segment = persist(Rows.EVERY_COLUMN, Version.V10);
    final String text =
        ToolInJvm.run("analyze", "--advise", "--aim", "SIZE", "--no-speed", segment.toString()).fine();
    assertTrue(text.startsWith("Aim size, 1,000 rows; today "), text);
    assertTrue(text.lines().anyMatch(line -> line.matches("as advised +[0-9,]+ +[01]\\.[0-9]{3}")), text);
    assertTrue(text.contains("\n- \"appendableIndexSpec\": {\"type\": \"shapeshift\"} gains less here, because some "
        + "values stay on the heap while they are ingested: "), text);
    final String json = text.substring(text.indexOf("\n{") + 1);
    final Path spec = Files.writeString(folder.resolve("spec.json"), json);
    final Path out = folder.resolve("out");
    assertEquals("", ToolInJvm.run(
        "convert", segment.toString(), "--out", out.toString(), "--index-spec", "@" + spec).err());
    assertEquals(0, ToolInJvm.run("verify", segment.toString(), out.toString()).exitCode());
    final JsonNode advice = JSON.readTree(ToolInJvm.run(
        "analyze", "--advise", "--aim", "size", "--no-speed", "--json", segment.toString()).fine()).path("advice");
    assertEquals(JSON.readTree(json), advice.path("indexSpec"));
    final List<String> csv = ToolInJvm.run(
        "analyze", "--advise", "--aim", "size", "--no-speed", "--csv", segment.toString()).fine().lines().toList();
    assertEquals("column,choice,advised,bytes,readNs", csv.get(0));
    assertEquals(advice.path("alternatives").size(), csv.size() - 1);
    final Path input = Files.writeString(folder.resolve("rows.json"), "{\"plain\": \"a\"}\n");
    ToolInJvm.run("build", "--input", input.toString(), "--no-timestamp", "--out", folder.resolve("b").toString(),
        "--index-spec", "@" + spec).fine();
  }

  @Test
  void damagedColumnsAreNamed() throws IOException {
    final Path segment = persist(Rows.EVERY_COLUMN, Version.V9);
    final String[] place = Files.readString(segment.resolve("meta.smoosh")).lines()
        .filter(line -> line.startsWith("number,")).findFirst().orElseThrow().split(",", -1);
    final byte[] bytes = Files.readAllBytes(segment.resolve("00000.smoosh"));
    final int start = Integer.parseInt(place[2]);
    final int body = start + Integer.BYTES + ByteBuffer.wrap(bytes).getInt(start);
    // Behind the size of the numbers, their version.
    bytes[body + Integer.BYTES] = 0x7f;
    Files.write(segment.resolve("00000.smoosh"), bytes);
    final Result result = ToolInJvm.run("analyze", "--advise", "--aim", "size", "--no-speed", segment.toString());
    assertEquals(1, result.exitCode(), result.err());
    assertTrue(result.out().contains("\n- Could not be read, and is not in the figures: number"), result.out());
    assertTrue(result.out().contains("\n- No other order of dimensions was tried: "), result.out());
  }

  private static void assertUsage(String message, String... args) {
    final Result result = ToolInJvm.run(args);
    assertEquals(2, result.exitCode());
    assertEquals("shapeshift: " + message, result.err().lines().findFirst().orElse(""));
  }

  @Test
  void contradictionsAreUsage() throws IOException {
    final String path = persist(Rows.ONE_ROW, Version.V9).toString();
    assertUsage("--aim and --budget have no effect without --advise", "analyze", path, "--aim", "size");
    assertUsage("--budget is an aim of its own: give it, or --aim",
        "analyze", path, "--advise", "--aim", "size", "--budget", "9");
    assertUsage("--budget is 0: it must be 1 or more", "analyze", path, "--advise", "--budget", "0");
    assertUsage("--advise weighs read speed, except with --aim size: give that, or leave out --no-speed",
        "analyze", path, "--advise", "--no-speed");
    assertUsage("--advise prints nothing of --explain, --explain-chunks and --fields: leave them out",
        "analyze", path, "--advise", "--fields");
    final Result small = ToolInJvm.run("analyze", path, "--advise", "--budget", "10");
    assertEquals(3, small.exitCode());
    assertTrue(small.err().startsWith("shapeshift: --budget 10: with the smallest choice of each column, the segments "
        + "take "), small.err());
    final String out = folder.resolve("out").toString();
    assertUsage("--index-spec has 'bitmap', which a conversion leaves as it is: leave it out", "convert", path, "--out",
        out, "--index-spec", "{\"encodingStrategy\": \"shapeshift\", \"bitmap\": {\"type\": \"concise\"}}");
    assertUsage("--compression, --metric-compression and --long-encoding are dimensionCompression, metricCompression "
        + "and longEncoding in --index-spec: name them there", "convert", path, "--out", out, "--compression", "zstd",
        "--index-spec", "{\"encodingStrategy\": \"compression\"}");
    final Result missing = ToolInJvm.run("convert", path, "--out", out, "--index-spec",
        "{\"encodingStrategy\": \"shapeshift\", \"columns\": {\"nope\": {\"encodingStrategy\": \"compression\"}}}");
    assertEquals(0, missing.exitCode());
    assertEquals("shapeshift: --index-spec has an entry for 'nope', but no segment has such a column\n", missing.err());
  }
}
