// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A damaged hash index: the right rows, or the one error that names the column; nothing else is ever read. */
@ExtendWith(RandomData.Seeded.class)
class CorruptHashIndexTest {
  private static final String DAMAGED =
      ". The segment is damaged: fetch it again from deep storage, or ingest its interval again";
  private static final List<Long> ROWS =
      IntStream.range(0, 1500).mapToObj(row -> row % 9 == 0 ? (long) (row % 2) : row * 5L).toList();

  private static final Map<Long, List<Integer>> EXPECTED = IntStream.range(0, ROWS.size()).boxed().collect(
      Collectors.groupingBy(ROWS::get));

  /** Looks keys up that are there and others: each time the rows are right, or refused by the one error. */
  private static void findAllOrRefuse(byte[] bytes, boolean checksums, String what) {
    try {
      final HashIndex index = HashIndexes.read(bytes, ROWS.size());
      final HashIndexReader reader = index.reader(row -> ROWS.get(row));
      EXPECTED.keySet().forEach(key -> find(reader, key, checksums, what));
      for (long absent = 2; absent < 7500; absent += 100) {
        find(reader, absent, checksums, what);
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[id]: "), e.getMessage());
    }
  }

  private static void find(HashIndexReader reader, long key, boolean checksums, String what) {
    final List<Integer> found;
    try {
      found = HashIndexes.find(reader, key, ROWS.size());
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[id]: "), e.getMessage());
      return;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what, e);
    }
    if (checksums) {
      assertEquals(EXPECTED.getOrDefault(key, List.of()), found, () -> what + ", key " + key);
    } else {
      assertTrue(found.stream().allMatch(row -> row >= 0 && row < ROWS.size()), () -> what + ": " + found);
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
    assertEquals(2, HashIndexes.read(intact, ROWS.size()).lists().size());
    int tried = 0;
    for (int offset = 0; offset < intact.length; offset++) {
      for (int value : new int[] {0, 0xFF, intact[offset] ^ (1 << random.nextInt(8)), random.nextInt(256)}) {
        if (!Tier.tries(tried++, 5)) {
          continue;
        }
        final byte[] damaged = intact.clone();
        damaged[offset] = (byte) value;
        final String what = "offset " + offset + " is " + value;
        findAllOrRefuse(damaged, true, what);
        findAllOrRefuse(HashIndexes.renewChecksums(damaged), false, what);
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
      findAllOrRefuse(damaged, true, "round " + i);
      findAllOrRefuse(HashIndexes.renewChecksums(damaged), false, "round " + i);
    }
  }

  private static String refusal(List<Long> rows, int numRows, int offset, int value) throws IOException {
    final byte[] bytes = HashIndexes.write(rows);
    bytes[offset] = (byte) value;
    return refusal(rows, numRows, HashIndexes.renewChecksums(bytes));
  }

  private static String refusal(List<Long> rows, int numRows, byte[] bytes) {
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
    final HashIndexReader reader = HashIndexes.read(HashIndexes.renewChecksums(bytes), 3).reader(rows::get);
    assertEquals(List.of(0), HashIndexes.find(reader, 7, 3));
  }

  /** Blocks are checked when something in them is used: others may be damaged. */
  @Test
  void whatIsNotUsedIsNotChecked() throws IOException {
    final List<Long> rows = LongStream.range(0, 10_000).boxed().toList();
    final byte[] bytes = HashIndexes.write(rows);
    bytes[9000] ^= 1;
    final HashIndexReader reader = HashIndexes.read(bytes, rows.size()).reader(rows::get);
    final Set<String> errors = new TreeSet<>();
    int found = 0;
    for (long key = 0; key < rows.size(); key++) {
      try {
        assertEquals(List.of((int) key), HashIndexes.find(reader, key, rows.size()));
        found++;
      } catch (ColumnFormatException e) {
        errors.add(e.getMessage());
      }
    }
    assertTrue(found > rows.size() / 2 && found < rows.size(), "found " + found);
    assertEquals(
        Set.of("Column[id]: the bytes of its hash index from offset 8192 to 12288 are not those of their checksum"
            + DAMAGED),
        errors
    );
  }
}
