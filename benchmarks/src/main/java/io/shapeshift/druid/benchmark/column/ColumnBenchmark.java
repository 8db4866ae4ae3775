// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.column;

import io.shapeshift.druid.benchmark.results.EncodingProfiler;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.Pollution;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Base class of the benchmarks of columns: the rows, their encoding, and the pollution of the JVM. A result is the time
 * of one pass over the column.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public abstract class ColumnBenchmark {
  private static final long FIRST_POLLUTION_NANOS = 1_500_000_000;
  private static final long AGAIN_NANOS = 50_000_000;

  /**
   * State of the JVM: {@code fresh}, it has read and written only this column; {@code polluted}, columns of all kinds.
   */
  @Param({"fresh", "polluted"})
  private String jvm;

  @Nullable
  private Pollution pollution;

  /**
   * The encoding with a name.
   *
   * @throws IllegalArgumentException if there is none, or it cannot store such values
   */
  static RowEncoding encoding(String name, RowValues values) {
    final RowEncoding encoding = RowEncodings.parse(name);
    if (!encoding.supports(values)) {
      throw new IllegalArgumentException(name + " cannot store " + values.getClass().getSimpleName());
    }
    return encoding;
  }

  /** Pollutes the JVM for the first time, if the parameter asks for it. */
  final void startPollution(Polluter polluter) {
    if (jvm.equals("polluted")) {
      pollution = new Pollution();
      polluter.pollute(pollution, FIRST_POLLUTION_NANOS);
    } else if (!jvm.equals("fresh")) {
      throw new IllegalArgumentException("jvm is " + jvm + ": it must be fresh or polluted");
    }
  }

  /**
   * Pollutes the JVM again. Otherwise, when one column is measured for a long time, the compiler would specialise the
   * code for that column.
   */
  final void goOnPolluting(Polluter polluter) {
    if (pollution != null) {
      polluter.pollute(pollution, AGAIN_NANOS);
    }
  }

  final void endPollution() {
    if (pollution != null) {
      pollution.close();
    }
  }

  /** Pollutes the JVM for a given time. */
  @FunctionalInterface
  interface Polluter {
    void pollute(Pollution pollution, long nanos);
  }

  /** Reports the encoding's size and forms beside the times. */
  static void report(EncodedRows encoded, int rows, int selectedRows) {
    EncodingProfiler.report(rows, selectedRows, encoded.sizeInBytes(), encoded.forms());
  }
}
