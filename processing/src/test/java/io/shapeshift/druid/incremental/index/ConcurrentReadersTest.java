// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import io.shapeshift.druid.testing.Tier;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexCursorFactory;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queries that run while rows are added, and while the index is closed. The content of a row follows from its number,
 * so that a reader sees whether it is complete. {@code -Dshapeshift.rows} sets the number of rows, and {@code
 * -Dshapeshift.minutes} the time for which the test is repeated with other indexes.
 */
class ConcurrentReadersTest {
  private static final int ROWS = Integer.getInteger("shapeshift.rows", Tier.pick(30_000, 3_000_000));
  private static final long NANOS = TimeUnit.MINUTES.toNanos(Integer.getInteger("shapeshift.minutes", 0));
  private static final int READERS = 3;
  private static final int GROUPS = 1000;
  private static final int WALKED_ROWS = 50;
  private static final long START = 1_700_000_000_000L;

  private final ExecutorService threads = Executors.newFixedThreadPool(READERS);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void readersSeeWholeRows(boolean rollUp, TestReporter reporter) throws Exception {
    final long start = System.nanoTime();
    long queries = 0;
    do {
      queries += queriesWhileRowsAreAdded(rollUp);
    } while (System.nanoTime() - start < NANOS / 2);
    reporter.publishEntry("queries", "" + queries);
  }

  /** Number of queries, all of which were right. */
  private int queriesWhileRowsAreAdded(boolean rollUp) throws Exception {
    final AtomicBoolean isDone = new AtomicBoolean();
    final AtomicInteger added = new AtomicInteger();
    try (IncrementalIndex index = index(rollUp)) {
      final List<Future<Integer>> readers = start(() -> {
        int queries = 0;
        do {
          final int before = added.get();
          final long inputs = readAll(index, rollUp);
          assertTrue(inputs >= before, () -> inputs + " of " + before);
          // A row may be visible before its writer returns.
          assertTrue(inputs <= added.get() + 1, () -> inputs + " of " + added.get());
          queries++;
        } while (!isDone.get());
        return queries;
      });
      for (int i = 0; i < ROWS; i++) {
        add(index, i, rollUp);
        added.incrementAndGet();
      }
      isDone.set(true);
      int queries = 0;
      for (Future<Integer> reader : readers) {
        final int ofReader = reader.get();
        assertTrue(ofReader > 0);
        queries += ofReader;
      }
      assertEquals(ROWS, readAll(index, rollUp));
      return queries;
    }
  }

  /** An iteration covers all rows that existed at its start, though other threads extend the order meanwhile. */
  @Test
  void walksHaveAllRowsThatWereThere() throws Exception {
    final AtomicBoolean isDone = new AtomicBoolean();
    final AtomicReference<IncrementalIndex> current = new AtomicReference<>(index(false));
    final List<Future<Integer>> readers = start(() -> {
      int walks = 0;
      do {
        final IncrementalIndex index = current.get();
        final int before = index.numRows();
        final BitSet rows = new BitSet();
        index.getFacts().keySet().forEach(row -> rows.set(row.getRowIndex()));
        final int missing = rows.nextClearBit(0);
        assertTrue(missing >= before, () -> missing + " of " + before);
        walks++;
      } while (!isDone.get());
      return walks;
    });
    // Few rows, so that there are many iterations.
    for (int i = 0; i < ROWS / 4; i++) {
      if (i % WALKED_ROWS == 0) {
        current.set(index(false));
      }
      add(current.get(), i % WALKED_ROWS, false);
    }
    isDone.set(true);
    for (Future<Integer> reader : readers) {
      assertTrue(reader.get() > 0);
    }
  }

  /** Readers see only complete rows, and then an exception. */
  @Test
  void closedWhileReading() throws Exception {
    for (int round = 0; round < 20; round++) {
      final IncrementalIndex index = index(false);
      for (int i = 0; i < 2000; i++) {
        add(index, i, false);
      }
      final AtomicInteger reads = new AtomicInteger();
      final List<Future<Integer>> readers = start(() -> {
        while (true) {
          assertEquals(2000, readAll(index, false));
          reads.incrementAndGet();
        }
      });
      while (reads.get() < READERS) {
        Thread.onSpinWait();
      }
      index.close();
      for (Future<Integer> reader : readers) {
        final ExecutionException failure = assertThrows(ExecutionException.class, reader::get);
        assertEquals(ISE.class, failure.getCause().getClass(), () -> failure.toString());
        assertTrue(failure.getMessage().contains("The index is closed"), failure.getMessage());
      }
    }
  }

  private List<Future<Integer>> start(Callable<Integer> reader) {
    final List<Future<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(threads.submit(reader));
    }
    return readers;
  }

  /** Rows in no order of time. */
  private static void add(IncrementalIndex index, int i, boolean rollUp) {
    final int key = rollUp ? i % GROUPS : i;
    index.add(new MapBasedInputRow(
        DateTimes.utc(time(key)),
        List.of("text", "number"),
        Map.of("text", text(key), "number", (long) key, "one", 1L)
    ));
  }

  private static long time(long key) {
    return START + key * 7919 % 100_000;
  }

  private static String text(long key) {
    return "text " + key % 977;
  }

  /** Reads all rows, and returns the number of inputs that they were made of. */
  private static long readAll(IncrementalIndex index, boolean rollUp) {
    long inputs = 0;
    long lastTime = 0;
    try (CursorHolder holder =
             new IncrementalIndexCursorFactory(index).makeCursorHolder(CursorBuildSpec.FULL_SCAN)) {
      final Cursor cursor = holder.asCursor();
      if (cursor == null) {
        return 0;
      }
      final ColumnValueSelector<?> time = cursor.getColumnSelectorFactory().makeColumnValueSelector("__time");
      final ColumnValueSelector<?> number = cursor.getColumnSelectorFactory().makeColumnValueSelector("number");
      final ColumnValueSelector<?> count = cursor.getColumnSelectorFactory().makeColumnValueSelector("count");
      final ColumnValueSelector<?> sum = cursor.getColumnSelectorFactory().makeColumnValueSelector("sum");
      final DimensionSelector text =
          cursor.getColumnSelectorFactory().makeDimensionSelector(DefaultDimensionSpec.of("text"));
      for (; !cursor.isDone(); cursor.advance()) {
        final long key = number.getLong();
        assertEquals(time(key), time.getLong());
        assertEquals(text(key), text.lookupName(text.getRow().get(0)));
        assertTrue(time.getLong() >= lastTime);
        assertFalse(sum.isNull());
        lastTime = time.getLong();
        inputs += count.getLong();
        if (!rollUp) {
          assertEquals(1, sum.getLong());
        }
      }
    }
    return inputs;
  }

  /** An indexer that changes several fields with a row is asked for its type between rows only, as in Druid. */
  @Test
  void typesAreToldBetweenRows() throws Exception {
    final IncrementalIndexSchema schema = new IncrementalIndexSchema.Builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new AutoTypeColumnSchema("a", null, null))))
        .withRollup(false)
        .build();
    try (IncrementalIndex index = new ShapeShiftAppendableIndexSpec(null).builder()
        .setIndexSchema(schema)
        .setMaxRowCount(ROWS)
        .build()) {
      index.add(new MapBasedInputRow(START, List.of("a"), Map.of("a", 5L)));
      final List<Future<?>> asked = new ArrayList<>();
      index.add(new MapBasedInputRow(START, List.of("a"), Map.of("a", "text")) {
        @Override
        public Object getRaw(String dimension) {
          final Future<?> type = threads.submit(() -> index.getColumnCapabilities("a"));
          assertThrows(TimeoutException.class, () -> type.get(100, TimeUnit.MILLISECONDS));
          asked.add(type);
          return super.getRaw(dimension);
        }
      });
      assertEquals(1, asked.size());
      assertEquals(ColumnType.STRING, ((ColumnCapabilities) asked.get(0).get()).toColumnType());
    }
  }

  private static IncrementalIndex index(boolean rollUp) {
    return new ShapeShiftAppendableIndexSpec(null).builder()
        .setIndexSchema(
            new IncrementalIndexSchema.Builder()
                .withDimensionsSpec(
                    new DimensionsSpec(List.of(new StringDimensionSchema("text"), new LongDimensionSchema("number"))))
                .withMetrics(
                    new AggregatorFactory[] {
                        new CountAggregatorFactory("count"),
                        new LongSumAggregatorFactory("sum", "one")
                    }
                )
                .withRollup(rollUp)
                .build()
        )
        .setMaxRowCount(Integer.MAX_VALUE)
        .build();
  }
}
