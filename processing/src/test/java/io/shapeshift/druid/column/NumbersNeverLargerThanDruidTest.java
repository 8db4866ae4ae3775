// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.NumberColumns.Setup;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.HostileData;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.druid.segment.data.CompressionStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The promise that no column of numbers is larger than Druid's own, times what its target allows, header included; and
 * that usual ones are much smaller in all.
 */
@ExtendWith(RandomData.Seeded.class)
@Tag("slow")
class NumbersNeverLargerThanDruidTest {
  private static final int COLUMNS = Tier.pick(20, 5000);
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  private record Promise(OptimizationTarget target, CompressionStrategy strategy, double allowed, int oneIn) {
    private int check(NumberType type, long[] numbers, String what) {
      final int ours = new Setup(type, BlockSize.LARGE, target, ORDER).write(numbers).limit();
      final int stock = NumberColumns.stock(type, numbers, strategy, ORDER).length;
      assertTrue(ours <= stock * allowed, () -> ours + " bytes, Druid's " + stock + " of" + what);
      return stock - ours;
    }
  }

  private static Stream<Arguments> promises() {
    return Stream.of(
        new Promise(OptimizationTarget.FASTBUTSMALLISH, CompressionStrategy.LZ4, 1, 1),
        new Promise(OptimizationTarget.FASTER, CompressionStrategy.LZ4, 1.1, 1),
        new Promise(OptimizationTarget.SMALLER, CompressionStrategy.ZSTD, 1.02, 10)
    ).flatMap(promise -> Stream.of(NumberType.values()).map(type -> Arguments.of(promise, type)));
  }

  @ParameterizedTest
  @MethodSource("promises")
  void hostileColumns(Promise promise, NumberType type, RandomData random) {
    final HostileData data = new HostileData(random);
    for (int i = 0; i < COLUMNS / promise.oneIn; i++) {
      promise.check(type, data.numbers(type), data.told());
    }
  }

  @ParameterizedTest
  @MethodSource("promises")
  void columnsOfAllShapes(Promise promise, NumberType type, RandomData random) {
    long all = 0;
    long saved = 0;
    for (int length : new int[] {0, 1, 100, 1000, 20_000}) {
      int combination = length / 1000;
      for (Map.Entry<String, long[]> shape : NumberData.shapes(type, length, random).entrySet()) {
        if (Tier.tries(combination++, 4)) {
          all += (long) length * type.bytes();
          saved += promise.check(type, shape.getValue(), " " + length + " of " + shape.getKey());
        }
      }
    }
    assertTrue(saved > 0.05 * all, saved + " bytes of " + all + " saved");
  }
}
