// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.testing.RandomData;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a hash index finds is what a look at all rows finds. */
@ExtendWith(RandomData.Seeded.class)
class HashIndexTest {
  /** Rows of some kind. */
  record Shape(String name, int numRows, IntToLongFunction keys) {
    List<Long> rows() {
      return IntStream.range(0, numRows).mapToObj(keys::applyAsLong).toList();
    }

    @Override
    public String toString() {
      return name + " " + numRows;
    }
  }

  static Stream<Shape> shapes() {
    final RandomData random = RandomData.shared(19);
    return IntStream.of(0, 1, 2, 7, 8, 9, 63, 64, 65, 129, 1000, 2047, 2048, 2049, 5000, 70_000).boxed().flatMap(
        n -> Stream.of(
            new Shape("sequence", n, row -> row),
            new Shape("random", n, row -> random.nextLong()),
            new Shape("one", n, row -> 7),
            new Shape("few", n, row -> random.nextInt(20)),
            new Shape("pairs", n, row -> row / 2 * 1_000_003L),
            new Shape("many of some", n, row -> row % 3 == 0 ? -5 : row % 7 == 0 ? Long.MAX_VALUE : row),
            new Shape("63 of each", n, row -> row % Math.max(1, n / 63)),
            new Shape("64 of each", n, row -> row % Math.max(1, n / 64)),
            new Shape("runs", n, row -> row / 100)
        )
    );
  }

  private static void check(List<Long> rows) throws IOException {
    final Map<Long, List<Integer>> expected = new HashMap<>();
    for (int row = 0; row < rows.size(); row++) {
      @Nullable final Long key = rows.get(row);
      if (key != null) {
        expected.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
      }
    }
    final HashIndex index = HashIndexes.read(HashIndexes.write(rows), rows.size());
    final HashIndexReader reader = index.reader(HashIndexes.column(rows));
    final long listed =
        expected.values().stream().filter(list -> list.size() >= CostModel.Hashes.LEAST_LISTED).count();
    assertEquals(listed, index.lists() == null ? 0 : index.lists().size());
    assertEquals(expected.size(), index.numKeys());
    expected.forEach((key, list) -> assertEquals(list, HashIndexes.find(reader, key, rows.size()), () -> "key " + key));
    for (long absent = -50; absent < 50; absent++) {
      final long key = KeyHash.of(absent * 77_777_777L + 13);
      if (!expected.containsKey(key)) {
        assertEquals(List.of(), HashIndexes.find(reader, key, rows.size()), () -> "key " + key);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void findsAllRowsOfAllKeys(Shape shape) throws IOException {
    check(shape.rows());
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void rowsThatAreNullAreNotFound(Shape shape) throws IOException {
    final List<Long> rows = new ArrayList<>(shape.rows());
    for (int row = 0; row < rows.size(); row += row % 5 + 1) {
      rows.set(row, null);
    }
    check(rows);
  }

  /** In any order, some several times, some that are not there, and with lists among them. */
  @ParameterizedTest
  @MethodSource("shapes")
  void findsTheRowsOfSomeKeys(Shape shape) throws IOException {
    final List<Long> rows = shape.rows();
    final LongList wanted = new LongArrayList(new long[] {3, -5, 3, Long.MIN_VALUE, 0});
    for (int row = rows.size() - 1; row >= 0; row -= 11) {
      wanted.add(rows.get(row).longValue());
    }
    final LongSet all = new LongOpenHashSet(wanted);
    final RowSet found = new RowSet(rows.size());
    HashIndexes.read(HashIndexes.write(rows), rows.size()).reader(HashIndexes.column(rows)).find(wanted, found);
    assertEquals(
        IntStream.range(0, rows.size()).filter(row -> all.contains(rows.get(row).longValue())).boxed().toList(),
        HashIndexes.rows(found)
    );
  }

  @Test
  void ofNullsOnlyNothingIsFound() throws IOException {
    check(Collections.nCopies(100, null));
    final HashIndex index = HashIndexes.read(HashIndexes.write(Collections.nCopies(100, null)), 100);
    assertEquals(0, index.numEntries());
    assertEquals(0, index.numBuckets());
    assertNull(index.lists());
    // A number that stands under nulls.
    assertEquals(List.of(), HashIndexes.find(index.reader(row -> 5), 5, 100));
  }

  @Test
  void theBufferMayHaveAnyOrderAndMoreBytes() throws IOException {
    final List<Long> rows = LongStream.range(0, 500).map(i -> i % 100).boxed().toList();
    final byte[] bytes = HashIndexes.write(rows);
    final ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + 20).position(7).put(bytes).position(7);
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      final ByteBuffer in = buffer.duplicate().order(order);
      final HashIndex index = HashIndex.read(HashIndexes.COLUMN, in, 500);
      assertEquals(7 + bytes.length, in.position());
      assertEquals(bytes.length, index.sizeInBytes());
      assertEquals(
          List.of(3, 103, 203, 303, 403), HashIndexes.find(index.reader(HashIndexes.column(rows)), 3, 500));
    }
  }

  /** What takes most room is given back as soon as it is not needed. */
  @Test
  void keysAreKeptUntilTheIndexIsMade(@TempDir File folder) throws IOException {
    final int numRows = 400_000;
    try (SegmentWriteOutMedium medium =
        TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(folder)) {
      final HashIndexSerializer serializer =
          new HashIndexSerializer(HashIndexes.COLUMN, medium, OptimizationTarget.FASTBUTSMALLISH);
      serializer.open();
      for (long key = 0; key < numRows; key++) {
        serializer.add(key);
      }
      assertTrue(bytes(folder) > 8L * numRows, () -> "bytes before: " + bytes(folder));
      assertTrue(serializer.complete());
      assertTrue(bytes(folder) < 6L * numRows, () -> "bytes behind: " + bytes(folder));
      assertTrue(serializer.getSerializedSize() > 3L * numRows);
    }
  }

  private static long bytes(File folder) {
    try (Stream<Path> files = Files.walk(folder.toPath())) {
      return files.map(Path::toFile).filter(File::isFile).mapToLong(File::length).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Keys whose hashes are alike but for their lowest bytes: all are in one bucket. */
  private static List<Long> alike(int count) {
    return IntStream.range(0, count).mapToObj(i -> KeyHash.key(0xABCD_EF01_2345_0000L + i)).toList();
  }

  private static List<Long> others(int count) {
    return IntStream.range(0, count).mapToObj(i -> i * 31L).toList();
  }

  @Test
  void aBucketHasRoomFor255Keys() throws IOException {
    final List<Long> rows = new ArrayList<>(others(10_000));
    rows.addAll(alike(240));
    check(rows);
  }

  @Test
  void moreKeysOfOneBucketGiveNoIndex() throws IOException {
    final List<Long> rows = new ArrayList<>(others(10_000));
    rows.addAll(alike(256));
    final HashIndexSerializer serializer = HashIndexes.serializer(rows);
    assertFalse(serializer.complete());
    assertFalse(serializer.complete());
    assertThrows(IllegalStateException.class, serializer::getSerializedSize);
    assertThrows(IllegalStateException.class, () -> serializer.add(1));
    assertThrows(IllegalStateException.class, serializer::addNull);
  }

  /** Ten keys of 60 rows do not fit into their bucket, unless they have lists as well. */
  @Test
  void keysOfFewRowsHaveListsWhereABucketIsFull() throws IOException {
    final List<Long> rows = new ArrayList<>(others(10_000));
    for (int i = 0; i < 60; i++) {
      rows.addAll(alike(10));
    }
    final HashIndex index = HashIndexes.read(HashIndexes.write(rows), rows.size());
    assertNotNull(index.lists());
    assertTrue(index.lists().size() >= 10, () -> "lists: " + index.lists().size());
    final HashIndexReader reader = index.reader(HashIndexes.column(rows));
    for (int i = 0; i < 10; i++) {
      final int first = 10_000 + i;
      assertEquals(
          IntStream.range(0, 60).mapToObj(j -> first + 10 * j).toList(),
          HashIndexes.find(reader, alike(10).get(i), rows.size())
      );
    }
    for (int row = 0; row < 10_000; row += 99) {
      assertEquals(List.of(row), HashIndexes.find(reader, rows.get(row), rows.size()));
    }
  }

  /** The fingerprint is one of 256: of the rows of other keys hardly any are looked at. */
  @Test
  void hardlyAnyRowOfOtherKeysIsRead() throws IOException {
    final List<Long> rows = LongStream.range(0, 20_000).map(i -> i * 3).boxed().toList();
    final HashIndex index = HashIndexes.read(HashIndexes.write(rows), rows.size());
    final int[] reads = new int[1];
    final HashIndexReader reader = index.reader(row -> {
      reads[0]++;
      return rows.get(row);
    });
    for (long key = 0; key < 60_000; key++) {
      HashIndexes.find(reader, key, rows.size());
    }
    // A row for each key that there is, and one in 256 of the eight or so in the bucket of each key.
    assertTrue(reads[0] > 20_000 && reads[0] < 20_000 + 60_000 / 16, () -> "rows read: " + reads[0]);
  }

  @Test
  void theSizeIsThatOfEntries() throws IOException {
    final int numRows = 1 << 16;
    final byte[] bytes = HashIndexes.write(LongStream.range(0, numRows).boxed().toList());
    // Of each row a byte, 16 bits, and the 128th part of 20 bytes; and a thousandth for the checksums.
    assertEquals(numRows * (1 + 2 + 20 / 128.0) * (1 + 4 / 4096.0), bytes.length, 32);
  }

  @Test
  void nothingIsAddedToAnIndexThatWasWritten() throws IOException {
    final HashIndexSerializer serializer = HashIndexes.serializer(Arrays.asList(1L, null));
    serializer.getSerializedSize();
    assertThrows(IllegalStateException.class, () -> serializer.add(1));
    assertThrows(IllegalStateException.class, serializer::addNull);
  }
}
