// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.kernel;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.bits.RawBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compares the unpacking of bits with its limit, which is a copy of unpacked ints. Times are per value of a chunk of
 * 16,384 values that is read in vectors of 512. If the JIT compiler vectorises the loops, {@code -jvmArgsAppend
 * -XX:-UseSuperWord} makes {@link #unpack} several times slower, but not {@link #copy}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class UnpackBenchmark {
  private static final int VALUES = 1 << 14;
  private static final int VECTOR = 512;

  /** Bits per value. */
  @Param({"1", "8", "11", "17"})
  public int width;

  private final int[] values = new int[VALUES];
  private final int[] vector = new int[VECTOR];
  private final int[] scratch = new int[VECTOR];
  private final RawBytes packed = new RawBytes();
  private int logLanes;

  /** Packs random values. */
  @Setup(Level.Trial)
  public void pack() {
    final Random random = new Random(width);
    for (int i = 0; i < VALUES; i++) {
      values[i] = random.nextInt(1 << width);
    }
    final int numWords = InterleavedPacking.numWords(VALUES, width);
    final ByteBuffer buffer = ByteBuffer.allocateDirect(Integer.BYTES * numWords).order(ByteOrder.nativeOrder());
    InterleavedPacking.pack(values, VALUES, width, new int[numWords], buffer);
    packed.wrap(buffer);
    logLanes = InterleavedPacking.logLanes(VALUES);
  }

  /** Unpacks the chunk. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int unpack() {
    int sum = 0;
    for (int row = 0; row < VALUES / VECTOR; row++) {
      InterleavedPacking.unpack(packed, 0, logLanes, width, row, 0, 5, vector, 0, VECTOR, scratch);
      sum += vector[row];
    }
    return sum;
  }

  /** Copies the same number of ints. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int copy() {
    int sum = 0;
    for (int row = 0; row < VALUES / VECTOR; row++) {
      System.arraycopy(values, row * VECTOR, vector, 0, VECTOR);
      sum += vector[row];
    }
    return sum;
  }
}
