// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.druid.segment.data.ArrayBasedIndexedInts;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(RandomData.Seeded.class)
class InversionTest {
  @TempDir
  private File folder;

  /** Adds rows as a merger does, and collects the lists. */
  private static List<List<Integer>> invert(
      SegmentWriteOutMedium medium,
      int numIds,
      int leastRowsOnHeap,
      List<int[]> rows
  ) throws IOException {
    final Inversion inversion = new Inversion(medium, numIds, leastRowsOnHeap);
    for (int[] ids : rows) {
      if (ids.length == 1) {
        inversion.add(ids[0]);
      } else {
        inversion.add(new ArrayBasedIndexedInts(ids));
      }
    }
    final long numPostings = rows.stream().mapToLong(ids -> IntStream.of(ids).distinct().count()).sum();
    final long most = Math.max(leastRowsOnHeap, numPostings / 16);
    final List<List<Integer>> lists = new ArrayList<>();
    inversion.forEachId((rowsOfId, from, to) -> {
      final int longest = lists.stream().mapToInt(List::size).max().orElse(0);
      assertTrue(rowsOfId.length <= Math.max(most, Math.max(longest, to - from)), "rows on the heap");
      lists.add(IntStream.range(from, to).map(i -> rowsOfId[i]).boxed().toList());
    });
    return lists;
  }

  private static List<List<Integer>> expected(int numIds, List<int[]> rows) {
    final List<TreeSet<Integer>> lists = IntStream.range(0, numIds).mapToObj(id -> new TreeSet<Integer>()).toList();
    for (int row = 0; row < rows.size(); row++) {
      for (int id : rows.get(row)) {
        lists.get(id).add(row);
      }
    }
    return lists.stream().map(list -> (List<Integer>) new ArrayList<>(list)).toList();
  }

  private static void assertInverted(int numIds, int maxRowsOnHeap, List<int[]> rows) throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      assertEquals(expected(numIds, rows), invert(medium, numIds, maxRowsOnHeap, rows));
    }
  }

  private static List<int[]> singles(int... ids) {
    return Arrays.stream(ids).mapToObj(id -> new int[]{id}).toList();
  }

  @Test
  void listsAreInTheOrderOfTheirIds() throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      assertEquals(
          List.of(List.of(2), List.of(), List.of(0, 3), List.of(1)),
          invert(medium, 4, 100, singles(2, 3, 0, 2))
      );
    }
  }

  /** In any order, each once for a row; a row without ids counts as a row. */
  @Test
  void rowsOfSeveralIds() throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      assertEquals(
          List.of(List.of(0, 4), List.of(3, 4), List.of(0, 1, 4)),
          invert(medium, 3, 100, List.of(
              new int[]{2, 0, 2}, new int[]{2, 2}, new int[]{}, new int[]{1}, new int[]{2, 1, 0, 1, 2}, new int[]{}
          ))
      );
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 3", "1, 0", "5, 0"})
  void withoutIdsOrRows(int numIds, int emptyRows) throws IOException {
    assertInverted(numIds, 100, IntStream.range(0, emptyRows).mapToObj(row -> new int[0]).toList());
  }

  /** An id that is not in the dictionary would be taken for something else later on. */
  @Test
  void refusesAnIdThatIsNotInTheDictionary() throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final Inversion inversion = new Inversion(medium, 3);
      assertThrows(ArrayIndexOutOfBoundsException.class, () -> inversion.add(3));
      assertThrows(ArrayIndexOutOfBoundsException.class, () -> inversion.add(-1));
    }
  }

  /** The cardinalities at which ids, or the mark of rows with several of them, take a byte more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 255, 256, 257, 65_535, 65_536, 65_537, 0xFFFFFF, 0x1000000})
  void idsOfEachWidth(int numIds, RandomData data) throws IOException {
    final int[] usual = {0, numIds / 2, Math.max(0, numIds - 2), numIds - 1};
    final List<int[]> rows = new ArrayList<>();
    for (int row = 0; row < 20_000; row++) {
      final int size = data.nextInt(4) > 0 ? 1 : data.nextInt(5);
      rows.add(IntStream.range(0, size)
                        .map(i -> data.nextInt(10) == 0 ? data.nextInt(numIds) : usual[data.nextInt(4)])
                        .toArray());
    }
    try (SegmentWriteOutMedium medium =
             TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(folder)) {
      final Inversion inversion = new Inversion(medium, numIds);
      for (int[] ids : rows) {
        inversion.add(new ArrayBasedIndexedInts(ids));
      }
      final int[][] lists = new int[numIds][];
      final int[] next = {0};
      inversion.forEachId((rowsOfId, from, to) -> lists[next[0]++] = Arrays.copyOfRange(rowsOfId, from, to));
      assertEquals(numIds, next[0]);
      long numEntries = 0;
      for (int row = 0; row < rows.size(); row++) {
        for (int id : Arrays.stream(rows.get(row)).distinct().toArray()) {
          assertTrue(Arrays.binarySearch(lists[id], row) >= 0, "row " + row + " of id " + id);
          numEntries++;
        }
      }
      assertEquals(numEntries, Arrays.stream(lists).mapToLong(list -> list.length).sum());
    }
  }

  /** From a pass for each id to one for all, whatever the lengths of the lists. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 10, 1000, 100_000})
  void anyNumberOfPasses(int maxRowsOnHeap, RandomData data) throws IOException {
    for (int i = 0; i < 20; i++) {
      final int numIds = data.between(1, 60);
      final boolean skewed = data.nextInt(2) == 0;
      final boolean single = data.nextInt(2) == 0;
      final List<int[]> rows = new ArrayList<>();
      for (int row = data.nextInt(1000); row > 0; row--) {
        rows.add(IntStream.range(0, single ? 1 : data.nextInt(6))
                          .map(n -> skewed && data.nextInt(3) > 0 ? numIds / 2 : data.nextInt(numIds))
                          .toArray());
      }
      assertInverted(numIds, maxRowsOnHeap, rows);
    }
  }
}
