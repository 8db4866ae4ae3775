// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.DirectQueryProcessingPool;
import org.apache.druid.query.QueryPlus;
import org.apache.druid.query.QueryRunner;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.context.ResponseContext;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.filter.ArrayContainsElementFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.FilterTuning;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.groupby.GroupByQueryConfig;
import org.apache.druid.query.groupby.GroupByQueryRunnerFactory;
import org.apache.druid.query.groupby.GroupByQueryRunnerTest;
import org.apache.druid.query.groupby.ResultRow;
import org.apache.druid.query.groupby.TestGroupByBuffers;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ColumnTypeFactory;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.timeline.SegmentId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Columns of type auto, written with and without shape-shifting, have the same content. */
@Tag("slow")
class AutoColumnTest {
  /** More than a chunk of small blocks has ids. */
  private static final int NUM_ROWS = Tier.pick(4200, 6000);
  private static final int FEW_ROWS = Tier.pick(800, 6000);
  private static final double MOST_OF_STOCK = 0.93;
  private static final EncodingStrategy FAST =
      EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
  private static final String STOCK = "nestedCommonFormat";
  private static final String IDS = "__encodedColumn";
  private static final String LONGS = "__longColumn";
  private static final String DOUBLES = "__doubleColumn";
  private static final String INDEXES = "__valueIndexes";
  private static final String STRINGS = "__stringDictionary";
  private static final String ELEMENT_INDEXES = "__arrayElementIndexes";

  @TempDir
  private static File shared;
  @TempDir
  private File folder;

  /** Rows, and Druid's segment of them, which is written once for all that is compared with it. */
  private record Stock(IncrementalIndex rows, File segment) {
    private static final Map<String, Stock> WRITTEN = new HashMap<>();

    static Stock of(Version version, int numRows) {
      return WRITTEN.computeIfAbsent("stock-" + version + "-" + numRows, name -> {
        final IncrementalIndex rows = AutoColumns.inMemory(1, numRows);
        return new Stock(rows, TestSegments.persist(rows, new File(shared, name), TestSegments.STOCK, version));
      });
    }
  }

  @AfterAll
  static void forgetRows() {
    Stock.WRITTEN.clear();
  }

  /** Each target, each block size, and each type alone, in one version or in both. */
  private static List<Arguments> specs() {
    return Tier.oneIn(2, Stream.of(Version.values()).flatMap(version -> Stream.of(
        Arguments.of(version, new EncodingStrategies(FAST, Map.of())),
        Arguments.of(
            version,
            new EncodingStrategies(EncodingStrategy.shapeShift(OptimizationTarget.SMALLER, BlockSize.MIDDLE), Map.of())
        ),
        Arguments.of(
            version,
            new EncodingStrategies(EncodingStrategy.shapeShift(OptimizationTarget.FASTER, BlockSize.SMALL), Map.of())
        ),
        Arguments.of(version, new EncodingStrategies(null, Map.of(EncodedType.INT, FAST))),
        Arguments.of(version, new EncodingStrategies(null, Map.of(EncodedType.LONG, FAST))),
        Arguments.of(version, new EncodingStrategies(null, Map.of(EncodedType.DOUBLE, FAST))),
        Arguments.of(version, new EncodingStrategies(null, Map.of(EncodedType.FLOAT, FAST))),
        Arguments.of(version, new EncodingStrategies(null, Map.of(EncodedType.INDEX, FAST))),
        Arguments.of(version, new EncodingStrategies(null, Map.of(EncodedType.DICTIONARY, FAST)))
    )));
  }

  @ParameterizedTest
  @MethodSource("specs")
  void persistedColumnsHaveTheSameContent(Version version, EncodingStrategies strategies) throws IOException {
    // Types alone have large blocks, of which fewer rows fill none.
    final Stock stock = Stock.of(version, strategies.ofTable().general() == null ? FEW_ROWS : NUM_ROWS);
    final IndexSpec spec = ShapeShiftIndexSpec.of(TestSegments.STOCK, strategies);
    final File ours = TestSegments.persist(stock.rows(), new File(folder, "ours"), spec, version);
    assertSameContent(stock.segment(), ours);
    assertFiles(stock.segment(), ours, strategies);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void filtersFindTheSameRows(Version version) throws IOException {
    final Stock stock = Stock.of(version, FEW_ROWS);
    final File ours =
        TestSegments.persist(stock.rows(), new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    assertSameRows(stock.segment(), ours, AutoColumnTest::filters);
  }

  /** Real data, whose columns and their types Druid finds out about. */
  @Test
  void discoveredColumnsAreSmaller() throws IOException {
    final IncrementalIndex rows = TestSegments.rowsInMemory(
        IncrementalIndexSchema
            .builder()
            .withDimensionsSpec(DimensionsSpec.builder().useSchemaDiscovery(true).build())
            .withRollup(false)
            .build(),
        TestSegments.wikiticker().subList(0, Tier.pick(10_000, 39_244))
    );
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, Version.V9);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, Version.V9);
    SegmentAssertions.assertSameContent(stock, ours, List.of());
    for (String file : List.of(IDS, LONGS, INDEXES)) {
      final double ratio = (double) bytes(ours, file) / bytes(stock, file);
      assertTrue(ratio <= MOST_OF_STOCK, "ratio of " + file + " to Druid's is " + ratio);
    }
  }

  private static long bytes(File directory, String file) throws IOException {
    try (StoredSegment segment = StoredSegment.open(directory)) {
      return segment.columns().stream()
                    .filter(column -> column.files().containsKey(file))
                    .mapToLong(column -> column.files().get(file).remaining())
                    .sum();
    }
  }

  /** What stands in the rows of nulls makes groups of its own in a segment, but not in results. */
  @ParameterizedTest
  @CsvSource({"longsOrNull, LONG", "castToLong, LONG", "doublesOrNull, DOUBLE", "castToDouble, DOUBLE"})
  void nullsAreOneGroup(String column, ValueType type) throws IOException {
    final Stock stock = Stock.of(Version.V9, FEW_ROWS);
    final File ours =
        TestSegments.persist(stock.rows(), new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, Version.V9);
    for (String vectorize : List.of("false", "force")) {
      final GroupByQuery query = GroupByQuery
          .builder()
          .setDataSource("any")
          .setInterval(Intervals.ETERNITY.toString())
          .setGranularity(Granularities.ALL)
          .setDimensions(new DefaultDimensionSpec(column, column, ColumnTypeFactory.ofValueType(type)))
          .setAggregatorSpecs(new CountAggregatorFactory("rows"))
          .setContext(Map.of("vectorize", vectorize, "queryResourceId", vectorize))
          .build();
      final List<ResultRow> groups = groups(stock.segment(), query);
      assertEquals(1, groups.stream().filter(group -> group.get(0) == null).count());
      assertEquals(groups, groups(ours, query));
    }
  }

  private static List<ResultRow> groups(File segment, GroupByQuery query) throws IOException {
    try (QueryableIndex index = TestSegments.open(segment);
         TestGroupByBuffers buffers = TestGroupByBuffers.createDefault()) {
      final GroupByQueryRunnerFactory factory =
          GroupByQueryRunnerTest.makeQueryRunnerFactory(new GroupByQueryConfig(), buffers);
      final QueryRunner<ResultRow> runner =
          factory.createRunner(new QueryableIndexSegment(index, SegmentId.dummy("any")));
      return factory
          .getToolchest()
          .mergeResults(factory.mergeRunners(DirectQueryProcessingPool.INSTANCE, List.of(runner)))
          .run(QueryPlus.wrap(query), ResponseContext.createEmpty())
          .toList();
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void oneRow(Version version) throws IOException {
    final IncrementalIndex rows = AutoColumns.inMemory(1, 1);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    assertSameContent(stock, ours);
  }

  /** Numbers that Druid writes with other compressions and encodings are the same numbers. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void otherCompressions(Version version) throws IOException {
    final IncrementalIndex rows = AutoColumns.inMemory(1, FEW_ROWS);
    int combination = version == Version.V9 ? 0 : 1;
    for (CompressionStrategy compression : List.of(CompressionStrategy.NONE, CompressionStrategy.ZSTD)) {
      if (!Tier.tries(combination++, 2)) {
        continue;
      }
      final IndexSpec base = IndexSpec
          .builder()
          .withDimensionCompression(CompressionStrategy.UNCOMPRESSED)
          .withMetricCompression(compression)
          .withLongEncoding(CompressionFactory.LongEncodingStrategy.AUTO)
          .build();
      final File stock = TestSegments.persist(rows, new File(folder, "stock" + compression), base, version);
      final File ours = TestSegments.persist(
          rows,
          new File(folder, "ours" + compression),
          ShapeShiftIndexSpec.of(base, new EncodingStrategies(FAST, Map.of())),
          version
      );
      assertSameContent(stock, ours);
    }
  }

  /**
   * All ways to merge: from stock and shape-shifting segments and both, into either. A column has another type in one
   * than in the next, and a third one in the merged segment.
   */
  @ParameterizedTest
  @EnumSource(Version.class)
  void mergedColumnsHaveTheSameContent(Version version) throws IOException {
    final List<File> stockInputs = new ArrayList<>();
    final List<File> ourInputs = new ArrayList<>();
    final List<File> mixedInputs = new ArrayList<>();
    for (int hour = 0; hour < 3; hour++) {
      final IncrementalIndex rows = AutoColumns.inMemory(hour, 500);
      stockInputs.add(TestSegments.persist(rows, new File(folder, "stock" + hour), TestSegments.STOCK, version));
      ourInputs.add(TestSegments.persist(rows, new File(folder, "ours" + hour), TestSegments.ALL_SHAPE_SHIFT, version));
      mixedInputs.add(hour % 2 == 0 ? stockInputs.get(hour) : ourInputs.get(hour));
    }
    final File reference = merge(stockInputs, "reference", TestSegments.STOCK, version);
    int merges = 0;
    int combination = version.ordinal();
    for (List<File> inputs : List.of(stockInputs, ourInputs, mixedInputs)) {
      if (Tier.tries(combination++, 2)) {
        final File ours = merge(inputs, "merge" + merges++, TestSegments.ALL_SHAPE_SHIFT, version);
        assertSameContent(reference, ours);
        assertFiles(reference, ours, new EncodingStrategies(FAST, Map.of()));
      }
      if (Tier.tries(combination, 2)) {
        final File stock = merge(inputs, "merge" + merges++, TestSegments.STOCK, version);
        assertSameContent(reference, stock);
        assertFiles(reference, stock, new EncodingStrategies(null, Map.of()));
      }
    }
  }

  private File merge(List<File> inputs, String name, IndexSpec spec, Version version) throws IOException {
    return TestSegments.mergeFiles(
        inputs,
        new AggregatorFactory[0],
        AutoColumns.schema().getDimensionsSpec(),
        false,
        new File(folder, name),
        spec,
        version
    );
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void nothingButTheSegmentIsLeftInItsDirectory(Version version) {
    final IncrementalIndex rows = AutoColumns.inMemory(1, 100);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    final List<String> expected = new ArrayList<>(filesIn(stock));
    expected.add(SegmentChecksums.FILE);
    assertEquals(expected.stream().sorted().toList(), filesIn(ours));
  }

  /** Each of them holds a descriptor and a buffer. Druid deletes its own when the segment is written. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void noMoreTemporaryFilesAreHeldThanByStockColumns(Version version) throws IOException {
    final IncrementalIndex rows = AutoColumns.inMemory(1, FEW_ROWS);
    final long stock = temporaryFiles(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final long ours = temporaryFiles(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    assertTrue(stock > 0);
    assertTrue(ours <= stock, ours + " temporary files, of Druid's own columns " + stock);
  }

  /** How many temporary files there are when all columns are written, and the segment is not complete yet. */
  private static long temporaryFiles(IncrementalIndex rows, File directory, IndexSpec spec, Version version)
      throws IOException {
    final AtomicLong files = new AtomicLong();
    final BaseProgressIndicator atTheEnd = new BaseProgressIndicator() {
      @Override
      public void stop() {
        try (Stream<Path> paths = Files.walk(directory.toPath())) {
          files.set(paths.filter(path -> path.toString().endsWith(".tmp")).count());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
    TestSegments.merger(version).persist(rows, Intervals.ETERNITY, directory, spec, atTheEnd, null);
    return files.get();
  }

  private static List<String> filesIn(File directory) {
    return Arrays.stream(directory.listFiles()).filter(File::isFile).map(File::getName).sorted().toList();
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void damageIsReportedWithTheFile(Version version) throws IOException {
    final IncrementalIndex rows = AutoColumns.inMemory(1, 100);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    try (StoredSegment segment = StoredSegment.open(ours)) {
      final StoredSegment.Column longs = segment.column(version == Version.V9 ? "longs" : "__base/longs");
      for (String suffix : List.of(IDS, LONGS)) {
        final String file = longs.file() + "." + suffix;
        final ByteBuffer otherVersion = ByteBuffer.allocate(64).put(0, (byte) 9);
        assertMessage(
            "Column[" + file + "]: its version at offset 0 is 9, this druid-shapeshift knows 1. A newer"
                + " druid-shapeshift wrote it, unless the segment is damaged: use the release that wrote it, or a newer"
                + " one, on every Druid service",
            () -> read(longs, new DamagedFile(segment.files(), file, otherVersion), null)
        );
        assertMessage(
            "Column[" + file + "]: the segment does not have this file. The segment is damaged: fetch it again from"
                + " deep storage, or ingest its interval again",
            () -> read(longs, new DamagedFile(segment.files(), file, null), null)
        );
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void damageOfIndexesIsReportedWithTheFile(Version version) throws IOException {
    final IncrementalIndex rows = AutoColumns.inMemory(1, 100);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    final String base = version == Version.V9 ? "" : "__base/";
    try (StoredSegment segment = StoredSegment.open(ours)) {
      for (String name : List.of("words", "longs", "doubles", "wordsOrLongs", "words[]")) {
        final StoredSegment.Column column = segment.column(base + name);
        final String file = column.file() + "." + INDEXES;
        assertMessage(
            "Column[" + file + "]: the version at offset 0 of its index is 9, this druid-shapeshift knows 1. A"
                + " newer druid-shapeshift wrote it, unless the segment is damaged: use the release that wrote it, or a"
                + " newer one, on every Druid service",
            () -> read(column, new DamagedFile(segment.files(), file, ByteBuffer.allocate(64).put(0, (byte) 9)), null)
        );
        final ByteBuffer ofAnother = segment.column(base + "constant").files().get(INDEXES);
        assertMessage(
            "Column[" + file + "]: it has 2 posting lists for " + lists(column.files().get(INDEXES)) + " values. The"
                + " segment is damaged: fetch it again from deep storage, or ingest its interval again",
            () -> read(column, new DamagedFile(segment.files(), file, ofAnother.duplicate()), null)
        );
      }
      final StoredSegment.Column arrays = segment.column(base + "words[]");
      final String elements = arrays.file() + "." + ELEMENT_INDEXES;
      final ByteBuffer ofAnother = segment.column(base + "constant").files().get(INDEXES);
      assertMessage(
          "Column[" + elements + "]: it has 2 posting lists for " + lists(arrays.files().get(ELEMENT_INDEXES))
              + " values. The segment is damaged: fetch it again from deep storage, or ingest its interval again",
          () -> read(arrays, new DamagedFile(segment.files(), elements, ofAnother.duplicate()), null)
      );
    }
  }

  /** Nobody writes such an index of a column of type auto yet. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void idsAnswerWhereAnIndexHasNoLists(Version version) throws IOException {
    final IncrementalIndex rows = AutoColumns.inMemory(1, 100);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    final String base = version == Version.V9 ? "" : "__base/";
    try (StoredSegment segment = StoredSegment.open(ours)) {
      for (String name : List.of("wordsOrNull", "longsOrNull", "doublesOrNull", "words[]", "anything")) {
        final StoredSegment.Column column = segment.column(base + name);
        final ByteBuffer noLists = withoutLists(100, lists(column.files().get(INDEXES)));
        final DamagedFile files = new DamagedFile(segment.files(), column.file() + "." + INDEXES, noLists);
        final NullValueIndex expected = read(column, segment.files(), null).getIndexSupplier().as(NullValueIndex.class);
        final NullValueIndex actual = read(column, files, null).getIndexSupplier().as(NullValueIndex.class);
        final DefaultBitmapResultFactory bitmaps = new DefaultBitmapResultFactory(RoaringBitmapFactory.INSTANCE);
        final ImmutableBitmap nulls = expected.get().computeBitmapResult(bitmaps, false);
        assertTrue(nulls.size() > 0, name);
        assertEquals(0, RoaringBitmapFactory.INSTANCE.intersection(List.of(
            RoaringBitmapFactory.INSTANCE.complement(nulls, 100),
            actual.get().computeBitmapResult(bitmaps, false)
        )).size());
        assertEquals(nulls.size(), actual.get().computeBitmapResult(bitmaps, false).size(), name);
      }
      final StoredSegment.Column arrays = segment.column(base + "words[]");
      final String elements = arrays.file() + "." + ELEMENT_INDEXES;
      final ByteBuffer noLists = withoutLists(100, lists(arrays.files().get(ELEMENT_INDEXES)));
      assertMessage(
          "Column[" + elements + "]: its index has no lists, though rows have several values. The segment is damaged:"
              + " fetch it again from deep storage, or ingest its interval again",
          () -> read(arrays, new DamagedFile(segment.files(), elements, noLists), null)
      );
    }
  }

  private static ByteBuffer withoutLists(int numRows, int numLists) throws IOException {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PostingListsSerializer.withoutLists(numRows, numLists).writeTo(Channels.newChannel(bytes), null);
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private static int lists(ByteBuffer index) {
    return PostingLists.read("", index.duplicate()).size();
  }

  private static void assertMessage(String expected, Executable reading) {
    assertEquals(expected, assertThrows(ColumnFormatException.class, reading).getMessage());
  }

  /** Segments in which they are not of one kind are not written by anybody. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void dictionariesOfAStockColumnAreNotShared(Version version) throws IOException {
    final IncrementalIndex rows = AutoColumns.inMemory(1, 100);
    final File stock = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ours = TestSegments.persist(rows, new File(folder, "ours"), TestSegments.ALL_SHAPE_SHIFT, version);
    try (QueryableIndex stockIndex = TestSegments.open(stock);
         StoredSegment segment = StoredSegment.open(ours)) {
      final StoredSegment.Column projected = segment.column(AutoColumns.PROJECTION + "/longs");
      assertMessage(
          "Column[" + projected.file() + "]: it shares the dictionaries of a column that does not shape-shift. The"
              + " segment is damaged: fetch it again from deep storage, or ingest its interval again",
          () -> read(projected, segment.files(), stockIndex.getColumnHolder("longs"))
      );
    }
  }

  private static BaseColumnHolder read(
      StoredSegment.Column column,
      SegmentFileMapper files,
      @Nullable ColumnHolder parent
  ) throws IOException {
    return TestSegments.JSON
        .treeToValue(column.descriptor(), ColumnDescriptor.class)
        .read(column.body(), ColumnConfig.DEFAULT, files, parent);
  }

  /** Files of a segment, of which one has other bytes, or none. */
  private record DamagedFile(SegmentFileMapper files, String damaged, @Nullable ByteBuffer bytes)
      implements SegmentFileMapper {
    @Override
    public Set<String> getInternalFilenames() {
      return files.getInternalFilenames();
    }

    @Nullable
    @Override
    public ByteBuffer mapFile(String name) throws IOException {
      return name.equals(damaged) ? bytes : files.mapFile(name);
    }

    @Override
    public void close() {}
  }

  /** Asserts that those files shape-shift that are to, and that all others are Druid's, byte for byte. */
  private static void assertFiles(File stock, File ours, EncodingStrategies strategies) throws IOException {
    try (StoredSegment expected = StoredSegment.open(stock);
         StoredSegment actual = StoredSegment.open(ours)) {
      int columns = 0;
      for (StoredSegment.Column column : expected.columns()) {
        final JsonNode stockPart = column.part();
        if (!column.partType().equals(STOCK)) {
          continue;
        }
        columns++;
        if (stockPart.path("logicalType").asText().equals("COMPLEX<json>")
            && strategies.ofTable().get(EncodedType.NESTED) != null) {
          assertEquals("shapeshift.nested", actual.column(column.file()).partType(), column.file());
          continue;
        }
        final List<String> shapeShifting = shapeShifting(stockPart, strategies);
        final StoredSegment.Column actualColumn = actual.column(column.file());
        final JsonNode part = actualColumn.part();
        assertEquals(
            shapeShifting.isEmpty() ? stockPart : part.path("stock"), shapeShifting.isEmpty() ? part : stockPart);
        final List<String> files = new ArrayList<>();
        part.path("files").forEach(file -> files.add(file.asText()));
        assertEquals(shapeShifting, files, column.file());
        final Map<String, ByteBuffer> actualFiles = new TreeMap<>(actualColumn.files());
        final Map<String, ByteBuffer> expectedFiles = new TreeMap<>(column.files());
        assertEquals(expectedFiles.keySet(), actualFiles.keySet(), column.file());
        // The column of a projection may share the dictionary of the base table's.
        shapeShifting.stream().filter(expectedFiles::containsKey).forEach(file -> {
          final ByteBuffer before = expectedFiles.remove(file);
          final ByteBuffer now = actualFiles.remove(file);
          if (file.equals("__longDictionary") || file.equals("__doubleDictionary")) {
            // Where ours would be larger, it is Druid's.
            assertTrue(now.remaining() <= before.remaining(), column.file());
          } else {
            assertNotEquals(before, now, column.file());
          }
        });
        assertEquals(expectedFiles, actualFiles, column.file());
      }
      assertTrue(columns > 20);
    }
  }

  /** The files of a column that are to shape-shift. */
  private static List<String> shapeShifting(JsonNode stock, EncodingStrategies strategies) {
    final String type = stock.path("logicalType").asText();
    final boolean isVariant = stock.path("isVariantType").asBoolean();
    final Map<String, EncodedType> files = new LinkedHashMap<>();
    if (type.equals("COMPLEX<json>")) {
      return List.of();
    }
    files.put(IDS, EncodedType.INT);
    if (type.equals("LONG") && !isVariant) {
      files.put(LONGS, EncodedType.LONG);
    }
    if (type.equals("DOUBLE") && !isVariant) {
      files.put(DOUBLES, EncodedType.DOUBLE);
    }
    files.put(INDEXES, EncodedType.INDEX);
    if (isVariant || type.startsWith("ARRAY")) {
      files.put(ELEMENT_INDEXES, EncodedType.INDEX);
    }
    if (isVariant || type.startsWith("ARRAY") || type.equals("STRING")) {
      files.put(STRINGS, EncodedType.DICTIONARY);
    }
    final boolean areIndexesOurs = strategies.ofTable().get(EncodedType.INDEX) != null;
    if (isVariant || type.startsWith("ARRAY") || (type.equals("LONG") && areIndexesOurs)) {
      files.put("__longDictionary", EncodedType.DICTIONARY);
    }
    if (isVariant || type.startsWith("ARRAY") || (type.equals("DOUBLE") && areIndexesOurs)) {
      files.put("__doubleDictionary", EncodedType.DICTIONARY);
    }
    return files.keySet().stream()
                .filter(file -> strategies.ofTable().get(files.get(file)) != null)
                .collect(Collectors.toList());
  }

  private static void assertSameContent(File expected, File actual) throws IOException {
    SegmentAssertions.assertSameContent(expected, actual, List.of(AutoColumns.PROJECTION));
    assertSameRows(expected, actual, (column, isProjection) -> Collections.singletonList(null));
  }

  /** Makes filters of a column, of the base table or of a projection. */
  private interface Filters {
    List<DimFilter> of(String column, boolean isProjection);
  }

  private static void assertSameRows(File expected, File actual, Filters filters) throws IOException {
    try (QueryableIndex expectedIndex = TestSegments.open(expected);
         QueryableIndex actualIndex = TestSegments.open(actual)) {
      assertSameRows("", expectedIndex, actualIndex, filters);
      assertSameRows(
          AutoColumns.PROJECTION + "/",
          expectedIndex.getProjectionQueryableIndex(AutoColumns.PROJECTION),
          actualIndex.getProjectionQueryableIndex(AutoColumns.PROJECTION),
          filters
      );
    }
  }

  private static void assertSameRows(
      String prefix,
      QueryableIndex expected,
      QueryableIndex actual,
      Filters filters
  ) {
    for (String column : expected.getColumnNames()) {
      for (DimFilter filter : filters.of(column, !prefix.isEmpty())) {
        assertEquals(
            CursorRows.rowByRow(expected, column, filter),
            CursorRows.rowByRow(actual, column, filter),
            () -> prefix + column + " where " + filter
        );
        assertEquals(
            CursorRows.byVectors(expected, column, filter),
            CursorRows.byVectors(actual, column, filter),
            () -> prefix + column + " where " + filter
        );
      }
    }
  }

  /** Filters for values of every type, answered by indexes and by reading values. */
  private static List<DimFilter> filters(String column, boolean isProjection) {
    final List<DimFilter> filters = new ArrayList<>();
    for (FilterTuning tuning : new FilterTuning[]{null, new FilterTuning(false, null, null)}) {
      filters.add(new NullFilter(column, tuning));
      filters.add(new EqualityFilter(column, ColumnType.STRING, "w7", tuning));
      filters.add(new EqualityFilter(column, ColumnType.DOUBLE, 0.5, tuning));
      filters.add(new EqualityFilter(column, ColumnType.STRING_ARRAY, List.of("a1", "", "b0"), tuning));
      filters.add(new RangeFilter(column, ColumnType.LONG, 10L, 1000L, false, true, tuning));
      // Druid 37 leaves the index of arrays' elements empty in projections, and fails to read it.
      if (!isProjection) {
        filters.add(new ArrayContainsElementFilter(column, ColumnType.LONG, 3L, tuning));
        filters.add(new ArrayContainsElementFilter(column, ColumnType.STRING, "a2", tuning));
      }
    }
    return filters;
  }
}
