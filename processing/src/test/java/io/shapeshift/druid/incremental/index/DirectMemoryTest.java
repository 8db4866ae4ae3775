// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.incremental.IndexContent;
import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.incremental.metric.LostMetrics;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.error.DruidException;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexRowHolder;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Direct memory of an index: none before the first row, none after it is closed, and failures when it runs out. */
class DirectMemoryTest {
  private static final List<String> VALUES = IntStream.range(0, 100).mapToObj(i -> "v" + i).toList();
  private static final long START = 1_700_000_000_000L;

  /** Memory with a limit of bytes. */
  private static final class Limited extends DirectMemory {
    private final long limit;

    Limited(long limit) {
      this.limit = limit;
    }

    @Override
    protected ByteBuffer newBuffer(int size) {
      if (bytes() + size > limit) {
        throw new OutOfMemoryError("Cannot reserve " + size + " bytes of direct buffer memory");
      }
      return super.newBuffer(size);
    }
  }

  @Test
  void nothingBeforeTheFirstRow() {
    final DirectMemory memory = new DirectMemory();
    try (IncrementalIndex index = index(true, memory)) {
      assertEquals(0, memory.bytes());
      assertEquals(0, index.getBytesInMemory().get());
      assertEquals(List.of(), IndexContent.persisted(index));
      assertEquals(List.of(), IndexContent.queried(index, Intervals.ETERNITY, null, List.of()));
      add(index, 1, 1);
      // Rows, their addresses and their table, texts, and the addresses and the table of one dictionary.
      assertEquals((16 << 10) + (1 << 8) + (8 << 10) + (16 << 10) + (1 << 8) + (1 << 10), memory.bytes());
      assertTrue(index.getBytesInMemory().get() >= memory.bytes());
    }
    assertEquals(0, memory.bytes());
  }

  @Test
  void nothingAfterPersists() {
    for (int persist = 0; persist < Tier.pick(10, 100); persist++) {
      final DirectMemory memory = new DirectMemory();
      final IncrementalIndex index = index(true, memory);
      for (int i = 0; i < 3000; i++) {
        add(index, i, i % 3);
      }
      assertEquals(3000, IndexContent.persisted(index).size());
      index.close();
      index.close();
      assertEquals(0, memory.bytes());
    }
  }

  /** Each way to run out of memory: for rows, addresses, the hash table, and lists of a row. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutMemoryRowsBeforeAreThere(boolean rollUp) {
    for (long limit = 0; limit < 2_000_000; limit = limit * 5 / 4 + 30_000) {
      final DirectMemory memory = new Limited(limit);
      try (IncrementalIndex index = index(rollUp, memory);
           IncrementalIndex unlimited = index(rollUp, new DirectMemory())) {
        int rows = 0;
        DruidException failure = null;
        while (failure == null) {
          final int row = rows;
          try {
            add(index, row, row % 5);
            add(unlimited, row, row % 5);
            rows++;
          } catch (DruidException e) {
            failure = e;
          }
        }
        assertTrue(failure.getMessage().contains("-XX:MaxDirectMemorySize"), failure.getMessage());
        assertTrue(failure.getMessage().contains("maxBytesInMemory or maxPendingPersists"), failure.getMessage());
        assertEquals(DruidException.Category.CAPACITY_EXCEEDED, failure.getCategory());
        assertEquals(rows, index.numRows());
        assertEquals(rows - 1, index.getLastRowIndex());
        assertEquals(IndexContent.persisted(unlimited), IndexContent.persisted(index));
        assertEquals(
            IndexContent.queried(unlimited, Intervals.ETERNITY, null, List.of()),
            IndexContent.queried(index, Intervals.ETERNITY, null, List.of())
        );
        assertTrue(memory.bytes() <= limit);
        // Inputs are still rolled up into earlier rows.
        if (rollUp && rows > 0) {
          add(index, 0, 0);
          assertEquals(rows, index.numRows());
        }
      }
    }
  }

  /** Strings run out of memory as well, those of a new dimension among them. */
  @Test
  void withoutMemoryForStringsRowsBeforeAreThere() {
    int rowsOfAll = 0;
    for (long limit = 0; limit < 1_000_000; limit = limit * 6 / 5 + 10_000) {
      final DirectMemory memory = new Limited(limit);
      try (IncrementalIndex index = index(true, memory)) {
        int rows = 0;
        for (boolean fits = true; fits;) {
          try {
            addTexts(index, rows);
            rows++;
          } catch (DruidException e) {
            assertTrue(e.getMessage().contains("-XX:MaxDirectMemorySize"), e.getMessage());
            fits = false;
          }
        }
        // Dimensions that came with the failed row are null in earlier rows.
        assertEquals(rows, IndexContent.queried(index, Intervals.ETERNITY, null, List.of()).size());
        assertEquals(rows, IndexContent.persisted(index).size());
        rowsOfAll += rows;
      }
      assertEquals(0, memory.bytes());
    }
    assertTrue(rowsOfAll > 10_000, "" + rowsOfAll);
  }

  /** A row of distinct texts, now and then with a new dimension. */
  private static void addTexts(IncrementalIndex index, int i) {
    final String newest = "new" + i / 50;
    index.add(new MapBasedInputRow(
        DateTimes.utc(START + i),
        List.of("list", newest),
        Map.of("list", List.of("text " + i, "text " + i + "x"), newest, "a text that is longer than others " + i)
    ));
  }

  @Test
  void lateReadersFail() {
    final DirectMemory memory = new DirectMemory();
    final IncrementalIndex index = index(false, memory);
    for (int i = 0; i < 10; i++) {
      add(index, i, 2);
    }
    final var rows = index.getFacts().persistIterable().iterator();
    final var walked = index.getFacts().persistIterable().iterator();
    rows.next();
    walked.next();
    final DimensionSelector selector = (DimensionSelector) index.getDimension("list").getIndexer()
        .makeColumnValueSelector(new IncrementalIndexRowHolder(), index.getDimension("list"));
    assertEquals("v0", selector.lookupName(0));
    assertEquals(1, selector.idLookup().lookupId("v1"));
    index.close();
    assertEquals(0, memory.bytes());
    assertThrows(ISE.class, () -> selector.lookupName(0));
    assertThrows(ISE.class, () -> selector.idLookup().lookupId("v1"));
    assertThrows(ISE.class, () -> index.getDimension("list").getIndexer().getSortedIndexedValues().get(0));
    assertThrows(ISE.class, rows::next);
    assertThrows(ISE.class, walked::next);
    assertThrows(ISE.class, () -> index.getMetricLongValue(0, 0));
    assertThrows(ISE.class, () -> index.isNull(0, 1));
    assertThrows(ISE.class, () -> index.getFacts().iterator(false).next());
    assertThrows(ISE.class, () -> IndexContent.queried(index, Intervals.ETERNITY, null, List.of()));
    assertThrows(ISE.class, () -> add(index, 11, 0));
  }

  /** A failed persist reads no more, and does not keep others from reading. */
  @Test
  void persistsThatFail() throws Exception {
    final DirectMemory memory = new DirectMemory();
    final IncrementalIndex index = index(true, memory);
    for (int i = 0; i < 10; i++) {
      add(index, i, 2);
    }
    index.getFacts().persistIterable().iterator().next();
    final Thread other = new Thread(() -> assertEquals(10, IndexContent.persisted(index).size()));
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    other.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
    other.start();
    other.join();
    assertNull(failure.get());
    assertEquals(10, IndexContent.persisted(index).size());
    index.close();
    assertEquals(0, memory.bytes());
    assertThrows(ISE.class, () -> IndexContent.persisted(index));
  }

  /** A persist in another thread may read until its iteration ends. */
  @Test
  void persistsOfOtherThreadsEndFirst() throws Exception {
    final DirectMemory memory = new DirectMemory();
    final IncrementalIndex index = index(true, memory);
    for (int i = 0; i < 10; i++) {
      add(index, i, 2);
    }
    final ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      final var rows = other.submit(() -> index.getFacts().persistIterable().iterator()).get();
      index.close();
      assertTrue(memory.bytes() > 0);
      final ExecutionException failure =
          assertThrows(ExecutionException.class, () -> other.submit(rows::next).get());
      assertEquals(ISE.class, failure.getCause().getClass());
      assertEquals(0, memory.bytes());
    } finally {
      other.shutdown();
    }
  }

  @Test
  void limitsAreObeyed() {
    final IncrementalIndexSchema schema = schema(false);
    try (IncrementalIndex index = index(schema, 3, 0, new DirectMemory())) {
      assertTrue(index.canAppendRow());
      for (int i = 0; i < 3; i++) {
        add(index, i, 0);
      }
      assertFalse(index.canAppendRow());
      assertEquals("Maximum number of rows [3] reached", index.getOutOfRowsReason());
    }
    try (IncrementalIndex index = index(schema, 1000, 10, new DirectMemory())) {
      add(index, 0, 0);
      assertFalse(index.canAppendRow());
      assertEquals("Maximum size in bytes [10] reached", index.getOutOfRowsReason());
    }
    try (IncrementalIndex index = index(schema, 1, 10, new DirectMemory())) {
      add(index, 0, 0);
      assertFalse(index.canAppendRow());
      assertEquals(
          "Maximum number of rows [1] and maximum size in bytes [10] reached", index.getOutOfRowsReason());
    }
    try (IncrementalIndex index = index(schema, 1000, -1, new DirectMemory())) {
      add(index, 0, 0);
      assertTrue(index.canAppendRow());
    }
  }

  /** A list that is larger than the largest chunk. */
  @Test
  void longLists() {
    try (IncrementalIndex index = index(true, new DirectMemory())) {
      add(index, 1, 3);
      add(index, 2, 1_200_000);
      add(index, 3, 3);
      add(index, 2, 1_200_000);
      assertEquals(3, index.numRows());
      assertEquals(3, IndexContent.persisted(index).size());
    }
  }

  private static void add(IncrementalIndex index, int i, int values) {
    final String[] list = new String[values];
    for (int j = 0; j < values; j++) {
      list[j] = VALUES.get((i + j) % VALUES.size());
    }
    index.add(new MapBasedInputRow(
        DateTimes.utc(START + i * 31 % 1000),
        List.of("list", "number"),
        Map.of("list", List.of(list), "number", (long) i)
    ));
  }

  private static IncrementalIndex index(
      IncrementalIndexSchema schema,
      int maxRows,
      long maxBytes,
      DirectMemory memory
  ) {
    return new ShapeShiftIncrementalIndex(schema, maxRows, maxBytes, false, new LostMetrics(), memory);
  }

  private static IncrementalIndex index(boolean rollUp, DirectMemory memory) {
    return index(schema(rollUp), Integer.MAX_VALUE, 0, memory);
  }

  private static IncrementalIndexSchema schema(boolean rollUp) {
    return new IncrementalIndexSchema.Builder()
        .withDimensionsSpec(
            new DimensionsSpec(List.of(new StringDimensionSchema("list"), new LongDimensionSchema("number"))))
        .withMetrics(
            new AggregatorFactory[] {
                new CountAggregatorFactory("count"),
                new LongSumAggregatorFactory("sum", "number")
            }
        )
        .withRollup(rollUp)
        .build();
  }
}
