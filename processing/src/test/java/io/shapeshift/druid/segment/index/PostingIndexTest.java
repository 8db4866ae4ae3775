// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.postings.PostingListsSerializer;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.select.FormSelectors;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ConciseBitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.IntIterator;
import org.roaringbitmap.PeekableIntIterator;

/** Rows by lists, by scans of ids, and by whichever is cheaper, are the rows that Druid's bitmaps have. */
@ExtendWith(RandomData.Seeded.class)
class PostingIndexTest {
  private static final List<BitmapFactory> FACTORIES =
      List.of(new RoaringBitmapFactory(), new ConciseBitmapFactory());

  /** Ids of some shape: random, few of many, sorted, in runs, one value for almost all rows. */
  private static int[] ids(String shape, int numRows, int numIds, RandomData random) {
    final int[] ids = new int[numRows];
    for (int row = 0; row < numRows; row++) {
      ids[row] = switch (shape) {
        case "random" -> random.nextInt(numIds);
        case "skewed" -> random.nextInt(random.nextInt(random.nextInt(numIds) + 1) + 1);
        case "sorted" -> (int) ((long) row * numIds / numRows);
        case "runs" -> row > 0 && random.nextInt(50) > 0 ? ids[row - 1] : random.nextInt(numIds);
        default -> random.nextInt(100) > 0 ? numIds / 2 : random.nextInt(numIds);
      };
    }
    return ids;
  }

  private static ByteBuffer bytes(Serializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    serializer.getSerializedSize();
    serializer.writeTo(Channels.newChannel(out), null);
    return ByteBuffer.wrap(out.toByteArray());
  }

  private static Supplier<ColumnarInts> column(int[] ids) throws IOException {
    final ShapeShiftingColumnarIntsSerializer serializer = new ShapeShiftingColumnarIntsSerializer(
        "dim",
        new OnHeapMemorySegmentWriteOutMedium(),
        BlockSize.SMALL,
        FormSelectors.forInts(OptimizationTarget.FASTBUTSMALLISH),
        ids.length,
        ByteOrder.nativeOrder()
    );
    serializer.open();
    for (int id : ids) {
      serializer.addValue(id);
    }
    return ShapeShiftingColumnarIntsSupplier.read("dim", bytes(serializer).order(ByteOrder.nativeOrder()));
  }

  private static PostingLists lists(List<int[]> rows, int numRows, @Nullable OptimizationTarget target)
      throws IOException {
    if (target == null) {
      return PostingLists.read("dim", bytes(PostingListsSerializer.withoutLists(numRows, rows.size())));
    }
    final PostingListsSerializer serializer =
        new PostingListsSerializer("dim", new OnHeapMemorySegmentWriteOutMedium(), target, numRows);
    serializer.open();
    for (int[] list : rows) {
      serializer.add(list, 0, list.length);
    }
    return PostingLists.read("dim", bytes(serializer));
  }

  private static List<int[]> invert(int[] ids, int numIds) {
    final List<IntArrayList> lists = new ArrayList<>();
    IntStream.range(0, numIds).forEach(id -> lists.add(new IntArrayList()));
    IntStream.range(0, ids.length).forEach(row -> lists.get(ids[row]).add(row));
    return lists.stream().map(IntArrayList::toIntArray).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"random", "skewed", "sorted", "runs", "almost one"})
  void rowsAreThoseOfStockBitmaps(String shape, RandomData random) throws IOException {
    int combination = shape.length();
    for (int numRows : new int[] {1, 511, 512, 513, 70_001}) {
      for (int numIds : new int[] {1, 2, 3, 40, 700, 30_000}) {
        if (numIds <= numRows && Tier.tries(combination++, 4)) {
          compare(shape, numRows, numIds, random);
        }
      }
    }
  }

  private static void compare(String shape, int numRows, int numIds, RandomData random) throws IOException {
    final int[] ids = ids(shape, numRows, numIds, random);
    final List<int[]> rows = invert(ids, numIds);
    final Supplier<ColumnarInts> column = column(ids);
    for (BitmapFactory factory : FACTORIES) {
      for (OptimizationTarget target
          : new OptimizationTarget[] {null, OptimizationTarget.SMALLER, OptimizationTarget.FASTER}) {
        final PostingLists lists = lists(rows, numRows, target);
        compare(rows, new PostingIndex(lists, column, factory).get(), numRows, random);
        if (target != null) {
          compare(rows, new PostingIndex(lists, null, factory).get(), numRows, random);
        }
      }
    }
  }

  private static void compare(List<int[]> rows, ValueBitmaps bitmaps, int numRows, RandomData random) {
    final int numIds = rows.size();
    assertEquals(numIds, bitmaps.size());
    final ImmutableBitmap third = third(bitmaps.bitmapFactory(), numRows);
    for (int i = 0; i < Tier.pick(5, 12); i++) {
      final int id = random.nextInt(numIds);
      check(rows.get(id), bitmaps.get(id), numRows, bitmaps.bitmapFactory(), third, random);
      final int from = random.nextInt(numIds);
      final int to = from + random.nextInt(Math.min(numIds - from, i % 2 == 0 ? 4 : numIds) + 1);
      check(union(rows.subList(from, to)), bitmaps.union(from, to), numRows, bitmaps.bitmapFactory(), third, random);
      final int most = random.oneOf(List.of(2, 10, numIds));
      final int[] some = IntStream.range(0, random.nextInt(most) + 1).map(j -> random.nextInt(numIds))
          .sorted().distinct().toArray();
      check(
          union(Arrays.stream(some).mapToObj(rows::get).toList()),
          bitmaps.union(Arrays.copyOf(some, some.length + 3), some.length),
          numRows, bitmaps.bitmapFactory(), third, random
      );
    }
    check(new int[0], bitmaps.union(0, 0), numRows, bitmaps.bitmapFactory(), third, random);
    check(new int[0], bitmaps.union(new int[0], 0), numRows, bitmaps.bitmapFactory(), third, random);
  }

  private static int[] union(List<int[]> lists) {
    final BitSet union = new BitSet();
    lists.forEach(rows -> Arrays.stream(rows).forEach(union::set));
    return union.stream().toArray();
  }

  /** Druid's own bitmap of every third row. */
  private static ImmutableBitmap third(BitmapFactory factory, int numRows) {
    final MutableBitmap every = factory.makeEmptyMutableBitmap();
    IntStream.range(0, numRows).filter(row -> row % 3 == 0).forEach(every::add);
    return factory.makeImmutableBitmap(every);
  }

  /**
   * Reads a bitmap in every way that Druid does.
   *
   * @param third that of {@link #third}
   */
  private static void check(
      int[] expected,
      ImmutableBitmap bitmap,
      int numRows,
      BitmapFactory factory,
      ImmutableBitmap third,
      RandomData random
  ) {
    final IntArrayList found = new IntArrayList();
    for (IntIterator i = bitmap.iterator(); i.hasNext(); ) {
      found.add(i.next());
    }
    assertArrayEquals(expected, found.toIntArray());
    found.clear();
    final int[] batch = new int[random.between(1, 700)];
    for (BatchIterator i = bitmap.batchIterator(); i.hasNext(); ) {
      found.addElements(found.size(), batch, 0, i.nextBatch(batch));
    }
    assertArrayEquals(expected, found.toIntArray());
    assertEquals(expected.length, bitmap.size());
    assertEquals(expected.length == 0, bitmap.isEmpty());
    final PeekableIntIterator peekable = bitmap.peekableIterator();
    int position = 0;
    for (int i = 0; i < 5 && peekable.hasNext(); i++) {
      // Roaring's own iterator of runs goes back where it is told to advance to less than it has.
      final int least = random.between(peekable.peekNext(), numRows);
      peekable.advanceIfNeeded(least);
      while (position < expected.length && expected[position] < least) {
        position++;
      }
      assertEquals(position < expected.length, peekable.hasNext());
      if (peekable.hasNext()) {
        assertEquals(expected[position], peekable.peekNext());
        if (factory instanceof RoaringBitmapFactory) {
          // Druid's iterator of Concise cannot be cloned.
          assertEquals(expected[position], peekable.clone().next());
        }
        assertEquals(expected[position++], peekable.next());
      }
    }
    for (int i = 0; i < 5; i++) {
      final int row = random.nextInt(numRows);
      assertEquals(Arrays.binarySearch(expected, row) >= 0, bitmap.get(row));
    }
    // What Druid makes of its own bitmap and of ours, whichever asks the other.
    final int common = (int) Arrays.stream(expected).filter(row -> row % 3 == 0).count();
    assertEquals(common, bitmap.intersection(third).size());
    assertEquals(common, third.intersection(bitmap).size());
    assertEquals(third.size() + expected.length - common, third.union(bitmap).size());
    assertEquals(third.size() + expected.length - common, factory.union(List.of(bitmap, third)).size());
    assertEquals(common, factory.intersection(List.of(third, bitmap)).size());
    assertEquals(numRows - expected.length, factory.complement(bitmap, numRows).size());
  }

  /** Druid's mergers ask for the bitmap of each value in turn, and make an index object for each. */
  @Test
  void whoeverAsksForAllIdsInTurnGetsThemWithoutAScanForEach(RandomData random) throws IOException {
    final int numIds = 2000;
    final int[] ids = ids("random", 20_000, numIds, random);
    final List<int[]> rows = invert(ids, numIds);
    final Supplier<ColumnarInts> column = column(ids);
    final int[] reads = new int[1];
    final PostingIndex index = new PostingIndex(lists(rows, ids.length, null), () -> {
      reads[0]++;
      return column.get();
    }, new RoaringBitmapFactory());
    final ImmutableBitmap third = third(new RoaringBitmapFactory(), ids.length);
    for (int id = 0; id < numIds; id++) {
      check(rows.get(id), index.get().get(id), ids.length, new RoaringBitmapFactory(), third, random);
    }
    assertTrue(reads[0] < 20, () -> reads[0] + " scans");
  }

  /** An expression asks for the rows of those values only that it matches. */
  @Test
  void whoeverAsksForManyIdsGetsThemWithoutAScanForEach(RandomData random) throws IOException {
    final int numIds = 2000;
    final int[] ids = ids("random", 20_000, numIds, random);
    final List<int[]> rows = invert(ids, numIds);
    final Supplier<ColumnarInts> column = column(ids);
    final int[] reads = new int[1];
    final QueriedRows queried = QueriedRows.all(ids.length);
    final ValueBitmaps bitmaps = new PostingIndex(lists(rows, ids.length, null), () -> {
      reads[0]++;
      return column.get();
    }, new RoaringBitmapFactory()).get(queried);
    final ImmutableBitmap third = third(new RoaringBitmapFactory(), ids.length);
    for (int id = 1; id < numIds; id += 7) {
      check(rows.get(id), bitmaps.get(id), ids.length, new RoaringBitmapFactory(), third, random);
    }
    assertTrue(reads[0] < 20, () -> reads[0] + " scans");
    assertTrue(reads[0] > CostModel.Indexes.FIRST_SCANS, () -> reads[0] + " scans");
    assertTrue(queried.budget().isWorthIt(CostModel.Indexes.READ_NANOS, 1), "one filter uses up what others may take");
  }

  /** Columns of numbers ask for them whenever a query opens one. */
  @Test
  void theRowsOfTheFirstIdAreKept(RandomData random) throws IOException {
    final int[] ids = ids("random", 1000, 40, random);
    final ImmutableBitmap third = third(new RoaringBitmapFactory(), ids.length);
    final List<int[]> rows = invert(ids, 40);
    for (OptimizationTarget target : new OptimizationTarget[] {null, OptimizationTarget.SMALLER}) {
      final PostingIndex index =
          new PostingIndex(lists(rows, ids.length, target), column(ids), new RoaringBitmapFactory());
      final ImmutableBitmap first = index.get().get(0);
      check(rows.get(0), first, ids.length, new RoaringBitmapFactory(), third, random);
      assertSame(first, index.get().get(0));
      check(rows.get(1), index.get().get(1), ids.length, new RoaringBitmapFactory(), third, random);
      assertNotSame(index.get().get(1), index.get().get(1));
    }
  }

  @Test
  void listsAreNeededWhereRowsHaveSeveralValues() throws IOException {
    final PostingLists none = lists(List.of(new int[] {0}), 1, null);
    final ColumnFormatException e =
        assertThrows(ColumnFormatException.class, () -> new PostingIndex(none, null, new RoaringBitmapFactory()));
    assertTrue(e.getMessage().startsWith("Column[dim]: its index has no lists, though rows have several values"),
        e.getMessage());
  }
}
