// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.primitives.Ints;
import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What there is around the chunks may cost some bytes more than Druid's own column, but never the chunks. */
class NeverLargerThanDruidTest {
  private static final int COLUMNS = Tier.pick(40, 200);
  /** Of smaller columns the header is too large a part. */
  private static final int LEAST_BYTES = 2048;

  @ParameterizedTest
  @CsvSource({"FASTBUTSMALLISH, LZ4, 1", "SMALLER, ZSTD, 1.02"})
  void columnsOfAllShapes(OptimizationTarget target, CompressionStrategy strategy, double allowed) throws IOException {
    // These very values in each run: what the codecs make of others can be a little more.
    final RandomData random = new RandomData(1);
    for (int i = 0; i < COLUMNS; i++) {
      final StringBuilder shape = new StringBuilder();
      final int pieces = random.nextInt(3) == 0 ? random.between(2, 5) : 1;
      int[] values = new int[0];
      for (int piece = 0; piece < pieces; piece++) {
        values = Ints.concat(values, piece(random, shape));
      }
      final ColumnData<?> column =
          new Setup(BlockSize.LARGE, target, ByteOrder.LITTLE_ENDIAN).column(values).data();
      final int head = column.header().headerSize() + column.header().offsetsSize();
      final int ours = column.sizeInBytes();
      final int druids = druid(values, strategy);
      if (druids > LEAST_BYTES) {
        assertTrue(ours <= druids * allowed + head, () -> ours + " bytes, Druid's " + druids + " of" + shape);
      } else if (allowed == 1) {
        assertTrue(ours <= druids + head, () -> ours + " bytes, Druid's " + druids + " of" + shape);
      }
    }
  }

  private static int[] piece(RandomData random, StringBuilder what) {
    final int length = (int) Math.pow(2, random.between(40, 175) / 10.0);
    final int width = random.between(1, random.nextInt(2) == 0 ? 8 : 20);
    final int shape = random.nextInt(10);
    what.append(" shape ").append(shape).append(", ").append(length).append(" of ").append(width).append(" bits");
    return switch (shape) {
      case 0 -> random.uniform(length, width);
      case 1 -> random.runs(length, width, 1, 2, 3, random.between(1, 50));
      case 2 -> random.zipf(length, 1 << width);
      case 3 -> random.sparse(length, width, random.between(2, 500));
      case 4 -> random.phrases(length, width, random.between(2, 500), random.between(2, 200));
      case 5 -> random.exceptions(length, random.between(0, width), 20, random.between(2, 1000));
      case 6 -> RandomData.sequence(length, random.uniform(width));
      case 7 -> {
        final int[] sorted = random.zipf(length, 1 << width);
        Arrays.sort(sorted);
        yield sorted;
      }
      case 8 -> {
        // Each value depends on the one before.
        final int[] next = random.uniform(1 << Math.min(width, 12), Math.min(width, 12));
        final int[] values = new int[length];
        for (int i = 1; i < length; i++) {
          values[i] = random.nextInt(8) == 0 ? random.nextInt(next.length) : next[values[i - 1]];
        }
        yield values;
      }
      default -> {
        // Repeats itself over a long distance.
        final int period = random.between(1000, 60_000);
        final int[] base = random.zipf(period, 1 << width);
        yield IntStream.range(0, length).map(i -> random.nextInt(50) == 0 ? base[0] : base[i % period]).toArray();
      }
    };
  }

  private static int druid(int[] values, CompressionStrategy strategy) throws IOException {
    try (Closer closer = Closer.create()) {
      final var medium = new OnHeapMemorySegmentWriteOutMedium();
      final int cardinality = Arrays.stream(values).max().orElse(0) + 1;
      final var serializer =
          CompressedVSizeColumnarIntsSerializer.create("dim", medium, "dim", cardinality, strategy, closer);
      serializer.open();
      for (int value : values) {
        serializer.addValue(value);
      }
      return IntColumns.bytes(serializer).length;
    }
  }
}
