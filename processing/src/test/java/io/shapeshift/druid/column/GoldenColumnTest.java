// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.testing.Golden;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole columns, byte by byte: header, composition, offsets and chunks. */
class GoldenColumnTest {
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void columnsMatchTheirGoldenBytes(boolean bigEndian) throws IOException {
    final ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    final Setup setup = new Setup(BlockSize.SMALL, OptimizationTarget.FASTBUTSMALLISH, order);
    final List<Golden.Example> examples =
        Golden.check(Golden.file("columns/ints", order), values -> setup.write(values).array());
    assertEquals(3, examples.size());
    for (Golden.Example example : examples) {
      final int[] expected = example.values();
      final ShapeShiftingColumnarInts column =
          ShapeShiftingColumnarIntsSupplier.read("golden", ByteBuffer.wrap(example.bytes()).order(order)).get();
      final int[] actual = new int[column.size()];
      column.get(actual, 0, actual.length);
      assertArrayEquals(expected, actual, example.spec());
      column.close();
    }
  }
}
