// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.Golden;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.segment.column.TypeStrategies;
import org.apache.druid.segment.column.TypeStrategy;
import org.apache.druid.segment.data.FixedIndexedWriter;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;

/** Dictionaries of numbers, byte by byte. */
class GoldenNumberDictionariesTest {
  @Test
  void dictionariesMatchTheirGoldenBytes() throws IOException {
    for (Golden.Example example : Golden.checkExamples(
        Golden.file("numbers/dictionaries"), GoldenNumberDictionariesTest::encode)) {
      final ByteBuffer bytes = ByteBuffer.wrap(example.bytes());
      final List<Object> found = new ArrayList<>();
      (isLong(example)
       ? NumberDictionary.longs("dim", bytes, ByteOrder.LITTLE_ENDIAN)
       : NumberDictionary.doubles("dim", bytes, ByteOrder.LITTLE_ENDIAN)).get().forEach(found::add);
      assertEquals(isLong(example) ? longs(example) : doubles(example), found, example.spec());
    }
  }

  private static boolean isLong(Golden.Example example) {
    return example.form().startsWith("long");
  }

  private static byte[] encode(Golden.Example example) {
    try {
      return bytes(
          isLong(example)
          ? NumberDictionarySerializer.ofLongs(
              stock(longs(example), TypeStrategies.LONG), ByteOrder.LITTLE_ENDIAN)
          : NumberDictionarySerializer.ofDoubles(
              stock(doubles(example), TypeStrategies.DOUBLE), ByteOrder.LITTLE_ENDIAN)
      );
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Long> longs(Golden.Example example) {
    final List<Long> numbers = new ArrayList<>();
    if (example.form().endsWith("null")) {
      numbers.add(null);
    }
    for (long bits : example.bits(NumberType.LONG)) {
      numbers.add(bits);
    }
    return numbers;
  }

  private static List<Double> doubles(Golden.Example example) {
    final List<Double> numbers = new ArrayList<>();
    if (example.form().endsWith("null")) {
      numbers.add(null);
    }
    for (long bits : example.bits(NumberType.DOUBLE)) {
      numbers.add(Double.longBitsToDouble(bits));
    }
    return numbers;
  }

  private static <T> ByteBuffer stock(List<T> numbers, TypeStrategy<T> strategy) throws IOException {
    final FixedIndexedWriter<T> writer = new FixedIndexedWriter<>(
        new OnHeapMemorySegmentWriteOutMedium(), strategy, ByteOrder.LITTLE_ENDIAN, Long.BYTES, true);
    writer.open();
    for (T number : numbers) {
      writer.write(number);
    }
    return ByteBuffer.wrap(bytes(writer));
  }

  private static byte[] bytes(Serializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    serializer.getSerializedSize();
    serializer.writeTo(Channels.newChannel(out), null);
    return out.toByteArray();
  }
}
