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
 * Measures reads that take turns, round by round, so that whatever disturbs the machine disturbs all of them. Their
 * order changes from round to round, so that no read always follows the same other read.
 */
public final class Turns {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  /** A read is repeated for at least so long in a round: the clock and the caches are of no account then. */
  private static final long MIN_ROUND_NANOS = 1_000_000;
  /** The least that can be measured: the clock takes up to a microsecond. */
  private static final long LEAST_ROUND_NANOS = 50_000;

  private final int rounds;
  private final long warmUpNanos;
  private final TurnOrder order = new TurnOrder();
  /** What was read, for the compiler to see that somebody wants it. */
  private final LongAdder sink = new LongAdder();

  /**
   * Turns of some rounds.
   *
   * @param rounds      how often each read gets its turn, at least 1
   * @param warmUpNanos how long each is repeated at first, at least: of the thread, as on a busy machine the compiler
   *                    gets no more time than the thread does
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
   * The same in less time, with less accuracy. Warming up takes as long as always: the compiler needs so much to see of
   * small columns as well.
   *
   * @param effort share of the time that reads are repeated for in each round, more than 0 and at most 1
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

  /** How often to repeat a read in each round. */
  private int warmUp(LongSupplier read, double effort) {
    long sum = 0;
    do {
      sum += time(read, 1);
    } while (sum < warmUpNanos);
    final long roundNanos = Math.max(LEAST_ROUND_NANOS, (long) (effort * MIN_ROUND_NANOS));
    // Not by the time of a single read, which on some machines is now and then measured as nothing.
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

  /** Of this thread: what else the machine does is of no account then, but for the caches and clocks it shares. */
  private static long cpuNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }
}
