// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.NumberColumns.Setup;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteOrder;
import java.util.Map;
import org.apache.druid.segment.data.CompressionStrategy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Numbers in forms of their own take no more than Druid's own column of them but for their header, and under the
 * target that has Zstandard for two in a hundred; and much less in all.
 */
class NumbersNeverLargerThanDruidTest {
  @ParameterizedTest
  @CsvSource({
    "LONG, FASTBUTSMALLISH, LZ4, 1", "DOUBLE, FASTBUTSMALLISH, LZ4, 1", "FLOAT, FASTBUTSMALLISH, LZ4, 1",
    "LONG, SMALLER, ZSTD, 1.02", "DOUBLE, SMALLER, ZSTD, 1.02", "FLOAT, SMALLER, ZSTD, 1.02"
  })
  void columnsOfAllShapes(NumberType type, OptimizationTarget target, CompressionStrategy strategy, double allowed) {
    final ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    long allOurs = 0;
    long allDruids = 0;
    for (int length : new int[] {1000, 20_000}) {
      int combination = length / 1000;
      // These very values in each run: what the codecs make of others can be a little more.
      for (Map.Entry<String, long[]> shape : NumberData.shapes(type, length, new RandomData(length)).entrySet()) {
        if (!Tier.tries(combination++, 4)) {
          continue;
        }
        final ColumnData<?> column =
            new Setup(type, BlockSize.LARGE, target, order).column(shape.getValue()).data();
        final int head = column.header().headerSize() + column.header().offsetsSize();
        final int ours = column.sizeInBytes();
        final int druids = NumberColumns.druids(type, shape.getValue(), strategy, order).length;
        assertTrue(ours <= druids * allowed + head,
            () -> ours + " bytes, Druid's " + druids + " of " + length + " of " + shape.getKey());
        allOurs += ours;
        allDruids += druids;
      }
    }
    assertTrue(allOurs < 0.8 * allDruids, allOurs + " bytes, Druid's " + allDruids);
  }
}
