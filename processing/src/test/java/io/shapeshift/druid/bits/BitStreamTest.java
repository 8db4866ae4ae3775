// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(RandomData.Seeded.class)
class BitStreamTest {
  static ByteOrder[] orders() {
    return new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN};
  }

  @ParameterizedTest
  @CsvSource({"0, 7, 0", "3, 0, 0", "1, 1, 1", "8, 1, 1", "9, 1, 2", "3, 9, 4", "65535, 32, 262140"})
  void endsWithAWholeByte(int numValues, int width, int expected) {
    assertEquals(expected, BitStream.numBytes(numValues, width));
  }

  @Test
  void bitsAreCountedInTheOrderOfTheBuffer() {
    final int[] values = {2, 300, 7};
    // 000000010 100101100 000000111, and five zeros.
    assertEquals("014b00e0", hex(pack(values, 0, 9, ByteOrder.BIG_ENDIAN)));
    // From the lowest bit of the first byte: 010000000 001101001 111000000.
    assertEquals("02581e00", hex(pack(values, 0, 9, ByteOrder.LITTLE_ENDIAN)));
  }

  @Test
  void theBaseIsTakenOff() {
    assertEquals("02", hex(pack(new int[] {7, 8}, 7, 1, ByteOrder.LITTLE_ENDIAN)));
    assertEquals("40", hex(pack(new int[] {7, 8}, 7, 1, ByteOrder.BIG_ENDIAN)));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void readsEveryWidthFromAnyOffset(ByteOrder order, RandomData random) {
    for (int width = 0; width <= 32; width++) {
      final int w = width;
      for (int numValues : new int[] {1, 2, 7, 8, 9, 63, 64, 65, 1000}) {
        final int base = width > 30 ? 0 : random.nextInt(1000);
        final int[] values = new int[numValues];
        for (int i = 0; i < numValues; i++) {
          values[i] = base + (i == 0 || i == numValues - 1 ? (int) ((1L << w) - 1) : random.uniform(w));
        }
        // All bits around the stream are set.
        final int offset = random.nextInt(9);
        final ByteBuffer stream = pack(values, base, width, order).flip();
        final int numBytes = BitStream.numBytes(numValues, width);
        assertEquals(numBytes, stream.limit());
        final byte[] bytes = HexFormat.of().parseHex("ff".repeat(offset + numBytes + BitStream.SLACK));
        stream.get(bytes, offset, numBytes);
        final ByteBuffer in = ByteBuffer.wrap(bytes).order(order);
        for (int i = 0; i < numValues; i++) {
          assertEquals(values[i] - base, get(in, offset, width, i), w + " bits, value " + i + " of " + numValues);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("orders")
  void readsLongsOfEveryWidthFromAnyOffset(ByteOrder order, RandomData random) {
    for (int width = 1; width <= BitStream.MAX_LONG_WIDTH; width++) {
      final long mask = (1L << width) - 1;
      for (int numValues : new int[] {1, 2, 7, 8, 9, 64, 1000}) {
        final long base = random.nextLong();
        final long[] values = new long[numValues];
        for (int i = 0; i < numValues; i++) {
          values[i] = base + (i == 0 || i == numValues - 1 ? mask : random.nextLong() & mask);
        }
        final ByteBuffer packed = ByteBuffer.allocate(BitStream.numBytes(numValues, width)).order(order);
        BitStream.pack(values, numValues, base, width, packed);
        assertEquals(packed.capacity(), packed.position());
        // All bits around the stream are set.
        final int offset = random.nextInt(9);
        final byte[] bytes = HexFormat.of().parseHex("ff".repeat(offset + packed.capacity() + BitStream.SLACK));
        packed.flip().get(bytes, offset, packed.capacity());
        final RawBytes in = new RawBytes();
        in.wrap(ByteBuffer.wrap(bytes).order(order));
        for (int i = 0; i < numValues; i++) {
          assertEquals(
              values[i] - base,
              BitStream.getLong(in, offset, width, i),
              width + " bits, value " + i + " of " + numValues
          );
        }
      }
    }
  }

  private static int get(ByteBuffer in, int offset, int width, int index) {
    final RawBytes bytes = new RawBytes();
    bytes.wrap(in);
    return BitStream.get(bytes, offset, width, index);
  }

  private static ByteBuffer pack(int[] values, int base, int width, ByteOrder order) {
    final ByteBuffer out = ByteBuffer.allocate(BitStream.numBytes(values.length, width)).order(order);
    BitStream.pack(values, values.length, base, width, out);
    assertEquals(out.capacity(), out.position());
    return out;
  }

  private static String hex(ByteBuffer stream) {
    final byte[] bytes = new byte[stream.flip().limit()];
    stream.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
