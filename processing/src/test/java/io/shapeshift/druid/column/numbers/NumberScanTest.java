// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.NumberColumns;
import io.shapeshift.druid.column.NumberColumns.Setup;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.testing.RandomData;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.roaringbitmap.IntIterator;

/** Scans of columns of several chunks: what one chunk leaves behind must not be found in the next one. */
@ExtendWith(RandomData.Seeded.class)
class NumberScanTest {
  private static final Setup SETUP = Setup.small(NumberType.LONG);

  private static void assertFinds(long[] numbers, WantedNumbers wanted, LongPredicate expected, String what) {
    final BitSet rows = new BitSet();
    for (int i = 0; i < numbers.length; i++) {
      rows.set(i, expected.test(numbers[i]));
    }
    assertEquals(rows, find(SETUP.column(numbers), numbers.length, wanted), what);
  }

  private static BitSet find(ShapeShiftingNumbersSupplier<?> column, int numRows, WantedNumbers wanted) {
    final RowSet found = new RowSet(numRows);
    try (NumberScan scan = column.scan()) {
      scan.find(wanted, found);
    }
    final BitSet rows = new BitSet();
    for (IntIterator row = found.toBitmap(new RoaringBitmapFactory()).iterator(); row.hasNext(); ) {
      rows.set(row.next());
    }
    return rows;
  }

  /** Small numbers with exceptions, of which the vectors of a chunk have few or many, and chunks none or some. */
  @Test
  void findsNumbersAmongExceptions(RandomData random) {
    for (int i = 0; i < 100; i++) {
      final long[] numbers = new long[SETUP.chunkLength() * random.between(2, 5) + random.nextInt(999)];
      int density = 0;
      for (int row = 0; row < numbers.length; row++) {
        if (row % 512 == 0) {
          density = random.oneOf(Arrays.asList(0, 0, 1, 20, 500));
        }
        final boolean isException = random.nextInt(1000) < density;
        numbers[row] = isException ? (1L << 40) * random.between(1, 3) : 16 + random.nextInt(4);
      }
      final String what = "column " + i;
      final NumberType type = SETUP.type();
      assertFinds(numbers, WantedNumbers.between(type, 16, 19), key -> key >= 16 && key <= 19, what);
      assertFinds(numbers, WantedNumbers.between(type, 0, Long.MAX_VALUE), key -> true, what);
      assertFinds(numbers, WantedNumbers.between(type, 18, 1L << 40), key -> key >= 18 && key <= 1L << 40, what);
      assertFinds(numbers, WantedNumbers.between(type, 1L << 41, 1L << 42), key -> key >= 1L << 41, what);
      assertFinds(numbers, WantedNumbers.between(type, 17, 17), key -> key == 17, what);
      assertFinds(numbers, WantedNumbers.of(type, 16, 18, 1L << 40), key -> key == 16 || key == 18 || key == 1L << 40,
          what);
      assertFinds(numbers, WantedNumbers.matching(key -> key % 3 == 0), key -> key % 3 == 0, what);
    }
  }

  /** Keys of which each is in one row: most chunks have none of those that are looked for. */
  @Test
  void findsKeys(RandomData random) {
    for (int i = 0; i < 20; i++) {
      final int numRows = SETUP.chunkLength() * 4 + random.nextInt(99);
      final long step = random.between(1, 5);
      final long[] numbers = LongStream.range(0, numRows).map(row -> row * 7919 % numRows * step * 100).toArray();
      final NumberType type = SETUP.type();
      final long one = random.oneOf(Arrays.asList(numbers[random.nextInt(numRows)], 1L, -1L));
      assertFinds(numbers, WantedNumbers.between(type, one, one), key -> key == one, "one");
      final long[] list = LongStream
          .generate(() -> numbers[random.nextInt(numRows)] + random.nextInt(2))
          .limit(random.between(1, 300))
          .sorted()
          .toArray();
      assertFinds(
          numbers, WantedNumbers.of(type, list), key -> Arrays.binarySearch(list, key) >= 0, list.length + " keys");
    }
  }

  @Test
  void tellsWhetherATestIsAskedForFewNumbers(RandomData random) {
    final int numRows = 4 * SETUP.chunkLength();
    final long[] few = LongStream.generate(() -> random.nextInt(20)).limit(numRows).toArray();
    final long[] many = LongStream.generate(random::nextLong).limit(numRows).toArray();
    try (NumberScan scan = SETUP.column(few).scan(); NumberScan other = SETUP.column(many).scan()) {
      assertTrue(scan.testsAtMost(numRows / 8, 0, numRows));
      assertFalse(scan.testsAtMost(10, 0, numRows));
      assertFalse(other.testsAtMost(numRows / 8, 0, numRows));
      assertTrue(other.testsAtMost(numRows, 0, numRows));
      final int from = numRows / 2 + 1;
      assertTrue(other.testsAtMost(numRows / 2, from, numRows));
      assertFalse(other.testsAtMost(numRows / 4 - 1, from, numRows));
    }
  }

  /** Of a part of the rows all are found that a filter looks for, and none that it does not look for. */
  @Test
  void findsRowsOfAPart(RandomData random) {
    final int numRows = 4 * SETUP.chunkLength() + random.nextInt(99);
    final long[] numbers = LongStream.generate(() -> random.nextInt(100)).limit(numRows).toArray();
    final WantedNumbers wanted = WantedNumbers.between(SETUP.type(), 10, 30);
    for (int i = 0; i < 50; i++) {
      final int from = random.nextInt(numRows);
      final int to = random.between(from, numRows);
      final RowSet out = new RowSet(numRows);
      try (NumberScan scan = SETUP.column(numbers).scan()) {
        scan.find(wanted, from, to, out);
      }
      final ImmutableBitmap found = out.toBitmap(new RoaringBitmapFactory());
      int beside = 0;
      for (int row = 0; row < numRows; row++) {
        final boolean isWanted = numbers[row] >= 10 && numbers[row] <= 30;
        assertTrue(isWanted || !found.get(row), "row " + row);
        if (row >= from && row < to) {
          assertEquals(isWanted, found.get(row), "row " + row);
        } else if (found.get(row)) {
          beside++;
        }
      }
      assertTrue(beside <= 2 * SETUP.chunkLength(), "rows of other chunks are found");
    }
  }

  @Test
  void startsInSortedNumbers(RandomData random) {
    for (int numRows : new int[]{1, 2, 511, 512, 513, 3 * SETUP.chunkLength() + 17}) {
      final long[] numbers = LongStream.generate(() -> random.between(0, 2000)).limit(numRows).sorted().toArray();
      try (NumberScan scan = SETUP.column(numbers).scan()) {
        for (int key = -1; key <= 2001; key++) {
          final int start = scan.start(key);
          int exact = 0;
          while (exact < numRows && numbers[exact] < key) {
            exact++;
          }
          assertTrue(start <= exact && exact - start <= NumberScan.STEP, key + " starts at " + exact + ": " + start);
        }
      }
    }
  }

  @Test
  void tellsWhetherFewAreFound(RandomData random) {
    final int numRows = 2 * SETUP.chunkLength();
    final long[] numbers = LongStream.range(0, numRows).map(row -> row < numRows / 2 ? row % 10 : 5).toArray();
    final WantedNumbers wanted = WantedNumbers.between(SETUP.type(), 5, 5);
    try (NumberScan scan = SETUP.column(numbers).scan()) {
      assertTrue(scan.seemsRare(wanted, 0, 8));
      assertFalse(scan.seemsRare(wanted, 0, 12));
      assertFalse(scan.seemsRare(wanted, numRows / 2, 2));
      assertTrue(scan.seemsRare(wanted, numRows, 16));
    }
  }

  /** What a scan borrowed and gave back after an error serves the next one. */
  @Test
  void findsNumbersAfterOthersWereDamaged(RandomData random) {
    final long[] numbers = LongStream.generate(random::nextLong).limit(3L * SETUP.chunkLength()).toArray();
    final byte[] damaged = SETUP.write(numbers).array();
    // The first byte of the second chunk is the id of its form.
    final ShapeShiftingNumbersSupplier<?> intact = SETUP.column(numbers);
    final int lastByte = damaged.length - 1;
    final int chunkBytes = (int) (intact.data().header().composition().bytes() / intact.data().header().numChunks());
    damaged[lastByte - 2 * chunkBytes + 1] = 99;
    final ShapeShiftingNumbersSupplier<?> column =
        NumberColumns.read(SETUP.type(), ByteBuffer.wrap(damaged).order(SETUP.order()));
    final WantedNumbers wanted = WantedNumbers.between(SETUP.type(), 0, Long.MAX_VALUE);
    assertThrows(ColumnFormatException.class, () -> find(column, numbers.length, wanted));
    for (int i = 0; i < 8; i++) {
      assertFinds(numbers, wanted, key -> key >= 0, "after an error");
    }
  }
}
