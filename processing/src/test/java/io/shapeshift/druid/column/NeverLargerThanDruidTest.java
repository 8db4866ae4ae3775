// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.testing.HostileData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The promise that no column of ids is larger than Druid's own, times what its target allows, header included. */
@ExtendWith(RandomData.Seeded.class)
class NeverLargerThanDruidTest {
  private static final int COLUMNS = Tier.pick(120, 10_000);

  @ParameterizedTest
  @CsvSource({"FASTBUTSMALLISH, LZ4, 1, 1", "FASTER, LZ4, 1.1, 1", "SMALLER, ZSTD, 1.02, 4"})
  void columnsOfAllShapes(
      OptimizationTarget target,
      CompressionStrategy strategy,
      double allowed,
      int oneIn,
      RandomData random
  ) throws IOException {
    final HostileData data = new HostileData(random);
    for (int i = 0; i < COLUMNS / oneIn; i++) {
      final int[] values = data.ids();
      final byte[] column = new Setup(BlockSize.LARGE, target, ByteOrder.LITTLE_ENDIAN).write(values).array();
      final int stock = druid(values, strategy);
      assertTrue(
          column.length <= stock * allowed, () -> column.length + " bytes, Druid's " + stock + " of" + data.told());
    }
  }

  /** Nor are the smallest columns. */
  @ParameterizedTest
  @CsvSource({"FASTBUTSMALLISH, LZ4, 1", "FASTER, LZ4, 1.1", "SMALLER, ZSTD, 1.02"})
  void shortColumns(OptimizationTarget target, CompressionStrategy strategy, double allowed, RandomData random)
      throws IOException {
    for (int length = 0; length < 300; length++) {
      final int[] values = new int[length];
      final int bound = 1 << random.between(0, 20);
      Arrays.setAll(values, i -> random.nextInt(bound));
      final int ours = new Setup(BlockSize.LARGE, target, ByteOrder.LITTLE_ENDIAN).write(values).limit();
      final int stock = druid(values, strategy);
      assertTrue(ours <= stock * allowed, () -> ours + " bytes, Druid's " + stock + " of " + values.length
          + " below " + bound);
    }
  }

  /** Blocks of Druid's own, in which values are wider than they need be, are read as any others. */
  @ParameterizedTest
  @CsvSource({"FASTBUTSMALLISH", "FASTER", "SMALLER"})
  void areRead(OptimizationTarget target, RandomData random) {
    final HostileData data = new HostileData(random);
    for (int i = 0; i < COLUMNS / 10; i++) {
      final int[] values = data.ids();
      try (ShapeShiftingColumnarInts column =
               new Setup(BlockSize.LARGE, target, ByteOrder.LITTLE_ENDIAN).column(values).get()) {
        final int[] read = new int[values.length];
        column.get(read, 0, read.length);
        assertTrue(Arrays.equals(values, read), data::told);
      }
    }
  }

  private static int druid(int[] values, CompressionStrategy strategy) throws IOException {
    try (Closer closer = Closer.create()) {
      final var serializer = CompressedVSizeColumnarIntsSerializer.create(
          "dim",
          new OnHeapMemorySegmentWriteOutMedium(),
          "dim",
          IntColumns.cardinality(values),
          strategy,
          closer
      );
      serializer.open();
      for (int value : values) {
        serializer.addValue(value);
      }
      return IntColumns.bytes(serializer).length;
    }
  }
}
