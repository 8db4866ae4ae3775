// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A damaged hash index: the one error that names the column, or rows that have the key; nothing else is ever read. */
@ExtendWith(RandomData.Seeded.class)
class CorruptHashIndexTest {
  private static final String DAMAGED =
      ". The segment is damaged: fetch it again from deep storage, or ingest its interval again";
  private static final List<Long> ROWS =
      IntStream.range(0, 900).mapToObj(row -> row % 9 == 0 ? (long) (row % 27) : row * 5L).toList();

  private static void findAllOrRefuse(byte[] bytes, String what) {
    try {
      final HashIndex index = HashIndexes.read(bytes, ROWS.size());
      final HashIndexReader reader = index.reader(row -> ROWS.get(row));
      for (long key = -10; key < 5000; key += 3) {
        for (int row : HashIndexes.find(reader, key, ROWS.size())) {
          assertTrue(row >= 0 && row < ROWS.size(), () -> "row " + row);
        }
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[id]: "), e.getMessage());
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what, e);
    }
  }

  @Test
  void cutAtAnyLength() throws IOException {
    final byte[] intact = HashIndexes.write(ROWS);
    for (int length = 0; length < intact.length; length++) {
      final byte[] cut = Arrays.copyOf(intact, length);
      assertThrows(ColumnFormatException.class, () -> HashIndexes.read(cut, ROWS.size()), "length " + length);
    }
  }

  @Test
  void anyByteChanged(RandomData random) throws IOException {
    final byte[] intact = HashIndexes.write(ROWS);
    for (int offset = 0; offset < intact.length; offset++) {
      for (int value : new int[] {0, 1, 0x7F, 0x80, 0xFF, random.nextInt(256)}) {
        final byte[] damaged = intact.clone();
        damaged[offset] = (byte) value;
        findAllOrRefuse(damaged, "offset " + offset + " is " + value);
      }
    }
  }

  @Test
  void manyBytesChanged(RandomData random) throws IOException {
    final byte[] intact = HashIndexes.write(ROWS);
    for (int i = 0; i < 500; i++) {
      final byte[] damaged = intact.clone();
      for (int j = random.between(2, 40); j > 0; j--) {
        damaged[random.between(12, damaged.length - 1)] = (byte) random.nextInt(256);
      }
      findAllOrRefuse(damaged, "round " + i);
    }
  }

  private static String refusal(List<Long> rows, int numRows, int offset, int value) throws IOException {
    final byte[] bytes = HashIndexes.write(rows);
    bytes[offset] = (byte) value;
    return assertThrows(ColumnFormatException.class, () -> {
      final HashIndexReader reader = HashIndexes.read(bytes, numRows).reader(rows::get);
      HashIndexes.find(reader, rows.get(0), numRows);
    }).getMessage();
  }

  @Test
  void messages() throws IOException {
    final List<Long> rows = List.of(7L, 8L, 7L);
    assertEquals(
        "Column[id]: the version at offset 0 of its hash index is 9, this druid-shapeshift knows 1. A newer"
            + " druid-shapeshift wrote it, unless the segment is damaged: use the release that wrote it, or a newer"
            + " one, on every Druid service",
        refusal(rows, 3, 0, 9)
    );
    assertEquals(
        "Column[id]: numRows at offset 1 of its hash index is 3, expected 4 to 4" + DAMAGED, refusal(rows, 4, 0, 1));
    assertEquals(
        "Column[id]: numKeys at offset 2 of its hash index is 4, expected 0 to 3" + DAMAGED, refusal(rows, 3, 2, 0x84));
    assertEquals(
        "Column[id]: numEntries at offset 3 of its hash index is 4, expected 2 to 3" + DAMAGED,
        refusal(rows, 3, 3, 0x84)
    );
    assertEquals(
        "Column[id]: numBuckets at offset 4 of its hash index is 0, expected 1 to 1717986912" + DAMAGED,
        refusal(rows, 3, 4, 0x80)
    );
    assertEquals(
        "Column[id]: numLists at offset 5 of its hash index is 5, expected 0 to 2" + DAMAGED,
        refusal(rows, 3, 5, 0x85)
    );
    assertEquals(
        "Column[id]: bucket 0 at offset 6 of its hash index has the 3 entries from 1 on, of 3" + DAMAGED,
        refusal(rows, 3, 6, 1)
    );
    assertEquals(
        "Column[id]: bucket 0 at offset 6 of its hash index has the 4 entries from 0 on, of 3" + DAMAGED,
        refusal(rows, 3, 10, 4)
    );
    assertEquals(
        "Column[id]: bucket 0 at offset 6 of its hash index has an entry for row 3, of 3" + DAMAGED,
        refusal(rows, 3, 29, 0xFF)
    );
  }

  @Test
  void aRowThatIsThereTwiceIsFoundOnce() throws IOException {
    final List<Long> rows = List.of(7L, 8L, 7L);
    final byte[] bytes = HashIndexes.write(rows);
    bytes[29] = 0;
    assertEquals(List.of(0), HashIndexes.find(HashIndexes.read(bytes, 3).reader(rows::get), 7, 3));
  }
}
