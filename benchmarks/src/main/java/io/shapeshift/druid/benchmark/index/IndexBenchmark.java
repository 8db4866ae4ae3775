// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.benchmark.results.EncodingProfiler;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.annotation.Nullable;
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
import org.openjdk.jmh.annotations.Warmup;

/** What the benchmarks of indexes have in common: the rows, and what the JVM did before. */
// JMH keeps states of the scope Benchmark in static fields, also after a benchmark that failed: without a fork the next
// one would get the parameters of that one.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public abstract class IndexBenchmark {
  private static final long FIRST_POLLUTION_NANOS = 1_500_000_000;
  private static final long AGAIN_NANOS = 50_000_000;
  private static final String ROWS = "rows";

  /** How the values are spread: see {@link ColumnShape}. */
  @Param({"uniform", "zipf", "sorted", "runs"})
  private String shape;

  /** From how many values the rows are drawn; {@code rows} for as many as there are rows. */
  @Param({"2", "10", "100", "1000", "10000", "100000", ROWS})
  private String cardinality;

  /** How many rows there are. */
  @Param("1000000")
  private int rows;

  /** What the JVM did before: {@code fresh}, nothing; {@code polluted}, the same with indexes of all kinds. */
  @Param({"fresh", "polluted"})
  private String jvm;

  @Nullable
  private IndexPollution pollution;

  /** The rows of a column; other columns of the same shape have other seeds. */
  final RowValues.Ids rows(long seed) {
    return ColumnShape.parse(shape).rows(rows, numValues(), seed);
  }

  private int numValues() {
    if (cardinality.equals(ROWS)) {
      return rows;
    }
    try {
      final int number = Integer.parseInt(cardinality);
      if (number > 0 && number <= rows) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "cardinality is " + cardinality + ": it must be " + ROWS + " or a number from 1 to that of the rows, " + rows);
  }

  /** Pollutes the JVM for the first time, if it is to be. */
  final void startPollution(Supplier<IndexPollution> start) {
    if (jvm.equals("polluted")) {
      pollution = start.get();
      pollute(pollution, FIRST_POLLUTION_NANOS);
    } else if (!jvm.equals("fresh")) {
      throw new IllegalArgumentException("jvm is " + jvm + ": it must be fresh or polluted");
    }
  }

  /** Pollutes it again: what is measured for long would become the only kind that the compiler cares for. */
  @Setup(Level.Iteration)
  public void pollute() {
    if (pollution != null) {
      pollute(pollution, AGAIN_NANOS);
    }
  }

  /** Does for so long what is measured, with indexes of all kinds. */
  abstract void pollute(IndexPollution pollution, long nanos);

  /** Puts beside the times what the encoding made of the rows. */
  static void report(IndexedColumn column, long selectedRows) {
    EncodingProfiler.reportIndex(
        column.rows().rows(),
        column.rows().cardinality(),
        selectedRows,
        column.indexBytes(),
        column.idBytes()
    );
  }
}
