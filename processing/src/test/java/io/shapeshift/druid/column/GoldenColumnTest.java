// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.form.Forms;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.testing.Golden;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole columns, byte by byte: header, composition, offsets, groups and chunks. */
class GoldenColumnTest {
  /** Columns of the version that is no longer written, in chunks of one block of 4,096 values. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void columnsOfVersion1CanBeRead(boolean bigEndian) throws IOException {
    final ByteOrder order = order(bigEndian);
    final List<Golden.Example> examples = Golden.read(Golden.file("columns/ints-v1", order));
    assertEquals(3, examples.size());
    for (Golden.Example example : examples) {
      assertEquals(1, example.bytes()[0]);
      final List<ChunkInfo> chunks = assertRead(example, order);
      for (ChunkInfo chunk : chunks) {
        assertEquals(chunk.number(), chunk.firstBlock());
        assertEquals(1, chunk.numBlocks());
      }
      assertEquals((example.values().length + 4095) / 4096, chunks.size());
    }
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void columnsMatchTheirGoldenBytes(boolean bigEndian) throws IOException {
    final ByteOrder order = order(bigEndian);
    final Setup setup = new Setup(BlockSize.SMALL, OptimizationTarget.FASTBUTSMALLISH, order);
    final List<Golden.Example> examples =
        Golden.check(Golden.file("columns/ints-v2", order), values -> setup.write(values).array());
    final List<List<String>> chunks = new ArrayList<>();
    for (Golden.Example example : examples) {
      assertEquals(ColumnHeader.VERSION, example.bytes()[0]);
      chunks.add(assertRead(example, order).stream().map(GoldenColumnTest::describe).toList());
    }
    // Chunks of all kinds: should the selection change, add examples that have them.
    assertEquals(
        List.of(
            List.of("zero: 4 blocks, 4096 values", "constant: 4 blocks, 4096 values", "bytepack: 1 blocks, 3 values"),
            List.of(),
            List.of("constant: 1 blocks, 1 values"),
            List.of("lz4: 16 blocks, 16384 values", "lz4: 2 blocks, 1600 values"),
            List.of("constant: 4 blocks, 4096 values", "constant: 1 blocks, 1024 values",
                "constant: 1 blocks, 1024 values", "constant: 1 blocks, 1 values"),
            List.of("constant: 4 blocks, 4096 values", "lz4: 4 blocks, 4096 values", "bytepack: 1 blocks, 3 values")
        ),
        chunks
    );
  }

  private static ByteOrder order(boolean bigEndian) {
    return bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  private static List<ChunkInfo> assertRead(Golden.Example example, ByteOrder order) {
    final int[] expected = example.values();
    final ShapeShiftingColumnarIntsSupplier supplier =
        ShapeShiftingColumnarIntsSupplier.read("golden", ByteBuffer.wrap(example.bytes()).order(order));
    try (ShapeShiftingColumnarInts column = supplier.get()) {
      final int[] actual = new int[column.size()];
      column.get(actual, 0, actual.length);
      assertArrayEquals(expected, actual, example.spec());
      for (int i = expected.length - 1; i >= 0; i--) {
        assertEquals(expected[i], column.get(i), example.spec());
      }
    }
    assertEquals(example.bytes().length, supplier.data().sizeInBytes());
    return supplier.data().chunks();
  }

  private static String describe(ChunkInfo chunk) {
    return "%s: %d blocks, %d values".formatted(
        Forms.intForm(chunk.formId()).name(), chunk.numBlocks(), chunk.numValues());
  }
}
