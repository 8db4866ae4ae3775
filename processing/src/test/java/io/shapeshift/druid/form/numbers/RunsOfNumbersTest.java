// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers of all types in runs of all average lengths, in frames whose step is taken once for each run. */
@ExtendWith(RandomData.Seeded.class)
class RunsOfNumbersTest {
  private static final double[] AVERAGES = {1.4, 1.7, 2, 3, 5, 7, 8, 9, 20, 100};
  private static final int[] LENGTHS = {63, 65, 500, 512, 513, 2048, 5000, 8192};

  @ParameterizedTest
  @CsvSource({
    "LONG, linear, 0", "LONG, linear, 1", "DOUBLE, linear, 0", "DOUBLE, decimal, 0", "DOUBLE, decimal, 1",
    "FLOAT, linear, 0", "FLOAT, decimal, 0", "FLOAT, decimal, 1"
  })
  void readsRunsInFrames(NumberType type, String frame, int exceptionsInHundred, RandomData random) {
    final NumberForm form = NumberForms.of(type).stream()
        .filter(each -> each.name().equals(frame + "-runend"))
        .findFirst()
        .orElseThrow();
    int tried = 0;
    int combination = 0;
    try (NumberChunkReader reader = NumberForms.reader(type)) {
      for (double average : AVERAGES) {
        for (int length : LENGTHS) {
          final long[] bits = runs(type, frame, length, average, random);
          for (int i = 0; i < length * exceptionsInHundred / 100; i++) {
            bits[random.nextInt(length)] = exception(type);
          }
          final NumberSample sample = new NumberSample(type, length + " in " + frame + " runs of " + average, bits);
          if (!sample.suits(form)) {
            continue;
          }
          tried++;
          for (ByteOrder order : FormContract.orders()) {
            if (!Tier.tries(combination++, 5)) {
              continue;
            }
            final ByteBuffer chunk = sample.encode(form, order);
            assertEquals(form.estimate(sample.chunk()).bytes(), chunk.limit(), sample.name());
            for (int attempt = 0; attempt < 3; attempt++) {
              reader.startChunk(length);
              form.transform(chunk.duplicate().order(order), 0, chunk.limit(), reader);
              if (attempt > 0) {
                // First a few positions, or a short range, for which nothing is prepared.
                final int first = random.nextInt(length);
                assertEquals(bits[first], NumberReads.get(reader, first), sample.name());
              }
              for (int again = 0; again < 3; again++) {
                NumberReads.assertAll(bits, reader, random, sample::toString);
              }
            }
          }
        }
      }
    }
    assertTrue(tried > AVERAGES.length * LENGTHS.length * 3 / 4, tried + " chunks suit the form");
  }

  private static long exception(NumberType type) {
    return type == NumberType.LONG ? Long.MAX_VALUE - 5 : NumberData.bits(type, Double.NaN);
  }

  private static long[] runs(NumberType type, String frame, int length, double average, RandomData random) {
    final long[] bits = new long[length];
    for (int i = 0; i < length; i++) {
      bits[i] = i > 0 && random.nextDouble() >= 1 / average
                ? bits[i - 1]
                : number(type, frame, random.nextInt(100_000));
    }
    return bits;
  }

  private static long number(NumberType type, String frame, int value) {
    if (frame.equals("decimal")) {
      return NumberData.bits(type, type == NumberType.FLOAT ? (value - 50_000) / 100f : (value - 50_000) / 100.0);
    }
    return type == NumberType.FLOAT ? 0x3F80_0000 + 3L * value : -1_000_000_000_000_000L + 7000L * value;
  }
}
