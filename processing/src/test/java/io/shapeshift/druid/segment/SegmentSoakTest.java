// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.LiveHeap;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.annotation.Nullable;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.ReferenceCountedSegmentProvider;
import org.apache.druid.segment.Segment;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.timeline.SegmentId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Segments that are loaded and dropped while queries read them, as a Historical does it: every answer is right, and in
 * the end nothing is held that was not before, of buffers, mappings, files, direct memory and heap.
 */
@ExtendWith(RandomData.Seeded.class)
class SegmentSoakTest {
  private static final int SECONDS = Integer.getInteger("shapeshift.soak", Tier.pick(2, 120));
  private static final int NUM_SEGMENTS = 6;
  private static final int NUM_THREADS = 4;
  private static final List<OptimizationTarget> TARGETS = List.of(OptimizationTarget.values());
  private static final List<DimFilter> FILTERS = List.of(
      new EqualityFilter("number", ColumnType.LONG, 500L, null),
      new RangeFilter("real", ColumnType.DOUBLE, .25, .5, false, true, null),
      new LikeDimFilter("plain", "p1%", null, null),
      new EqualityFilter("withNulls", ColumnType.STRING, "w3", null)
  );
  private static final List<String> COLUMNS = List.of("plain", "multi", "number", "real", "auto", "__time");
  /** Each filter with each column, row by row and by vectors. */
  private static final int NUM_QUERIES = 2 * FILTERS.size() * COLUMNS.size();
  private static final Set<String> HASH_INDEXES = Set.of("number", "real");

  @TempDir
  private File folder;

  /** What is held, and is to be given back. */
  private record Held(long borrowed, long mappings, long direct, long heap, long files) {
    /** The least of several readings, between which cleaners free what nothing refers to any more. */
    static Held now() {
      Held least = reading();
      for (int i = 0; i < 5; i++) {
        final Held next = reading();
        least = new Held(
            next.borrowed,
            Math.min(least.mappings, next.mappings),
            Math.min(least.direct, next.direct),
            Math.min(least.heap, next.heap),
            Math.min(least.files, next.files)
        );
      }
      return least;
    }

    private static Held reading() {
      final long heap = LiveHeap.bytes();
      return new Held(
          BorrowedBuffers.count(),
          pool("mapped").getCount(),
          pool("direct").getMemoryUsed(),
          heap,
          ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
              ? system.getOpenFileDescriptorCount()
              : 0
      );
    }

    private static BufferPoolMXBean pool(String name) {
      return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(pool -> pool.getName().equals(name)).findFirst().orElseThrow();
    }
  }

  /** One query of a segment, and its answer. */
  private static Object query(QueryableIndex index, int query) {
    final DimFilter filter = FILTERS.get(query % FILTERS.size());
    final String column = COLUMNS.get(query / FILTERS.size() % COLUMNS.size());
    return query < NUM_QUERIES / 2
           ? CursorRows.rowByRow(index, column, filter).hashCode()
           : CursorRows.byVectors(index, column, filter).hashCode();
  }

  private static ReferenceCountedSegmentProvider load(File segment) {
    return ReferenceCountedSegmentProvider.of(
        new QueryableIndexSegment(TestSegments.open(segment), SegmentId.dummy(segment.getName())));
  }

  private static IndexSpec spec(OptimizationTarget target) {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        TestSegments.withHashIndexes(EncodingStrategy.shapeShift(target, BlockSize.SMALL), HASH_INDEXES)
    );
  }

  @Test
  void nothingIsLeftAfterLoadsQueriesAndDrops(RandomData random)
      throws IOException, InterruptedException, ExecutionException {
    final List<File> files = new ArrayList<>();
    final List<List<Object>> answers = new ArrayList<>();
    for (int i = 0; i < NUM_SEGMENTS; i++) {
      final File file = TestSegments.persist(
          EveryColumn.inMemory(i, Tier.pick(1500, 3000)),
          new File(folder, "segment" + i),
          spec(TARGETS.get(i % TARGETS.size())),
          i % 2 == 0 ? Version.V9 : Version.V10
      );
      files.add(file);
      final List<Object> ofSegment = new ArrayList<>();
      try (QueryableIndex index = TestSegments.open(file)) {
        for (int query = 0; query < NUM_QUERIES; query++) {
          ofSegment.add(query(index, query));
        }
      }
      answers.add(ofSegment);
    }
    final AtomicReferenceArray<ReferenceCountedSegmentProvider> served = new AtomicReferenceArray<>(NUM_SEGMENTS);
    soak(files, answers, served, random, Math.min(Tier.pick(1, 2), SECONDS));
    final Held before = Held.now();
    final long queries = soak(files, answers, served, random, SECONDS);
    final Held after = Held.now();
    System.out.println(queries + " queries in " + SECONDS + " s, held before " + before + ", after " + after);
    assertTrue(queries > SECONDS, "no query was answered");
    assertEquals(before.borrowed(), after.borrowed(), "borrowed buffers");
    assertEquals(before.mappings(), after.mappings(), "mappings");
    assertTrue(after.files() <= before.files() + 2, () -> "open files: " + before + ", " + after);
    // Pools keep what threads borrowed at a time.
    assertTrue(after.direct() <= before.direct() + (8L << 20), () -> "direct memory: " + before + ", " + after);
    // Were something kept of each answer, it would be more.
    assertTrue(after.heap() <= before.heap() + (8L << 20), () -> "heap: " + before + ", " + after);
  }

  /** Loads, queries and drops for some seconds; then drops all. Returns how many queries were answered. */
  private static long soak(
      List<File> files,
      List<List<Object>> answers,
      AtomicReferenceArray<ReferenceCountedSegmentProvider> served,
      RandomData random,
      int seconds
  ) throws InterruptedException, ExecutionException, IOException {
    final long end = System.nanoTime() + seconds * 1_000_000_000L;
    final AtomicLong queries = new AtomicLong();
    final ExecutorService threads = Executors.newFixedThreadPool(NUM_THREADS);
    final List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < NUM_THREADS; i++) {
      final RandomData ofThread = new RandomData(random.nextLong());
      final Callable<Void> queryOn = () -> {
        while (System.nanoTime() < end) {
          queries.addAndGet(query(answers, served, ofThread));
        }
        return null;
      };
      running.add(threads.submit(queryOn));
    }
    while (System.nanoTime() < end && running.stream().noneMatch(Future::isDone)) {
      final int segment = random.nextInt(NUM_SEGMENTS);
      drop(served.getAndSet(segment, random.nextInt(3) == 0 ? null : load(files.get(segment))));
      Thread.sleep(random.between(0, 10));
    }
    threads.shutdown();
    for (Future<?> each : running) {
      each.get();
    }
    for (int segment = 0; segment < NUM_SEGMENTS; segment++) {
      @Nullable final ReferenceCountedSegmentProvider last = served.getAndSet(segment, null);
      drop(last);
      // Before, a query might have held a reference, and Druid gives out more of them for as long.
      assertTrue(last == null || last.acquireReference().isEmpty(), "a segment that was dropped is given out");
    }
    return queries.get();
  }

  private static int query(
      List<List<Object>> answers,
      AtomicReferenceArray<ReferenceCountedSegmentProvider> served,
      RandomData random
  ) throws IOException {
    final int segment = random.nextInt(NUM_SEGMENTS);
    @Nullable final ReferenceCountedSegmentProvider provider = served.get(segment);
    final Optional<Segment> reference = provider == null ? Optional.empty() : provider.acquireReference();
    if (reference.isEmpty()) {
      return 0;
    }
    try (Segment held = reference.get()) {
      final int query = random.nextInt(answers.get(segment).size());
      assertEquals(answers.get(segment).get(query), query(held.as(QueryableIndex.class), query));
    }
    return 1;
  }

  /** Closes a segment twice, which is once too often. */
  private static void drop(@Nullable ReferenceCountedSegmentProvider segment) {
    if (segment != null) {
      segment.close();
      segment.close();
    }
  }

  @Test
  void closingColumnsTwiceIsHarmless() throws IOException {
    final File file = TestSegments.persist(
        EveryColumn.inMemory(1, 3000),
        new File(folder, "twice"),
        spec(OptimizationTarget.SMALLER),
        Version.V10
    );
    final long borrowed = BorrowedBuffers.count();
    int borrowing = 0;
    try (QueryableIndex index = TestSegments.open(file)) {
      for (String column : COLUMNS) {
        final BaseColumn opened = index.getColumnHolder(column).getColumn();
        readAll(opened, index.getNumRows());
        borrowing += BorrowedBuffers.count() > borrowed ? 1 : 0;
        opened.close();
        assertEquals(borrowed, BorrowedBuffers.count(), column);
        opened.close();
        assertEquals(borrowed, BorrowedBuffers.count(), column);
      }
    }
    assertTrue(borrowing > 2, "columns that borrow something: " + borrowing);
  }

  private static void readAll(BaseColumn column, int numRows) {
    final SimpleAscendingOffset offset = new SimpleAscendingOffset(numRows);
    final ColumnValueSelector<?> values = column.makeColumnValueSelector(offset);
    for (; offset.withinBounds(); offset.increment()) {
      values.getObject();
    }
  }

  /** Whoever forgets to close a column is told so by Druid's pools, in a warning, and the memory is not lost. */
  @Test
  void columnsThatAreNotClosedAreNoticed() {
    final File file = TestSegments.persist(
        EveryColumn.inMemory(1, 3000), new File(folder, "forgotten"), spec(OptimizationTarget.SMALLER), Version.V9);
    final long noticed = BorrowedBuffers.noticed();
    final long forgotten = readAndForget(file);
    assertTrue(forgotten > 0, "nothing is borrowed");
    assertTrue(
        LiveHeap.collectUntil(() -> BorrowedBuffers.noticed() >= noticed + forgotten),
        () -> "noticed: " + (BorrowedBuffers.noticed() - noticed) + " of " + forgotten
    );
  }

  /** Reads columns of a segment and closes none, of which nothing is referred to then; what they have borrowed. */
  private static long readAndForget(File file) {
    final long borrowed = BorrowedBuffers.count();
    try (QueryableIndex index = TestSegments.open(file)) {
      for (String column : COLUMNS) {
        readAll(index.getColumnHolder(column).getColumn(), index.getNumRows());
      }
      return BorrowedBuffers.count() - borrowed;
    }
  }
}
