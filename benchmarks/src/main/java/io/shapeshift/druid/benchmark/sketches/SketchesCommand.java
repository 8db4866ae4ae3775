// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.sketches;

import io.shapeshift.druid.benchmark.query.Historical;
import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.ResultsOption;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.speed.TurnOrder;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.Druids;
import org.apache.druid.query.Query;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.spec.MultipleIntervalSegmentSpec;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.timeline.SegmentId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares queries that unite sketches, and their sizes, in Druid's own column and in ours under each target. */
@Command(
    name = "sketches",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Rolls events up to sketches (theta, HLL_4, KLL, quantiles), with repeated values and without, "
        + "writes them in Druid's default and under each target, and tells the sizes of the columns and the times of "
        + "two whole queries: the union of all sketches (timeseries), and of each of 200 groups (groupBy)."
)
public final class SketchesCommand implements Callable<Integer> {
  static final String RESULTS = "sketches.csv";
  private static final String DRUID = "druid";
  private static final double NANOS_PER_MILLI = 1e6;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @Option(
      names = "--events",
      defaultValue = "2000000",
      paramLabel = "N",
      description = "events that are rolled up (default: ${DEFAULT-VALUE})"
  )
  private int events;

  @Option(
      names = "--kinds",
      split = ",",
      defaultValue = "THETA,HLL_4,KLL,QUANTILES",
      paramLabel = "KIND",
      description = "kinds of sketches (default: ${DEFAULT-VALUE})"
  )
  private List<SketchKind> kinds;

  @Option(
      names = "--rounds",
      defaultValue = "15",
      paramLabel = "N",
      description = "rounds in which each query of each segment has its turn, after as many to warm up; times are "
          + "medians of processor times (default: ${DEFAULT-VALUE})"
  )
  private int rounds;

  @Mixin
  private ResultsOption results;

  @Spec
  private CommandSpec command;

  /** Segment of an encoding. */
  private record Encoded(String encoding, long bytes, QueryableIndex index) {
    QueryableIndexSegment segment() {
      return new QueryableIndexSegment(index, SegmentId.of(DRUID, index.getDataInterval(), "version", 0));
    }
  }

  @Override
  public Integer call() {
    if (events < 1 || rounds < 1) {
      throw new ParameterException(command.commandLine(), "--events and --rounds must be 1 or more");
    }
    final ResultFiles files = new ResultFiles(
        results.directory(),
        new RunInfo.Start("sketches", command.commandLine().getParseResult().originalArgs())
    );
    final Table table = new Table(
        "sketches", "repeats", "encoding", "size", "bytes", "timeseries speed", "ms", "groupBy speed", "ms of groupBy");
    try (Historical historical = new Historical(1)) {
      for (SketchKind kind : kinds) {
        SketchType.register(kind);
        for (boolean repeats : new boolean[]{true, false}) {
          measure(new SketchSegments(kind, events, repeats), historical, table);
        }
      }
    } catch (IOException e) {
      throw new ToolException("segments", "they cannot be written: " + e, "Make room for temporary files", e);
    }
    files.write(
        Map.of(RESULTS, table), RunInfo.Jvm.like(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    final PrintWriter out = command.commandLine().getOut();
    out.print(table.toText());
    out.println("Sizes and speeds are relative to Druid's default. Results: " + results.directory());
    out.flush();
    return 0;
  }

  private void measure(SketchSegments segments, Historical historical, Table table) throws IOException {
    try (TemporaryDirectory work = TemporaryDirectory.create("sketches")) {
      final List<Encoded> encoded = write(segments, work.path());
      try {
        final double[][] nanos = {
            times(timeseries(segments.kind()), encoded, historical),
            times(groupBy(segments.kind()), encoded, historical)
        };
        for (int i = 0; i < encoded.size(); i++) {
          table.add(
              segments.kind(),
              segments.repeats(),
              encoded.get(i).encoding,
              ratio((double) encoded.get(i).bytes, (double) encoded.get(0).bytes),
              encoded.get(i).bytes,
              ratio(nanos[0][0], nanos[0][i]),
              ratio(nanos[0][i], NANOS_PER_MILLI),
              ratio(nanos[1][0], nanos[1][i]),
              ratio(nanos[1][i], NANOS_PER_MILLI)
          );
        }
      } finally {
        encoded.forEach(each -> each.index.close());
      }
    }
  }

  private static String ratio(double value, double unit) {
    return String.format(Locale.ROOT, "%.3f", value / unit);
  }

  private static List<Encoded> write(SketchSegments segments, Path directory) throws IOException {
    final Map<String, Path> written = new LinkedHashMap<>();
    final IncrementalIndex index = segments.rollUp();
    try {
      written.put(DRUID, directory.resolve(DRUID));
      SketchSegments.write(index, IndexSpec.getDefault(), written.get(DRUID));
      for (OptimizationTarget target : OptimizationTarget.values()) {
        final String name = target.name().toLowerCase(Locale.ROOT);
        written.put(name, directory.resolve(name));
        SketchSegments.write(index, target, written.get(name));
      }
    } finally {
      index.close();
    }
    final List<Encoded> encoded = new ArrayList<>();
    for (var each : written.entrySet()) {
      encoded.add(new Encoded(
          each.getKey(),
          sizeOfSketches(each.getValue()),
          Druid.instance(IndexIO.class).loadIndex(each.getValue().toFile())
      ));
    }
    return encoded;
  }

  private static long sizeOfSketches(Path directory) {
    try (Segment segment = Segment.open(directory)) {
      return segment.baseColumn(SketchSegments.SKETCH).sizeInBytes();
    }
  }

  private static Query<?> timeseries(SketchKind kind) {
    return Druids.newTimeseriesQueryBuilder()
        .dataSource(DRUID)
        .intervals(new MultipleIntervalSegmentSpec(Intervals.ONLY_ETERNITY))
        .granularity(Granularities.ALL)
        .aggregators(List.of(new SketchAggregatorFactory("united", SketchSegments.SKETCH, kind)))
        .build();
  }

  private static Query<?> groupBy(SketchKind kind) {
    return GroupByQuery.builder()
        .setDataSource(DRUID)
        .setQuerySegmentSpec(new MultipleIntervalSegmentSpec(Intervals.ONLY_ETERNITY))
        .setGranularity(Granularities.ALL)
        .setDimensions(new DefaultDimensionSpec(SketchSegments.GROUP, SketchSegments.GROUP))
        .setAggregatorSpecs(new SketchAggregatorFactory("united", SketchSegments.SKETCH, kind))
        .build();
  }

  /** Returns the processor time of all threads, except the JVM's own, which compile and collect garbage. */
  private static long cpuNanos() {
    return Arrays.stream(THREADS.getAllThreadIds()).map(id -> Math.max(0, THREADS.getThreadCpuTime(id))).sum();
  }

  /** Returns the median time of a query for each segment, in nanoseconds. The answers must be the same. */
  private double[] times(Query<?> query, List<Encoded> encoded, Historical historical) {
    final TurnOrder order = new TurnOrder();
    final List<Integer> numbers = IntStream.range(0, encoded.size()).boxed().toList();
    final double[][] nanos = new double[encoded.size()][rounds];
    String expected = null;
    for (int round = -rounds; round < rounds; round++) {
      for (int i : order.next(numbers)) {
        final long start = cpuNanos();
        final String answer = historical.run(query, List.of(encoded.get(i).segment())).toList().toString();
        if (round >= 0) {
          nanos[i][round] = cpuNanos() - start;
        }
        expected = expected == null ? answer : expected;
        if (!answer.equals(expected)) {
          throw new ToolException(
              query.getType() + " over " + encoded.get(i).encoding, "its answer differs", "Please report it");
        }
      }
    }
    return Arrays.stream(nanos).mapToDouble(each -> {
      Arrays.sort(each);
      return each[rounds / 2];
    }).toArray();
  }
}
