// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.bits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytePackingTest {
  @ParameterizedTest
  @CsvSource({
    "0, 1", "1, 1", "127, 1", "128, 1", "255, 1", "256, 2", "65535, 2", "65536, 3", "16777215, 3", "16777216, 4",
    "2147483647, 4", "-1, 4"
  })
  void countsBytes(int value, int expected) {
    assertEquals(expected, BytePacking.numBytes(value));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 44", "2, 3344", "3, 223344", "4, 11223344"
  })
  void putsAndGetsTheLowerBytes(int numBytes, String bigEndian) {
    final byte[] expected = HexFormat.of().parseHex(bigEndian);
    final ByteBuffer big = ByteBuffer.allocate(numBytes);
    BytePacking.put(0x11223344, numBytes, big);
    assertArrayEquals(expected, big.array());
    assertEquals(Integer.parseInt(bigEndian, 16), BytePacking.get(big, 0, numBytes));

    final ByteBuffer little = ByteBuffer.allocate(numBytes).order(ByteOrder.LITTLE_ENDIAN);
    BytePacking.put(0x11223344, numBytes, little);
    for (int i = 0; i < numBytes; i++) {
      assertEquals(expected[i], little.get(numBytes - 1 - i));
    }
    assertEquals(Integer.parseInt(bigEndian, 16), BytePacking.get(little, 0, numBytes));
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4"})
  void packsTheFirstValues(int numBytes) {
    for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
      final ByteBuffer out = ByteBuffer.allocate(4 * numBytes).order(order).put((byte) 99);
      BytePacking.pack(new int[] {9, 1, 200, 3}, 1, 2, numBytes, out);
      assertEquals(1 + 2 * numBytes, out.position());
      assertEquals(1, BytePacking.get(out, 1, numBytes));
      assertEquals(200, BytePacking.get(out, 1 + numBytes, numBytes));
    }
  }
}
