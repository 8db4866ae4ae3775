// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Measurement of reads that take turns, round by round, so that a disturbance of the machine affects all of them. Their
 * order changes from round to round, so that no read always follows the same other read.
 */
public final class Turns {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  /** Minimum time of a read's repetitions in a round, so that the clock and the caches have no influence. */
  private static final long MIN_ROUND_NANOS = 1_000_000;
  /** Minimum time that can be measured. Reading the clock may need up to a microsecond. */
  private static final long LEAST_ROUND_NANOS = 50_000;

  private final int rounds;
  private final long warmUpNanos;
  private final TurnOrder order = new TurnOrder();
  /** Sum of results, so that the compiler does not remove the reads. */
  private final LongAdder sink = new LongAdder();

  /**
   * Creates a measurement.
   *
   * @param rounds      number of rounds, at least 1
   * @param warmUpNanos minimum time of each read's warm-up in nanoseconds of the thread's CPU time, because on a busy
   *     machine the compiler gets no more time than the thread
   */
  public Turns(int rounds, long warmUpNanos) {
    this.rounds = rounds;
    this.warmUpNanos = warmUpNanos;
  }

  /** Medians over the rounds of nanoseconds per read, in the order of the reads. */
  public double[] medians(List<LongSupplier> reads) {
    return medians(reads, 1);
  }

  /**
   * Medians measured in less time, with less accuracy. The warm-up is not shortened, because the compiler needs as much
   * time for small columns.
   *
   * @param effort share of the time of repetitions in each round, more than 0 and at most 1
   */
  double[] medians(List<LongSupplier> reads, double effort) {
    final List<Integer> indexes = IntStream.range(0, reads.size()).boxed().toList();
    final int[] repetitions = new int[reads.size()];
    for (int i : order.next(indexes)) {
      repetitions[i] = warmUp(reads.get(i), effort);
    }
    final double[][] times = new double[reads.size()][rounds];
    for (int round = 0; round < rounds; round++) {
      for (int i : order.next(indexes)) {
        times[i][round] = (double) time(reads.get(i), repetitions[i]) / repetitions[i];
      }
    }
    return Arrays.stream(times).mapToDouble(each -> {
      Arrays.sort(each);
      return each[rounds / 2];
    }).toArray();
  }

  /** Warms a read up, and returns the number of its repetitions per round. */
  private int warmUp(LongSupplier read, double effort) {
    long sum = 0;
    do {
      sum += time(read, 1);
    } while (sum < warmUpNanos);
    final long roundNanos = Math.max(LEAST_ROUND_NANOS, (long) (effort * MIN_ROUND_NANOS));
    // Not derived from a single read, whose time some machines occasionally measure as 0.
    int repetitions = 1;
    long nanos = time(read, repetitions);
    while (nanos < roundNanos / 2) {
      repetitions *= 2;
      nanos = time(read, repetitions);
    }
    return (int) Math.max(1, repetitions * roundNanos / nanos);
  }

  private long time(LongSupplier read, int repetitions) {
    final long start = cpuNanos();
    for (int i = 0; i < repetitions; i++) {
      sink.add(read.getAsLong());
    }
    return cpuNanos() - start;
  }

  /** CPU time of this thread, which other work on the machine affects only through shared caches and clocks. */
  private static long cpuNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }
}
