// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongs;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.metrics.Totals;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The chunks that a reader counts are those that it read, each as what it was. */
@ExtendWith(RandomData.Seeded.class)
class ChunksReadTest {
  private static final int ROWS = 70_000;

  /** How many chunks were read since the process started. */
  private record Read(long inPlace, long decodedWhole) {
    static Read now() {
      return new Read(of("inPlace"), of("decodedWhole"));
    }

    private static long of(String kind) {
      final AtomicLong found = new AtomicLong();
      Totals.forEach((metric, total) -> {
        if (metric.equals(new Totals.Metric("shapeshift/read/chunks", Map.of("kind", kind)))) {
          found.set(total);
        }
      });
      return found.get();
    }

    Read since(Read before) {
      return new Read(inPlace - before.inPlace, decodedWhole - before.decodedWhole);
    }

    Read plus(Read other) {
      return new Read(inPlace + other.inPlace, decodedWhole + other.decodedWhole);
    }
  }

  private static Read expected(ColumnData<?> data, ColumnData.DecodedWhole whole) {
    return new Read(data.header().numChunks() - whole.chunks(), whole.chunks());
  }

  private static List<int[]> rows(RandomData random) {
    final int[] texts = new int[ROWS];
    final int[] runs = new int[ROWS];
    final int[] packed = new int[ROWS];
    for (int i = 0; i < ROWS; i++) {
      texts[i] = i % 1000 < 990 ? i % 77 * 1000 : random.nextInt(1 << 20);
      runs[i] = i == 0 || random.nextInt(30) == 0 ? random.nextInt(1 << 20) : runs[i - 1];
      packed[i] = random.nextInt(1000);
    }
    return List.of(texts, runs, packed, new int[ROWS]);
  }

  @Test
  void ofIntsUnderEachTarget(RandomData random) {
    Read all = new Read(0, 0);
    for (OptimizationTarget target : OptimizationTarget.values()) {
      for (int[] rows : rows(random)) {
        final ShapeShiftingColumnarIntsSupplier column =
            new IntColumns.Setup(BlockSize.SMALL, target, ByteOrder.LITTLE_ENDIAN).column(rows);
        final Read before = Read.now();
        final Read expected;
        try (ShapeShiftingColumnarInts ints = column.get()) {
          expected = expected(column.data(), ints.decodedWhole());
          final int[] out = new int[ROWS];
          ints.get(out, 0, ROWS);
          assertArrayEquals(rows, out);
          assertEquals(before, Read.now(), "counted when the reader is closed, not before");
        }
        final Read read = Read.now().since(before);
        assertEquals(expected, read, () -> target + ": " + column.data().header().composition());
        all = all.plus(read);
      }
    }
    assertTrue(all.inPlace > 0 && all.decodedWhole > 0, all::toString);
  }

  @Test
  void ofLongsUnderEachTarget(RandomData random) {
    Read all = new Read(0, 0);
    for (OptimizationTarget target : OptimizationTarget.values()) {
      for (int[] rows : rows(random)) {
        final long[] longs = Arrays.stream(rows).mapToLong(row -> row * 1000L + 17).toArray();
        final ShapeShiftingNumbersSupplier<?> column = new NumberColumns.Setup(
            NumberType.LONG, BlockSize.SMALL, target, ByteOrder.LITTLE_ENDIAN).column(longs);
        final Read before = Read.now();
        final Read expected;
        try (ShapeShiftingColumnarLongs reader = (ShapeShiftingColumnarLongs) column.get()) {
          expected = expected(column.data(), reader.decodedWhole());
          final long[] out = new long[ROWS];
          reader.get(out, 0, ROWS);
          assertArrayEquals(longs, out);
        }
        final Read read = Read.now().since(before);
        assertEquals(expected, read, () -> target + ": " + column.data().header().composition());
        all = all.plus(read);
      }
    }
    assertTrue(all.inPlace > 0 && all.decodedWhole > 0, all::toString);
  }
}
