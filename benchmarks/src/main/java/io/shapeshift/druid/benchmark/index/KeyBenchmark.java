// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs;
import io.shapeshift.druid.rows.RowSet;
import java.io.File;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.java.util.common.FileUtils;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Builds a hash index of a column of unique random longs of 64 bits, whose size it prints, and finds keys with it. Keys
 * are looked up in random order, so that hardly any lookup in a large column finds its data in a cache of the
 * processor.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class KeyBenchmark {
  private static final int LOOKED_UP = 1 << 14;

  /** Number of rows. */
  @Param({"1000000", "5000000"})
  public int rows;

  private final long[] present = new long[LOOKED_UP];
  private final long[] absent = new long[LOOKED_UP];
  private File directory;
  private long[] keys;
  private ShapeShiftingColumnarLongs column;
  private HashIndexReader reader;

  /** Makes the column and its index. */
  @Setup(Level.Trial)
  public void write() throws IOException {
    directory = FileUtils.createTempDir();
    final Random random = new Random(rows);
    keys = random.longs(rows).toArray();
    for (int i = 0; i < LOOKED_UP; i++) {
      present[i] = keys[random.nextInt(rows)];
      absent[i] = random.nextLong();
    }
    final KeyColumn written = KeyColumn.write(rows, row -> keys[row], directory);
    System.out.printf("%nbytes per row: %.3f%n", (double) written.index().sizeInBytes() / rows);
    column = written.numbers().get();
    reader = written.index().reader(column::get);
  }

  /** Closes the column, and deletes temporary files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    column.close();
    FileUtils.deleteDirectory(directory);
  }

  /** Finds existing keys, and makes a bitmap of the row of each. */
  @Benchmark
  @OperationsPerInvocation(LOOKED_UP)
  public int hit() {
    return find(present);
  }

  /** Finds the rows of existing keys, as a join with unique keys does. */
  @Benchmark
  @OperationsPerInvocation(LOOKED_UP)
  public int unique() {
    int found = 0;
    for (long key : present) {
      found += reader.findUnique(key) < 0 ? 0 : 1;
    }
    return found;
  }

  /** Looks for keys that do not exist. */
  @Benchmark
  @OperationsPerInvocation(LOOKED_UP)
  public int miss() {
    return find(absent);
  }

  private int find(long[] wanted) {
    int found = 0;
    for (long key : wanted) {
      final RowSet out = new RowSet(rows);
      reader.find(key, out);
      found += out.toBitmap(RoaringBitmapFactory.INSTANCE).size();
    }
    return found;
  }

  /** Builds the index in temporary files; one operation is all rows. */
  @Benchmark
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public long build() throws IOException {
    try (SegmentWriteOutMedium medium = KeyColumn.medium(directory)) {
      return KeyColumn.index(rows, row -> keys[row], medium).getSerializedSize();
    }
  }
}
