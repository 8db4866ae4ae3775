// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.pool;

import com.sun.management.ThreadMXBean;
import io.shapeshift.druid.form.codec.CompressionBuffers;
import io.shapeshift.druid.form.ints.DistinctInts;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Table;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.druid.collections.ResourceHolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the pools: time of a loan, allocations of queries, and what is kept after a burst. */
@Command(
    name = "pools",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures the pools of arrays and buffers: the time of a loan, with one thread and with two; time "
        + "and allocated bytes of a query that reads all columns of a segment, under a steady load; and the bytes that "
        + "pools keep after a burst of open queries and of writers. Medians of elapsed times, in this JVM."
)
public final class PoolsCommand implements Callable<Integer> {
  /** Time between two readings after a burst. */
  private static final int STEP_SECONDS = 10;
  /** Buffers that writers borrow at once in the burst: 36 MB, of which the bound allows 32 MiB. */
  private static final int WRITERS = 256;
  private static final int ROUNDS = 9;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Option(names = "--segment", required = true, paramLabel = "DIR", description = "directory of a segment")
  private Path segment;

  @Option(names = "--loans", defaultValue = "5000000", paramLabel = "N", description = "loans of a thread in each of "
      + ROUNDS + " rounds (default: ${DEFAULT-VALUE})")
  private int loans;

  @Option(names = "--queries", defaultValue = "200", paramLabel = "N", description = "queries that are measured, after "
      + "as many to warm up (default: ${DEFAULT-VALUE})")
  private int queries;

  @Option(names = "--open", defaultValue = "50", paramLabel = "N", description = "queries that are open at once in the "
      + "burst (default: ${DEFAULT-VALUE})")
  private int open;

  @Option(names = "--seconds", defaultValue = "60", paramLabel = "N", description = "time after the burst (default: "
      + "${DEFAULT-VALUE})")
  private int seconds;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() throws Exception {
    if (loans < 1 || queries < 1 || open < 1 || seconds < 0) {
      throw new ParameterException(
          command.commandLine(), "--loans, --queries and --open must be 1 or more, --seconds 0 or more");
    }
    final PrintWriter out = command.commandLine().getOut();
    final Table table = new Table("measurement", "value", "unit");
    for (int threads = 1; threads <= 2; threads++) {
      table.add("loan, threads: " + threads, text(loanNanos(threads, false)), "ns");
    }
    table.add("loan, threads: 2, of two pools", text(loanNanos(2, true)), "ns");
    try (ReadSegment read = new ReadSegment(segment)) {
      measureQueries(read, table);
      burst(read);
    }
    for (int second = 0; second <= seconds; second += STEP_SECONDS) {
      for (String memory : List.of("heap", "direct")) {
        table.add("kept after " + second + " s, " + memory, kept(memory), "bytes");
      }
      if (second < seconds) {
        Thread.sleep(STEP_SECONDS * 1000L);
      }
    }
    out.print(table.toText());
    out.flush();
    return ExitCode.OK;
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static long kept(String memory) {
    return Pools.ofProcess().states().stream()
        .filter(state -> state.memory().equals(memory))
        .mapToLong(Pool.State::bytes)
        .sum();
  }

  /** Median time of a loan. */
  private double loanNanos(int numThreads, boolean ofTwoPools) throws Exception {
    final ExecutorService threads = Executors.newFixedThreadPool(numThreads);
    try {
      final double[] nanos = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        final long start = System.nanoTime();
        final List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < numThreads; thread++) {
          final Pool<?> pool = ofTwoPools && thread == 1 ? CompressionBuffers.POOL : DistinctInts.POOL;
          running.add(threads.submit(() -> lend(pool)));
        }
        for (Future<?> each : running) {
          each.get();
        }
        nanos[round] = (double) (System.nanoTime() - start) / loans;
      }
      return median(nanos);
    } finally {
      threads.shutdown();
    }
  }

  private void lend(Pool<?> pool) {
    for (int i = 0; i < loans; i++) {
      try (ResourceHolder<?> holder = pool.take()) {
        if (holder.get() == null) {
          throw new IllegalStateException("a pool lends nothing");
        }
      }
    }
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private void measureQueries(ReadSegment read, Table table) {
    for (int i = 0; i < queries; i++) {
      read.query();
    }
    final double[] nanos = new double[queries];
    final long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (int i = 0; i < queries; i++) {
      final long start = System.nanoTime();
      read.query();
      nanos[i] = System.nanoTime() - start;
    }
    final long allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    table.add("query, allocated", allocated / queries, "bytes");
    table.add("query, time", text(median(nanos) / 1000), "us");
  }

  /** Reads all rows by queries that are open at once, and borrows buffers as writers do. */
  private void burst(ReadSegment read) {
    final List<ReadSegment.OpenQuery> opened = new ArrayList<>();
    final List<ResourceHolder<CompressionBuffers>> borrowed = new ArrayList<>();
    for (int i = 0; i < open; i++) {
      final ReadSegment.OpenQuery query = read.open();
      opened.add(query);
      query.readAll();
    }
    for (int i = 0; i < WRITERS; i++) {
      borrowed.add(CompressionBuffers.POOL.take());
    }
    opened.forEach(ReadSegment.OpenQuery::close);
    borrowed.forEach(ResourceHolder::close);
  }
}
