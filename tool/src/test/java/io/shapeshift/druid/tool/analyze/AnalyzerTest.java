// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.AutoColumns;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.NumberRows;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.index.KeyCost;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.testing.sketches.Sketch;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analysis.Analysis.FieldAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.HashIndexAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analyzer;
import io.shapeshift.druid.tool.analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.analysis.Explanation;
import io.shapeshift.druid.tool.analysis.Explanation.Candidate;
import io.shapeshift.druid.tool.analysis.Explanation.ChunkExplanation;
import io.shapeshift.druid.tool.analysis.Explanation.CodecComparison;
import io.shapeshift.druid.tool.analysis.Explanation.Decision;
import io.shapeshift.druid.tool.analysis.Explanation.FormExplanation;
import io.shapeshift.druid.tool.analysis.Explanation.Outcome;
import io.shapeshift.druid.tool.analysis.Explanation.Question;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.ObjectPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.segment.SketchRows;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What analysis says that an encoding would take is what a segment that is written so takes. */
@Tag("slow")
class AnalyzerTest {
  private static final int NUM_ROWS = Tier.pick(3000, 17_000);
  private static final int TWO_CHUNKS_OF_LONGS = Tier.pick(8500, 17_000);
  /** More than a chunk of small blocks. */
  private static final int ROWS_OF_SMALL_BLOCKS = Tier.pick(4200, 17_000);
  /** Columns of these numbers, of each type, with and without nulls; the rows of "count" are all alike. */
  private static final Set<String> INDEXED = Set.of("__time", "long", "longOrNull", "double", "floatOrNull", "count");
  private static final String DEFAULT = "shapeshift-fastbutsmallish";

  /** Segments that no test changes, each of which is written once. */
  @TempDir
  private static Path shared;
  /** What analysis says of them, each of which is analyzed once. */
  private static final Map<Path, SegmentAnalysis> ANALYSES = new HashMap<>();

  @TempDir
  private Path folder;

  /** Every kind of column, numbers of every type and use, columns of type auto, and some of several chunks each. */
  private enum Rows {
    EVERY_COLUMN(EveryColumn.inMemory(1, NUM_ROWS)),
    NUMBERS(NumberRows.inMemory(1, 3000, false)),
    AUTO(AutoColumns.inMemory(1, Tier.pick(1000, 3000))),
    SEVERAL_CHUNKS(severalChunks()),
    OBJECTS(SketchRows.inMemory(1));

    private final IncrementalIndex inMemory;

    Rows(IncrementalIndex inMemory) {
      this.inMemory = inMemory;
    }
  }

  /** Druid's own segments, ours, and ours with hash indexes. */
  private enum Kind {
    STOCK(TestSegments.STOCK),
    OURS(indexed(OptimizationTarget.FASTBUTSMALLISH, Set.of())),
    INDEXED(indexed(OptimizationTarget.FASTBUTSMALLISH, AnalyzerTest.INDEXED));

    private final IndexSpec spec;

    Kind(IndexSpec spec) {
      this.spec = spec;
    }
  }

  /** More rows than a chunk of large blocks has. */
  private static IncrementalIndex severalChunks() {
    final DimensionsSpec dimensions = new DimensionsSpec(List.of(
        new StringDimensionSchema("plain"),
        new StringDimensionSchema("constant"),
        new StringDimensionSchema("multi", MultiValueHandling.ARRAY, true),
        new LongDimensionSchema("number"),
        new LongDimensionSchema("x"),
        new DoubleDimensionSchema("real")
    ));
    return TestSegments.rowsInMemory(
        IncrementalIndexSchema.builder().withDimensionsSpec(dimensions).build(), EveryColumn.rows(1, 17_000));
  }

  /** The option as a command line sets it. */
  @Command
  static final class Columns {
    @Mixin
    private ColumnOption option;

    static ColumnOption of(String... names) {
      final Columns columns = new Columns();
      new CommandLine(columns).parseArgs(
          Arrays.stream(names).map(name -> "--columns=" + name).toArray(String[]::new)
      );
      return columns.option;
    }
  }

  private static Analysis analyze(
      Path path,
      BlockSize blockSize,
      boolean speed,
      @Nullable OptimizationTarget explain,
      String... columns
  ) {
    return new Analyzer(new Analyzer.Options(Columns.of(columns), blockSize, speed, true, false, explain))
        .analyze(SegmentLocation.find(List.of(path)));
  }

  private static SegmentAnalysis sizes(Path path) {
    return analyze(path, BlockSize.LARGE, false, null).segments().get(0);
  }

  private static Path shared(Rows rows, Kind kind, Version version) {
    final Path path = shared.resolve(rows + "-" + kind + "-" + version);
    return Files.exists(path)
           ? path
           : TestSegments.persist(rows.inMemory, path.toFile(), kind.spec, version).toPath();
  }

  /** The sizes of a shared segment, and what is explained of one with hash indexes. */
  private static SegmentAnalysis analysis(Rows rows, Kind kind, Version version) {
    return ANALYSES.computeIfAbsent(
        shared(rows, kind, version),
        path -> analyze(
            path, BlockSize.LARGE, false, kind == Kind.INDEXED ? OptimizationTarget.FASTBUTSMALLISH : null
        ).segments().get(0)
    );
  }

  private Path persist(int rows, String name, IndexSpec spec, Version version) {
    return persist(EveryColumn.inMemory(1, rows), name, spec, version);
  }

  private Path persist(IncrementalIndex rows, String name, IndexSpec spec, Version version) {
    return TestSegments.persist(rows, folder.resolve(name).toFile(), spec, version).toPath();
  }

  private static Map<String, ColumnAnalysis> byName(SegmentAnalysis segment) {
    return segment.columns().stream().collect(Collectors.toMap(ColumnAnalysis::displayName, Function.identity()));
  }

  private static IndexSpec stock(CompressionStrategy compression, LongEncodingStrategy longs) {
    return IndexSpec.builder().withDimensionCompression(compression).withMetricCompression(
        compression == CompressionStrategy.UNCOMPRESSED ? CompressionStrategy.NONE : compression
    ).withLongEncoding(longs).build();
  }

  /** All types that are analyzed shape-shift, and columns of these names have hash indexes. */
  private static IndexSpec indexed(OptimizationTarget target, Set<String> names) {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        TestSegments.withHashIndexes(EncodingStrategy.shapeShift(target, BlockSize.LARGE), names)
    );
  }

  /** What a hash index would take is what it takes in a segment that has it. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void hashIndexes(Version version) {
    final Map<String, ColumnAnalysis> columns = byName(analysis(Rows.NUMBERS, Kind.STOCK, version));
    try (Segment segment = Segment.open(shared(Rows.NUMBERS, Kind.INDEXED, version))) {
      for (String name : INDEXED) {
        final HashIndex index = segment.baseColumn(name).parts().hashIndex().index();
        final HashIndexAnalysis analysis = columns.get(name).hashIndex();
        assertEquals(index.numKeys(), analysis.keys(), name);
        assertEquals(index.sizeInBytes(), analysis.bytes(), name);
        assertEquals(index.sizeInBytes() / 3000.0, analysis.bytesPerRow(), 1e-6, name);
        final KeyCost cost = new KeyCost(3000, (double) index.numEntries() / index.numKeys(), 0, 0);
        assertEquals(cost.lookUpNanos(1), analysis.lookUpNs(), name);
        assertEquals(cost.scanNanos(1), analysis.scanNs(), name);
      }
    }
    assertNull(columns.get("kind").hashIndex());
    assertNull(columns.get("nullLong").hashIndex());
  }

  /** Each kind of rows, in one of the versions or in both. */
  static Stream<Arguments> versionsAndRows() {
    return Stream.of(Version.values()).flatMap(version -> Stream.of(Rows.values())
        .filter(rows -> Tier.tries(version.ordinal() + rows.ordinal(), 2))
        .map(rows -> Arguments.of(version, rows)));
  }

  @ParameterizedTest
  @MethodSource("versionsAndRows")
  void encodingsTakeWhatSegmentsInThemTake(Version version, Rows rows) {
    encodingsTakeWhatSegmentsInThemTake(version, rows, Kind.STOCK, Set.of(), rows.ordinal());
  }

  /** Ours have the hash indexes that there are; Druid's have none. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void encodingsOfIndexedNumbersTakeWhatSegmentsInThemTake(Version version) {
    encodingsTakeWhatSegmentsInThemTake(version, Rows.NUMBERS, Kind.INDEXED, INDEXED, version.ordinal());
  }

  private void encodingsTakeWhatSegmentsInThemTake(
      Version version,
      Rows rows,
      Kind analyzed,
      Set<String> hashIndexes,
      int firstCombination
  ) {
    final SegmentAnalysis analysis = analysis(rows, analyzed, version);
    final Map<String, IndexSpec> specs = new LinkedHashMap<>();
    for (LongEncodingStrategy longs : LongEncodingStrategy.values()) {
      final String prefix = longs == LongEncodingStrategy.AUTO ? "druid-auto-" : "druid-";
      specs.put(prefix + "lz4", stock(CompressionStrategy.LZ4, longs));
      specs.put(prefix + "zstd", stock(CompressionStrategy.ZSTD, longs));
      specs.put(prefix + "uncompressed", stock(CompressionStrategy.UNCOMPRESSED, longs));
    }
    for (OptimizationTarget target : OptimizationTarget.values()) {
      specs.put(RowEncodings.shapeShiftName(target), indexed(target, hashIndexes));
    }
    int combination = firstCombination;
    for (String encoding : specs.keySet()) {
      if (!Tier.tries(combination++, 3)) {
        continue;
      }
      final Map<String, Analysis.ColumnBytes> written = new HashMap<>();
      final long segmentBytes;
      try (Segment segment = Segment.open(persist(rows.inMemory, encoding, specs.get(encoding), version))) {
        segment.columns().forEach(column -> written.put(column.displayName(), Analyzer.bytes(column)));
        segmentBytes = segment.sizeInBytes();
      }
      int compared = 0;
      for (ColumnAnalysis column : analysis.columns()) {
        if (column.encodings().containsKey(encoding)) {
          final Analysis.ColumnBytes now = written.get(column.displayName());
          final EncodingAnalysis encoded = column.encodings().get(encoding);
          final String what = encoding + column.displayName();
          assertEquals(now.values(), encoded.bytes(), what);
          assertEquals(now.index(), encoded.indexBytes(), what);
          assertEquals(now.dictionary(), encoded.dictionaryBytes(), what);
          // Of ids without compression Druid does without flags.
          final long flags = encoded.totalBytes() - now.total();
          assertTrue(flags == 0 || (flags == Integer.BYTES && encoding.endsWith("-uncompressed")), what + flags);
          compared++;
        }
      }
      // Compression is that of nested columns as well; else descriptors and metadata alone have another size.
      final long difference = segmentBytes - analysis.encodings().get(encoding).segmentBytes();
      assertTrue(
          (encoding.startsWith("druid-") && !encoding.equals("druid-lz4")) || Math.abs(difference) < 5_000,
          encoding + difference
      );
      assertTrue(compared > 2, encoding);
    }
  }

  @ParameterizedTest
  @MethodSource("versionsAndRows")
  void aShapeShiftingSegmentIsAnalyzedLikeTheStockOneOfTheSameRows(Version version, Rows rows) {
    final SegmentAnalysis stock = analysis(rows, Kind.STOCK, version);
    final SegmentAnalysis ours = analysis(rows, Kind.OURS, version);
    assertEquals(stock.rows(), ours.rows());
    assertEquals(stock.interval(), ours.interval());
    assertEquals(stock.columns().size(), ours.columns().size());
    for (int i = 0; i < stock.columns().size(); i++) {
      final ColumnAnalysis before = stock.columns().get(i);
      final ColumnAnalysis after = ours.columns().get(i);
      assertEquals(before.displayName(), after.displayName());
      assertEquals(before.auto(), after.auto());
      assertEquals(before.type(), after.type());
      assertEquals(before.encodings(), after.encodings());
      if (!before.encodings().isEmpty()) {
        assertEquals(before.bytes().total(), after.encodings().get("druid-lz4").totalBytes(), after.displayName());
      }
      if (before.fields() != null) {
        // All parts of nested columns are others.
        assertEquals("shapeshift", after.encoding());
        assertEquals(after.bytes().total(), before.encodings().get(DEFAULT).totalBytes());
        continue;
      }
      assertEquals(before.objects(), after.objects());
      // Objects stay in Druid's column where it is smaller.
      final boolean shifts = before.objects() == null || before.encodings().get(DEFAULT).forms() != null;
      assertEquals(before.encodings().isEmpty() ? null : shifts ? "shapeshift" : "uncompressed", after.encoding());
      assertEquals(before.cardinality(), after.cardinality());
      assertEquals(
          before.encodings().isEmpty()
          ? before.bytes().dictionary()
          : before.encodings().get(DEFAULT).dictionaryBytes(),
          after.bytes().dictionary()
      );
      assertEquals(
          before.encodings().isEmpty() ? before.bytes().index() : before.encodings().get(DEFAULT).indexBytes(),
          after.bytes().index()
      );
      assertEquals(before.bytes().other(), after.bytes().other());
    }
  }

  /** What Druid's encodings would make of it is the same, and all else but for the index. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void anIndexedSegmentIsAnalyzedLikeTheStockOneOfTheSameRows(Version version) {
    final SegmentAnalysis stock = analysis(Rows.NUMBERS, Kind.STOCK, version);
    final SegmentAnalysis ours = analysis(Rows.NUMBERS, Kind.INDEXED, version);
    final Map<String, ColumnAnalysis> before = byName(stock);
    int compared = 0;
    for (ColumnAnalysis after : ours.columns()) {
      final String name = after.displayName();
      if (before.get(name).encodings().isEmpty()) {
        continue;
      }
      assertNull(after.problem(), name);
      assertEquals(before.get(name).bytes().total(), after.encodings().get("druid-lz4").totalBytes(), name);
      for (var encoding : before.get(name).encodings().entrySet()) {
        if (encoding.getKey().startsWith("druid-")) {
          assertEquals(encoding.getValue(), after.encodings().get(encoding.getKey()), name);
        }
      }
      assertEquals(after.bytes().total(), after.encodings().get(DEFAULT).totalBytes(), name);
      assertEquals(after.objects() == null, after.explanation() != null, name);
      compared += before.get(name).bytes().index() < after.bytes().index() ? 1 : 0;
    }
    // Those of projections as well.
    assertTrue(compared > INDEXED.size(), "" + compared);
  }

  @Test
  void autoColumnsAreAnalyzedLikeDeclaredOnes() {
    final Map<String, ColumnAnalysis> columns = byName(analysis(Rows.AUTO, Kind.OURS, Version.V9));
    for (String name : List.of("words", "longsOrNull", "doubles", "words[]", "wordsOrLongs")) {
      final ColumnAnalysis column = columns.get(name);
      assertTrue(column.auto(), name);
      assertEquals("shapeshift", column.encoding(), name);
      assertEquals(column.bytes().values(), column.encodings().get(DEFAULT).bytes(), name);
    }
    assertEquals("LONG", columns.get("longsOrNull").type());
    assertTrue(columns.get("longsOrNull").encodings().containsKey("druid-auto-lz4"));
    assertEquals("DOUBLE", columns.get("doubles").type());
    assertEquals("COMPLEX<json>", columns.get("json").type());
    assertTrue(columns.get("json").auto());
  }

  @Test
  void everyPartOfEveryColumnIsCounted() {
    final SegmentAnalysis analysis = analysis(Rows.EVERY_COLUMN, Kind.STOCK, Version.V9);
    final Map<String, ColumnAnalysis> columns = byName(analysis);
    for (ColumnAnalysis column : analysis.columns()) {
      assertNull(column.problem(), column.displayName());
      final Analysis.ColumnBytes bytes = column.bytes();
      // Versions, flags and sizes are none of the parts.
      final long rest =
          bytes.total() - bytes.dictionary() - bytes.values() - bytes.index() - bytes.other();
      assertTrue(rest >= 0 && rest <= 5, () -> column.displayName() + " " + bytes);
    }
    assertEquals("STRING", columns.get("multi").type());
    assertTrue(columns.get("multi").multiValue());
    assertEquals("LONG", columns.get("number").type());
    assertNull(columns.get("number").cardinality());
    assertEquals("COMPLEX<hyperUnique>", columns.get("unique").type());
    assertEquals(columns.get("unique").bytes().total(), columns.get("unique").bytes().values());
    assertEquals(columns.get("unique").bytes().values(), columns.get("unique").encodings().get("druid-lz4").bytes());
    assertEquals(columns.get("json").bytes().total(), columns.get("json").encodings().get("druid-lz4").totalBytes());
    assertEquals("STRING", columns.get("nullOnly").type());
    assertEquals(Map.of(), columns.get("nullOnly").encodings());
    // Words and numbers in one column: dictionaries of both, and ids that go through both.
    assertEquals("STRING", columns.get("auto").type());
    assertNull(columns.get("auto").cardinality());
    assertEquals(columns.get("auto").bytes().values(), columns.get("auto").encodings().get("druid-lz4").bytes());
    assertTrue(columns.get("auto").auto());
    assertTrue(columns.get("auto").encodings().containsKey(DEFAULT));
    assertEquals(EveryColumn.PROJECTION, columns.get("byPlain/plain").projection());
    assertEquals(0, columns.get("byPlain/plain").bytes().dictionary());
    assertEquals(columns.get("plain").cardinality(), columns.get("byPlain/plain").cardinality());
    assertTrue(columns.get("byPlain/plain").rows() < NUM_ROWS);
    final long files = analysis.columns().stream().mapToLong(column -> column.bytes().total()).sum();
    // index.drd, the metadata, the descriptors and the other files are not much.
    assertTrue(files < analysis.bytes() && files > analysis.bytes() - 20_000, files + " of " + analysis.bytes());
  }

  /** What Druid's default and its LZ4, and ours, make of objects is what segments have, whatever their encoding is. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void objectsTakeWhatSegmentsInTheirEncodingsTake(Version version) {
    final IndexSpec lz4 =
        IndexSpec.builder().withComplexMetricCompression(CompressionStrategy.LZ4).build().getEffectiveSpec();
    final Path compressed = persist(Rows.OBJECTS.inMemory, "compressed", lz4, version);
    final Map<String, ColumnAnalysis> stock = byName(analysis(Rows.OBJECTS, Kind.STOCK, version));
    final Map<String, ColumnAnalysis> inBlocks = byName(sizes(compressed));
    final Map<String, ColumnAnalysis> ours = byName(analysis(Rows.OBJECTS, Kind.OURS, version));
    for (String name : SketchRows.OBJECTS) {
      final ColumnAnalysis column = stock.get(name);
      assertEquals("uncompressed", column.encoding(), name);
      assertEquals("lz4", inBlocks.get(name).encoding(), name);
      assertEquals("shapeshift", ours.get(name).encoding(), name);
      assertEquals(
          List.of(
              "uncompressed", "lz4", "shapeshift-smaller", "shapeshift-fastbutsmallish", "shapeshift-faster"),
          List.copyOf(column.objects().keySet()),
          name
      );
      assertEquals(column.bytes().total(), column.objects().get("uncompressed"), name);
      assertEquals(inBlocks.get(name).bytes().total(), column.objects().get("lz4"), name);
      assertEquals(ours.get(name).bytes().total(), column.objects().get(DEFAULT), name);
      assertEquals(column.objects(), inBlocks.get(name).objects(), name);
      assertEquals(column.objects(), ours.get(name).objects(), name);
      assertEquals(column.encodings(), inBlocks.get(name).encodings(), name);
      assertNull(column.notCounted(), name);
    }
    for (String name : SketchRows.PAIRS) {
      assertEquals(Map.of(), stock.get(name).encodings(), name);
      assertEquals("its type has a column of its own, which stays as it is", stock.get(name).notCounted(), name);
    }
  }

  /** Fields are those of the column, with what they take in segments of each encoding. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void fieldsTakeWhatSegmentsInTheirEncodingsTake(Version version) {
    final List<FieldAnalysis> stock =
        byName(analysis(Rows.EVERY_COLUMN, Kind.STOCK, version)).get("json").fields();
    final List<FieldAnalysis> ours = byName(analysis(Rows.EVERY_COLUMN, Kind.OURS, version)).get("json").fields();
    assertEquals(Set.of("$.a", "$.b.c"), stock.stream().map(FieldAnalysis::name).collect(Collectors.toSet()));
    for (FieldAnalysis field : stock) {
      final boolean isLong = field.name().equals("$.a");
      assertEquals(isLong ? "LONG" : "STRING", field.types());
      assertEquals(NUM_ROWS, field.rows());
      assertEquals(isLong ? 10 : 7, field.values());
      assertEquals(field.bytes(), field.encodings().get("druid-lz4"));
      final FieldAnalysis shifted =
          ours.stream().filter(each -> each.name().equals(field.name())).findFirst().orElseThrow();
      assertEquals(field.encodings(), shifted.encodings());
      assertEquals(shifted.bytes(), field.encodings().get(DEFAULT));
      assertEquals(NUM_ROWS, shifted.rows());
      assertEquals(field.values(), shifted.values());
    }
  }

  /** Bytes of a generic column are read without the type's extension; a column of the extension's own is not. */
  @Test
  void objectsOfUnknownTypesAreCounted() throws IOException {
    final Path segment = persist(Rows.OBJECTS.inMemory, "unknown", TestSegments.STOCK, Version.V9);
    final Map<String, ColumnAnalysis> known = byName(sizes(segment));
    final Path file = segment.resolve("00000.smoosh");
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    for (String type : List.of("hyperUnique", "testSketchTHETA", "serializablePairLongLong")) {
      bytes = bytes.replace("\"typeName\":\"" + type, "\"typeName\":\"no" + type.substring(2));
    }
    Files.writeString(file, bytes, StandardCharsets.ISO_8859_1);
    final Map<String, ColumnAnalysis> unknown = byName(sizes(segment));
    for (String name : List.of("unique", Sketch.THETA.name())) {
      assertNotEquals(known.get(name).type(), unknown.get(name).type());
      assertEquals(known.get(name).encodings(), unknown.get(name).encodings(), name);
    }
    final ColumnAnalysis pairs = unknown.get("first");
    assertNotEquals(known.get("first").type(), pairs.type());
    assertEquals(Map.of(), pairs.encodings());
    assertNull(pairs.problem());
    assertEquals(
        "its type is of an extension that this tool does not have, and it is not Druid's generic column",
        pairs.notCounted()
    );
  }

  @Test
  void columnsAreSortedByWhatTheyWouldSave() {
    final SegmentAnalysis analysis = analysis(Rows.EVERY_COLUMN, Kind.STOCK, Version.V9);
    final List<Long> saved = new ArrayList<>();
    boolean numbers = false;
    for (ColumnAnalysis column : analysis.columns()) {
      final EncodingAnalysis ours = column.encodings().get(DEFAULT);
      assertFalse(numbers && ours != null, "what cannot shape-shift comes last");
      numbers = ours == null;
      if (!numbers) {
        saved.add(column.encodings().get("druid-lz4").totalBytes() - ours.totalBytes());
      }
    }
    assertEquals(saved.stream().sorted((a, b) -> Long.compare(b, a)).toList(), saved);
    assertTrue(saved.get(0) > 1000);
  }

  /** Those of longs only leave all others as they are without. */
  @Test
  void totalsAreOfAllColumnsThatAreEncoded() {
    persist(3000, "segments/a", TestSegments.STOCK, Version.V9);
    persist(500, "segments/b", TestSegments.SHAPE_SHIFT, Version.V10);
    final Analysis analysis = analyze(folder.resolve("segments"), BlockSize.LARGE, false, null);
    assertEquals(
        List.of(folder.resolve("segments/a").toString(), folder.resolve("segments/b").toString()),
        analysis.segments().stream().map(SegmentAnalysis::path).toList()
    );
    assertEquals(44, analysis.totals().columns());
    for (String encoding : analysis.totals().encodings().keySet()) {
      final List<ColumnAnalysis> columns = analysis.segments().stream()
          .flatMap(segment -> segment.columns().stream())
          .filter(column -> column.encodings().containsKey(DEFAULT))
          .toList();
      final ToLongFunction<ToLongFunction<EncodingAnalysis>> sum = part -> columns.stream()
          .mapToLong(column -> part.applyAsLong(column.encodings().getOrDefault(
              encoding,
              column.encodings().get(encoding.replace("druid-auto-", "druid-"))
          )))
          .sum();
      final EncodingTotal total = analysis.totals().encodings().get(encoding);
      assertEquals(sum.applyAsLong(EncodingAnalysis::bytes), total.bytes(), encoding);
      assertEquals(sum.applyAsLong(EncodingAnalysis::indexBytes), total.indexBytes(), encoding);
      assertEquals(sum.applyAsLong(EncodingAnalysis::dictionaryBytes), total.dictionaryBytes(), encoding);
      assertEquals(sum.applyAsLong(EncodingAnalysis::totalBytes), total.totalBytes(), encoding);
      assertEquals(
          analysis.totals().bytes() - columns.stream().mapToLong(column -> column.bytes().total()).sum()
              + total.totalBytes(),
          total.segmentBytes(),
          encoding
      );
      assertEquals(
          analysis.segments().stream().mapToLong(segment -> segment.encodings().get(encoding).segmentBytes()).sum(),
          total.segmentBytes(),
          encoding
      );
    }
    // What is stored so already.
    assertEquals(
        analysis.segments().get(0).bytes(), analysis.segments().get(0).encodings().get("druid-lz4").segmentBytes());
    assertEquals(
        analysis.segments().stream().mapToLong(SegmentAnalysis::bytes).sum(),
        analysis.totals().bytes()
    );
  }

  @ParameterizedTest
  @EnumSource(names = {"EVERY_COLUMN", "SEVERAL_CHUNKS"})
  void theFormsAreThoseOfAWrittenSegment(Rows rows) {
    final Version version = Version.values()[rows.ordinal() % 2];
    final Map<String, ColumnAnalysis> stock = byName(analysis(rows, Kind.STOCK, version));
    try (Segment ours = Segment.open(shared(rows, Kind.OURS, version))) {
      for (SegmentColumn column : ours.columns()) {
        final ColumnAnalysis analysis = stock.get(column.displayName());
        final ObjectPart objects = ObjectPart.of(column);
        if (objects != null) {
          final Map<String, FormUsage> forms = analysis.encodings().get(DEFAULT).forms();
          assertEquals(
              objects.ours() == null ? null : FormUsage.ofSections(objects.ours().describe()), forms, column.name());
        } else if (column.isNested()) {
          assertNull(analysis.encodings().get(DEFAULT).forms(), column.name());
        } else if (column.parts().rows() == null) {
          assertEquals(Map.of(), analysis.encodings());
        } else {
          assertEquals(column.parts().rows().forms(), analysis.encodings().get(DEFAULT).forms(), column.name());
        }
      }
    }
  }

  @Test
  void formsOfPostingListsAreThoseOfAWrittenSegment() {
    final IncrementalIndex rows = EveryColumn.inMemory(1, NUM_ROWS);
    final Map<String, ColumnAnalysis> stock = byName(sizes(persist(rows, "stock", TestSegments.STOCK, Version.V10)));
    int compared = 0;
    try (Segment ours = Segment.open(persist(rows, "ours", TestSegments.ALL_SHAPE_SHIFT, Version.V10))) {
      for (SegmentColumn column : ours.columns()) {
        final IndexPart index = column.parts().index();
        final EncodingAnalysis encoded = stock.get(column.displayName()).encodings().get(DEFAULT);
        if (index != null) {
          assertEquals(index.lists() == null ? null : index.forms(), encoded.indexForms(), column.displayName());
          compared += index.lists() == null ? 0 : 1;
        }
      }
    }
    assertTrue(compared >= 7, "" + compared);
  }

  @Test
  void speedOfSmallColumnsIsNotMeasured() {
    final Path path = persist(SpeedTest.MIN_ROWS - 1, "small", TestSegments.STOCK, Version.V9);
    final Analysis analysis = analyze(path, BlockSize.SMALL, true, null, "multi", "real");
    for (ColumnAnalysis column : analysis.segments().get(0).columns()) {
      assertNull(column.filters(), column.name());
      column.encodings().forEach((name, each) -> assertNull(each.scanNsPerRow(), column.name() + " " + name));
    }
    assertEquals(SpeedTest.MIN_ROWS, analysis.speedMinRows());
    final String text = new AnalysisText(analysis).text();
    assertTrue(text.contains("\n2 columns have fewer than 1,000 rows: their speed was not measured\n"), text);
    final Analysis unasked = analyze(path, BlockSize.SMALL, false, null, "multi", "real");
    assertNull(unasked.speedMinRows());
    unasked.segments().get(0).columns().get(0).encodings().values().forEach(each -> assertNull(each.scanNsPerRow()));
    assertFalse(new AnalysisText(unasked).text().contains("not measured"));
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void explanationsAgreeWithWhatIsWritten(OptimizationTarget target) {
    final Path path = persist(ROWS_OF_SMALL_BLOCKS, "stock", TestSegments.STOCK, Version.V9);
    final Analysis analysis = analyze(path, BlockSize.SMALL, false, target);
    int explained = 0;
    for (ColumnAnalysis column : analysis.segments().get(0).columns()) {
      if (!column.encodings().containsKey(DEFAULT) || column.type().startsWith("COMPLEX")) {
        assertNull(column.explanation(), column.name());
        continue;
      }
      final Explanation explanation = column.explanation();
      assertNotNull(explanation, column.name());
      final Map<String, FormUsage> written =
          column.encodings().get(RowEncodings.shapeShiftName(target)).forms();
      final Map<String, FormUsage> won = explanation.forms().stream()
          .filter(form -> form.wonChunks() > 0)
          .collect(Collectors.toMap(FormExplanation::form, form -> new FormUsage(form.wonChunks(), form.wonBytes())));
      assertEquals(written, won, column.name());
      for (ChunkExplanation chunk : explanation.chunks()) {
        assertTrue(chunk.min().doubleValue() <= chunk.max().doubleValue() && chunk.numValues() > 0, column.name());
      }
      explained++;
    }
    assertEquals(20, explained);
  }

  @Test
  void explanationsSayWhyAFormLoses() {
    final Path path = shared(Rows.SEVERAL_CHUNKS, Kind.STOCK, Version.V10);
    final Map<String, FormExplanation> forms =
        analyze(path, BlockSize.LARGE, false, OptimizationTarget.FASTBUTSMALLISH, "constant").segments().get(0)
            .columns().get(0).explanation().forms().stream()
            .collect(Collectors.toMap(FormExplanation::form, Function.identity()));
    assertEquals("wins every chunk", forms.get("zero").reason());
    assertEquals("not used under this target: it reads too slowly", forms.get("zstd").reason());
    assertNull(forms.get("zstd").factor());
    assertEquals(1.0, forms.get("zero").factor());
    assertEquals(0, forms.get("bytepack").asked());
    assertEquals("never asked: an unbeatable form came before it", forms.get("bytepack").reason());
    assertEquals("never asked: nothing beats one chunk of all of them", forms.get("lz4").reason());
  }

  /** Where numbers are looked up no codec is asked, but Druid's own blocks take the place of what would be larger. */
  @Test
  void explanationsSayWhyStockBlocksAreThere() {
    final List<FormExplanation> unasked =
        analysis(Rows.NUMBERS, Kind.INDEXED, Version.V9).columns().stream()
            .filter(column -> column.explanation() != null)
            .flatMap(column -> column.explanation().forms().stream())
            .filter(form -> form.wonChunks() > 0 && form.asked() == 0)
            .toList();
    assertFalse(unasked.isEmpty());
    for (FormExplanation form : unasked) {
      assertEquals("raw-lz4", form.form());
      assertEquals(
          "stores 1 of 1 chunks, in which what was chosen would make the column larger than Druid's own",
          form.reason()
      );
    }
  }

  /** What is compared is weights, in which decoding counts for bytes of each number. */
  @Test
  void explanationsCountTheDecodingOfNumbers() {
    final IncrementalIndex rows = NumberRows.inMemory(1, TWO_CHUNKS_OF_LONGS, false);
    final Path path = persist(rows, "numbers", TestSegments.STOCK, Version.V9);
    int slower = 0;
    for (ColumnAnalysis column : analyze(path, BlockSize.LARGE, false, OptimizationTarget.FASTER).segments().get(0)
        .columns()) {
      if (column.explanation() == null) {
        continue;
      }
      final Map<String, FormExplanation> forms = column.explanation().forms().stream()
          .collect(Collectors.toMap(FormExplanation::form, Function.identity()));
      for (Decision decision : column.explanation().decisions()) {
        final List<Candidate> possible = decision.candidates().stream()
            .filter(each -> each.outcome() == Outcome.POSSIBLE)
            .toList();
        if (decision.question() == Question.FORM) {
          for (Candidate candidate : possible) {
            final FormExplanation form = forms.get(candidate.name());
            assertEquals(
                candidate.bytes() * form.factor() + decision.numValues() * form.perNumber(),
                candidate.weight(),
                column.name()
            );
            slower += form.perNumber() > 0 && candidate.weight() > candidate.bytes() * form.factor() ? 1 : 0;
          }
          // Nothing that was not chosen weighs less: the choice can be understood from what is told.
          final double least = possible.stream()
              .filter(each -> !each.reason().contains("more slowly"))
              .mapToDouble(Candidate::weight)
              .min()
              .orElseThrow();
          assertEquals(
              least,
              possible.stream().filter(each -> each.name().equals(decision.answer())).findFirst().orElseThrow().weight()
          );
        }
      }
    }
    assertTrue(slower > 0);
  }

  /** A codec takes all buffered values, is compared with all of their chunks, and says how its size is known. */
  @Test
  void explanationsCompareCodecsWithAllBufferedValues() {
    final Path path = persist(ROWS_OF_SMALL_BLOCKS, "stock", TestSegments.STOCK, Version.V9);
    int compared = 0;
    for (ColumnAnalysis column : analyze(path, BlockSize.SMALL, false, OptimizationTarget.FASTER).segments().get(0)
        .columns()) {
      if (column.explanation() == null) {
        continue;
      }
      for (Decision decision : column.explanation().decisions()) {
        final Candidate direct = decision.candidates().get(0);
        if (decision.question() != Question.CODEC || decision.candidates().get(1).codec() == null) {
          continue;
        }
        for (Candidate codec : decision.candidates().subList(1, decision.candidates().size())) {
          final CodecComparison comparison = codec.codec();
          if (codec.outcome() != Outcome.POSSIBLE || codec.reason().startsWith("a codec before it")) {
            continue;
          }
          final boolean isLighter =
              codec.bytes() < comparison.limit()
              || (comparison.thoroughBytes() != null && comparison.thoroughBytes() < comparison.limit());
          assertEquals(isLighter, codec.reason().startsWith("less weight"), codec::toString);
          if (comparison.allowed() != null) {
            assertEquals(direct.bytes() / comparison.allowed(), comparison.stockLimit());
            compared++;
          }
        }
      }
    }
    assertTrue(compared > 0);
  }

  @Test
  void oneRow() {
    for (Version version : Version.values()) {
      final SegmentAnalysis analysis = sizes(persist(1, "one" + version, TestSegments.STOCK, version));
      assertEquals(1, analysis.rows());
      assertEquals(
          List.of(), analysis.columns().stream().map(ColumnAnalysis::problem).filter(Objects::nonNull).toList());
    }
  }

  @Test
  void aDamagedColumnDoesNotHideTheOthers() throws IOException {
    final Path path = persist(1000, "damaged", TestSegments.STOCK, Version.V9);
    final Path smoosh = path.resolve("00000.smoosh");
    final byte[] bytes = Files.readAllBytes(smoosh);
    final String meta = Files.readString(path.resolve("meta.smoosh"));
    final String[] place =
        meta.lines().filter(line -> line.startsWith("skewed,")).findFirst().orElseThrow().split(",", -1);
    Arrays.fill(bytes, Integer.parseInt(place[2]) + 400, Integer.parseInt(place[3]), (byte) 0x7f);
    Files.write(smoosh, bytes);
    final SegmentAnalysis analysis = sizes(path);
    final List<ColumnAnalysis> damaged =
        analysis.columns().stream().filter(column -> column.problem() != null).toList();
    assertEquals(List.of("skewed"), damaged.stream().map(ColumnAnalysis::name).distinct().toList());
    assertTrue(damaged.get(0).problem().startsWith(path + ", column skewed: "), damaged.get(0).problem());
    assertEquals(Map.of(), damaged.get(0).encodings());
  }

  @Test
  void anUnknownColumnIsAnError() {
    final Path path = persist(10, "stock", TestSegments.STOCK, Version.V9);
    final ToolException e =
        assertThrows(ToolException.class, () -> analyze(path, BlockSize.LARGE, false, null, "plain", "b", "a"));
    assertEquals(path + ": there is no column a, b. 'shapeshift inspect' lists all columns", e.getMessage());
  }

  @Test
  void columnsOfProjectionsHaveTheirNameToo() {
    final Path path = persist(10, "stock", TestSegments.STOCK, Version.V9);
    final List<ColumnAnalysis> columns =
        analyze(path, BlockSize.LARGE, false, null, "byPlain/plain").segments().get(0).columns();
    assertEquals(List.of("byPlain/plain"), columns.stream().map(ColumnAnalysis::displayName).toList());
  }

  @Test
  void theInputStaysAsItIs() throws IOException {
    final File segment = persist(100, "stock", TestSegments.STOCK, Version.V9).toFile();
    final Map<String, byte[]> before = contents(segment);
    analyze(segment.toPath(), BlockSize.LARGE, false, OptimizationTarget.SMALLER);
    final Map<String, byte[]> after = contents(segment);
    assertEquals(before.keySet(), after.keySet());
    before.forEach((name, bytes) -> assertTrue(Arrays.equals(bytes, after.get(name)), name));
  }

  private static Map<String, byte[]> contents(File directory) throws IOException {
    final Map<String, byte[]> contents = new HashMap<>();
    for (File file : directory.listFiles()) {
      contents.put(file.getName(), Files.readAllBytes(file.toPath()));
    }
    return contents;
  }
}
