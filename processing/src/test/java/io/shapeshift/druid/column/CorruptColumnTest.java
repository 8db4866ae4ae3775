// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.select.FormSelectors;
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
   * start at 34, the groups at 62 and 64, the chunks at 66, 67, 68, 69, 70 and 75, and it ends at 83.
   */
  CorruptColumnTest() {
    super(bytes(), values());
    assertEquals(83, bytes().length);
  }

  /** As a serializer could write it, which would have taken but one chunk of zeros. */
  private static byte[] bytes() {
    return HexFormat.of().parseHex(
        "01" + "0a" + "03" + "03500000"
            + "000400000004000000" + "010100000005000000" + "030100000008000000"
            + "00000000" + "01000000" + "02000000" + "03000000" + "04000000" + "09000000" + "11000000"
            + "1111" + "1100"
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
    // logValuesPerBlock: of other blocks, and of fewer than there are chunks
    "1  | 09          | its 17 bytes of chunks, from offset 68 on, do not fit into the 83 bytes there are",
    "1  | 0d          | the composition at offset 7 counts 6 chunks, expected 1 to 3",
    "1  | 03          | logValuesPerBlock at offset 1 is 3, expected 4 to 16",
    "1  | 11          | logValuesPerBlock at offset 1 is 17, expected 4 to 16",
    "1  | ff          | logValuesPerBlock at offset 1 is 127, expected 4 to 16",
    // numForms
    "2  | 00          | the composition at offset 7 counts 0 chunks, expected 2 to 21",
    "2  | 02          | the offsets from offset 25 on go from 259 to 768, expected 0 to 9 as the composition has it",
    "2  | 04          | the composition at offset 34 names form 0 behind form 3",
    "2  | 09          | numForms at offset 2 is 9, expected 0 to 8",
    "2  | ff          | numForms at offset 2 is -1, expected 0 to 8",
    // numValues: for no blocks, fewer blocks than chunks, fewer groups, more groups, and as many as there can be
    "3  | ff ff ff ff | numValues at offset 3 is -1, expected 0 to 2147483647",
    "3  | 00 00 00 00 | the composition at offset 7 counts 6 chunks, expected 0 to 0",
    "3  | 00 14 00 00 | the composition at offset 7 counts 6 chunks, expected 1 to 5",
    "3  | 00 40 00 00 | the groups from offset 62 on tell of 4 chunks, the composition of 6",
    "3  | 01 80 00 00 | its 17 bytes of chunks, from offset 68 on, do not fit into the 83 bytes there are",
    "3  | ff ff ff 7f | the composition at offset 7 counts 6 chunks, expected 131072 to 2097152",
    // composition: the entry of zeros is at 7, that of constants at 16, that of bytepack at 25
    "8  | 00 00 00 00 | the composition at offset 7 says that form 0 has 0 chunks of 4 bytes",
    "8  | ff ff ff ff | the composition at offset 7 says that form 0 has -1 chunks of 4 bytes",
    "12 | 03 00 00 00 | the composition at offset 7 says that form 0 has 4 chunks of 3 bytes",
    "21 | ff ff ff ff | the composition at offset 16 says that form 1 has 1 chunks of -1 bytes",
    "16 | 00          | the composition at offset 16 names form 0 behind form 0",
    "7  | 63          | the composition at offset 16 names form 1 behind form 99",
    "26 | 02 00 00 00 | its 17 bytes of chunks, from offset 70 on, do not fit into the 83 bytes there are",
    "30 | 07 00 00 00 | the offsets from offset 34 on go from 0 to 17, expected 0 to 16 as the composition has it",
    "30 | 09 00 00 00 | its 18 bytes of chunks, from offset 66 on, do not fit into the 83 bytes there are",
    "30 | ff ff ff 7f | its 2147483656 bytes of chunks, from offset 66 on, do not fit into the 83 bytes there are",
    // offsets
    "34 | 01 00 00 00 | the offsets from offset 34 on go from 1 to 17, expected 0 to 17 as the composition has it",
    "34 | ff ff ff ff | the offsets from offset 34 on go from -1 to 17, expected 0 to 17 as the composition has it",
    "58 | 10 00 00 00 | the offsets from offset 34 on go from 0 to 16, expected 0 to 17 as the composition has it",
    "58 | 12 00 00 00 | the offsets from offset 34 on go from 0 to 18, expected 0 to 17 as the composition has it",
    // groups: fewer chunks, more chunks
    "62 | 01 11       | the groups from offset 62 on tell of 5 chunks, the composition of 6",
    "62 | 13 11       | the groups from offset 62 on tell of 7 chunks, the composition of 6",
    "64 | 01 00       | the groups from offset 62 on tell of 5 chunks, the composition of 6",
    "64 | 13 00       | the groups from offset 62 on tell of 7 chunks, the composition of 6"
  })
  void contradictionIsFoundWhenTheColumnIsOpened(int offset, String patch, String message) {
    assertRefused(offset, patch, message + DAMAGED);
  }

  /** A chunk cannot go on into the next group, nor start behind the last block. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "62 | 10 11 | 0 | 1110 | 16",
    "62 | 00 00 | 0 | 0    | 16",
    "62 | fe ff | 0 | fffe | 16",
    "64 | 00 00 | 1 | 0    | 5",
    "64 | 10 00 | 1 | 10   | 5",
    "64 | 21 00 | 1 | 21   | 5",
    "64 | 01 80 | 1 | 8001 | 5"
  })
  void chunksStartWithinTheirGroup(int offset, String patch, int group, String bits, int numBlocks) {
    assertRefused(
        offset, patch, "the chunks of group " + group + " start where the bits 0x" + bits + " at offset " + offset
            + " have it, expected its first block and others of its " + numBlocks + DAMAGED);
  }

  @Test
  void unknownFormInTheComposition() {
    assertRefused(25, "63",
        "it has chunks in form 99 (at offset 25), which this druid-shapeshift does not know" + TOO_NEW);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    // A number of values for which there are as many blocks.
    "3|02 50 00 00|20480|chunk 5 at offset 75 (bytepack): bytepack has 6 bytes, expected 4",
    "3|04 50 00 00|20480|chunk 5 at offset 75 (bytepack): bytepack has 6 bytes, expected 8",
    // As many chunks, of other blocks.
    "64|09 00|20480|chunk 5 at offset 75 (bytepack): bytepack has 6 bytes, expected 2054",
    // Offsets between the first and the last.
    "38|00 00 00 00|0|the offsets of chunk 0, at offset 34, say that it goes from 0 to 0 of 17 bytes of chunks",
    "38|ff ff ff ff|4096|the offsets of chunk 1, at offset 38, say that it goes from -1 to 2 of 17 bytes of chunks",
    "38|12 00 00 00|0|the offsets of chunk 0, at offset 34, say that it goes from 0 to 18 of 17 bytes of chunks",
    "38|03 00 00 00|4096|the offsets of chunk 1, at offset 38, say that it goes from 3 to 2 of 17 bytes of chunks",
    "38|02 00 00 00|0|chunk 0 at offset 66 (zero): zero has 2 bytes, expected 1",
    "54|0a 00 00 00|16384|chunk 4 at offset 70 (constant): constant has 6 bytes, expected 5",
    // Chunks.
    "66|01|0|chunk 0 at offset 66 (constant): constant has 1 bytes, expected 5",
    "70|00|16384|chunk 4 at offset 70 (zero): zero has 5 bytes, expected 1",
    "76|00|20480|chunk 5 at offset 75 (bytepack): bytepack has words of 0 bytes, expected 1 to 4",
    "76|05|20480|chunk 5 at offset 75 (bytepack): bytepack has words of 5 bytes, expected 1 to 4",
    "76|03|20480|chunk 5 at offset 75 (bytepack): bytepack has 6 bytes, expected 9"
  })
  void damagedChunkIsFoundWhenItIsRead(int offset, String patch, int position, String message) {
    assertRefusedWhenRead(offset, patch, position, message + DAMAGED);
  }

  /** A later release may compress other forms. */
  @Test
  void unknownInnerForm() {
    assertRefusedWhenRead(
        75, "05", 20480, "chunk 5 at offset 75 (lz4): lz4 holds form 2, which cannot be compressed" + TOO_NEW);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "38|00 00 00 00|the offsets of chunk 0, at offset 34, say that it goes from 0 to 0 of 17 bytes of chunks",
    "42|ff ff ff 7f|the offsets of chunk 1, at offset 38, say that it goes from 1 to 2147483647 of 17 bytes of chunks",
    "54|00 00 00 80|the offsets of chunk 4, at offset 50, say that it goes from 4 to -2147483648 of 17 bytes of chunks"
  })
  void damagedOffsetsAreFoundWhenChunksAreListed(int offset, String patch, String message) {
    final byte[] bytes = patched(offset, patch);
    assertMessage(message + DAMAGED, assertThrows(ColumnFormatException.class, () -> open(bytes).data().chunks()));
  }

  @Test
  void offsetBehindTheColumnIsFoundWhenAChunkIsLookedUp() {
    final byte[] bytes = patched(42, "ff ff ff 7f");
    assertMessage(
        "the offsets of chunk 2, at offset 42, say that it goes from 2147483647 to 3 of 17 bytes of chunks" + DAMAGED,
        assertThrows(ColumnFormatException.class, () -> open(bytes).data().chunkOfBlock(8)));
  }

  @Test
  void otherChunksOfADamagedColumnCanBeRead() {
    final ShapeShiftingColumnarInts column = open(patched(70, "00")).get();
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
              "Column[dim]: chunk 1 at offset " + chunks.get(1).offset() + " (" + codec + ")"), e.getMessage());
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
        FormSelectors.forInts(forms, OptimizationTarget.SMALLER),
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
    assertRefusedWhenRead(75, "63", 20_480,
        "it has chunks in form 99 (at offset 75), which this druid-shapeshift does not know" + TOO_NEW);
  }

  @Test
  void cutColumnSaysWhatIsMissing() {
    assertCutRefused(6, "there are 6 bytes, fewer than the 7 of a header" + DAMAGED);
    assertCutRefused(33, "numForms at offset 2 is 3, expected 0 to 2" + DAMAGED);
    assertCutRefused(
        65, "its 32 bytes of offsets, from offset 34 on, do not fit into the 65 bytes there are" + DAMAGED);
    assertCutRefused(
        82, "its 17 bytes of chunks, from offset 66 on, do not fit into the 82 bytes there are" + DAMAGED);
  }

  // Chunks of too many values

  @Test
  void chunkOfMoreValuesThanAnyChunk() {
    assertRefusedWhenRead(column(1 << 17, 13, "00"), 0,
        "chunk 0 at offset 26 (zero) has 131072 values, but can have at most 65536" + DAMAGED);
  }

  @ParameterizedTest
  @CsvSource("rle, 04 01 00 00")
  void chunkOfMoreValuesThanItsFormDecodes(String form, String chunk) {
    for (int numValues : new int[] {16_385, 65_536}) {
      assertRefusedWhenRead(column(numValues, 12, chunk), 0, "chunk 0 at offset 26 (" + form + "): " + form + " has "
          + numValues + " values, but can have at most 16384" + DAMAGED);
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

  /** A column of one chunk, which goes from offset 26 to its end. */
  private static byte[] column(int numValues, int logValuesPerBlock, String hex) {
    final byte[] chunk = HexFormat.ofDelimiter(" ").parseHex(hex);
    final ByteBuffer out = ByteBuffer.allocate(26 + chunk.length).order(Setup.SMALL.order());
    out.put((byte) 1).put((byte) logValuesPerBlock).put((byte) 1).putInt(numValues);
    out.put(chunk[0]).putInt(1).putInt(chunk.length);
    out.putInt(0).putInt(chunk.length).putShort((short) 1);
    return out.put(chunk).array();
  }
}
