// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import io.shapeshift.druid.column.hash.HashIndexReader;
import io.shapeshift.druid.column.numbers.NumberScan;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.FormSelectors;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.druid.java.util.common.FileUtils;
import org.openjdk.jmh.annotations.Benchmark;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Finds several existing keys of a column of unique longs, by its hash index and by a scan. It shows where the scan
 * becomes faster, which {@code KeyCost} estimates.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class KeySetBenchmark {
  /** Number of rows. */
  @Param("3000000")
  public int rows;

  /** Number of keys to find. */
  @Param({"1", "100", "1000", "10000", "100000"})
  public int wanted;

  /** Kind of the column. */
  @Param
  public Kind kind;

  private File directory;
  private ShapeShiftingColumnarLongs column;
  private HashIndexReader reader;
  private NumberScan scan;
  private WantedNumbers numbers;

  /** Kinds of columns of unique longs. */
  public enum Kind {
    /** Random numbers of 64 bits, not encoded. */
    RANDOM {
      @Override
      long[] keys(int rows, Random random) {
        return random.longs(rows).toArray();
      }
    },
    /** A permutation of the row numbers, packed. */
    SHUFFLED {
      @Override
      long[] keys(int rows, Random random) {
        final long[] keys = LongStream.range(0, rows).toArray();
        for (int i = rows - 1; i > 0; i--) {
          final int other = random.nextInt(i + 1);
          final long key = keys[i];
          keys[i] = keys[other];
          keys[other] = key;
        }
        return keys;
      }
    },
    /** A permutation of the row numbers in Druid's blocks, compressed by LZ4. */
    LZ4 {
      @Override
      long[] keys(int rows, Random random) {
        return SHUFFLED.keys(rows, random);
      }

      @Override
      FormSelector<NumberChunk> selector() {
        return FormSelectors.forNumbers(
            List.of(NumberForms.stock(NumberType.LONG)), OptimizationTarget.FASTBUTSMALLISH);
      }
    };

    abstract long[] keys(int rows, Random random);

    FormSelector<NumberChunk> selector() {
      return KeyColumn.selector();
    }
  }

  /** Makes the column and its index. */
  @Setup(Level.Trial)
  public void write() throws IOException {
    directory = FileUtils.createTempDir();
    final Random random = new Random(rows);
    final long[] keys = kind.keys(rows, random);
    final KeyColumn written = KeyColumn.write(rows, row -> keys[row], kind.selector(), directory);
    column = written.numbers().get();
    reader = written.index().reader(column::get);
    scan = written.numbers().scan();
    numbers = WantedNumbers.of(
        NumberType.LONG, random.ints(0, rows).distinct().limit(wanted).mapToLong(row -> keys[row]).toArray());
  }

  /** Closes the column, and deletes temporary files. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    column.close();
    scan.close();
    FileUtils.deleteDirectory(directory);
  }

  /** Finds the keys by the hash index. */
  @Benchmark
  public RowSet index() {
    final RowSet out = new RowSet(rows);
    reader.find(numbers.sortables(), out);
    return out;
  }

  /** Finds the keys by a scan. */
  @Benchmark
  public RowSet scan() {
    final RowSet out = new RowSet(rows);
    scan.find(numbers, out);
    return out;
  }
}
