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

/** Base class of the benchmarks of indexes: the rows, and the pollution of the JVM. */
// A state of scope Benchmark would be wrong: JMH keeps it in a static field even after a benchmark has failed, and
// without a fork the next benchmark would get the old parameters.
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

  /** Distribution of the values: see {@link ColumnShape}. */
  @Param({"uniform", "zipf", "sorted", "runs"})
  private String shape;

  /** Number of values that the rows are drawn from; {@code rows} for the number of rows. */
  @Param({"2", "10", "100", "1000", "10000", "100000", ROWS})
  private String cardinality;

  /** Number of rows. */
  @Param("1000000")
  private int rows;

  /**
   * State of the JVM: {@code fresh}, it has done nothing; {@code polluted}, the same work with indexes of all kinds.
   */
  @Param({"fresh", "polluted"})
  private String jvm;

  @Nullable
  private IndexPollution pollution;

  /** The rows of a column; several columns of one shape need different seeds. */
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
      // The check below reports it.
    }
    throw new IllegalArgumentException(
        "cardinality is " + cardinality + ": it must be " + ROWS + " or a number from 1 to that of the rows, " + rows);
  }

  /** Pollutes the JVM for the first time, if the parameter asks for it. */
  final void startPollution(Supplier<IndexPollution> start) {
    if (jvm.equals("polluted")) {
      pollution = start.get();
      pollute(pollution, FIRST_POLLUTION_NANOS);
    } else if (!jvm.equals("fresh")) {
      throw new IllegalArgumentException("jvm is " + jvm + ": it must be fresh or polluted");
    }
  }

  /**
   * Pollutes the JVM again. Otherwise the compiler would specialise the code for the index that is measured for long.
   */
  @Setup(Level.Iteration)
  public void pollute() {
    if (pollution != null) {
      pollute(pollution, AGAIN_NANOS);
    }
  }

  /** Runs the measured operation with indexes of all kinds, for a given time. */
  abstract void pollute(IndexPollution pollution, long nanos);

  /** Reports the sizes of the index and the ids beside the times. */
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
