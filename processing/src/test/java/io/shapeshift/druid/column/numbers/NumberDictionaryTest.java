// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.column.TypeStrategies;
import org.apache.druid.segment.column.TypeStrategy;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FixedIndexedWriter;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dictionaries of numbers answer as Druid's do, and are never larger. */
@ExtendWith(RandomData.Seeded.class)
class NumberDictionaryTest {
  private static ByteBuffer bytes(Serializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final long size = serializer.getSerializedSize();
    serializer.writeTo(Channels.newChannel(out), null);
    assertEquals(size, out.size());
    return ByteBuffer.wrap(out.toByteArray());
  }

  private static <T> ByteBuffer stock(List<T> numbers, TypeStrategy<T> strategy) throws IOException {
    final FixedIndexedWriter<T> writer = new FixedIndexedWriter<>(
        new OnHeapMemorySegmentWriteOutMedium(), strategy, IndexIO.BYTE_ORDER, Long.BYTES, true);
    writer.open();
    for (T number : numbers) {
      writer.write(number);
    }
    return bytes(writer);
  }

  private static ByteBuffer longs(List<Long> numbers) throws IOException {
    return bytes(NumberDictionarySerializer.ofLongs(
        stock(numbers, TypeStrategies.LONG), IndexIO.BYTE_ORDER));
  }

  private static void checkLongs(LongStream numbers, boolean hasNull, long most) throws IOException {
    final List<Long> sorted = sorted(numbers.boxed(), hasNull);
    final ByteBuffer stock = stock(sorted, TypeStrategies.LONG);
    final ByteBuffer ours = longs(sorted);
    assertTrue(ours.remaining() <= Math.min(stock.remaining(), most), ours.remaining() + " bytes");
    check(
        FixedIndexed.read(stock, TypeStrategies.LONG, IndexIO.BYTE_ORDER, Long.BYTES).get(),
        NumberDictionary.longs("x", ours, IndexIO.BYTE_ORDER).get(),
        sorted,
        number -> number + 1
    );
  }

  private interface Next<T> {
    T of(T number);
  }

  private static <T> List<T> sorted(Stream<T> numbers, boolean hasNull) {
    final List<T> sorted = new ArrayList<>(new TreeSet<>(numbers.toList()));
    if (hasNull) {
      sorted.add(0, null);
    }
    return sorted;
  }

  private static <T> void check(FixedIndexed<T> expected, FixedIndexed<T> actual, List<T> sorted, Next<T> next) {
    assertEquals(expected.size(), actual.size());
    assertEquals(expected.isSorted(), actual.isSorted());
    assertEquals(sorted, list(actual));
    for (int id = 0; id < sorted.size(); id++) {
      @Nullable final T number = sorted.get(id);
      assertEquals(expected.get(id), actual.get(id));
      assertEquals(id, actual.indexOf(number));
      if (number != null) {
        final T other = next.of(number);
        assertEquals(expected.indexOf(other), actual.indexOf(other));
        assertEquals(expected.getRange(number, true, other, false), actual.getRange(number, true, other, false));
      }
    }
    assertEquals(expected.indexOf(null), actual.indexOf(null));
    assertThrows(RuntimeException.class, () -> actual.get(sorted.size()));
  }

  private static <T> List<T> list(Iterable<T> all) {
    final List<T> list = new ArrayList<>();
    all.forEach(list::add);
    return list;
  }

  private static void checkDoubles(DoubleStream numbers, boolean hasNull, long most) throws IOException {
    final List<Double> sorted = sorted(numbers.boxed(), hasNull);
    final ByteBuffer stock = stock(sorted, TypeStrategies.DOUBLE);
    final ByteBuffer ours =
        bytes(NumberDictionarySerializer.ofDoubles(stock.duplicate(), IndexIO.BYTE_ORDER));
    assertTrue(ours.remaining() <= Math.min(stock.remaining(), most), ours.remaining() + " bytes");
    final FixedIndexed<Double> read = NumberDictionary.doubles("x", ours, IndexIO.BYTE_ORDER).get();
    check(
        FixedIndexed.read(stock, TypeStrategies.DOUBLE, IndexIO.BYTE_ORDER, Long.BYTES).get(),
        read,
        sorted,
        Math::nextUp
    );
    for (int id = hasNull ? 1 : 0; id < sorted.size(); id++) {
      assertEquals(Double.doubleToRawLongBits(sorted.get(id)), Double.doubleToRawLongBits(read.get(id)));
    }
  }

  @Test
  void anyLongs(RandomData data) throws IOException {
    final Random random = new Random(data.nextLong());
    for (boolean hasNull : new boolean[] {false, true}) {
      checkLongs(LongStream.range(0, 5000), hasNull, 6000);
      checkLongs(LongStream.range(0, 5000).map(i -> 1_700_000_000_000L + 1000 * i), hasNull, 6000);
      checkLongs(LongStream.of(Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE), hasNull, Long.MAX_VALUE);
      checkLongs(random.longs(3000), hasNull, Long.MAX_VALUE);
      for (int i = 0; i < Tier.pick(50, 500); i++) {
        final long bound = 1L << random.nextInt(63);
        final long step = 1L + random.nextInt(10);
        final long first = random.nextLong();
        final int count = random.nextInt(700);
        checkLongs(
            LongStream.generate(() -> first + step * random.nextLong(bound)).limit(count), hasNull, Long.MAX_VALUE);
      }
    }
  }

  @Test
  void anyDoubles(RandomData data) throws IOException {
    final Random random = new Random(data.nextLong());
    for (boolean hasNull : new boolean[] {false, true}) {
      checkDoubles(LongStream.range(0, 5000).mapToDouble(i -> i / 100.0), hasNull, 6000);
      checkDoubles(DoubleStream.of(
          Double.NEGATIVE_INFINITY, -1, -0.0, 0, Double.MIN_VALUE, 1, Double.MAX_VALUE, Double.POSITIVE_INFINITY,
          Double.NaN), hasNull, Long.MAX_VALUE);
      checkDoubles(random.doubles(3000), hasNull, Long.MAX_VALUE);
      checkDoubles(random.longs(3000).mapToDouble(Double::longBitsToDouble), hasNull, Long.MAX_VALUE);
      checkDoubles(DoubleStream.of(), hasNull, Long.MAX_VALUE);
      for (int i = 0; i < Tier.pick(50, 500); i++) {
        final double power = Math.pow(10, random.nextInt(18));
        final long bound = 1L << random.nextInt(60);
        checkDoubles(
            DoubleStream.generate(() -> (random.nextLong(bound) - bound / 2) / power).limit(random.nextInt(500)),
            hasNull,
            Long.MAX_VALUE
        );
      }
    }
  }

  @Test
  void damagedBytesAreReadOrRefused(RandomData data) throws IOException {
    final Random random = new Random(data.nextLong());
    final byte[] intact = longs(sorted(LongStream.range(0, 1000).map(i -> i * i * 37).boxed(), true)).array();
    for (int length = 0; length < intact.length; length++) {
      final byte[] cut = Arrays.copyOf(intact, length);
      assertThrows(
          ColumnFormatException.class,
          () -> NumberDictionary.longs("x", ByteBuffer.wrap(cut), IndexIO.BYTE_ORDER)
      );
    }
    for (int i = 0; i < 20_000; i++) {
      final byte[] bytes = intact.clone();
      // With another version it is Druid's.
      final int offset = 1 + (i < 10_000 ? i % 200 : random.nextInt(bytes.length - 4));
      bytes[offset] = (byte) random.nextInt(256);
      if (i % 2 == 1) {
        // Numbers of four bytes that are out of all bounds.
        Arrays.fill(bytes, offset, offset + 3, (byte) (random.nextBoolean() ? 0xFF : 0));
        bytes[offset + 3] = (byte) (random.nextBoolean() ? 0x7F : 0x80);
      }
      try {
        final FixedIndexed<Long> read =
            NumberDictionary.longs("x", ByteBuffer.wrap(bytes), IndexIO.BYTE_ORDER).get();
        for (int id = 0; id < read.size(); id++) {
          read.get(id);
        }
      } catch (ColumnFormatException e) {
        assertTrue(e.getMessage().startsWith("Column[x]: "), e.getMessage());
      }
    }
  }
}
