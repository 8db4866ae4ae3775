// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.testing.Golden;
import java.io.IOException;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Damage to a column of the version that is no longer written, in which each chunk holds one block. */
class CorruptColumnOfVersion1Test extends CorruptColumnContract {
  /**
   * The first golden column, of three chunks: zeros, sevens, and 1 300 2. The offsets start at 49, the chunks at 65, 66
   * and 71, and it ends at 79.
   */
  CorruptColumnOfVersion1Test() throws IOException {
    super(golden().bytes(), golden().values());
    assertEquals(79, golden().bytes().length);
  }

  private static Golden.Example golden() throws IOException {
    return Golden.read(Golden.file("columns/ints-v1", ByteOrder.LITTLE_ENDIAN)).get(0);
  }

  @Test
  void otherVersions() {
    assertRefused(
        0, "00", "its version at offset 0 is 0, this druid-shapeshift knows 1 and 2" + TOO_NEW);
    // There are no groups.
    assertRefused(0, "02", "offsetsOutSize at offset 14 is 16, expected 22" + DAMAGED);
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
    // logValuesPerBlock
    "13 | 0b          | numChunks at offset 9 is 3, expected 5",
    "13 | 0d          | numChunks at offset 9 is 3, expected 2",
    "13 | 03          | logValuesPerBlock at offset 13 is 3, expected 4 to 16",
    "13 | 11          | logValuesPerBlock at offset 13 is 17, expected 4 to 16",
    "13 | ff          | logValuesPerBlock at offset 13 is -1, expected 4 to 16",
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
    assertRefusedWhenRead(offset, patch, position, message + DAMAGED);
  }

  @Test
  void cutColumnSaysWhatIsMissing() {
    assertCutRefused(21, "there are 21 bytes, fewer than the 22 of a header" + DAMAGED);
    assertCutRefused(48, "headerSize at offset 1 is 49, expected 22 to 48" + DAMAGED);
    assertCutRefused(
        64, "its 16 bytes of offsets, from offset 49 on, do not fit into the 64 bytes there are" + DAMAGED);
    assertCutRefused(
        78, "its 14 bytes of chunks, from offset 65 on, do not fit into the 78 bytes there are" + DAMAGED);
  }
}
