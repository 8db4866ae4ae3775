// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Maps;
import com.google.common.hash.HashCode;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.AutoColumns;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.NumberRows;
import io.shapeshift.druid.segment.StoredSegment;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.nested.NestedPart;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.InternalFile;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.io.smoosh.FileSmoosher;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.ArrayBasedIndexedInts;
import org.apache.druid.segment.data.CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSerializer;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.nested.ObjectStorageEncoding;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Converted segments are, byte for byte, those that Druid writes with the other indexSpec. */
@Tag("slow")
class ConvertTest {
  private static final EncodingStrategy SHAPE_SHIFT =
      EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
  /** In chunks of 4,096 ids or fewer numbers. */
  private static final EncodingStrategy SMALLER =
      EncodingStrategy.shapeShift(OptimizationTarget.SMALLER, BlockSize.SMALL);
  private static final int ROWS = Tier.pick(300, 1_000);
  /** Rows of which each column takes two chunks at least. */
  private static final int SEVERAL_CHUNKS = Tier.pick(4_200, 5_000);

  /** Enough for each block, and too little for three. */
  private static final int MAX_BLOCK_BYTES = 70_000;

  @TempDir
  private Path folder;

  private File persist(IncrementalIndex rows, String name, IndexSpec spec, Version version) {
    return TestSegments.persist(rows, folder.resolve(name).toFile(), spec, version);
  }

  /** As a segment of an indexSpec has them, but for the strategy. */
  private static Map<EncodedType, RowEncoding> encodings(EncodingStrategy strategy, IndexSpec spec) {
    final IndexSpec effective = spec.getEffectiveSpec();
    return Maps.asMap(
        EnumSet.allOf(EncodedType.class),
        type -> RowEncodings.of(
            strategy,
            effective.getDimensionCompression(),
            effective.getMetricCompression(),
            effective.getLongEncoding()
        )
    );
  }

  private List<ColumnConversion> convert(
      Path from,
      String to,
      EncodingStrategy strategy,
      IndexSpec spec
  ) {
    return new Conversion(encodings(strategy, spec), false)
        .run(from, SegmentLocation.find(List.of(from)), folder.resolve(to)).get(0).columns();
  }

  /** Half of a surrogate pair puts texts out of order, as Druid's dictionary says; ours would not find them. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aDictionaryThatIsOutOfOrderStaysStock(Version version) throws IOException {
    final List<Map<String, Object>> rows = Stream.of("az", "a\uD83D", "b", "c")
        .map(text -> Map.<String, Object>of("time", "2026-01-01", "plain", text))
        .toList();
    final Path path = persist(
        TestSegments.rowsInMemory(EveryColumn.schema(false), rows), "halves", TestSegments.ALL_SHAPE_SHIFT, version)
        .toPath();
    convert(path, "converted", SMALLER, TestSegments.STOCK);
    try (Segment segment = Segment.open(folder.resolve("converted"))) {
      final SegmentColumn column =
          segment.columns().stream().filter(each -> each.name().equals("plain")).findFirst().orElseThrow();
      assertTrue(column.isShapeShifting());
      assertFalse(column.parts().dictionary().isShapeShifting());
    }
  }

  /** Asserts that two segments have the same files with the same bytes. */
  private static void assertSameFiles(Path expected, Path actual) throws IOException {
    final Map<String, byte[]> expectedFiles = files(expected);
    final Map<String, byte[]> actualFiles = files(actual);
    assertEquals(expectedFiles.keySet(), actualFiles.keySet());
    for (var file : expectedFiles.entrySet()) {
      assertArrayEquals(file.getValue(), actualFiles.get(file.getKey()), file.getKey());
    }
  }

  private static Map<String, byte[]> files(Path directory) throws IOException {
    final Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(directory.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  /** Rows with columns of all types, each with nulls and in projections. */
  private enum Rows {
    STRINGS, NUMBERS, AUTO;

    private IncrementalIndex inMemory(int count) {
      return switch (this) {
        case STRINGS -> EveryColumn.inMemory(1, count);
        case NUMBERS -> NumberRows.inMemory(1, count, false);
        case AUTO -> AutoColumns.inMemory(1, count);
      };
    }
  }

  /** Both versions, with what else an indexSpec can ask for. */
  static List<Arguments> specs() {
    final IndexSpec frontCoded = IndexSpec.builder()
        .withStringDictionaryEncoding(new StringEncodingStrategy.FrontCoded(4, (byte) 1))
        .withMetadataCompression(CompressionStrategy.ZSTD)
        .build();
    final IndexSpec concise = IndexSpec.builder().withBitmapSerdeFactory(new ConciseBitmapSerdeFactory()).build();
    final IndexSpec autoLongs = IndexSpec.builder().withLongEncoding(LongEncodingStrategy.AUTO).build();
    final IndexSpec mixed = IndexSpec.builder()
        .withDimensionCompression(CompressionStrategy.ZSTD)
        .withMetricCompression(CompressionStrategy.NONE)
        .build();
    final Stream<Arguments> all = Stream.of(Version.values())
        .flatMap(version -> Stream.of(Rows.values()).flatMap(rows -> Stream.of(
            Arguments.of(version, rows, TestSegments.STOCK, version == Version.V9 ? SEVERAL_CHUNKS : ROWS),
            Arguments.of(version, rows, TestSegments.STOCK, 1),
            Arguments.of(version, rows, frontCoded, ROWS),
            // Druid cannot read concise bitmaps of a projection without rows.
            Arguments.of(version, rows, rows == Rows.NUMBERS ? TestSegments.STOCK : concise, ROWS),
            Arguments.of(version, rows, autoLongs, ROWS),
            Arguments.of(version, rows, mixed, ROWS),
            Arguments.of(version, rows, stock(CompressionStrategy.ZSTD), ROWS),
            Arguments.of(version, rows, stock(CompressionStrategy.LZF), ROWS),
            Arguments.of(version, rows, stock(CompressionStrategy.UNCOMPRESSED), ROWS)
        )));
    // One in five is each of the nine, with one kind of rows or two.
    return Tier.oneIn(5, all);
  }

  private static IndexSpec stock(CompressionStrategy compression) {
    return IndexSpec.builder().withDimensionCompression(compression).withMetricCompression(compression).build();
  }

  private static IndexSpec all(IndexSpec base, EncodingStrategy strategy) {
    return ShapeShiftIndexSpec.of(base, new EncodingStrategies(strategy, Map.of()));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void thereAndBackGivesTheSameFiles(Version version, Rows rows, IndexSpec spec, int numRows) throws IOException {
    final Path stock = persist(rows.inMemory(numRows), "stock", spec, version).toPath();
    convert(stock, "there", SMALLER, spec);
    convert(folder.resolve("there"), "back", EncodingStrategy.COMPRESSION, spec);
    if (spec.getStringDictionaryEncoding() == null) {
      assertSameFiles(stock, folder.resolve("back"));
    } else {
      // Nobody tells the converter that dictionaries were front-coded.
      assertSameContent(stock, folder.resolve("back"));
    }
  }

  /** Each kind of rows, in one of the versions or in both. */
  static List<Arguments> versionsAndRows() {
    return Tier.oneIn(2, Stream.of(Version.values())
        .flatMap(version -> Stream.of(Rows.values()).map(rows -> Arguments.of(version, rows))));
  }

  @ParameterizedTest
  @MethodSource("versionsAndRows")
  void convertingWritesWhatIngestionDoes(Version version, Rows kind) throws IOException {
    final IncrementalIndex rows =
        kind.inMemory(kind == Rows.NUMBERS ? SEVERAL_CHUNKS : Tier.pick(ROWS, SEVERAL_CHUNKS));
    final Path stock = persist(rows, "stock", TestSegments.STOCK, version).toPath();
    convert(stock, "converted", SMALLER, TestSegments.STOCK);
    assertSameFiles(
        persist(rows, "expected", all(TestSegments.STOCK, SMALLER), version).toPath(),
        folder.resolve("converted")
    );
    // From one shape to another as well.
    convert(folder.resolve("converted"), "other", SHAPE_SHIFT, TestSegments.STOCK);
    assertSameFiles(
        persist(rows, "ours", all(TestSegments.STOCK, SHAPE_SHIFT), version).toPath(),
        folder.resolve("other")
    );
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void fromOneCompressionToAnother(Version version) throws IOException {
    final IncrementalIndex rows = NumberRows.inMemory(1, ROWS, false);
    final Path stock = persist(rows, "stock", TestSegments.STOCK, version).toPath();
    final IndexSpec zstd = IndexSpec.builder()
        .withDimensionCompression(CompressionStrategy.ZSTD)
        .withMetricCompression(CompressionStrategy.ZSTD)
        .withLongEncoding(LongEncodingStrategy.AUTO)
        .build();
    convert(stock, "zstd", EncodingStrategy.COMPRESSION, zstd);
    assertSameFiles(persist(rows, "expected", zstd, version).toPath(), folder.resolve("zstd"));
  }

  /** Druid's nested columns are copied with their compression. All others get that which is asked for. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void nestedColumnsAloneKeepTheirFormat(Version version) throws IOException {
    final IncrementalIndex rows = Rows.AUTO.inMemory(ROWS);
    final IndexSpec stockNested = ShapeShiftIndexSpec.of(
        stock(CompressionStrategy.UNCOMPRESSED),
        new EncodingStrategies(SHAPE_SHIFT, Map.of(EncodedType.NESTED, EncodingStrategy.COMPRESSION))
    );
    final File source = persist(rows, "source", stockNested, version);
    convert(source.toPath(), "converted", EncodingStrategy.COMPRESSION, TestSegments.STOCK);
    final File fresh = persist(rows, "fresh", TestSegments.STOCK, version);
    int nested = 0;
    try (StoredSegment copied = StoredSegment.open(source);
         StoredSegment written = StoredSegment.open(fresh);
         StoredSegment converted = StoredSegment.open(folder.resolve("converted").toFile())) {
      for (StoredSegment.Column column : converted.columns()) {
        final boolean isNested = column.part().path("logicalType").asText().equals("COMPLEX<json>");
        nested += isNested ? 1 : 0;
        final StoredSegment.Column expected = (isNested ? copied : written).column(column.file());
        assertEquals(expected.descriptor(), column.descriptor(), column.file());
        assertEquals(expected.body(), column.body(), column.file());
        assertEquals(expected.files(), column.files(), column.file());
      }
    }
    assertTrue(nested > 0);
  }

  /** Ours get the compression that is asked for, and all objects, also where a new column would not have them. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void nestedColumnsBecomeDruidsOwn(Version version) throws IOException {
    final IncrementalIndex rows = Rows.AUTO.inMemory(ROWS);
    final File ours = persist(rows, "ours", all(stock(CompressionStrategy.UNCOMPRESSED), SHAPE_SHIFT), version);
    convert(ours.toPath(), "stock", EncodingStrategy.COMPRESSION, TestSegments.STOCK);
    final Path fresh = persist(rows, "fresh", TestSegments.STOCK, version).toPath();
    assertSameFiles(fresh, folder.resolve("stock"));

    final NestedCommonFormatColumnFormatSpec noObjects = NestedCommonFormatColumnFormatSpec
        .builder().setObjectStorageEncoding(ObjectStorageEncoding.NONE).build();
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new AutoTypeColumnSchema("json", null, noObjects))))
        .build();
    final File without = persist(
        TestSegments.rowsInMemory(schema, EveryColumn.rows(1, 100)), "without", TestSegments.ALL_SHAPE_SHIFT, version);
    convert(without.toPath(), "with", EncodingStrategy.COMPRESSION, TestSegments.STOCK);
    try (StoredSegment segment = StoredSegment.open(folder.resolve("with").toFile())) {
      assertEquals(
          "smile",
          segment.columns().stream()
              .map(column -> column.part().path("columnFormatSpec").path("objectStorageEncoding").asText())
              .filter(encoding -> !encoding.isEmpty())
              .findFirst()
              .orElseThrow()
      );
    }
  }

  @ParameterizedTest
  @MethodSource("versionsAndRows")
  void eachTypeHasAStrategyOfItsOwn(Version version, Rows kind) throws IOException {
    final IncrementalIndex rows = kind.inMemory(ROWS);
    final Path stock = persist(rows, "stock", TestSegments.STOCK, version).toPath();
    for (EncodedType type : EncodedType.values()) {
      if (!Tier.tries(kind.ordinal() + type.ordinal(), 2)) {
        continue;
      }
      final Map<EncodedType, RowEncoding> encodings =
          new EnumMap<>(encodings(EncodingStrategy.COMPRESSION, TestSegments.STOCK));
      encodings.put(type, encodings(SMALLER, TestSegments.STOCK).get(type));
      final Path out = folder.resolve("converted-" + type);
      new Conversion(encodings, false).run(stock, SegmentLocation.find(List.of(stock)), out);
      final EncodingStrategies strategies = new EncodingStrategies(null, Map.of(type, SMALLER));
      final IndexSpec spec = ShapeShiftIndexSpec.of(TestSegments.STOCK, strategies);
      assertSameFiles(persist(rows, "expected-" + type, spec, version).toPath(), out);
    }
  }

  /** An index of rows stays right however these are stored, and is left out where Druid's column would not know it. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void hashIndexesAreKept(Version version) throws IOException {
    final IncrementalIndex rows = NumberRows.inMemory(1, ROWS, false);
    final Set<String> columns = Set.of("long", "longOrNull", "longSum", "doubleOrNull", "float");
    final IndexSpec spec = ShapeShiftIndexSpec.of(
        TestSegments.STOCK, TestSegments.withHashIndexes(SHAPE_SHIFT, columns));
    final Path indexed = persist(rows, "indexed", spec, version).toPath();
    convert(indexed, "same", SHAPE_SHIFT, TestSegments.STOCK);
    assertSameFiles(indexed, folder.resolve("same"));
    convert(indexed, "stock", EncodingStrategy.COMPRESSION, TestSegments.STOCK);
    assertSameFiles(persist(rows, "expected", TestSegments.STOCK, version).toPath(), folder.resolve("stock"));
  }

  private void assertConvertedAsIngested(IncrementalIndex rows, IndexSpec from, IndexSpec to, Version version)
      throws IOException {
    final Path source = persist(rows, "source", from, version).toPath();
    new Conversion(TargetEncodings.of(to), false)
        .run(source, SegmentLocation.find(List.of(source)), folder.resolve("converted"));
    assertSameFiles(persist(rows, "expected", to, version).toPath(), folder.resolve("converted"));
  }

  private static ColumnOptions options(EncodingStrategy strategy, @Nullable Boolean hashIndex) {
    return new ColumnOptions(new TypeStrategies(strategy, Map.of()), hashIndex, null);
  }

  /** Also in projections, which have columns of the same names. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void columnsHaveEntriesOfTheirOwn(Version version) throws IOException {
    final TypeStrategies lists = new TypeStrategies(SMALLER, Map.of(EncodedType.INDEX, SHAPE_SHIFT));
    final IndexSpec spec = ShapeShiftIndexSpec.of(TestSegments.STOCK, new EncodingStrategies(SHAPE_SHIFT, Map.of())
        .withColumns(Map.of(
            "plain", options(SMALLER, null),
            "withNulls", new ColumnOptions(lists, null, null),
            "number", options(EncodingStrategy.COMPRESSION, null),
            "json", options(EncodingStrategy.COMPRESSION, null),
            "unique", options(EncodingStrategy.COMPRESSION, null),
            "auto", options(SMALLER, null)
        )));
    assertConvertedAsIngested(EveryColumn.inMemory(1, ROWS), TestSegments.STOCK, spec, version);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void hashIndexesAreAddedAndRemoved(Version version) throws IOException {
    final IncrementalIndex rows = NumberRows.inMemory(1, ROWS, false);
    final EncodingStrategies before = TestSegments.withHashIndexes(SHAPE_SHIFT, Set.of("long", "float"));
    final IndexSpec spec = ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(SHAPE_SHIFT, Map.of()).withColumns(Map.of(
            "long", options(SHAPE_SHIFT, false),
            "longOrNull", options(SHAPE_SHIFT, true),
            "double", options(SHAPE_SHIFT, true),
            "float", options(SHAPE_SHIFT, true)
        ))
    );
    assertConvertedAsIngested(rows, ShapeShiftIndexSpec.of(TestSegments.STOCK, before), spec, version);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void textIndexesAreAddedKeptAndRemoved(Version version) throws IOException {
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new StringDimensionSchema("added"),
            new StringDimensionSchema("kept"),
            new StringDimensionSchema("removed"),
            AutoTypeColumnSchema.of("auto"),
            AutoTypeColumnSchema.of("nested"),
            AutoTypeColumnSchema.of("nestedKept")
        )))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> texts = IntStream.range(0, 1500).<Map<String, Object>>mapToObj(i -> {
      final String text = "https://example.org/" + Integer.toString(i * 7919, 36) + "/" + i * 104_729L;
      final Map<String, String> object = Map.of("a", text);
      return Map.of(
          "time", DateTimes.utc(i).toString(), "added", text, "kept", text, "removed", text, "auto", text,
          "nested", object, "nestedKept", object);
    }).toList();
    final IndexSpec before = withTextIndexes(Map.of("kept", true, "removed", true, "nestedKept", true));
    // A conversion keeps an index about which its spec says nothing.
    final IndexSpec asked = withTextIndexes(Map.of("added", true, "removed", false, "auto", true, "nested", true));
    final IndexSpec ingested = withTextIndexes(
        Map.of("added", true, "kept", true, "auto", true, "nested", true, "nestedKept", true));
    final IncrementalIndex rows = TestSegments.rowsInMemory(schema, texts);
    final Path source = persist(rows, "source", before, version).toPath();
    new Conversion(TargetEncodings.of(asked), false)
        .run(source, SegmentLocation.find(List.of(source)), folder.resolve("converted"));
    assertSameFiles(persist(rows, "expected", ingested, version).toPath(), folder.resolve("converted"));
    try (Segment segment = Segment.open(folder.resolve("converted"))) {
      for (String column : List.of("added", "kept", "removed", "auto")) {
        final boolean hasIndex = segment.baseColumn(column).parts().dictionary().ours().textIndex() != null;
        assertEquals(!column.equals("removed"), hasIndex, column);
      }
      for (String column : List.of("nested", "nestedKept")) {
        assertTrue(NestedPart.of(segment.baseColumn(column)).hasTextIndex(), column);
      }
    }
  }

  private static IndexSpec withTextIndexes(Map<String, Boolean> columns) {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(SHAPE_SHIFT, Map.of()).withColumns(
            Maps.transformValues(columns, isIndexed -> new ColumnOptions(
                new TypeStrategies(null, Map.of()), null, isIndexed)))
    );
  }

  private void assertNothingLeft(Path... inputs) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(Set.of(inputs), files.collect(Collectors.toSet()));
    }
  }

  private static String message(Executable executable) {
    return assertThrows(ToolException.class, executable).getMessage();
  }

  private static Path resource(String name, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try (InputStream in = IndexIO.class.getResourceAsStream("/" + name)) {
      Files.copy(in, to);
    }
    return to;
  }

  private static void assertSameContent(Path expected, Path actual) {
    try (Segment first = new SegmentLocation(expected).open(); Segment second = new SegmentLocation(actual).open()) {
      assertNull(SegmentVerifier.compare(first, second, column -> true).firstProblem());
    }
  }

  /** A folder of segments of the past, zipped and not: the same tree, and each with what it had. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFolderOfOldSegmentsBecomesTheSameTree(boolean zip) throws IOException {
    final Path in = folder.resolve("in");
    final Path v3 = resource("nested_segment_v3/index.zip", in.resolve("a/v3/index.zip"));
    final Path v4 = resource("nested_segment_v4/index.zip", in.resolve("a/v4/index.zip"));
    final Path v10 = resource("nested_segment_empty_fieldname_bug/druid.segment", in.resolve("b/druid.segment"));
    final Path out = folder.resolve("out");
    final List<SegmentConversion> conversions =
        new Conversion(encodings(SHAPE_SHIFT, TestSegments.STOCK), zip)
            .run(in, SegmentLocation.find(List.of(in)), out);
    assertEquals(3, conversions.size());
    final String suffix = zip ? "/index.zip" : "";
    assertSameContent(v3, out.resolve("a/v3" + suffix));
    assertSameContent(v4, out.resolve("a/v4" + suffix));
    assertSameContent(v10.getParent(), out.resolve("b" + suffix));
    assertNothingLeft(in, out);
  }

  @Test
  void aZipBecomesAZipIfItShallBeCalledSo() throws IOException {
    final Path in = resource("nested_segment_v4/index.zip", folder.resolve("index.zip"));
    convert(in, "other.zip", SHAPE_SHIFT, TestSegments.STOCK);
    assertSameContent(in, folder.resolve("other.zip"));
    convert(in, "directory", SHAPE_SHIFT, TestSegments.STOCK);
    assertSameContent(in, folder.resolve("directory"));
    assertNothingLeft(in, folder.resolve("other.zip"), folder.resolve("directory"));
  }

  /** What the command said and exited with. */
  private record Said(int exitCode, String out, String err) {}

  private static Said run(String... args) {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final int exitCode = new CommandLine(new ConvertCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
    return new Said(exitCode, out.toString(), err.toString());
  }

  @Test
  void aDirectoryBecomesAZipIfItShallBeCalledSo() throws IOException {
    final Path in = persist(EveryColumn.inMemory(1, 10), "in/a", TestSegments.STOCK, Version.V9).toPath();
    final Path out = folder.resolve("made/out.zip");
    assertEquals(0, run(in.toString(), "--out", out.toString()).exitCode());
    assertTrue(Files.isRegularFile(out));
    assertSameContent(in, out);
    // A folder of one segment is one, and --zip asks for no more.
    final Path other = folder.resolve("other.zip");
    assertEquals(0, run(in.getParent().toString(), "--out", other.toString(), "--zip").exitCode());
    assertTrue(Files.isRegularFile(other));
    assertSameContent(in, other);
    assertEquals(
        other + ": it exists already. Name a file that does not",
        message(() -> convert(in, "other.zip", SHAPE_SHIFT, TestSegments.STOCK))
    );
    assertNothingLeft(in.getParent(), out.getParent(), other);
  }

  @Test
  void wrongCommandLines() throws IOException {
    final Path in = folder.resolve("in");
    resource("nested_segment_v3/index.zip", in.resolve("a/index.zip"));
    resource("nested_segment_v4/index.zip", in.resolve("b/index.zip"));
    final String zip = folder.resolve("out.zip").toString();
    final Said several = run(in.toString(), "--out", zip);
    assertEquals(2, several.exitCode());
    assertEquals(
        "--out " + zip + " is one zip file, but there are 2 segments below " + in
            + ": name a directory, and --zip for an index.zip of each in it",
        several.err().lines().findFirst().orElseThrow()
    );
    final Said compression = run(in.toString(), "--out", zip, "--compression", "zstd");
    assertEquals(2, compression.exitCode());
    assertEquals(
        "--compression has an effect with --strategy compression only: leave it out",
        compression.err().lines().findFirst().orElseThrow()
    );
    final Said metrics = run(
        in.toString(), "--out", zip, "--strategy", "shapeshift", "--int-encoding-strategy", "compression",
        "--metric-compression", "none"
    );
    assertEquals(
        "--metric-compression has an effect on numbers in Druid's own columns only: leave it out",
        metrics.err().lines().findFirst().orElseThrow()
    );
    final Said longs = run(
        in.toString(), "--out", zip, "--strategy", "compression", "--long-encoding-strategy", "shapeshift",
        "--long-encoding", "auto"
    );
    assertEquals(
        "--long-encoding has an effect on longs in Druid's own columns only: leave it out",
        longs.err().lines().findFirst().orElseThrow()
    );
    assertEquals(2, run(in.toString()).exitCode());
    assertNothingLeft(in);
  }

  @Test
  void optionsAreThoseOfAnIndexSpec() throws IOException {
    final IndexSpec spec = IndexSpec.builder()
        .withDimensionCompression(CompressionStrategy.ZSTD)
        .withMetricCompression(CompressionStrategy.UNCOMPRESSED)
        .withLongEncoding(LongEncodingStrategy.AUTO)
        .build();
    final Path stock = persist(NumberRows.inMemory(1, 1000, false), "stock", spec, Version.V9).toPath();
    final Path there = folder.resolve("there");
    final Path back = folder.resolve("back");
    assertEquals(0, run(stock.toString(), "--out", there.toString(), "--double-encoding-strategy", "compression",
        "--metric-compression", "uncompressed").exitCode());
    try (Segment segment = Segment.open(there)) {
      assertEquals("shapeshift", segment.baseColumn("kind").parts().rows().encoding());
      assertEquals("shapeshift", segment.baseColumn("longSum").parts().rows().encoding());
      assertEquals("uncompressed", segment.baseColumn("doubleSum").parts().rows().encoding());
      assertEquals("shapeshift", segment.baseColumn("floatSum").parts().rows().encoding());
    }
    assertEquals(0, run(there.toString(), "--out", back.toString(), "--strategy", "compression",
        "--compression", "zstd", "--metric-compression", "uncompressed", "--long-encoding", "auto").exitCode());
    assertSameFiles(stock, back);
  }

  @Test
  void theSizeOfTheSegmentIsNotInTheTable() throws IOException {
    final Path in = persist(EveryColumn.inMemory(1, 1000), "in", TestSegments.STOCK, Version.V10).toPath();
    final Path out = folder.resolve("out");
    final List<String> lines = run(in.toString(), "--out", out.toString()).out().lines().toList();
    final long before = Files.size(in.resolve(IndexIO.V10_FILE_NAME));
    final long after =
        Files.size(out.resolve(IndexIO.V10_FILE_NAME)) + Files.size(out.resolve(SegmentChecksums.FILE));
    assertEquals(in + " -> " + out, lines.get(0));
    assertTrue(lines.get(1).startsWith("column  "), lines.get(1));
    assertEquals(
        String.format(
            Locale.ROOT,
            "The whole segment: %,d bytes before, %,d now (%.3f)",
            before,
            after,
            (double) after / before
        ),
        lines.get(lines.size() - 1)
    );
  }

  @Test
  void whatExistsIsNotOverwritten() throws IOException {
    final Path in = persist(EveryColumn.inMemory(1, 10), "in", TestSegments.STOCK, Version.V9).toPath();
    final Path out = Files.createDirectory(folder.resolve("out"));
    Files.createFile(out.resolve("file"));
    assertEquals(
        out + ": it exists already. Name one that does not, or an empty directory",
        message(() -> convert(in, "out", SHAPE_SHIFT, TestSegments.STOCK))
    );
    assertEquals(
        in.resolve("out") + ": it is within " + in + ". Inputs are never changed: name another",
        message(() -> convert(in, "in/out", SHAPE_SHIFT, TestSegments.STOCK))
    );
    Files.delete(out.resolve("file"));
    convert(in, "out", SHAPE_SHIFT, TestSegments.STOCK);
    assertSameContent(in, out);
    assertNothingLeft(in, out);
  }

  /** One that its ids show, and one that only a comparison with the bitmaps does. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void aDamagedSegmentIsNotConverted(Version version) throws IOException {
    final IndexSpec spec = stock(CompressionStrategy.UNCOMPRESSED);
    final Path in = persist(EveryColumn.inMemory(1, 1000), "in", spec, version).toPath();
    final Path file = in.resolve(version == Version.V9 ? "00000.smoosh" : IndexIO.V10_FILE_NAME);
    final byte[] bytes = Files.readAllBytes(file);
    damage(in, file, "plain", parts -> parts.rows().slice(60, 100));
    assertEquals(
        in + ", column plain: row 52 has id 30583, but the dictionary has 292 values. "
            + "The segment is damaged: fetch it again from deep storage",
        message(() -> convert(in, "out", SHAPE_SHIFT, TestSegments.STOCK))
    );
    Files.write(file, bytes);
    damage(in, file, "withNulls", ColumnParts.Body::indexes);
    assertEquals(
        in + ": column withNulls: row 310 has id 11, but is not in the bitmap index of it. "
            + "The segment is damaged: fetch it again from deep storage",
        message(() -> convert(in, "out", EncodingStrategy.COMPRESSION, TestSegments.STOCK))
    );
    assertEquals(
        in + ", column withNulls: the index of id 11 has row 30518, expected 265 to 999. "
            + "The segment is damaged: fetch it again from deep storage",
        message(() -> convert(in, "out", SHAPE_SHIFT, TestSegments.STOCK))
    );
    assertNothingLeft(in);
  }

  /** Overwrites a part of a column, which is found in the file by its bytes. */
  private static void damage(Path segment, Path file, String column, Function<ColumnParts.Body, ByteBuffer> part)
      throws IOException {
    final byte[] bytes = Files.readAllBytes(file);
    try (Segment opened = Segment.open(segment)) {
      final ByteBuffer damaged = part.apply(opened.baseColumn(column).parts().body());
      final byte[] found = new byte[damaged.remaining()];
      damaged.duplicate().get(found);
      final int start = Bytes.indexOf(bytes, found);
      Arrays.fill(bytes, start + found.length / 2, start + found.length, (byte) 0x77);
    }
    Files.write(file, bytes);
  }

  /** Such a column stays as it is, which the summary says. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void idsOfTheOtherByteOrderAreKept(Version version) throws IOException {
    final IndexSpec spec = stock(CompressionStrategy.UNCOMPRESSED);
    final Path in = persist(EveryColumn.inMemory(1, 1000), "in", spec, version).toPath();
    final Path file = in.resolve(version == Version.V9 ? "00000.smoosh" : IndexIO.V10_FILE_NAME);
    final String part = "{\"type\":\"stringDictionary\",\"bitmapSerdeFactory\":{\"type\":\"roaring\"},\"byteOrder\":";
    // Uncompressed ids have the same bytes in either.
    final String changed = Files.readString(file, StandardCharsets.ISO_8859_1)
        .replace(part + "\"LITTLE_ENDIAN\"", part + "\"BIG_ENDIAN\"   ");
    Files.writeString(file, changed, StandardCharsets.ISO_8859_1);
    final List<ColumnConversion> columns = convert(in, "out", SHAPE_SHIFT, TestSegments.STOCK)
        .stream().filter(column -> column.type().equals("STRING") && !column.name().equals("auto")).toList();
    assertFalse(columns.isEmpty());
    for (ColumnConversion column : columns) {
      assertEquals("kept: written on a machine of byte order BIG_ENDIAN", column.note());
      assertEquals("uncompressed", column.to());
    }
    assertSameContent(in, folder.resolve("out"));
  }

  /** Rows of several values as Druid once compressed them, with their offsets in another way. */
  @Test
  void theOldLayoutOfSeveralValuesBecomesTodays() throws IOException {
    final Path stock = persist(EveryColumn.inMemory(1, 1000), "stock", TestSegments.STOCK, Version.V9).toPath();
    final Path old = Files.createDirectory(folder.resolve("old"));
    Files.copy(stock.resolve("version.bin"), old.resolve("version.bin"));
    Files.copy(stock.resolve("factory.json"), old.resolve("factory.json"));
    try (Segment segment = Segment.open(stock); FileSmoosher files = new FileSmoosher(old.toFile())) {
      final SegmentColumn multi = segment.baseColumn("multi");
      for (InternalFile internal : InternalFile.of(stock)) {
        final String file = internal.name();
        final ByteBuffer bytes = segment.files().mapFile(file);
        files.add(file, file.equals("multi") ? oldLayout(bytes, multi) : bytes);
      }
    }
    convert(old, "there", SHAPE_SHIFT, TestSegments.STOCK);
    assertSameContent(stock, folder.resolve("there"));
    convert(folder.resolve("there"), "back", EncodingStrategy.COMPRESSION, TestSegments.STOCK);
    convert(old, "today", EncodingStrategy.COMPRESSION, TestSegments.STOCK);
    assertSameFiles(folder.resolve("back"), folder.resolve("today"));
  }

  /** Druid's own rows in blocks for more than one file, as if a file could not have more than some blocks. */
  @Test
  void rowsInSeveralFilesAreKept() throws IOException {
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new StringDimensionSchema("multi"))))
        .build();
    final List<Map<String, Object>> rows = IntStream.range(0, 40_000)
        .<Map<String, Object>>mapToObj(row -> Map.of("time", "2026-01-01", "multi", List.of("a" + row, "b")))
        .toList();
    final Path stock =
        persist(TestSegments.rowsInMemory(schema, rows), "stock", TestSegments.STOCK, Version.V9).toPath();
    final Path split = Files.createDirectory(folder.resolve("split"));
    Files.copy(stock.resolve("version.bin"), split.resolve("version.bin"));
    Files.copy(stock.resolve("factory.json"), split.resolve("factory.json"));
    try (Segment segment = Segment.open(stock); FileSmoosher files = new FileSmoosher(split.toFile())) {
      for (String file : segment.files().getInternalFilenames()) {
        final ByteBuffer bytes = segment.files().mapFile(file);
        if (file.equals("multi")) {
          addInSeveralFiles(files, bytes, segment.baseColumn(file));
        } else {
          files.add(file, bytes);
        }
      }
    }
    try (Segment segment = Segment.open(split)) {
      assertTrue(segment.files().getInternalFilenames().contains("multi.forward_dim.offsets_value_1"));
    }
    final ColumnConversion multi = convert(split, "out", SHAPE_SHIFT, TestSegments.STOCK).stream()
        .filter(column -> column.name().equals("multi"))
        .findFirst()
        .orElseThrow();
    assertEquals("kept: its rows take more than one file", multi.note());
    assertEquals("lz4", multi.to());
    assertSameContent(split, folder.resolve("out"));
  }

  private static void addInSeveralFiles(FileSmoosher files, ByteBuffer file, SegmentColumn column) throws IOException {
    final RowValues.MultiIds values = (RowValues.MultiIds) column.parts().rows().read(column.numRows());
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final V3CompressedVSizeColumnarMultiIntsSerializer rows = V3CompressedVSizeColumnarMultiIntsSerializer.create(
          column.name(),
          medium,
          column.name() + ".forward_dim",
          values.cardinality(),
          CompressionStrategy.LZ4,
          MAX_BLOCK_BYTES
      );
      rows.open();
      for (int row = 0; row < values.rows(); row++) {
        rows.addValues(new ArrayBasedIndexedInts(
            Arrays.copyOfRange(values.ids(), values.offsets()[row], values.offsets()[row + 1])));
      }
      final ColumnParts.Body parts = column.parts().body();
      final List<ByteBuffer> before = List.of(
          file.slice(0, file.limit() - column.body().limit()),
          ByteBuffer.allocate(1 + Integer.BYTES)
              .put(DictionaryEncodedColumnPartSerde.VERSION.COMPRESSED.asByte())
              .putInt(DictionaryEncodedColumnPartSerde.Feature.MULTI_VALUE_V3.getMask())
              .flip(),
          parts.dictionary().duplicate()
      );
      final long size = before.stream().mapToLong(ByteBuffer::remaining).sum()
          + rows.getSerializedSize() + parts.indexes().remaining();
      try (SegmentFileChannel channel = files.addWithChannel(column.file(), size)) {
        for (ByteBuffer part : before) {
          channel.write(part);
        }
        rows.writeTo(channel, files);
        channel.write(parts.indexes().duplicate());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("versionsAndRows")
  void aColumnThatDoesNotFitIntoAFileIsRefused(Version version, Rows rows) throws IOException {
    final Path in = persist(rows.inMemory(ROWS), "in", TestSegments.ALL_SHAPE_SHIFT, version).toPath();
    final long limit = 2_000;
    final Conversion conversion =
        new Conversion(encodings(EncodingStrategy.COMPRESSION, stock(CompressionStrategy.NONE)), false, limit);
    final String message =
        message(() -> conversion.run(in, SegmentLocation.find(List.of(in)), folder.resolve("out")));
    assertTrue(message.startsWith(in + ", column "), message);
    assertTrue(
        message.endsWith(" bytes in a file; a file in a segment can have at most 2,000. Choose an encoding that makes "
            + "it smaller, of its type alone with --int-encoding-strategy and the like"),
        message
    );
    assertNothingLeft(in);
  }

  @Test
  void whatWasMovedIsReadAgain() throws IOException {
    final Path out = folder.resolve("out");
    final Path first = DruidArtifacts.fromV8(out.resolve("a"));
    final Path second = DruidArtifacts.nestedV3(out.resolve("b"));
    final Map<Path, Map<Path, HashCode>> compared =
        Map.of(first, Conversion.hashes(first), second, Conversion.hashes(second));
    Conversion.requireUnchanged(compared, out);
    assertTrue(Files.exists(second));
    final Path elsewhere = DruidArtifacts.fromV8(first.resolve("c"));
    final String found = ": after it was moved here, it is not what was written any more. Another process may write "
        + "here, or the disk may be failing. Do not use it: look what else is in " + out + ", and delete it by hand";
    Conversion.requireUnchanged(compared, out);
    final Path changed = first.resolve("00000.smoosh");
    final byte[] bytes = Files.readAllBytes(changed);
    bytes[bytes.length / 2]++;
    Files.write(changed, bytes);
    assertEquals(first + found, message(() -> Conversion.requireUnchanged(compared, out)));
    // Somebody else's file is there still.
    assertTrue(Files.exists(elsewhere));
    FileUtils.deleteDirectory(out.toFile());
    assertTrue(message(() -> Conversion.requireUnchanged(compared, out)).contains("NoSuchFileException"));
  }

  private static ByteBuffer oldLayout(ByteBuffer file, SegmentColumn column) throws IOException {
    final RowValues.MultiIds values = (RowValues.MultiIds) column.parts().rows().read(column.numRows());
    final List<IndexedInts> rows = new ArrayList<>();
    for (int row = 0; row < values.rows(); row++) {
      rows.add(new ArrayBasedIndexedInts(
          Arrays.copyOfRange(values.ids(), values.offsets()[row], values.offsets()[row + 1])));
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final WritableByteChannel channel = Channels.newChannel(out);
    final ColumnParts.Body parts = column.parts().body();
    channel.write(file.slice(0, file.limit() - column.body().limit()));
    out.write(DictionaryEncodedColumnPartSerde.VERSION.COMPRESSED.asByte());
    out.write(Ints.toByteArray(DictionaryEncodedColumnPartSerde.Feature.MULTI_VALUE.getMask()));
    channel.write(parts.dictionary().duplicate());
    CompressedVSizeColumnarMultiIntsSupplier
        .fromIterable(rows, values.cardinality(), column.order(), CompressionStrategy.LZ4, Closer.create())
        .writeTo(channel, null);
    channel.write(parts.indexes().duplicate());
    return ByteBuffer.wrap(out.toByteArray());
  }
}
