// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Throwables;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.JsonFile;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.speed.TurnOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.Druids;
import org.apache.druid.query.Query;
import org.apache.druid.query.Result;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.spec.MultipleIntervalSegmentSpec;
import org.apache.druid.query.timeseries.TimeseriesResultValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Measures queries in a JVM that {@link QueriesCommand} has started. This JVM has made no segments, so that its
 * compiler has seen only a Historical's work.
 */
@Command(name = QueriesJvmCommand.NAME, hidden = true)
public final class QueriesJvmCommand implements Callable<Integer> {
  static final String NAME = "queries-jvm";

  private static final ObjectMapper JSON = new ObjectMapper();
  /** Least warm-up of each query, so that short ones are compiled, as in a service that has run for a while. */
  private static final long WARMUP_NANOS = 30_000_000;
  private static final String COUNT = "rows";

  @Parameters(index = "0", description = "a job, as JSON")
  private Path jobFile;

  @Parameters(index = "1", description = "where to write what was measured, as JSON")
  private Path out;

  @Override
  public Integer call() {
    final Job job = JsonFile.read(jobFile, Job.class, "job", "'queries' makes one");
    final List<DataSource> sources = new ArrayList<>();
    try (Historical historical = new Historical(job.threads())) {
      job.stored().forEach(stored -> sources.add(DataSource.open(stored.encoding(), Path.of(stored.folder()))));
      // All data sources have the same values.
      final List<NamedQuery> queries = NamedQuery.read(
          job.queries() == null ? null : Path.of(job.queries()),
          job.table(),
          Pattern.compile(job.only()),
          sources.get(0)::values
      );
      JSON.writeValue(out.toFile(), new Measuring(job, queries, sources, historical).run());
    } catch (IOException e) {
      throw new ToolException(out.toString(), "it cannot be written: " + e, "Make room for temporary files", e);
    } finally {
      sources.forEach(DataSource::close);
    }
    return ExitCode.OK;
  }

  /** The rounds of a measurement. */
  private record Measuring(Job job, List<NamedQuery> queries, List<DataSource> sources, Historical historical) {
    Measured run() {
      // Answers of the first data source, with which the others are compared.
      final Map<String, Answer> expected = new HashMap<>();
      queries.forEach(query -> expected.put(query.name(), Answer.of(answer(query, sources.get(0)))));
      final List<Measured.Asked> asked = queries.stream()
          .map(query -> new Measured.Asked(query.name(), query.query().getType(), selectedRows(query.query())))
          .toList();
      return new Measured(
          sources.stream().map(source -> new Measured.Source(
              source.encoding(), source.segments().size(), source.rows(), source.sizeInBytes()
          )).toList(),
          asked,
          times(expected),
          job.profileSeconds() > 0 ? profile() : List.of()
      );
    }

    private List<Measured.Time> times(Map<String, Answer> expected) {
      final List<Measured.Time> times = new ArrayList<>();
      final TurnOrder order = new TurnOrder();
      final int rounds = job.warmups() + job.rounds();
      try (Progress progress = new Progress((long) rounds * queries.size())) {
        for (int round = 0; round < rounds; round++) {
          for (NamedQuery query : queries) {
            progress.step(query.name());
            for (DataSource source : order.next(sources)) {
              if (round < job.warmups()) {
                warmUp(query, source, expected.get(query.name()));
                continue;
              }
              final long start = System.nanoTime();
              final List<?> results = answer(query, source);
              final long nanos = System.nanoTime() - start;
              check(query, source, expected.get(query.name()), results);
              times.add(new Measured.Time(round - job.warmups(), query.name(), source.encoding(), nanos));
            }
          }
        }
      }
      return times;
    }

    private void warmUp(NamedQuery query, DataSource source, Answer expected) {
      final long end = System.nanoTime() + WARMUP_NANOS;
      do {
        check(query, source, expected, answer(query, source));
      } while (System.nanoTime() < end);
    }

    private List<?> answer(NamedQuery query, DataSource source) {
      try {
        return historical.run(source.of(query.query()), source.segments()).toList();
      } catch (RuntimeException e) {
        throw new ToolException(
            "query " + query.name(),
            "Druid cannot answer it over " + source.encoding() + ": " + Throwables.getRootCause(e).getMessage(),
            "",
            e
        );
      }
    }

    private void check(NamedQuery query, DataSource source, Answer expected, List<?> results) {
      @Nullable final String difference = Answer.of(results).difference(expected);
      if (difference != null) {
        throw new ToolException(
            "query " + query.name(),
            "of " + source.encoding() + " " + difference + " as of " + sources.get(0).encoding(),
            "If the query says nothing of the order of equals, it may be that; if not, please report it"
        );
      }
    }

    private long selectedRows(Query<?> query) {
      final DataSource source = sources.get(0);
      final List<Result<TimeseriesResultValue>> counts = historical.run(
          Druids.newTimeseriesQueryBuilder()
              .dataSource(source.encoding())
              .intervals(new MultipleIntervalSegmentSpec(query.getIntervals()))
              .granularity(Granularities.ALL)
              .virtualColumns(query.getVirtualColumns())
              .filters(query.getFilter())
              .aggregators(List.of(new CountAggregatorFactory(COUNT)))
              .build(),
          source.segments()
      ).toList();
      return counts.stream().mapToLong(count -> count.getValue().getLongMetric(COUNT)).sum();
    }

    private List<Measured.Profile> profile() {
      try (Profiler profiler = new Profiler()) {
        for (NamedQuery query : queries) {
          for (DataSource source : sources) {
            profiler.run(query.name(), source.encoding(), job.profileSeconds(), () -> answer(query, source));
          }
        }
        return profiler.profile();
      }
    }
  }
}
