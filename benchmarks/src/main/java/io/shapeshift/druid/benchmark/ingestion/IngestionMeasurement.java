// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.ingestion;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Lists;
import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.DimensionIndexer;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.TransformableRowIterator;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.incremental.AppendableIndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexAdapter;
import org.apache.druid.segment.incremental.IncrementalIndexCursorFactory;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMediumFactory;

/**
 * Measures one kind of index with one kind of data, in a JVM that {@link IngestionCommand} has started, and prints the
 * results as JSON. Times are CPU times of the single working thread, the least of several rounds. Heap bytes are those
 * in use after a full collection.
 */
final class IngestionMeasurement {
  static final String ON_HEAP = "onheap";
  static final String SHAPE_SHIFT = ShapeShiftAppendableIndexSpec.TYPE;

  /** Quantities to measure. */
  enum Kind {
    TIMES, MEMORY, HEAP
  }

  private static final int ROUNDS = 5;
  private static final int WARM_UPS = 2;
  private static final int QUERIES = 40;
  /** Number of inputs that are created before they are added. They are few enough to fit in the processor's cache. */
  private static final int PARSED_AT_ONCE = 50;
  private static final int MEGABYTE = 1 << 20;

  private final AppendableIndexSpec spec;
  private final IncrementalIndexSchema schema;
  private final IngestedData data;
  private final int count;
  private List<InputRow> rows;
  private final Map<String, Object> results = new LinkedHashMap<>();
  /** Consumes the results, so that the compiler cannot remove the work. */
  private long sink;

  /** Rows that a task ingests again and again, with later times. They are few because they are on the heap as well. */
  private static final int REPEATED_ROWS = 5000;

  private IngestionMeasurement(String index, IngestedData data, boolean rollUp, int count) {
    this.spec = index.equals(ON_HEAP) ? new OnheapIncrementalIndex.Spec() : new ShapeShiftAppendableIndexSpec(null);
    this.schema = data.schema(rollUp);
    this.data = data;
    this.count = count;
    this.rows = data.rows(count);
    results.put("data", data.name());
    results.put("rollUp", rollUp);
    results.put("index", index);
    results.put("inputs", count);
  }

  /**
   * Runs a measurement.
   *
   * @param args the index, the data, whether there is roll-up, how many inputs there are, and what is measured
   */
  public static void main(String[] args) throws Exception {
    final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // Registers complex types, such as sketches.
    Druid.json();
    if (Kind.valueOf(args[4]) == Kind.HEAP) {
      out.println(new ObjectMapper().writeValueAsString(task(args)));
      return;
    }
    final IngestionMeasurement measurement = new IngestionMeasurement(
        args[0], IngestedData.valueOf(args[1]), Boolean.parseBoolean(args[2]), Integer.parseInt(args[3]));
    switch (Kind.valueOf(args[4])) {
      case TIMES -> measurement.times();
      default -> measurement.memory();
    }
    if (measurement.sink == 0) {
      throw new IllegalStateException("Nothing was read");
    }
    out.println(new ObjectMapper().writeValueAsString(measurement.results));
  }

  // ---- times

  private void times() throws IOException {
    final long[] add = new long[ROUNDS];
    final long[] walk = new long[ROUNDS];
    final long[] persist = new long[ROUNDS];
    final long[] collected = new long[ROUNDS];
    int kept = 0;
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      final int slot = Math.max(0, round);
      final long collectedBefore = collectionMillis();
      final IncrementalIndex index = newIndex(Long.MAX_VALUE);
      add[slot] = addParsed(index);
      walk[slot] = nanos(() -> walk(index));
      persist[slot] = nanos(() -> persist(index));
      kept = index.numRows();
      index.close();
      collected[slot] = collectionMillis() - collectedBefore;
    }
    results.put("rows", kept);
    results.put("addNanosPerInput", perRow(least(add), rows.size()));
    results.put("walkNanosPerRow", perRow(least(walk), kept));
    results.put("persistNanosPerRow", perRow(least(persist), kept));
    results.put("collectionMillisPerRound", Arrays.stream(collected).average().orElseThrow());
    results.put("queryMicros", least(queries()) / 1000.0);
  }

  /**
   * Returns the time to add all inputs. Each input has just been created, as if by a parser, so its strings have no
   * cached hash codes.
   */
  private long addParsed(IncrementalIndex index) {
    long nanos = 0;
    for (List<InputRow> batch : Lists.partition(rows, PARSED_AT_ONCE)) {
      final List<InputRow> parsed = batch.stream().map(IngestedData::parsed).toList();
      nanos += nanos(() -> {
        parsed.forEach(index::add);
        return index.numRows();
      });
    }
    return nanos;
  }

  private long addAll(IncrementalIndex index) {
    rows.forEach(index::add);
    return index.numRows();
  }

  /** Iterates as a merger does: for the bitmaps of values, and over the rows. */
  private static long walk(IncrementalIndex index) {
    final IndexableAdapter adapter = new IncrementalIndexAdapter(
        index.getInterval(), index, RoaringBitmapSerdeFactory.getInstance().getBitmapFactory());
    long read = 0;
    try (TransformableRowIterator iterator = adapter.getRows()) {
      while (iterator.moveToNext()) {
        read += iterator.getPointer().getTimestamp();
      }
    }
    return read;
  }

  private static long persist(IncrementalIndex index) {
    try {
      final File directory = Files.createTempDirectory("ingestion").toFile();
      new IndexMergerV9(
          Druid.json(),
          Druid.instance(IndexIO.class),
          OnHeapMemorySegmentWriteOutMediumFactory.instance()
      ).persist(index, Intervals.ETERNITY, directory, IndexSpec.getDefault(), null);
      FileUtils.deleteDirectory(directory);
      return index.numRows();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Times queries over two columns of all rows; a hundredth of the rows is added between any two queries. */
  private long[] queries() {
    final long[] nanos = new long[QUERIES];
    final int between = rows.size() / 100;
    for (int round = 0; round < WARM_UPS; round++) {
      final IncrementalIndex index = newIndex(Long.MAX_VALUE);
      final int before = rows.size() - QUERIES * between;
      rows.subList(0, before).forEach(index::add);
      for (int i = 0; i < QUERIES; i++) {
        final int from = before + i * between;
        rows.subList(from, from + between).forEach(index::add);
        nanos[i] = nanos(() -> query(index));
      }
      index.close();
    }
    // The median, since each query reads more rows than the one before.
    return new long[] {Arrays.stream(nanos).sorted().toArray()[QUERIES / 2]};
  }

  private long query(IncrementalIndex index) {
    long read = 0;
    try (CursorHolder holder =
             new IncrementalIndexCursorFactory(index).makeCursorHolder(CursorBuildSpec.FULL_SCAN)) {
      final Cursor cursor = holder.asCursor();
      final ColumnValueSelector<?> count = cursor.getColumnSelectorFactory().makeColumnValueSelector("count");
      final DimensionSelector group =
          cursor.getColumnSelectorFactory().makeDimensionSelector(DefaultDimensionSpec.of(data.grouped()));
      for (; !cursor.isDone(); cursor.advance()) {
        read += count.getLong() + group.getRow().get(0);
      }
    }
    return read;
  }

  private long nanos(LongSupplier work) {
    final long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    sink += work.getAsLong();
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
  }

  private static long least(long[] nanos) {
    return Arrays.stream(nanos).min().orElseThrow();
  }

  private static double perRow(long nanos, int rows) {
    return Math.round(10.0 * nanos / rows) / 10.0;
  }

  private static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  // ---- memory

  private void memory() {
    // Loads classes and fills caches first.
    for (int i = 0; i < 2; i++) {
      try (IncrementalIndex index = newIndex(Long.MAX_VALUE)) {
        addAll(index);
        sink += walk(index) + query(index);
      }
      sink += dictionaries().size() + heapBytes();
    }
    // Drops the inputs before each measurement: dictionaries may share their strings.
    rows = List.of();
    final long heapBefore = heapBytes();
    final long directBefore = directBytes();
    rows = data.rows(count);
    final List<DimensionIndexer<?, ?, ?>> dictionaries = dictionaries();
    rows = List.of();
    final long dictionaryBytes = heapBytes() - heapBefore;
    sink += dictionaries.stream().mapToLong(DimensionIndexer::getCardinality).sum();
    dictionaries.clear();
    final long heapBetween = heapBytes();
    final IncrementalIndex index = newIndex(Long.MAX_VALUE);
    rows = data.rows(count);
    addAll(index);
    rows = List.of();
    final long heap = heapBytes() - heapBetween;
    final long direct = directBytes() - directBefore;
    final int kept = index.numRows();
    results.put("rows", kept);
    results.put("heapBytesPerRow", perRow(heap, kept));
    results.put("dictionaryBytesPerRow", perRow(dictionaryBytes, kept));
    results.put("heapBytesPerRowWithoutDictionaries", perRow(heap - dictionaryBytes, kept));
    results.put("directBytesPerRow", perRow(direct, kept));
    results.put("accountedBytesPerRow", perRow(index.getBytesInMemory().get(), kept));
    results.put("accountedOverReal", Math.round(1000.0 * index.getBytesInMemory().get() / (heap + direct)) / 1000.0);
    index.close();
    results.put("directBytesAfterClose", directBytes() - directBefore);
    rows = data.rows(count);
    results.put("rowsIn32Megabytes", rowsIn(32L * MEGABYTE));
  }

  // ---- the heap of a task

  /**
   * Ingests rows without roll-up, as a task does. Fails if the heap is too small.
   *
   * @param args as those of {@link #main}, and then {@code maxRowsInMemory} and {@code maxBytesInMemory}
   */
  private static Map<String, Object> task(String[] args) throws Exception {
    final IngestedData data = IngestedData.valueOf(args[1]);
    final boolean rollUp = Boolean.parseBoolean(args[2]);
    final int count = Integer.parseInt(args[3]);
    final BatchTask task = new BatchTask(args[0], data, rollUp, Integer.parseInt(args[5]), Long.parseLong(args[6]));
    final long start = System.nanoTime();
    try (TemporaryDirectory directory = TemporaryDirectory.create("task")) {
      task.run(repeated(data.rows(REPEATED_ROWS), count), directory.path());
    }
    final Map<String, Object> results = taskResults(args);
    results.put("persists", task.persists());
    results.put("segments", task.segments());
    results.put("segmentBytes", task.pushedBytes());
    results.put("seconds", Math.round((System.nanoTime() - start) / 1e8) / 10.0);
    results.put("collectionMillis", collectionMillis());
    return results;
  }

  /** Describes a task; what is known only when it ends is empty. */
  static Map<String, Object> taskResults(String[] args) {
    final Map<String, Object> results = new LinkedHashMap<>();
    results.put("data", args[1]);
    results.put("rollUp", Boolean.parseBoolean(args[2]));
    results.put("index", args[0]);
    results.put("inputs", Integer.parseInt(args[3]));
    results.put("maxRowsInMemory", args[5]);
    results.put("maxBytesInMemory", args[6]);
    for (String atEnd : List.of("persists", "segments", "segmentBytes", "seconds", "collectionMillis")) {
      results.put(atEnd, "");
    }
    return results;
  }

  /** Rows that are repeated, each time a minute later. */
  private static Iterator<InputRow> repeated(List<InputRow> rows, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> {
          final MapBasedInputRow row = (MapBasedInputRow) rows.get(i % rows.size());
          final long time = row.getTimestampFromEpoch() + TimeUnit.MINUTES.toMillis(i / rows.size());
          return (InputRow) new MapBasedInputRow(time, row.getDimensions(), row.getEvent());
        })
        .iterator();
  }

  /** New dictionaries on the heap, filled with the rows, without an index. Only Druid's index has any. */
  private List<DimensionIndexer<?, ?, ?>> dictionaries() {
    final List<DimensionIndexer<?, ?, ?>> indexers = new ArrayList<>();
    if (!(spec instanceof OnheapIncrementalIndex.Spec)) {
      return indexers;
    }
    for (DimensionSchema dimension : schema.getDimensionsSpec().getDimensions()) {
      final DimensionIndexer<?, ?, ?> indexer = dimension.getDimensionHandler().makeIndexer();
      for (InputRow row : rows) {
        indexer.processRowValsToUnsortedEncodedKeyComponent(row.getRaw(dimension.getName()), true);
      }
      indexers.add(indexer);
    }
    return indexers;
  }

  /** Rows that a task would add before it persists: all, or as many as fit the estimate of its memory. */
  private int rowsIn(long bytes) {
    try (IncrementalIndex index = newIndex(bytes)) {
      for (InputRow row : rows) {
        if (!index.canAppendRow()) {
          break;
        }
        index.add(row);
      }
      return index.numRows();
    }
  }

  private IncrementalIndex newIndex(long maxBytes) {
    return spec.builder()
        .setIndexSchema(schema)
        .setMaxRowCount(Integer.MAX_VALUE)
        .setMaxBytesInMemory(maxBytes)
        .build();
  }

  private static long heapBytes() {
    long bytes = Long.MAX_VALUE;
    // Collects several times, because one collection may leave garbage that the next one frees.
    for (int i = 0; i < 4; i++) {
      System.gc();
      bytes = Math.min(bytes, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return bytes;
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> Set.of("direct").contains(pool.getName()))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
