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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One small column, damaged in every way that there is: each gives one exception that names the column, says what was
 * found at which offset, and what to do.
 */
@ExtendWith(RandomData.Seeded.class)
class CorruptColumnTest {
  private static final String DAMAGED =
      ". The segment is damaged: fetch it again from deep storage, or ingest its interval again";
  private static final String TOO_NEW =
      ". Use the release of druid-shapeshift that wrote the segment, or a newer one, on every Druid service";

  /** Three chunks: zeros, sevens, and 1 300 2. */
  private static int[] values() {
    final int[] values = Arrays.copyOf(RandomData.constant(2 * 4096, 7), 2 * 4096 + 3);
    Arrays.fill(values, 0, 4096, 0);
    values[2 * 4096] = 1;
    values[2 * 4096 + 1] = 300;
    values[2 * 4096 + 2] = 2;
    return values;
  }

  /** The column, in which the offsets start at 49, the chunks at 65, 66 and 71, and which ends at 79. */
  private final byte[] intact = Setup.SMALL.write(values()).array();

  @Test
  void isReadWhileIntact() {
    assertEquals(79, intact.length);
    assertArrayEquals(values(), readAll(intact));
  }

  @ParameterizedTest
  @CsvSource({"00, 0", "02, 2", "ff, -1"})
  void unknownVersion(String patch, int version) {
    assertRefused(
        0, patch, "its version at offset 0 is " + version + ", this druid-shapeshift knows version 1" + TOO_NEW);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    // headerSize
    "1  | 30 00 00 00 | compositionSize at offset 18 is 27, expected 26",
    "1  | 32 00 00 00 | compositionSize at offset 18 is 27, expected 28",
    "1  | 15 00 00 00 | headerSize at offset 1 is 21, expected 22 to 79",
    "1  | 50 00 00 00 | headerSize at offset 1 is 80, expected 22 to 79",
    "1  | ff ff ff ff | headerSize at offset 1 is -1, expected 22 to 79",
    "1  | ff ff ff 7f | headerSize at offset 1 is 2147483647, expected 22 to 79",
    // numValues
    "5  | ff ff ff ff | numValues at offset 5 is -1, expected 0 to 2147483647",
    "5  | 00 00 00 00 | numChunks at offset 9 is 3, expected 0",
    "5  | 00 20 00 00 | numChunks at offset 9 is 3, expected 2",
    "5  | 01 30 00 00 | numChunks at offset 9 is 3, expected 4",
    "5  | ff ff ff 7f | numChunks at offset 9 is 3, expected 524288",
    // numChunks
    "9  | 02 00 00 00 | numChunks at offset 9 is 2, expected 3",
    "9  | 04 00 00 00 | numChunks at offset 9 is 4, expected 3",
    "9  | ff ff ff ff | numChunks at offset 9 is -1, expected 3",
    // logValuesPerChunk
    "13 | 0b          | numChunks at offset 9 is 3, expected 5",
    "13 | 0d          | numChunks at offset 9 is 3, expected 2",
    "13 | 03          | logValuesPerChunk at offset 13 is 3, expected 4 to 14",
    "13 | 0f          | logValuesPerChunk at offset 13 is 15, expected 4 to 14",
    "13 | ff          | logValuesPerChunk at offset 13 is -1, expected 4 to 14",
    // offsetsOutSize
    "14 | 0f 00 00 00 | offsetsOutSize at offset 14 is 15, expected 16",
    "14 | 14 00 00 00 | offsetsOutSize at offset 14 is 20, expected 16",
    "14 | ff ff ff ff | offsetsOutSize at offset 14 is -1, expected 16",
    // compositionSize
    "18 | 1a 00 00 00 | compositionSize at offset 18 is 26, expected 27",
    "18 | 1c 00 00 00 | compositionSize at offset 18 is 28, expected 27",
    "18 | ff ff ff ff | compositionSize at offset 18 is -1, expected 27",
    // composition: the entry of zeros is at 22, that of constants at 31, that of bytepack at 40
    "23 | 00 00 00 00 | the composition at offset 22 says that form 0 has 0 chunks of 1 bytes",
    "23 | ff ff ff ff | the composition at offset 22 says that form 0 has -1 chunks of 1 bytes",
    "27 | 00 00 00 00 | the composition at offset 22 says that form 0 has 1 chunks of 0 bytes",
    "36 | ff ff ff ff | the composition at offset 31 says that form 1 has 1 chunks of -1 bytes",
    "31 | 00          | the composition at offset 31 names form 0 behind form 0",
    "22 | 63          | the composition at offset 31 names form 1 behind form 99",
    "41 | 02 00 00 00 | the composition at offset 22 counts 4 chunks, the header 3",
    "45 | 07 00 00 00 | the offsets from offset 49 on go from 0 to 14, expected 0 to 13 as the composition has it",
    "45 | 09 00 00 00 | its 15 bytes of chunks, from offset 65 on, do not fit into the 79 bytes there are",
    "45 | ff ff ff 7f | its 2147483653 bytes of chunks, from offset 65 on, do not fit into the 79 bytes there are",
    // offsets
    "49 | 01 00 00 00 | the offsets from offset 49 on go from 1 to 14, expected 0 to 14 as the composition has it",
    "49 | ff ff ff ff | the offsets from offset 49 on go from -1 to 14, expected 0 to 14 as the composition has it",
    "61 | 0d 00 00 00 | the offsets from offset 49 on go from 0 to 13, expected 0 to 14 as the composition has it",
    "61 | 0f 00 00 00 | the offsets from offset 49 on go from 0 to 15, expected 0 to 14 as the composition has it"
  })
  void contradictionIsFoundWhenTheColumnIsOpened(int offset, String patch, String message) {
    assertRefused(offset, patch, message + DAMAGED);
  }

  @Test
  void unknownFormInTheComposition() {
    assertRefused(40, "63",
        "it has chunks in form 99 (at offset 40), which this druid-shapeshift does not know" + TOO_NEW);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    // A number of values for which there are as many chunks.
    "5|02 20 00 00|8192|chunk 2 at offset 71: bytepack has 6 bytes, expected 4",
    "5|04 20 00 00|8192|chunk 2 at offset 71: bytepack has 6 bytes, expected 8",
    // Offsets between the first and the last.
    "53|00 00 00 00|0|the offsets of chunk 0, at offset 49, say that it goes from 0 to 0 of 14 bytes of chunks",
    "53|ff ff ff ff|4096|the offsets of chunk 1, at offset 53, say that it goes from -1 to 6 of 14 bytes of chunks",
    "53|0f 00 00 00|0|the offsets of chunk 0, at offset 49, say that it goes from 0 to 15 of 14 bytes of chunks",
    "53|07 00 00 00|4096|the offsets of chunk 1, at offset 53, say that it goes from 7 to 6 of 14 bytes of chunks",
    "53|02 00 00 00|0|chunk 0 at offset 65: zero has 2 bytes, expected 1",
    "57|07 00 00 00|4096|chunk 1 at offset 66: constant has 6 bytes, expected 5",
    // Chunks.
    "65|01|0|chunk 0 at offset 65: constant has 1 bytes, expected 5",
    "66|00|4096|chunk 1 at offset 66: zero has 5 bytes, expected 1",
    "72|00|8192|chunk 2 at offset 71: bytepack has words of 0 bytes, expected 1 to 4",
    "72|05|8192|chunk 2 at offset 71: bytepack has words of 5 bytes, expected 1 to 4",
    "72|03|8192|chunk 2 at offset 71: bytepack has 6 bytes, expected 9",
    "71|05|8192|chunk 2 at offset 71: lz4 holds form 2, which cannot be compressed"
  })
  void damagedChunkIsFoundWhenItIsRead(int offset, String patch, int position, String message) {
    final ShapeShiftingColumnarInts column = open(patched(offset, patch)).get();
    final int[] one = new int[1];
    for (int again = 0; again < 2; again++) {
      assertMessage(message + DAMAGED, assertThrows(ColumnFormatException.class, () -> column.get(position)));
      assertMessage(message + DAMAGED, assertThrows(ColumnFormatException.class, () -> column.get(one, position, 1)));
      assertMessage(message + DAMAGED,
          assertThrows(ColumnFormatException.class, () -> column.get(one, new int[] {position}, 1)));
    }
    column.close();
  }

  @Test
  void otherChunksOfADamagedColumnCanBeRead() {
    final ShapeShiftingColumnarInts column = open(patched(66, "00")).get();
    assertEquals(0, column.get(4095));
    assertThrows(ColumnFormatException.class, () -> column.get(4096));
    assertEquals(0, column.get(0));
    assertEquals(300, column.get(8193));
    assertThrows(ColumnFormatException.class, () -> column.get(8191));
    column.close();
  }

  /** A chunk that is decoded in part before it is refused must not leave its values to the chunk read before. */
  @Test
  void chunkRefusedHalfwayLeavesNothingBehind() {
    final int[] values = RandomData.constant(2 * 4096, 300);
    for (int i = 0; i < values.length; i++) {
      values[i] += i / 1024;
    }
    final byte[] bytes = Setup.SMALL.write(values).array();
    // The length of the last run, in front of its value.
    bytes[bytes.length - 4]++;
    try (ShapeShiftingColumnarInts column = open(bytes).get()) {
      assertEquals(300, column.get(0));
      assertThrows(ColumnFormatException.class, () -> column.get(4096));
      assertEquals(300, column.get(0));
      assertEquals(303, column.get(4095));
    }
  }

  @Test
  void unknownFormOfAChunk() {
    final ShapeShiftingColumnarInts column = open(patched(71, "63")).get();
    assertMessage(
        "it has chunks in form 99 (at offset 71), which this druid-shapeshift does not know" + TOO_NEW,
        assertThrows(ColumnFormatException.class, () -> column.get(8192)));
    column.close();
  }

  @Test
  void columnCutAtAnyLength() {
    for (int length = 0; length < intact.length; length++) {
      final byte[] cut = Arrays.copyOf(intact, length);
      final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> open(cut), "cut to " + length);
      assertTrue(e.getMessage().startsWith("Column[dim]: ") && e.getMessage().endsWith(DAMAGED), e.getMessage());
    }
    assertMessage("there are 21 bytes, fewer than the 22 of a header" + DAMAGED,
        assertThrows(ColumnFormatException.class, () -> open(Arrays.copyOf(intact, 21))));
    assertMessage("headerSize at offset 1 is 49, expected 22 to 48" + DAMAGED,
        assertThrows(ColumnFormatException.class, () -> open(Arrays.copyOf(intact, 48))));
    assertMessage("its 16 bytes of offsets, from offset 49 on, do not fit into the 64 bytes there are" + DAMAGED,
        assertThrows(ColumnFormatException.class, () -> open(Arrays.copyOf(intact, 64))));
    assertMessage("its 14 bytes of chunks, from offset 65 on, do not fit into the 78 bytes there are" + DAMAGED,
        assertThrows(ColumnFormatException.class, () -> open(Arrays.copyOf(intact, 78))));
  }

  /** Each byte with each value: never another exception, and never one without the name of the column. */
  @Test
  void anyByteChanged() {
    for (int offset = 0; offset < intact.length; offset++) {
      for (int value = 0; value < 256; value++) {
        final byte[] bytes = intact.clone();
        bytes[offset] = (byte) value;
        readOrRefuse(bytes, "byte " + offset + " set to " + value);
      }
    }
  }

  @Test
  void manyBytesChanged(RandomData random) {
    for (int i = 0; i < 20_000; i++) {
      final byte[] bytes = intact.clone();
      final int first = random.nextInt(bytes.length);
      final byte[] noise = random.bytes(random.between(1, Math.min(8, bytes.length - first)));
      System.arraycopy(noise, 0, bytes, first, noise.length);
      readOrRefuse(bytes, HexFormat.of().formatHex(bytes));
    }
  }

  private static void readOrRefuse(byte[] bytes, String what) {
    try {
      readAll(bytes);
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[dim]: "), e.getMessage());
    } catch (RuntimeException e) {
      throw new AssertionError(what, e);
    }
  }

  private void assertRefused(int offset, String patch, String message) {
    assertMessage(message, assertThrows(ColumnFormatException.class, () -> open(patched(offset, patch))));
  }

  private static void assertMessage(String expected, ColumnFormatException e) {
    assertEquals("Column[dim]: " + expected, e.getMessage());
  }

  private byte[] patched(int offset, String patch) {
    final byte[] bytes = intact.clone();
    final byte[] hex = HexFormat.ofDelimiter(" ").parseHex(patch);
    System.arraycopy(hex, 0, bytes, offset, hex.length);
    return bytes;
  }

  private static ShapeShiftingColumnarIntsSupplier open(byte[] bytes) {
    return ShapeShiftingColumnarIntsSupplier.read(
        IntColumns.NAME, ByteBuffer.wrap(bytes).order(Setup.SMALL.order()));
  }

  private static int[] readAll(byte[] bytes) {
    try (ShapeShiftingColumnarInts column = open(bytes).get()) {
      final int[] values = new int[column.size()];
      column.get(values, 0, values.length);
      return values;
    }
  }
}
