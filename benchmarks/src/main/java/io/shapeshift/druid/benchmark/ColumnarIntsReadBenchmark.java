// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.druid.segment.data.ColumnarInts;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Reads a column of ints as Druid's engines do: nanoseconds per row of the column, whether or not it is selected.
 *
 * <p>A polluted JVM has read columns of all widths and forms before, as a historical has; a fresh one knows only the
 * column that it measures.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(IntColumns.ROWS)
@Fork(value = 1, jvmArgsAppend = {"-Xmx1g", "--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ColumnarIntsReadBenchmark {
  private static final int VECTOR_SIZE = 512;

  /** What the rows are like. */
  @Param({"sequential", "runs", "zipf", "uniform1", "uniform2", "uniform3"})
  private String distribution;

  /** How they are stored: {@code form-<name>} forces one form. */
  @Param({"druid-lz4", "shapeshift-smaller", "shapeshift-fastbutsmallish", "shapeshift-faster"})
  private String encoding;

  /** Share of the rows that is read by positions. */
  @Param({"0.001", "0.01", "0.1", "1"})
  private double selected;

  /** Whether the JVM has read columns of all kinds before. */
  @Param({"true", "false"})
  private boolean polluted;

  private ColumnarInts column;
  private int[] positions;
  private int[] vector;

  /** Writes the column, chooses the rows, and pollutes the JVM if it is to be. */
  @Setup
  public void setUp() throws IOException {
    if (polluted) {
      IntColumns.readAllKinds(this::readAll);
    }
    column = IntColumns.write(IntColumns.values(distribution), encoding);
    vector = new int[VECTOR_SIZE];
    positions = new Random(1).ints(0, IntColumns.ROWS).distinct().limit((long) (IntColumns.ROWS * selected)).sorted()
                             .toArray();
  }

  private void readAll(ColumnarInts kind, Blackhole blackhole) {
    final int[] out = new int[VECTOR_SIZE];
    final int[] indexes = new int[VECTOR_SIZE];
    for (int start = 0; start < IntColumns.ROWS; start += VECTOR_SIZE) {
      for (int i = 0; i < VECTOR_SIZE; i++) {
        indexes[i] = start + i;
        blackhole.consume(kind.get(start + i));
      }
      kind.get(out, start, VECTOR_SIZE);
      kind.get(out, indexes, VECTOR_SIZE);
      blackhole.consume(out);
    }
  }

  /** All rows, by vectors. */
  @Benchmark
  public void scan(Blackhole blackhole) {
    for (int start = 0; start < IntColumns.ROWS; start += VECTOR_SIZE) {
      column.get(vector, start, VECTOR_SIZE);
      blackhole.consume(vector);
    }
  }

  /** The selected rows, by vectors of positions. */
  @Benchmark
  public void select(Blackhole blackhole) {
    final int[] indexes = new int[VECTOR_SIZE];
    for (int start = 0; start < positions.length; start += VECTOR_SIZE) {
      final int length = Math.min(VECTOR_SIZE, positions.length - start);
      System.arraycopy(positions, start, indexes, 0, length);
      column.get(vector, indexes, length);
      blackhole.consume(vector);
    }
  }

  /** The selected rows, one by one. */
  @Benchmark
  public void single(Blackhole blackhole) {
    for (int position : positions) {
      blackhole.consume(column.get(position));
    }
  }
}
