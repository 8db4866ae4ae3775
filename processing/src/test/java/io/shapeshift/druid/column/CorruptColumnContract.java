// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One small column, damaged in every way that there is: each gives one exception that names the column, says what was
 * found at which offset, and what to do. What can be damaged depends on the version; this is what holds for all.
 */
@ExtendWith(RandomData.Seeded.class)
abstract class CorruptColumnContract {
  static final String DAMAGED =
      ". The segment is damaged: fetch it again from deep storage, or ingest its interval again";
  static final String TOO_NEW = ". A newer druid-shapeshift wrote it, unless the segment is damaged: use the release"
      + " that wrote it, or a newer one, on every Druid service";

  private final byte[] intact;
  private final int[] values;

  CorruptColumnContract(byte[] intact, int[] values) {
    this.intact = intact;
    this.values = values;
  }

  @Test
  final void isReadWhileIntact() {
    assertArrayEquals(values, readAll(intact));
  }

  @Test
  final void columnCutAtAnyLength() {
    for (int length = 0; length < intact.length; length++) {
      final byte[] cut = Arrays.copyOf(intact, length);
      final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> open(cut), "cut to " + length);
      assertTrue(e.getMessage().startsWith("Column[dim]: ") && e.getMessage().endsWith(DAMAGED), e.getMessage());
    }
  }

  /** Each byte with each value: never another exception, and never one without the name of the column. */
  @Test
  final void anyByteChanged() {
    for (int offset = 0; offset < intact.length; offset++) {
      for (int value = 0; value < 256; value++) {
        final byte[] bytes = intact.clone();
        bytes[offset] = (byte) value;
        readOrRefuse(bytes, "byte " + offset + " set to " + value);
      }
    }
  }

  @Test
  final void manyBytesChanged(RandomData random) {
    for (int i = 0; i < 20_000; i++) {
      final byte[] bytes = intact.clone();
      final int first = random.nextInt(bytes.length);
      final byte[] noise = random.bytes(random.between(1, Math.min(8, bytes.length - first)));
      System.arraycopy(noise, 0, bytes, first, noise.length);
      readOrRefuse(bytes, HexFormat.of().formatHex(bytes));
    }
  }

  /** Reads a column, and tells of its chunks, in each case without any exception but that of damage. */
  static void readOrRefuse(byte[] bytes, String what) {
    readOrRefuse(() -> readAll(bytes), what);
    readOrRefuse(() -> open(bytes).data().chunks(), what);
  }

  private static void readOrRefuse(Runnable read, String what) {
    try {
      read.run();
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
    } catch (RuntimeException e) {
      throw new AssertionError(what, e);
    }
  }

  /** The column with other bytes from an offset on, in hex, is refused when it is opened. */
  final void assertRefused(int offset, String patch, String message) {
    assertRefused(patched(offset, patch), message);
  }

  /** A column is refused when it is opened. */
  static void assertRefused(byte[] bytes, String message) {
    assertMessage(message, assertThrows(ColumnFormatException.class, () -> open(bytes)));
  }

  /** The column cut to a length is refused when it is opened. */
  final void assertCutRefused(int length, String message) {
    assertRefused(Arrays.copyOf(intact, length), message);
  }

  /** The column with other bytes from an offset on, in hex, is refused when the position is read, in whatever way. */
  final void assertRefusedWhenRead(int offset, String patch, int position, String message) {
    assertRefusedWhenRead(patched(offset, patch), position, message);
  }

  static void assertRefusedWhenRead(byte[] bytes, int position, String message) {
    final ShapeShiftingColumnarInts column = open(bytes).get();
    final int[] one = new int[1];
    for (int again = 0; again < 2; again++) {
      assertMessage(message, assertThrows(ColumnFormatException.class, () -> column.get(position)));
      assertMessage(message, assertThrows(ColumnFormatException.class, () -> column.get(one, position, 1)));
      assertMessage(message, assertThrows(ColumnFormatException.class, () -> column.get(one, 0, position, 1)));
      assertMessage(message,
          assertThrows(ColumnFormatException.class, () -> column.get(one, new int[] {position}, 1)));
    }
    column.close();
  }

  static void assertMessage(String expected, ColumnFormatException e) {
    assertEquals("Column[dim]: " + expected, e.getMessage());
  }

  final byte[] patched(int offset, String patch) {
    final byte[] bytes = intact.clone();
    final byte[] hex = HexFormat.ofDelimiter(" ").parseHex(patch);
    System.arraycopy(hex, 0, bytes, offset, hex.length);
    return bytes;
  }

  static ShapeShiftingColumnarIntsSupplier open(byte[] bytes) {
    return ShapeShiftingColumnarIntsSupplier.read(
        IntColumns.NAME, ByteBuffer.wrap(bytes).order(Setup.SMALL.order()));
  }

  static int[] readAll(byte[] bytes) {
    try (ShapeShiftingColumnarInts column = open(bytes).get()) {
      final int[] values = new int[column.size()];
      column.get(values, 0, values.length);
      return values;
    }
  }
}
