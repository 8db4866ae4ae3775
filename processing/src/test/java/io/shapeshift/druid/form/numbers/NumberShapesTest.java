// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.FormContract;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.frame.Frame;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How ints become doubles and floats, bit for bit, at the borders of each way to do so. */
@ExtendWith(RandomData.Seeded.class)
class NumberShapesTest {
  private static final int SIZE = 1100;
  /** Integers from minus this to less than this may be added to the bits of a float. */
  private static final int ONE_PART = 1 << 22;
  private static final int MAX_FLOAT_INTEGER = 1 << 24;

  /** Around each border, on both sides. */
  @ParameterizedTest
  @ValueSource(ints = {
    -MAX_FLOAT_INTEGER, -MAX_FLOAT_INTEGER + 1, -(1 << 23), -ONE_PART - 1, -ONE_PART, -ONE_PART + 1, -1000, -1, 0, 1, 7,
    4095, 4096, ONE_PART - 1001, ONE_PART - 1000, ONE_PART - 999, ONE_PART - 1, ONE_PART, ONE_PART + 1, 1 << 23,
    MAX_FLOAT_INTEGER - 1000
  })
  void decimalsOfFloatsFromABase(int base, RandomData random) {
    final int[] near = IntStream.range(0, SIZE).map(i -> random.nextInt(1001)).toArray();
    near[0] = 0;
    near[1] = 1000;
    assertDecimals(NumberType.FLOAT, base, 1, near, random);
    // Up to the largest, and just to and beyond what is added in one part.
    for (int most : new int[] {MAX_FLOAT_INTEGER, ONE_PART - 1, ONE_PART, 2 * ONE_PART - 1, 2 * ONE_PART}) {
      final int range = Math.min(MAX_FLOAT_INTEGER, Math.min(most, MAX_FLOAT_INTEGER - base));
      final int[] far = IntStream.range(0, SIZE).map(i -> random.nextInt(range + 1)).toArray();
      far[3] = 0;
      far[SIZE - 1] = range;
      assertDecimals(NumberType.FLOAT, base, 1, far, random);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // base, multiplier, greatest int: the greatest integer is below, at or beyond 2^22 and 2^24
    "0, 2, 2097151", "0, 2, 2097152", "1, 2, 2097151", "-4194304, 2, 4194303", "-4194304, 2, 4194304",
    "-4194305, 2, 100", "0, 4194303, 1", "0, 4194304, 1", "-4194304, 4194304, 1", "-4194304, 4194304, 2",
    "-4194304, 8388607, 1", "-4194304, 8388608, 1", "-4194304, 2796202, 3", "0, 16777216, 1", "-8388608, 8388608, 2",
    "0, 1000, 4194", "0, 1000, 4195", "0, 1000, 16777", "-16777216, 4096, 4096", "-4194304, 3, 2796202",
    "-4194304, 3, 2796203"
  })
  void decimalsOfFloatsWithAMultiplier(int base, int multiplier, int greatest, RandomData random) {
    final int[] ints = IntStream.range(0, SIZE).map(i -> random.nextInt(greatest + 1)).toArray();
    ints[7] = greatest;
    ints[8] = 0;
    assertDecimals(NumberType.FLOAT, base, multiplier, ints, random);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1", "-2251799813685248, 1", "2251799813684248, 1", "-2251799813685248, 4503599627370", "-1000000, 7",
    "0, 2251799813685", "1, 1048577"
  })
  void decimalsOfDoubles(long base, long multiplier, RandomData random) {
    final int[] ints = IntStream.range(0, SIZE).map(i -> random.nextInt(1001)).toArray();
    ints[0] = 0;
    ints[1] = 1000;
    assertDecimals(NumberType.DOUBLE, base, multiplier, ints, random);
  }

  /** With each form of ints that stores any of them, as these tell different bounds of their values. */
  private static void assertDecimals(NumberType type, long base, long multiplier, int[] ints, RandomData random) {
    final int[] sparse = ints.clone();
    Arrays.setAll(sparse, i -> i % 40 == 0 ? ints[i] : ints[1]);
    final int[] runs = ints.clone();
    Arrays.setAll(runs, i -> ints[i / 30 * 30]);
    final int[] shortRuns = ints.clone();
    Arrays.setAll(shortRuns, i -> ints[i / 3 * 3]);
    final Set<String> forms = new TreeSet<>();
    int combination = 0;
    try (NumberChunkReader reader = NumberForms.reader(type)) {
      for (int[] each : new int[][] {ints, sparse, runs, shortRuns, RandomData.constant(SIZE, ints[1])}) {
        for (IntForm form : IntForms.ALL) {
          final IntChunk chunk = new IntChunk(SIZE, type == NumberType.DOUBLE && random.nextInt(2) == 0);
          Arrays.stream(each).forEach(chunk::add);
          final boolean isTried = Tier.tries(combination++, 3) || !forms.contains(form.name());
          if (isTried && form.estimate(chunk).kind() != Estimate.Kind.SKIP) {
            final ByteOrder order = FormContract.orders().get(random.nextInt(2));
            final int exponent = random.nextInt(type == NumberType.FLOAT ? 11 : 19);
            final ByteBuffer out = ByteBuffer.allocate(Limits.MAX_CHUNK_BYTES).order(order);
            out.put((byte) 3).put((byte) exponent).putLong(base).putLong(multiplier);
            form.encode(chunk, out);
            out.flip();
            final Frame frame = NumberForms.DECIMAL;
            final ByteBuffer framed =
                ByteBuffer.allocate(1 + out.limit()).order(order).put(frame.id()).put(out.duplicate()).flip();
            reader.startChunk(SIZE);
            frame.transform(framed, 0, framed.limit(), reader);
            final long[] bits = Arrays.stream(each)
                .mapToLong(value -> NumberReference.quotient(type, base + multiplier * value, exponent))
                .toArray();
            NumberReads.assertAll(bits, reader, random, () -> form.name() + " from " + base + " by " + multiplier);
            forms.add(form.name());
          }
        }
      }
    }
    assertTrue(
        forms.containsAll(Set.of("bitpack", "patched", "runend", "constant")), () -> "forms of ints: " + forms);
  }

  /** Any bits, also of NaN, which a conversion by numbers would change. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void readsNumbersAsTheyAre(NumberType type, RandomData random) {
    final long nan = NumberData.bits(type, Double.NaN);
    final long sign = 1L << (type.bytes() * Byte.SIZE - 1);
    try (NumberChunkReader reader = NumberForms.reader(type)) {
      for (int size : new int[] {1, 2, 7, 511, 512, 513, 2000, type.maxValuesPerChunk()}) {
        final long[] bits = LongStream.range(0, size)
            .map(i -> switch (random.nextInt(4)) {
              case 0 -> nan | random.nextInt(1000);
              case 1 -> nan | sign | random.nextInt(1000);
              case 2 -> random.nextInt(2) * sign;
              default -> NumberData.anyBits(type, random);
            })
            .toArray();
        final NumberSample sample = new NumberSample(type, size + " as they are", bits);
        for (NumberForm form : NumberForms.of(type)) {
          if (form.name().startsWith("raw")) {
            for (ByteOrder order : FormContract.orders()) {
              final ByteBuffer chunk = sample.encode(form, order);
              final boolean isDirect = random.nextInt(2) == 0;
              final int offset = random.nextInt(9);
              final int length = chunk.limit();
              final ByteBuffer in =
                  isDirect ? ByteBuffer.allocateDirect(offset + length) : ByteBuffer.allocate(offset + length);
              in.position(offset).put(chunk);
              reader.startChunk(size);
              form.transform(in.order(order), offset, length, reader);
              NumberReads.assertAll(bits, reader, random, () -> sample + " in " + form.name() + ", " + order);
            }
          }
        }
      }
    }
  }
}
