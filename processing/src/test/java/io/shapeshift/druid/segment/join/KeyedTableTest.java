// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.InjectableValues;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.LiveHeap;
import it.unimi.dsi.fastutil.ints.IntSortedSets;
import java.io.File;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.Segment;
import org.apache.druid.segment.SegmentLazyLoadFailCallback;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.join.table.IndexedTable;
import org.apache.druid.segment.loading.BroadcastJoinableMMappedQueryableSegmentizerFactory;
import org.apache.druid.segment.loading.MMappedQueryableSegmentizerFactory;
import org.apache.druid.segment.loading.SegmentLoadingException;
import org.apache.druid.segment.loading.SegmentizerFactory;
import org.apache.druid.timeline.DataSegment;
import org.apache.druid.timeline.SegmentId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A table finds the rows that Druid's own finds, whether its columns have hash indexes or not. */
class KeyedTableTest {
  private static final int NUM_ROWS = 1000;
  private static final Set<String> INDEXED = Set.of("id", "idOrNull", "few", "double", "floatOrNull");
  private static final Set<String> KEYS =
      Set.of("id", "idOrNull", "few", "double", "floatOrNull", "unindexed", "word");
  /** In the first rows of the columns of doubles and floats. */
  private static final List<Double> SPECIAL =
      List.of(0.0, -0.0, Double.NaN, Double.longBitsToDouble(-1L), Double.NEGATIVE_INFINITY, Double.MIN_VALUE);
  private static final List<Object> LOOKED_UP = Arrays.asList(
      null, 0L, 3L, 7_000_003L, 21_000_009L, 5, 5.0, 5.5, 3f, "3", "3.0", "three", "7000003", "word7", -1L, "", 1e30,
      0.0, -0.0, 0f, -0f, Double.NaN, Float.NaN, "NaN", Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 12.5, "12.5", 12.5f,
      12.3, 12.3f);

  @TempDir
  private File folder;

  private static IndexSpec spec() {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        TestSegments.withHashIndexes(
            EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE), INDEXED)
    );
  }

  private static IncrementalIndex rows() {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < NUM_ROWS; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(i).toString());
      row.put("id", i * 7_000_003L);
      row.put("idOrNull", i == 500 ? null : Long.valueOf(i * 7_000_003L));
      row.put("few", i % 9 == 0 ? null : Long.valueOf(i % 8));
      final double number = i < SPECIAL.size() ? SPECIAL.get(i) : i / 10.0;
      row.put("double", number);
      row.put("floatOrNull", i % 7 == 6 ? null : Float.valueOf((float) number));
      row.put("unindexed", (long) i);
      row.put("word", "word" + i);
      rows.add(row);
    }
    return TestSegments.rowsInMemory(
        IncrementalIndexSchema
            .builder()
            .withDimensionsSpec(new DimensionsSpec(List.of(
                new LongDimensionSchema("id"),
                new LongDimensionSchema("idOrNull"),
                new LongDimensionSchema("few"),
                new DoubleDimensionSchema("double"),
                new FloatDimensionSchema("floatOrNull"),
                new LongDimensionSchema("unindexed"),
                new StringDimensionSchema("word")
            )))
            .withRollup(false)
            .build(),
        rows
    );
  }

  private static Segment load(SegmentizerFactory factory, File file) throws SegmentLoadingException {
    final DataSegment segment =
        DataSegment.builder(SegmentId.of("table", Intervals.ETERNITY, "v1", 0)).size(1).build();
    return factory.factorize(segment, file, false, SegmentLazyLoadFailCallback.NOOP);
  }

  private interface Check {
    void run(IndexedTable stock, IndexedTable ours);
  }

  private void compare(Version version, Check check) throws IOException, SegmentLoadingException {
    final File file = TestSegments.persist(rows(), new File(folder, "segment"), spec(), version);
    try (Segment broadcast = load(
            new BroadcastJoinableMMappedQueryableSegmentizerFactory(TestSegments.INDEX_IO, KEYS), file);
        Segment keyed = load(new KeyedSegmentizerFactory(TestSegments.INDEX_IO, KEYS), file);
        IndexedTable stock = broadcast.as(IndexedTable.class);
        IndexedTable ours = keyed.as(IndexedTable.class)) {
      check.run(stock, ours);
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void findsWhatStockTableFinds(Version version) throws IOException, SegmentLoadingException {
    compare(version, (stock, ours) -> {
      assertEquals(stock.keyColumns(), ours.keyColumns());
      assertEquals(stock.rowSignature(), ours.rowSignature());
      assertEquals(stock.numRows(), ours.numRows());
      assertEquals(stock.version(), ours.version());
      for (String column : KEYS) {
        final int number = stock.rowSignature().indexOf(column);
        final IndexedTable.Index expected = stock.columnIndex(number);
        final IndexedTable.Index found = ours.columnIndex(number);
        assertEquals(INDEXED.contains(column), found instanceof KeyedTableIndex, column);
        assertEquals(expected.keyType(), found.keyType(), column);
        assertEquals(expected.areKeysUnique(false), found.areKeysUnique(false), column);
        assertEquals(expected.areKeysUnique(true), found.areKeysUnique(true), column);
        for (Object key : LOOKED_UP) {
          assertEquals(expected.find(key), found.find(key), () -> column + " " + key);
        }
        if (expected.keyType().equals(ColumnType.LONG)) {
          assertSameLongs(expected, found, column);
        } else {
          assertThrows(UnsupportedOperationException.class, () -> found.findUniqueLong(1), column);
        }
      }
    });
  }

  private static void assertSameLongs(IndexedTable.Index expected, IndexedTable.Index found, String column) {
    for (long key = -3; key < NUM_ROWS; key++) {
      final long wanted = key % 2 == 0 ? key : key * 7_000_003;
      assertEquals(expected.find(wanted), found.find(wanted), () -> column + " " + wanted);
      if (expected.areKeysUnique(false)) {
        assertEquals(expected.findUniqueLong(wanted), found.findUniqueLong(wanted), () -> column + " " + wanted);
      } else {
        assertThrows(UnsupportedOperationException.class, () -> found.findUniqueLong(wanted));
      }
    }
  }

  @Test
  void anyNumberOfThreadsLookKeysUp() throws IOException, SegmentLoadingException {
    compare(Version.V9, (stock, ours) -> {
      final IndexedTable.Index index = ours.columnIndex(ours.rowSignature().indexOf("id"));
      final long wrong = IntStream
          .range(0, 20_000)
          .parallel()
          .filter(i -> index.findUniqueLong(i % NUM_ROWS * 7_000_003L) != i % NUM_ROWS)
          .count();
      assertEquals(0, wrong);
    });
  }

  @Test
  void anIndexSpecNamesIt() throws IOException {
    final String json = "{\"type\": \"shapeshift.broadcast\", \"keyColumns\": [\"id\"]}";
    final SegmentizerFactory factory = TestSegments.JSON.readValue(json, SegmentizerFactory.class);
    assertEquals(Set.of("id"), assertInstanceOf(KeyedSegmentizerFactory.class, factory).getKeyColumns());
    assertEquals(TestSegments.JSON.readTree(json), TestSegments.JSON.valueToTree(factory));
    final SegmentizerFactory same = new KeyedSegmentizerFactory(TestSegments.INDEX_IO, Set.of("id"));
    assertEquals(factory, same);
    assertEquals(factory.hashCode(), same.hashCode());
    assertFalse(factory.equals(new KeyedSegmentizerFactory(TestSegments.INDEX_IO, Set.of("id", "name"))));
    final IndexSpec spec =
        TestSegments.JSON.readValue("{\"segmentLoader\": " + json + "}", IndexSpec.class);
    assertTrue(spec.getSegmentLoader() instanceof KeyedSegmentizerFactory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ", \"keyColumns\": []", ", \"keyColumns\": null"})
  void aLoaderWithoutKeysIsRefused(String keys) {
    final String json = "{\"type\": \"shapeshift.broadcast\"" + keys + "}";
    final IOException refused =
        assertThrows(IOException.class, () -> TestSegments.JSON.readValue(json, SegmentizerFactory.class));
    assertTrue(refused.getMessage().contains("segmentLoader[shapeshift.broadcast] has no keyColumns"), json);
  }

  /** Queries that join with a table hold it, and not its segment, whose files are read nevertheless. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void keysAreFoundAfterTheSegmentIsDropped(Version version) throws IOException, SegmentLoadingException {
    final File file = TestSegments.persist(rows(), new File(folder, "segment"), spec(), version);
    final Segment segment = load(new KeyedSegmentizerFactory(TestSegments.INDEX_IO, KEYS), file);
    try (IndexedTable table = segment.as(IndexedTable.class)) {
      segment.close();
      final IndexedTable.Index index = table.columnIndex(table.rowSignature().indexOf("id"));
      assertEquals(IntSortedSets.singleton(3), index.find(21_000_009L));
    }
    assertThrows(ISE.class, () -> segment.as(IndexedTable.class));
    segment.close();
  }

  /** Druid reads values and keys while it prepares a join, before it has a reference, and may drop the table then. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void whatIsReadStaysMapped(Version version) throws IOException, SegmentLoadingException {
    final File file = TestSegments.persist(rows(), new File(folder, "segment"), spec(), version);
    final Segment segment = load(new KeyedSegmentizerFactory(TestSegments.INDEX_IO, KEYS), file);
    final IndexedTable table = segment.as(IndexedTable.class);
    final int column = table.rowSignature().indexOf("id");
    final IndexedTable.Index index = table.columnIndex(column);
    assertEquals(IntSortedSets.singleton(3), index.find(21_000_009L));
    try (IndexedTable.Reader reader = table.columnReader(column)) {
      segment.close();
      table.close();
      assertEquals(21_000_009L, reader.read(3));
      assertEquals(IntSortedSets.singleton(3), index.find(21_000_009L));
    }
    assertThrows(ISE.class, () -> table.columnReader(column));
    assertThrows(ISE.class, () -> index.find(21_000_009L));
    assertThrows(ISE.class, () -> index.findUniqueLong(21_000_009L));
    assertThrows(ISE.class, () -> index.find(null));
  }

  /** It loads the segment then, if its columns are Druid's, but as one that nothing can be joined with. */
  @Test
  void aServiceWithoutTheExtensionTakesTheStockLoader() throws IOException {
    final SegmentizerFactory factory = new DefaultObjectMapper()
        .setInjectableValues(new InjectableValues.Std().addValue(IndexIO.class, TestSegments.INDEX_IO))
        .readValue("{\"type\": \"shapeshift.broadcast\", \"keyColumns\": [\"id\"]}", SegmentizerFactory.class);
    assertInstanceOf(MMappedQueryableSegmentizerFactory.class, factory);
  }

  /** Druid forgets a table without closing it where other segments of a data source are none. */
  @Test
  void aTableThatIsForgottenIsClosed() throws Exception {
    final File file = TestSegments.persist(rows(), new File(folder, "segment"), spec(), Version.V9);
    final BufferPoolMXBean mappings = ManagementFactory
        .getPlatformMXBeans(BufferPoolMXBean.class)
        .stream()
        .filter(pool -> pool.getName().equals("mapped"))
        .findAny()
        .orElseThrow();
    // What other tests have forgotten is gone first.
    long before = -1;
    for (int i = 0; i < 5 || mappings.getCount() != before; i++) {
      before = mappings.getCount();
      LiveHeap.collect();
    }
    final long mapped = before;
    final Segment segment = load(new KeyedSegmentizerFactory(TestSegments.INDEX_IO, KEYS), file);
    assertNotNull(segment.as(IndexedTable.class));
    assertTrue(mappings.getCount() > mapped);
    segment.close();
    assertTrue(LiveHeap.collectUntil(() -> mappings.getCount() <= mapped));
    assertThrows(ISE.class, () -> segment.as(IndexedTable.class));
  }
}
