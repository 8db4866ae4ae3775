// SPDX-License-Identifier: Apache-2.0
package org.example.periodic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.EncodingContract;
import io.shapeshift.druid.api.IntReader;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeriodicEncodingTest {
  private static final byte[] EXAMPLE = HexFormat.ofDelimiter(" ").parseHex("04 00 03 75 09");

  @Test
  void keepsTheContract() {
    EncodingContract.check(
        new PeriodicEncoding(),
        new int[]{5, 7, 9, 5, 7, 9, 5, 7, 9, 5, 7, 9},
        IntStream.range(0, 4096).map(i -> i % 2048 * 1_000_000).toArray(),
        IntStream.range(0, 16_384).map(i -> i % 100 / 10).toArray()
    );
  }

  /** The bytes of the class's Javadoc, big-endian, never change. */
  @Test
  void readsWhatItEverWrote() {
    final IntReader reader = new PeriodicEncoding().open(ByteBuffer.wrap(EXAMPLE), 12);
    final int[] values = new int[12];
    reader.get(0, values, 0, 12);
    assertArrayEquals(new int[]{5, 7, 9, 5, 7, 9, 5, 7, 9, 5, 7, 9}, values);
  }

  @Test
  void refusesAPeriodBeyondTheValues() {
    final DamagedChunkException e = assertThrows(
        DamagedChunkException.class, () -> new PeriodicEncoding().open(ByteBuffer.wrap(EXAMPLE), 2));
    assertEquals("width 4 and period 3, expected widths of 1 to 31 and periods of 1 to 2", e.getMessage());
  }
}
