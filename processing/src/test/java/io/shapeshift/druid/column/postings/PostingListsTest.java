// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.postings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.postings.PostingForms;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.testing.Tier;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.druid.collections.bitmap.ConciseBitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.roaringbitmap.IntIterator;
import org.roaringbitmap.buffer.MutableRoaringBitmap;

/** Lists of all shapes come back from all targets, alone, in slices and united. */
class PostingListsTest {
  private static final Set<String> SEEN = new TreeSet<>();

  private static ByteBuffer write(List<int[]> lists, int numRows, OptimizationTarget target) throws IOException {
    final PostingListsSerializer serializer =
        new PostingListsSerializer("dim", new OnHeapMemorySegmentWriteOutMedium(), target, numRows);
    serializer.open();
    for (int[] list : lists) {
      serializer.add(list, 0, list.length);
    }
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final long size = serializer.getSerializedSize();
    serializer.writeTo(Channels.newChannel(out), null);
    assertEquals(size, out.size());
    final long stock = stockSize(lists);
    assertEquals(stock, serializer.stockBytes());
    // No index is larger than Druid's.
    final long most = Math.max(stock, 64);
    assertTrue(size <= most, () -> size + " bytes, of Druid's " + most);
    return ByteBuffer.wrap(out.toByteArray());
  }

  /** The lists of ids in rows. */
  private static List<int[]> invert(int[] ids, int cardinality) {
    final List<IntArrayList> lists = new ArrayList<>();
    for (int i = 0; i < cardinality; i++) {
      lists.add(new IntArrayList());
    }
    for (int row = 0; row < ids.length; row++) {
      lists.get(ids[row]).add(row);
    }
    return lists.stream().map(IntArrayList::toIntArray).toList();
  }

  private static void check(List<int[]> lists, int numRows, OptimizationTarget target, Random random)
      throws IOException {
    final ByteBuffer bytes = write(lists, numRows, target);
    final PostingLists read = PostingLists.read("dim", bytes);
    assertEquals(0, bytes.remaining());
    assertEquals(lists.size(), read.size());
    assertEquals(numRows, read.numRows());
    SEEN.addAll(read.composition().keySet());
    final PostingListsReader reader = read.reader();
    for (int i = 0; i < Math.min(lists.size(), 300); i++) {
      final int list = lists.size() <= 300 ? i : random.nextInt(lists.size());
      final RowSet rows = new RowSet(numRows);
      reader.read(list, list + 1, rows);
      check(lists.get(list), rows, "list " + list);
      if (reader.bitmap(list) != null) {
        assertArrayEquals(lists.get(list), reader.bitmap(list).toArray());
      }
    }
    for (int i = 0; i < 20 && !lists.isEmpty(); i++) {
      final int from = random.nextInt(lists.size());
      final int to = from + random.nextInt(Math.min(lists.size() - from, i < 10 ? 5 : Integer.MAX_VALUE) + 1);
      final RowSet rows = new RowSet(numRows);
      reader.read(from, to, rows);
      check(union(lists.subList(from, to)), rows, "lists " + from + " to " + to);
    }
    final RowSet some = new RowSet(numRows);
    final List<int[]> chosen = new ArrayList<>();
    for (int list = 0; list < lists.size(); list += 1 + random.nextInt(10)) {
      reader.read(list, list + 1, some);
      chosen.add(lists.get(list));
    }
    check(union(chosen), some, "some lists");
  }

  /** What Druid's index takes: a Roaring bitmap for each list, and eight bytes more. */
  private static long stockSize(List<int[]> lists) {
    long stock = 10;
    for (int[] list : lists) {
      final MutableRoaringBitmap bitmap = MutableRoaringBitmap.bitmapOf(list);
      bitmap.runOptimize();
      stock += bitmap.serializedSizeInBytes() + 2 * Integer.BYTES;
    }
    return stock;
  }

  private static int[] union(List<int[]> lists) {
    return lists.stream().flatMapToInt(IntStream::of).sorted().distinct().toArray();
  }

  private static void check(int[] expected, RowSet rows, String what) {
    for (boolean concise : Tier.pick(expected.length % 3 == 0, true)
                           ? new boolean[]{false, true} : new boolean[]{false}) {
      final ImmutableBitmap bitmap = rows.toBitmap(concise ? new ConciseBitmapFactory() : new RoaringBitmapFactory());
      final IntArrayList found = new IntArrayList();
      for (IntIterator i = bitmap.iterator(); i.hasNext(); ) {
        found.add(i.next());
      }
      assertArrayEquals(expected, found.toIntArray(), what);
      assertEquals(expected.length, bitmap.size(), what);
      assertEquals(expected.length == 0, bitmap.isEmpty(), what);
      if (!concise) {
        final ImmutableBitmap all = new RoaringBitmapFactory().complement(
            new RoaringBitmapFactory().makeEmptyImmutableBitmap(), Math.max(1, rows.numRows()));
        final ImmutableBitmap both = all.intersection(bitmap);
        assertEquals(expected.length, both.size(), what);
      }
    }
  }

  private static int[] ids(int rows, int cardinality, int shape, Random random) {
    final int[] ids = new int[rows];
    for (int row = 0; row < rows; row++) {
      ids[row] = switch (shape) {
        case 0 -> random.nextInt(cardinality);
        // Few values have most rows.
        case 1 -> (int) (cardinality * Math.pow(random.nextDouble(), 6));
        // Sorted.
        case 2 -> (int) ((long) row * cardinality / rows);
        // In runs.
        case 3 -> row > 0 && random.nextInt(20) != 0 ? ids[row - 1] : random.nextInt(cardinality);
        // Almost one value.
        case 4 -> random.nextInt(50) == 0 ? random.nextInt(cardinality) : cardinality / 2;
        // Almost sorted.
        default -> Math.min(
            cardinality - 1, Math.max(0, (int) ((long) row * cardinality / rows) + random.nextInt(9) - 4));
      };
    }
    return ids;
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void listsComeBack(OptimizationTarget target) throws IOException {
    int combination = List.of(OptimizationTarget.values()).indexOf(target);
    for (int shape = 0; shape < 6; shape++) {
      for (int rows : new int[] {1, 2, 63, 64, 65, 1000, 70_000}) {
        for (int cardinality : new int[] {1, 2, 3, 17, 300, 5000, 60_000}) {
          if (cardinality <= rows && Tier.tries(combination++, 5)) {
            final Random random = new Random(shape * 31L + rows + cardinality);
            check(invert(ids(rows, cardinality, shape, random), cardinality), rows, target, random);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void everyRowDistinct(OptimizationTarget target) throws IOException {
    final Random random = new Random(1);
    final int[] ids = IntStream.range(0, 50_000).toArray();
    check(invert(ids, ids.length), ids.length, target, random);
    for (int i = ids.length - 1; i > 0; i--) {
      final int other = random.nextInt(i + 1);
      final int id = ids[i];
      ids[i] = ids[other];
      ids[other] = id;
    }
    check(invert(ids, ids.length), ids.length, target, random);
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void nothing(OptimizationTarget target) throws IOException {
    check(List.of(), 0, target, new Random(1));
    check(List.of(new int[0]), 0, target, new Random(1));
    check(List.of(new int[0], new int[0], new int[]{3}, new int[0]), 5, target, new Random(1));
    final int[][] empty = new int[20_000][0];
    check(Arrays.asList(empty), 100, target, new Random(1));
  }

  /** Lists that are too short for a chunk of their own, and that the forms of several lists are bad at. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void shortListsWithinFewRowsOfMany(OptimizationTarget target) throws IOException {
    final int numRows = 20_000_000;
    final Random random = new Random(3);
    int combination = target.ordinal();
    for (int length : new int[] {20, 38, 64, 127, 128}) {
      for (int percentOfRuns : new int[] {0, 30, 48, 55}) {
        if (!Tier.tries(combination++, 3)) {
          continue;
        }
        final List<int[]> lists = new ArrayList<>();
        for (int list = 0; list < 1000; list++) {
          final int first = random.nextInt(numRows >>> 16) << 16;
          lists.add(random.nextInt(100) < percentOfRuns
                    ? IntStream.range(first, first + length).toArray()
                    : random.ints(0, 1 << 16).distinct().limit(length).map(row -> first + row).sorted().toArray());
        }
        write(lists, numRows, target);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void rowsOfSeveralValues(OptimizationTarget target) throws IOException {
    final Random random = new Random(7);
    final List<int[]> lists = new ArrayList<>();
    for (int i = 0; i < Tier.pick(50, 500); i++) {
      final int density = 1 << random.nextInt(16);
      lists.add(IntStream.range(0, 100_000).filter(row -> random.nextInt(density) == 0).toArray());
    }
    check(lists, 100_000, target, random);
  }

  @AfterAll
  static void allFormsAreUsed() {
    PostingForms.ALL.forEach(form -> assertTrue(SEEN.contains(form.name()), form.name() + " is not in " + SEEN));
  }
}
