// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.benchmark.results.EncodingProfiler;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.guava.Sequence;
import org.apache.druid.query.Query;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Native queries over a segment whose ids and numbers are stored in one encoding, all else being the same: nanoseconds
 * per query, until its last result is taken. They are answered by Druid's own engines, as in a Historical that has
 * everything in the page cache and caches no results.
 *
 * <p>The data source consists of {@link #segments} segments, which are the same files under ids of their own: threads
 * share a query segment by segment, and merge what each of them found. Druid answers scans in one thread, and has
 * no engine for topN and scan that reads vectors of rows, so that neither parameter changes anything there; see
 * {@link #isVectorized()}.
 *
 * <p>What is grouped by, and what the filter is on, is chosen from the segment as it is given: see
 * {@link QueriedColumns}. The filter finds its rows by the index, as Druid's do, so that the columns of the query are
 * read by the positions of these rows.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class QueryBenchmark {
  /** Of any Druid that Druid 37 reads: a directory or an {@code index.zip}. */
  @Param("")
  String segmentPath;

  /** How ids and numbers are stored: one of {@link RowEncoding#parse} that is for ids. */
  @Param({"druid-lz4", "shapeshift-smaller", "shapeshift-fastbutsmallish", "shapeshift-faster"})
  String encoding;

  /** See {@link QueryType}. */
  @Param({"groupBy", "topN", "timeseries", "scan"})
  String query;

  /** Share of the rows that the filter lets through; 1 for no filter. What it really is tells selectedRows. */
  @Param({"1", "0.1", "0.01", "0.001"})
  double selected;

  /** Whether rows are read in vectors; then a query that Druid cannot answer so because of the column fails. */
  @Param({"true", "false"})
  boolean vectorize;

  /** Processing threads: {@code druid.processing.numThreads}. */
  @Param({"1", "2"})
  int threads;

  /**
   * Whether the JVM has answered queries of all types over columns of all kinds, or only this one. Even then it has
   * read the ids and numbers of the whole segment, to convert it.
   */
  @Param({"fresh", "polluted"})
  String jvm;

  /** What is grouped by; empty for a string column that is chosen. */
  @Param("")
  String dimension;

  /** The number that is summed; empty for the first one, and none if there is none. */
  @Param("")
  String metric;

  /** Segments of the data source. */
  @Param("2")
  int segments;

  private TemporaryDirectory directory;
  private Historical historical;
  private QueriedSegments queried;
  private RowFilter filter;
  private QueryType type;
  private Query<?> nativeQuery;
  @Nullable
  private QueryPollution pollution;

  /** Converts the segment, opens it, chooses the rows, and pollutes the JVM if it is to be. */
  @Setup
  public void setUp() {
    if (segmentPath.isEmpty()) {
      throw new ToolException("segmentPath", "no segment is named", "Name one: -p segmentPath=PATH");
    }
    type = QueryType.of(query);
    historical = new Historical(threads);
    directory = TemporaryDirectory.create("shapeshift-query-benchmark");
    try (Segment source = SegmentLocation.one(Path.of(segmentPath)).open()) {
      final QueriedColumns columns = QueriedColumns.choose(source, dimension, metric);
      final Path converted = directory.path().resolve("segment");
      QueriedSegments.convert(source, RowEncodings.parse(encoding), converted);
      queried = QueriedSegments.open(converted, segments);
      filter = RowFilter.of(queried.index(), columns.filtered(), selected);
      nativeQuery = type.query(columns, filter.filter(), vectorize);
    }
    EncodingProfiler.report(rows(), selectedRows(), sizeInBytes(), Map.of());
    if (jvm.equals("polluted")) {
      pollution = new QueryPollution(historical);
    } else if (!jvm.equals("fresh")) {
      throw new ToolException("jvm " + jvm, "there is no such kind of JVM", "Name one of fresh, polluted");
    }
  }

  /** Answers other queries, which a Historical does all the time. */
  @Setup(Level.Iteration)
  public void pollute() {
    if (pollution != null) {
      pollution.again();
    }
  }

  /** Closes all, and deletes what was written. */
  @TearDown
  public void tearDown() {
    if (pollution != null) {
      pollution.close();
    }
    queried.close();
    historical.close();
    directory.close();
  }

  /** Answers the query, to its last result. */
  @Benchmark
  public void query(Blackhole blackhole) {
    results().accumulate(blackhole, (accumulated, result) -> {
      accumulated.consume(result);
      return accumulated;
    });
  }

  /** Starts to answer the query. */
  Sequence<?> results() {
    return historical.run(nativeQuery, queried.segments());
  }

  /** Bytes of the converted segment, all its files: of one segment, since all of them share these. */
  private long sizeInBytes() {
    return queried.sizeInBytes();
  }

  /** Rows of all segments. */
  long rows() {
    return (long) segments * queried.index().getNumRows();
  }

  /** Rows of all segments that the filter lets through. */
  long selectedRows() {
    return (long) segments * filter.selectedRows();
  }

  /** Whether the engine reads vectors of rows. */
  boolean isVectorized() {
    return vectorize && type.isVectorizable();
  }
}
