// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.google.common.collect.Iterators;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.Segment;
import it.unimi.dsi.fastutil.HashCommon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.Query;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;

/**
 * What else a Historical does: answers queries of all types, vectorized and not, with and without a filter, over
 * columns of all widths, in all forms and in Druid's own encodings. Code that the JIT compiler made for one column
 * alone is faster than a Historical ever sees.
 */
final class QueryPollution implements AutoCloseable {
  /** More than fit into two bytes, so that the ids of distinct values have three; and several chunks. */
  private static final int ROWS = 66_000;
  private static final long FIRST_NANOS = 3_000_000_000L;
  private static final long AGAIN_NANOS = 75_000_000;
  private static final int PHRASE = 997;
  private static final List<String> SINGLE_VALUED =
      List.of("constant", "stretches", "distinct", "runs", "phrase", "skewed", "bytes1", "bytes2");
  private static final String MULTI_VALUED = "several";
  private static final List<String> METRICS = List.of("long", "float", "double", "ascending", "decimal", "few");

  private final Historical historical;
  private final TemporaryDirectory directory = TemporaryDirectory.create("shapeshift-query-pollution");
  private final List<QueriedSegments> queried = new ArrayList<>();
  private final Iterator<Task> tasks;
  /** What was found, for the compiler to see that somebody wants it. */
  private final LongAdder sink = new LongAdder();

  private record Task(Query<?> query, QueriedSegments segments) {}

  /** Makes segments in all encodings, and queries them until the compiler has seen everything. */
  QueryPollution(Historical historical) {
    this(historical, RowEncodings.all(BlockSize.LARGE));
  }

  /** Makes segments in some encodings, and queries them until the compiler has seen these. */
  QueryPollution(Historical historical, List<RowEncoding> encodings) {
    this.historical = historical;
    final Path original = directory.path().resolve("original");
    write(original);
    final List<Task> each = new ArrayList<>();
    try (Segment source = Segment.open(original)) {
      for (RowEncoding encoding : encodings) {
        final Path converted = directory.path().resolve(encoding.name());
        QueriedSegments.convert(source, encoding, converted);
        final QueriedSegments segments = QueriedSegments.open(converted, 1);
        queried.add(segments);
        for (Query<?> query : queries(source, segments)) {
          each.add(new Task(query, segments));
        }
      }
    }
    // So that no two queries of a kind follow each other, however short the time.
    Collections.shuffle(each, new Random(1));
    tasks = Iterators.cycle(each);
    run(each.size(), FIRST_NANOS);
  }

  private static List<Query<?>> queries(Segment source, QueriedSegments segments) {
    final List<Query<?>> queries = new ArrayList<>();
    final DimFilter filter = RowFilter.of(segments.index(), "bytes1", 0.1).filter();
    for (QueryType type : QueryType.values()) {
      for (int i = 0; i < SINGLE_VALUED.size(); i++) {
        final QueriedColumns columns =
            QueriedColumns.choose(source, SINGLE_VALUED.get(i), METRICS.get(i % METRICS.size()));
        // Both would be twice the work, for nothing that the compiler does not see in the next column.
        final boolean vectorizeAll = i % 2 == 0;
        queries.add(type.query(columns, null, vectorizeAll));
        queries.add(type.query(columns, filter, !vectorizeAll));
      }
      final QueriedColumns columns = QueriedColumns.choose(source, MULTI_VALUED, METRICS.get(0));
      queries.add(type.query(columns, null, false));
      queries.add(type.query(columns, filter, false));
    }
    return queries;
  }

  /** Queries on for a moment, from where it stopped. */
  void again() {
    run(1, AGAIN_NANOS);
  }

  /** How many results all queries so far had. */
  long results() {
    return sink.sum();
  }

  private void run(int atLeast, long nanos) {
    final long end = System.nanoTime() + nanos;
    for (int i = 0; i < atLeast || System.nanoTime() < end; i++) {
      final Task task = tasks.next();
      sink.add(historical.run(task.query, task.segments.segments()).accumulate(0, (count, result) -> count + 1));
    }
  }

  @Override
  public void close() {
    queried.forEach(QueriedSegments::close);
    directory.close();
  }

  // ---- the segment

  /** Writes the segment that is queried, in Druid's own columns. */
  static void write(Path out) {
    final List<DimensionSchema> dimensions = new ArrayList<>();
    SINGLE_VALUED.forEach(name -> dimensions.add(new StringDimensionSchema(name)));
    dimensions.add(new StringDimensionSchema(MULTI_VALUED));
    dimensions.add(new LongDimensionSchema("long"));
    dimensions.add(new FloatDimensionSchema("float"));
    dimensions.add(new DoubleDimensionSchema("double"));
    dimensions.add(new LongDimensionSchema("ascending"));
    dimensions.add(new DoubleDimensionSchema("decimal"));
    dimensions.add(new DoubleDimensionSchema("few"));
    final IncrementalIndexSchema schema = IncrementalIndexSchema.builder()
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withQueryGranularity(Granularities.NONE)
        .withRollup(false)
        .build();
    try (IncrementalIndex rows = new OnheapIncrementalIndex.Builder()
        .setIndexSchema(schema)
        .setMaxRowCount(ROWS)
        .build()) {
      final Random random = new Random(1);
      final int[] phrase = random.ints(PHRASE, 0, PHRASE).toArray();
      for (int i = 0; i < ROWS; i++) {
        rows.add(new MapBasedInputRow(i, schema.getDimensionsSpec().getDimensionNames(), row(i, phrase, random)));
      }
      Druid.merger(IndexIO.V9_VERSION)
          .persist(rows, Intervals.utc(0, ROWS), out.toFile(), IndexSpec.getDefault(), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> row(int i, int[] phrase, Random random) {
    final Map<String, Object> row = new LinkedHashMap<>();
    row.put("constant", "a");
    row.put("stretches", i / (ROWS / 3));
    row.put("distinct", String.format("%06d", i));
    row.put("runs", i / 40 % 500);
    row.put("phrase", phrase[i % PHRASE]);
    row.put("skewed", (int) Math.min(3000, 1 / (1 - random.nextDouble())));
    row.put("bytes1", random.nextInt(250));
    row.put("bytes2", random.nextInt(10_000));
    row.put(MULTI_VALUED, List.of(random.nextInt(50), random.nextInt(50)));
    row.put("long", random.nextInt(1000));
    row.put("float", random.nextFloat());
    row.put("double", random.nextDouble());
    row.put("ascending", 60_000L * i + i * 31 % 997);
    row.put("decimal", i * 31 % 9973 / 100.0);
    // In no order, as Druid's own blocks would be read faster than a dictionary otherwise.
    row.put("few", Math.sqrt(HashCommon.mix(i) >>> 1 & 15));
    return row;
  }
}
