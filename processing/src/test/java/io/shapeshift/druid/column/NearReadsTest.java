// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.NumberColumns.Setup;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How near reads of single values have to be for their vectors to be decoded, by the chunk's form. */
@ExtendWith(RandomData.Seeded.class)
class NearReadsTest {
  private static final int ROWS = 4096;
  private static final int READS = 20;

  @ParameterizedTest
  @CsvSource({
      "delta-bitpack, 1, true", "delta-bitpack, -1, true", "delta-bitpack, 5, true", "delta-bitpack, -5, true",
      "delta-bitpack, 60, true", "delta-bitpack, -60, true", "delta-bitpack, 100, false", "delta-bitpack, -100, false",
      "linear-delta, -60, true", "linear-bytepack, 1, true", "linear-bytepack, -1, true", "linear-bytepack, -5, true",
      "linear-bytepack, 60, false", "linear-bytepack, -60, false"
  })
  void decodesVectorsOfReadsThatAreNear(String form, int step, boolean isNear, RandomData random) {
    final long[] values = new long[ROWS];
    for (int i = 1; i < ROWS; i++) {
      values[i] = values[i - 1] + random.nextInt(1000);
    }
    final Setup setup =
        Setup.ofForms(NumberType.LONG, BlockSize.LARGE, new String[] {form}, ByteOrder.nativeOrder());
    try (NumberColumn numbers = NumberColumn.of(setup.column(values))) {
      final ShapeShiftingColumn<?> column = (ShapeShiftingColumn<?>) numbers.column();
      final int[] positions = IntStream.range(0, READS).map(i -> ROWS / 2 + i * step).toArray();
      for (int position : positions) {
        assertEquals(values[position], numbers.get(position), () -> "at " + position);
      }
      final int last = positions[READS - 1] - column.windowStart;
      assertEquals(isNear, last >= 0 && last < column.windowLength);
    }
  }
}
