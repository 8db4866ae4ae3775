// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RandomData.Seeded.class)
class RawBytesTest {
  private static final int LENGTH = 100;

  /** Direct ones and arrays, read-only ones, slices and duplicates. */
  private static List<ByteBuffer> buffers(RandomData random) {
    final byte[] bytes = random.bytes(LENGTH + 20);
    final ByteBuffer heap = ByteBuffer.wrap(bytes);
    final ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    return List.of(
        heap, direct, heap.asReadOnlyBuffer(), direct.asReadOnlyBuffer(), heap.slice(7, LENGTH),
        direct.slice(7, LENGTH), heap.slice(3, LENGTH).asReadOnlyBuffer(), direct.duplicate().position(11),
        heap.duplicate().limit(5)
    );
  }

  @Test
  void readsWhatTheBufferHolds(RandomData random) {
    final RawBytes raw = new RawBytes();
    for (ByteBuffer buffer : buffers(random)) {
      for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
        raw.wrap(buffer.order(order));
        final ByteBuffer all = buffer.duplicate().clear().order(order);
        assertEquals(order == ByteOrder.LITTLE_ENDIAN, raw.isLittleEndian());
        for (int i = 0; i < LENGTH - 8; i++) {
          assertEquals(all.get(i) & 0xFF, raw.getByte(i));
          assertEquals(all.getShort(i) & 0xFFFF, raw.getShort(i));
          assertEquals(all.getInt(i), raw.getInt(i));
          assertEquals(all.getLong(i), raw.getLong(i));
        }
        for (int start = 0; start < 9; start++) {
          final int[] ints = new int[12];
          raw.getInts(start, ints, 2, 9);
          final int[] expected = new int[12];
          all.position(start).asIntBuffer().get(expected, 2, 9);
          assertArrayEquals(expected, ints);
          final long[] longs = new long[9];
          raw.getLongs(start, longs, 3, 5);
          final long[] expectedLongs = new long[9];
          all.position(start).asLongBuffer().get(expectedLongs, 3, 5);
          assertArrayEquals(expectedLongs, longs);
        }
      }
    }
  }

  /** So that tests of damaged bytes notice what would read other memory. */
  @Test
  void checksPositionsWhereAssertionsAreOn(RandomData random) {
    final RawBytes raw = new RawBytes();
    for (ByteBuffer buffer : buffers(random)) {
      raw.wrap(buffer);
      final int capacity = buffer.capacity();
      for (int position : new int[] {-1, Integer.MIN_VALUE, capacity, Integer.MAX_VALUE}) {
        assertThrows(AssertionError.class, () -> raw.getByte(position));
        assertThrows(AssertionError.class, () -> raw.getInts(position, new int[1], 0, 1));
      }
      assertThrows(AssertionError.class, () -> raw.getShort(capacity - 1));
      assertThrows(AssertionError.class, () -> raw.getInt(capacity - 3));
      assertThrows(AssertionError.class, () -> raw.getLong(capacity - 7));
      assertThrows(AssertionError.class, () -> raw.getInts(capacity - 7, new int[2], 0, 2));
      assertThrows(AssertionError.class, () -> raw.getLongs(capacity - 15, new long[2], 0, 2));
      assertThrows(AssertionError.class, () -> raw.getLongs(-1, new long[2], 0, 2));
    }
  }

  @Test
  void checksTheArrayThatItFills() {
    final RawBytes raw = new RawBytes();
    raw.wrap(ByteBuffer.allocate(LENGTH));
    assertThrows(IndexOutOfBoundsException.class, () -> raw.getInts(0, new int[4], 0, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> raw.getInts(0, new int[4], 3, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> raw.getInts(0, new int[4], -1, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> raw.getInts(0, new int[4], 0, -1));
    assertThrows(IndexOutOfBoundsException.class, () -> raw.getLongs(0, new long[2], 1, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> raw.getLongs(0, new long[2], -1, 2));
  }

  /** Also what is no number, and whatever it says besides. */
  @Test
  void takesBitsForNumbers(RandomData random) {
    final long[] longs = {0, Long.MIN_VALUE, 0x7FF8_0000_0000_0001L, 0xFFF0_0000_0000_1234L, 1, random.nextLong(), 7};
    final double[] doubles = new double[9];
    RawBytes.toDoubles(longs, 1, doubles, 2, 5);
    for (int i = 0; i < doubles.length; i++) {
      assertEquals(i < 2 || i > 6 ? 0 : longs[i - 1], Double.doubleToRawLongBits(doubles[i]));
    }
    final int[] ints = {0, Integer.MIN_VALUE, 0x7FC0_0001, 0xFF80_1234, 1, random.nextInt(1 << 30), 7};
    final float[] floats = new float[9];
    RawBytes.toFloats(ints, 1, floats, 2, 5);
    for (int i = 0; i < floats.length; i++) {
      assertEquals(i < 2 || i > 6 ? 0 : ints[i - 1], Float.floatToRawIntBits(floats[i]));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> RawBytes.toDoubles(longs, 3, doubles, 0, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> RawBytes.toDoubles(longs, 0, doubles, 5, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> RawBytes.toFloats(ints, 3, floats, 0, 5));
    assertThrows(IndexOutOfBoundsException.class, () -> RawBytes.toFloats(ints, 0, floats, 5, 5));
  }
}
