// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damage to a column of ints. */
class CorruptColumnTest extends CorruptColumnContract {
  /**
   * Two groups: four chunks of four blocks of zeros; and one of four blocks of sevens, and one of 1 300 2. The offsets
   * start at 49, the groups at 77 and 83, the chunks at 89, 90, 91, 92, 93 and 98, and it ends at 106.
   */
  CorruptColumnTest() {
    super(bytes(), values());
    assertEquals(106, bytes().length);
  }

  /** As a serializer could write it, which would have taken but one chunk of zeros. */
  private static byte[] bytes() {
    return HexFormat.of().parseHex(
        "01" + "31000000" + "03500000" + "06000000" + "0a" + "28000000" + "1b000000"
            + "000400000004000000" + "010100000005000000" + "030100000008000000"
            + "00000000" + "01000000" + "02000000" + "03000000" + "04000000" + "09000000" + "11000000"
            + "000000001111" + "040000001100"
            + "00" + "00" + "00" + "00" + "0107000000" + "030201002c010200");
  }

  private static int[] values() {
    final int group = Setup.SMALL.groupLength();
    final int[] values = new int[group + 4096 + 3];
    Arrays.fill(values, group, group + 4096, 7);
    values[group + 4096] = 1;
    values[group + 4097] = 300;
    values[group + 4098] = 2;
    return values;
  }

  @ParameterizedTest
  @CsvSource({"00, 0", "02, 2", "ff, -1"})
  void unknownVersion(String patch, int version) {
    assertRefused(
        0, patch, "its version at offset 0 is " + version + ", this druid-shapeshift knows 1" + TOO_NEW);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    // headerSize
    "1  | 30 00 00 00 | compositionSize at offset 18 is 27, expected 26",
    "1  | 32 00 00 00 | compositionSize at offset 18 is 27, expected 28",
    "1  | 15 00 00 00 | headerSize at offset 1 is 21, expected 22 to 106",
    "1  | 6b 00 00 00 | headerSize at offset 1 is 107, expected 22 to 106",
    "1  | ff ff ff ff | headerSize at offset 1 is -1, expected 22 to 106",
    "1  | ff ff ff 7f | headerSize at offset 1 is 2147483647, expected 22 to 106",
    // numValues: for no blocks, fewer blocks than chunks, fewer groups, more groups, and as many as there can be
    "5  | ff ff ff ff | numValues at offset 5 is -1, expected 0 to 2147483647",
    "5  | 00 00 00 00 | numChunks at offset 9 is 6, expected 0",
    "5  | 00 14 00 00 | numChunks at offset 9 is 6, expected 1 to 5",
    "5  | 00 40 00 00 | offsetsOutSize at offset 14 is 40, expected 34",
    "5  | 01 80 00 00 | offsetsOutSize at offset 14 is 40, expected 46",
    "5  | ff ff ff 7f | numChunks at offset 9 is 6, expected 131072 to 2097152",
    // numChunks
    "9  | 01 00 00 00 | numChunks at offset 9 is 1, expected 2 to 21",
    "9  | 05 00 00 00 | offsetsOutSize at offset 14 is 40, expected 36",
    "9  | 07 00 00 00 | offsetsOutSize at offset 14 is 40, expected 44",
    "9  | 16 00 00 00 | numChunks at offset 9 is 22, expected 2 to 21",
    "9  | ff ff ff ff | numChunks at offset 9 is -1, expected 2 to 21",
    "9  | ff ff ff 7f | numChunks at offset 9 is 2147483647, expected 2 to 21",
    // logValuesPerBlock
    "13 | 09          | offsetsOutSize at offset 14 is 40, expected 46",
    "13 | 0b          | offsetsOutSize at offset 14 is 40, expected 34",
    "13 | 0e          | numChunks at offset 9 is 6, expected 1 to 2",
    "13 | 03          | logValuesPerBlock at offset 13 is 3, expected 4 to 16",
    "13 | 11          | logValuesPerBlock at offset 13 is 17, expected 4 to 16",
    "13 | ff          | logValuesPerBlock at offset 13 is -1, expected 4 to 16",
    // offsetsOutSize
    "14 | 27 00 00 00 | offsetsOutSize at offset 14 is 39, expected 40",
    "14 | 1c 00 00 00 | offsetsOutSize at offset 14 is 28, expected 40",
    "14 | ff ff ff ff | offsetsOutSize at offset 14 is -1, expected 40",
    // compositionSize
    "18 | 1a 00 00 00 | compositionSize at offset 18 is 26, expected 27",
    "18 | 1c 00 00 00 | compositionSize at offset 18 is 28, expected 27",
    "18 | ff ff ff ff | compositionSize at offset 18 is -1, expected 27",
    // composition: the entry of zeros is at 22, that of constants at 31, that of bytepack at 40
    "23 | 00 00 00 00 | the composition at offset 22 says that form 0 has 0 chunks of 4 bytes",
    "23 | ff ff ff ff | the composition at offset 22 says that form 0 has -1 chunks of 4 bytes",
    "27 | 03 00 00 00 | the composition at offset 22 says that form 0 has 4 chunks of 3 bytes",
    "36 | ff ff ff ff | the composition at offset 31 says that form 1 has 1 chunks of -1 bytes",
    "31 | 00          | the composition at offset 31 names form 0 behind form 0",
    "22 | 63          | the composition at offset 31 names form 1 behind form 99",
    "41 | 02 00 00 00 | the composition at offset 22 counts 7 chunks, the header 6",
    "45 | 07 00 00 00 | the offsets from offset 49 on go from 0 to 17, expected 0 to 16 as the composition has it",
    "45 | 09 00 00 00 | its 18 bytes of chunks, from offset 89 on, do not fit into the 106 bytes there are",
    "45 | ff ff ff 7f | its 2147483656 bytes of chunks, from offset 89 on, do not fit into the 106 bytes there are",
    // offsets
    "49 | 01 00 00 00 | the offsets from offset 49 on go from 1 to 17, expected 0 to 17 as the composition has it",
    "49 | ff ff ff ff | the offsets from offset 49 on go from -1 to 17, expected 0 to 17 as the composition has it",
    "73 | 10 00 00 00 | the offsets from offset 49 on go from 0 to 16, expected 0 to 17 as the composition has it",
    "73 | 12 00 00 00 | the offsets from offset 49 on go from 0 to 18, expected 0 to 17 as the composition has it",
    // groups: their first chunks
    "77 | 01 00 00 00 | the first chunk of group 0, at offset 77, is 1, expected 0",
    "77 | ff ff ff ff | the first chunk of group 0, at offset 77, is -1, expected 0",
    "83 | 03 00 00 00 | the first chunk of group 1, at offset 83, is 3, expected 4",
    "83 | 05 00 00 00 | the first chunk of group 1, at offset 83, is 5, expected 4",
    "83 | ff ff ff 7f | the first chunk of group 1, at offset 83, is 2147483647, expected 4",
    // groups: fewer chunks, more chunks
    "81 | 01 11       | the first chunk of group 1, at offset 83, is 4, expected 3",
    "81 | 13 11       | the first chunk of group 1, at offset 83, is 4, expected 5",
    "87 | 01 00       | the groups from offset 77 on tell of 5 chunks, the header of 6",
    "87 | 13 00       | the groups from offset 77 on tell of 7 chunks, the header of 6"
  })
  void contradictionIsFoundWhenTheColumnIsOpened(int offset, String patch, String message) {
    assertRefused(offset, patch, message + DAMAGED);
  }

  /** A chunk cannot go on into the next group, nor start behind the last block. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "81 | 10 11 | 0 | 1110 | 16",
    "81 | 00 00 | 0 | 0    | 16",
    "81 | fe ff | 0 | fffe | 16",
    "87 | 00 00 | 1 | 0    | 5",
    "87 | 10 00 | 1 | 10   | 5",
    "87 | 21 00 | 1 | 21   | 5",
    "87 | 01 80 | 1 | 8001 | 5"
  })
  void chunksStartWithinTheirGroup(int offset, String patch, int group, String bits, int numBlocks) {
    assertRefused(
        offset, patch, "the chunks of group " + group + " start where the bits 0x" + bits + " at offset " + offset
            + " have it, expected its first block and others of its " + numBlocks + DAMAGED);
  }

  @Test
  void unknownFormInTheComposition() {
    assertRefused(40, "63",
        "it has chunks in form 99 (at offset 40), which this druid-shapeshift does not know" + TOO_NEW);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    // A number of values for which there are as many blocks.
    "5|02 50 00 00|20480|chunk 5 at offset 98: bytepack has 6 bytes, expected 4",
    "5|04 50 00 00|20480|chunk 5 at offset 98: bytepack has 6 bytes, expected 8",
    // As many chunks, of other blocks.
    "87|09 00|20480|chunk 5 at offset 98: bytepack has 6 bytes, expected 2054",
    // Offsets between the first and the last.
    "53|00 00 00 00|0|the offsets of chunk 0, at offset 49, say that it goes from 0 to 0 of 17 bytes of chunks",
    "53|ff ff ff ff|4096|the offsets of chunk 1, at offset 53, say that it goes from -1 to 2 of 17 bytes of chunks",
    "53|12 00 00 00|0|the offsets of chunk 0, at offset 49, say that it goes from 0 to 18 of 17 bytes of chunks",
    "53|03 00 00 00|4096|the offsets of chunk 1, at offset 53, say that it goes from 3 to 2 of 17 bytes of chunks",
    "53|02 00 00 00|0|chunk 0 at offset 89: zero has 2 bytes, expected 1",
    "69|0a 00 00 00|16384|chunk 4 at offset 93: constant has 6 bytes, expected 5",
    // Chunks.
    "89|01|0|chunk 0 at offset 89: constant has 1 bytes, expected 5",
    "93|00|16384|chunk 4 at offset 93: zero has 5 bytes, expected 1",
    "99|00|20480|chunk 5 at offset 98: bytepack has words of 0 bytes, expected 1 to 4",
    "99|05|20480|chunk 5 at offset 98: bytepack has words of 5 bytes, expected 1 to 4",
    "99|03|20480|chunk 5 at offset 98: bytepack has 6 bytes, expected 9",
    "98|05|20480|chunk 5 at offset 98: lz4 holds form 2, which cannot be compressed"
  })
  void damagedChunkIsFoundWhenItIsRead(int offset, String patch, int position, String message) {
    assertRefusedWhenRead(offset, patch, position, message + DAMAGED);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "53|00 00 00 00|the offsets of chunk 0, at offset 49, say that it goes from 0 to 0 of 17 bytes of chunks",
    "57|ff ff ff 7f|the offsets of chunk 1, at offset 53, say that it goes from 1 to 2147483647 of 17 bytes of chunks",
    "69|00 00 00 80|the offsets of chunk 4, at offset 65, say that it goes from 4 to -2147483648 of 17 bytes of chunks"
  })
  void damagedOffsetsAreFoundWhenChunksAreListed(int offset, String patch, String message) {
    final byte[] bytes = patched(offset, patch);
    assertMessage(message + DAMAGED, assertThrows(ColumnFormatException.class, () -> open(bytes).data().chunks()));
  }

  @Test
  void offsetBehindTheColumnIsFoundWhenAChunkIsLookedUp() {
    final byte[] bytes = patched(57, "ff ff ff 7f");
    assertMessage(
        "the offsets of chunk 2, at offset 57, say that it goes from 2147483647 to 3 of 17 bytes of chunks" + DAMAGED,
        assertThrows(ColumnFormatException.class, () -> open(bytes).data().chunkOfBlock(8)));
  }

  @Test
  void otherChunksOfADamagedColumnCanBeRead() {
    final ShapeShiftingColumnarInts column = open(patched(93, "00")).get();
    assertEquals(0, column.get(16_383));
    assertThrows(ColumnFormatException.class, () -> column.get(16_384));
    assertEquals(0, column.get(0));
    assertEquals(300, column.get(20_481));
    assertThrows(ColumnFormatException.class, () -> column.get(20_479));
    column.close();
  }

  /** A chunk that is decoded in part before it is refused must not leave its values to the chunk read before. */
  @Test
  void chunkRefusedHalfwayLeavesNothingBehind() throws IOException {
    final int[] values = RandomData.constant(2 * 4096, 300);
    for (int i = 0; i < values.length; i++) {
      values[i] += i / 1024;
    }
    final byte[] bytes = write("rle", values);
    // The length of the last run, in front of its value.
    bytes[bytes.length - 4]++;
    try (ShapeShiftingColumnarInts column = open(bytes).get()) {
      assertEquals(300, column.get(0));
      assertThrows(ColumnFormatException.class, () -> column.get(4096));
      assertEquals(300, column.get(0));
      assertEquals(303, column.get(4095));
    }
  }

  /** The same of a codec, which writes over the buffer that the values of the chunk before are read from. */
  @ParameterizedTest
  @CsvSource({"lz4", "zstd"})
  void chunkDecompressedHalfwayLeavesNothingBehind(String codec, RandomData random) throws IOException {
    final int[] values = random.phrases(2 * 8192, 16, 100, 20);
    values[0] = 0xFFFF;
    final byte[] intact = write(codec, values);
    final List<ChunkInfo> chunks = open(intact).data().chunks();
    assertEquals(2, chunks.size());
    int refused = 0;
    for (int offset = chunks.get(1).offset() + 3; offset < intact.length; offset += 101) {
      final byte[] bytes = intact.clone();
      bytes[offset] ^= 0x55;
      try (ShapeShiftingColumnarInts column = open(bytes).get()) {
        assertEquals(values[8191], column.get(8191));
        try {
          column.get(8192);
        } catch (ColumnFormatException e) {
          refused++;
          assertTrue(e.getMessage().startsWith(
              "Column[dim]: chunk 1 at offset " + chunks.get(1).offset() + ": "), e.getMessage());
        }
        final int[] first = new int[8192];
        column.get(first, 0, 8192);
        assertArrayEquals(Arrays.copyOf(values, 8192), first);
      }
    }
    assertTrue(refused > 0, "no damage was found");
  }

  private static byte[] write(String form, int[] values) throws IOException {
    final List<IntForm> forms = IntForms.ALL.stream().filter(candidate -> candidate.name().equals(form)).toList();
    final ShapeShiftingColumnarIntsSerializer serializer = new ShapeShiftingColumnarIntsSerializer(
        IntColumns.NAME,
        new OnHeapMemorySegmentWriteOutMedium(),
        BlockSize.SMALL,
        FormSelector.forInts(forms, OptimizationTarget.SMALLER),
        IntColumns.cardinality(values),
        Setup.SMALL.order()
    );
    serializer.open();
    for (int value : values) {
      serializer.addValue(value);
    }
    return IntColumns.bytes(serializer);
  }

  @Test
  void unknownFormOfAChunk() {
    assertRefusedWhenRead(98, "63", 20_480,
        "it has chunks in form 99 (at offset 98), which this druid-shapeshift does not know" + TOO_NEW);
  }

  @Test
  void cutColumnSaysWhatIsMissing() {
    assertCutRefused(21, "there are 21 bytes, fewer than the 22 of a header" + DAMAGED);
    assertCutRefused(48, "headerSize at offset 1 is 49, expected 22 to 48" + DAMAGED);
    assertCutRefused(
        88, "its 40 bytes of offsets, from offset 49 on, do not fit into the 88 bytes there are" + DAMAGED);
    assertCutRefused(
        105, "its 17 bytes of chunks, from offset 89 on, do not fit into the 105 bytes there are" + DAMAGED);
  }

  // Chunks of too many values

  @Test
  void chunkOfMoreValuesThanAnyChunk() {
    assertRefusedWhenRead(
        column(1 << 17, 13, "00"), 0, "chunk 0 at offset 45 has 131072 values, of which it can have 65536" + DAMAGED);
  }

  @ParameterizedTest
  @CsvSource({"fastpfor, 06 00 00 00 00", "rle, 04 01 00 00"})
  void chunkOfMoreValuesThanItsFormDecodes(String form, String chunk) {
    for (int numValues : new int[] {16_385, 65_536}) {
      assertRefusedWhenRead(column(numValues, 12, chunk), 0,
          "chunk 0 at offset 45: " + form + " has " + numValues + " values, of which it can have 16384" + DAMAGED);
    }
  }

  /** Whatever a chunk says of itself: all of its values can be read, or it is refused. */
  @Test
  void chunkOfManyValuesInAnyForm(RandomData random) {
    for (IntForm form : IntForms.ALL) {
      for (int i = 0; i < 300; i++) {
        final byte[] chunk = random.bytes(random.between(1, i % 10 == 0 ? 100_000 : 40));
        // Small numbers: widths, layouts, and counts are more likely to be what they may be.
        for (int at = 1; at < Math.min(chunk.length, 20); at++) {
          chunk[at] = (byte) (random.nextInt(3) == 0 ? chunk[at] : random.nextInt(9));
        }
        chunk[0] = form.id();
        final String hex = HexFormat.ofDelimiter(" ").formatHex(chunk);
        readOrRefuse(column(random.between(16_000, 65_536), 12, hex), form.name() + " as " + hex);
      }
    }
  }

  /** A column of one chunk, which goes from offset 45 to its end. */
  private static byte[] column(int numValues, int logValuesPerBlock, String hex) {
    final byte[] chunk = HexFormat.ofDelimiter(" ").parseHex(hex);
    final ByteBuffer out = ByteBuffer.allocate(45 + chunk.length).order(Setup.SMALL.order());
    out.put((byte) 1).putInt(31).putInt(numValues).putInt(1).put((byte) logValuesPerBlock).putInt(14).putInt(9);
    out.put(chunk[0]).putInt(1).putInt(chunk.length);
    out.putInt(0).putInt(chunk.length).putInt(0).putShort((short) 1);
    return out.put(chunk).array();
  }
}
