// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.VByte;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged byte strings: the one error that names the column, or values; never another error, nor endless reading. */
@ExtendWith(RandomData.Seeded.class)
class CorruptBlobsTest {
  private static final byte[] EDGES = {0, 1, 2, 0x7F, (byte) 0x80, (byte) 0xFF};

  /** Values with nulls, empty ones, and words that repeat and ascend. */
  private static byte[] intact(BlobColumns.Way way) throws IOException {
    final RandomData random = new RandomData(11);
    final List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      if (i % 20 == 7) {
        values.add(i % 40 == 7 ? null : new byte[0]);
      } else {
        final ByteBuffer value = ByteBuffer.allocate(18 + 8 * (i % 9));
        value.put((byte) i).position(18);
        for (int word = random.nextInt(5); value.hasRemaining(); word += random.nextInt(3)) {
          value.putLong(word % 20 * 0x0102030405L);
        }
        values.add(value.array());
      }
    }
    for (int i = 0; i < 20; i++) {
      values.add(values.get(2 * i));
    }
    final byte[] coded = random.bytes(520);
    for (int i = 0; i < coded.length; i++) {
      coded[i] &= 3;
    }
    values.add(coded);
    final ByteBuffer ascending = ByteBuffer.allocate(16 + 8 * 40).order(ByteOrder.LITTLE_ENDIAN).position(16);
    while (ascending.hasRemaining()) {
      ascending.putLong(0x5DEECE66DL * ascending.position());
    }
    values.add(ascending.array());
    // The target with the most modes of words.
    return BlobColumns.write(values, way, OptimizationTarget.SMALLER, 2000);
  }

  private static void readOrRefuse(byte[] bytes, String what) {
    try {
      final Blobs blobs = Blobs.read("c", ByteBuffer.wrap(bytes));
      blobs.describe();
      blobs.nulls();
      // A damaged number of values may be large where they are constant.
      final int step = Math.max(1, blobs.size() / 1000);
      try (BlobsReader reader = blobs.reader()) {
        for (int i = 0; i >= 0 && i < blobs.size(); i += step) {
          read(reader, i);
        }
        // Back, few values of each block, which are decoded alone.
        for (int i = blobs.size() - 1; i >= 0; i -= Math.max(7, step)) {
          read(reader, i);
        }
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[c"), e.getMessage());
    } catch (RuntimeException | Error e) {
      throw new AssertionError(what, e);
    }
  }

  private static void read(BlobsReader reader, int index) {
    try {
      @Nullable final ByteBuffer value = reader.get(index, index % 2 == 0);
      if (value != null) {
        value.get(new byte[value.remaining()]);
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[c"), e.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(BlobColumns.Way.class)
  void eachByteIsChanged(BlobColumns.Way way) throws IOException {
    final byte[] intact = intact(way);
    for (int at = 0; at < intact.length; at++) {
      change(intact, at, EDGES[at % EDGES.length]);
      change(intact, at, (byte) (intact[at] ^ 1 << at % Byte.SIZE));
    }
  }

  private static void change(byte[] intact, int at, byte to) {
    if (intact[at] != to) {
      final byte[] damaged = intact.clone();
      damaged[at] = to;
      readOrRefuse(damaged, "byte " + at + " is " + to);
    }
  }

  @ParameterizedTest
  @EnumSource(BlobColumns.Way.class)
  void severalBytesAreChanged(BlobColumns.Way way, RandomData random) throws IOException {
    final byte[] intact = intact(way);
    for (int round = 0; round < 300; round++) {
      final byte[] damaged = intact.clone();
      for (int i = random.nextInt(6); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      readOrRefuse(damaged, "round " + round);
    }
  }

  @ParameterizedTest
  @EnumSource(BlobColumns.Way.class)
  void cutAtAnyLength(BlobColumns.Way way) throws IOException {
    final byte[] intact = intact(way);
    for (int length = 0; length < intact.length; length++) {
      final byte[] cut = Arrays.copyOf(intact, length);
      final ColumnFormatException e = assertThrows(
          ColumnFormatException.class, () -> Blobs.read("c", ByteBuffer.wrap(cut)), "cut to " + length);
      assertTrue(e.getMessage().startsWith("Column[c]: "), e.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(BlobColumns.Way.class)
  void laterFormsAreNamed(BlobColumns.Way way) throws IOException {
    final byte[] intact = intact(way);
    for (int at : new int[]{0, 1, 3}) {
      final byte[] later = intact.clone();
      later[at] = 77;
      final ColumnFormatException e =
          assertThrows(ColumnFormatException.class, () -> Blobs.read("c", ByteBuffer.wrap(later)), "byte " + at);
      assertTrue(e.getMessage().contains("A newer druid-shapeshift wrote it"), e.getMessage());
    }
  }

  /** Distinct values of distinct values of distinct values, and so on. */
  @Test
  void deeplyNested() {
    final ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
    int start = bytes.capacity();
    while (start > 16) {
      final int size = bytes.capacity() - start;
      start -= 1 + 1 + 1 + VByte.computeIntSize(size);
      bytes.position(start).put(BlobForm.DISTINCT.id());
      VByte.writeInt(bytes, 0);
      VByte.writeInt(bytes, 0);
      VByte.writeInt(bytes, size);
    }
    bytes.position(start - 3).put(Blobs.VERSION).put((byte) 0);
    VByte.writeInt(bytes, 1);
    final ByteBuffer column = bytes.position(start - 3).slice();
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> Blobs.read("c", column));
    assertTrue(e.getMessage().contains("is in more than 3 others"), e.getMessage());
  }
}
