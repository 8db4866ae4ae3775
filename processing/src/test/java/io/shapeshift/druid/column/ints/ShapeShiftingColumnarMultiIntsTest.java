// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.Composition;
import io.shapeshift.druid.column.FailingReads;
import io.shapeshift.druid.column.IntColumns;
import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.select.FormSelectors;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.segment.data.ArrayBasedIndexedInts;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(RandomData.Seeded.class)
class ShapeShiftingColumnarMultiIntsTest {
  static List<Setup> setups() {
    return Setup.all();
  }

  @ParameterizedTest
  @MethodSource("setups")
  void readsWhatWasWritten(Setup setup, RandomData random) throws IOException {
    final List<List<int[]>> shapes = List.of(
        List.of(),
        List.of(new int[0]),
        List.of(new int[] {Integer.MAX_VALUE}),
        List.of(new int[] {3, 1, 3}, new int[0], new int[] {7}),
        // One row longer than a block.
        List.of(new int[0], random.zipf(setup.directLength() + 10, 100), new int[] {1}),
        rows(random, setup.directLength() - 1, 1),
        rows(random, setup.directLength() + 100, 5)
    );
    for (List<int[]> rows : shapes) {
      final ByteBuffer buffer = write(setup, rows);
      final int end = buffer.limit() - 2;
      final ShapeShiftingColumnarMultiIntsSupplier supplier =
          ShapeShiftingColumnarMultiIntsSupplier.read(IntColumns.NAME, buffer);
      assertEquals(end, buffer.position(), "position behind the column");
      try (ShapeShiftingColumnarMultiInts column = supplier.get()) {
        assertReads(rows, column, random);
      }
    }
  }

  private static List<int[]> rows(RandomData random, int numRows, int longest) {
    return Stream.generate(() -> random.nextInt(3) == 0 ? new int[0] : random.zipf(random.between(1, longest), 900))
        .limit(numRows)
        .toList();
  }

  private static ShapeShiftingColumnarMultiIntsSerializer serializer(Setup setup) throws IOException {
    final ShapeShiftingColumnarMultiIntsSerializer serializer = new ShapeShiftingColumnarMultiIntsSerializer(
        IntColumns.NAME,
        new OnHeapMemorySegmentWriteOutMedium(),
        setup.blockSize(),
        FormSelectors.forInts(setup.target()),
        Integer.MAX_VALUE,
        setup.order()
    );
    serializer.open();
    return serializer;
  }

  /** The column, from the buffer's position on, with two bytes of others before and behind it. */
  private static ByteBuffer write(Setup setup, List<int[]> rows) throws IOException {
    final ShapeShiftingColumnarMultiIntsSerializer serializer = serializer(setup);
    for (int[] row : rows) {
      serializer.addValues(new ArrayBasedIndexedInts(row));
    }
    final long size = serializer.getSerializedSize();
    final byte[] bytes = IntColumns.bytes(serializer);
    assertEquals(size, bytes.length);
    return ByteBuffer.allocate(bytes.length + 4).order(setup.order()).position(2).put(bytes).rewind().position(2);
  }

  private static void assertReads(List<int[]> rows, ShapeShiftingColumnarMultiInts column, RandomData random) {
    assertEquals(rows.size(), column.size());
    final Iterator<IndexedInts> iterator = column.iterator();
    for (int[] row : rows) {
      assertRow(row, iterator.next());
    }
    assertFalse(iterator.hasNext());
    for (int i = 0; i < 100 && !rows.isEmpty(); i++) {
      final int row = random.nextInt(rows.size());
      assertRow(rows.get(row), column.get(row));
    }
    for (int[] positions : random.singlePositions(rows.size())) {
      for (int row : positions) {
        assertRow(rows.get(row), column.get(row));
      }
    }
    for (int outside : new int[] {-1, rows.size()}) {
      assertThrows(ColumnFormatException.class, () -> column.get(outside));
    }
  }

  /** Whichever of its two columns fails. */
  @Test
  void readsOnAfterAFailedRead(RandomData random) throws IOException {
    final List<int[]> rows = rows(random, 5000, 5);
    final ByteBuffer buffer = write(Setup.SMALL, rows);
    final ShapeShiftingColumnarMultiIntsSupplier supplier =
        ShapeShiftingColumnarMultiIntsSupplier.read(IntColumns.NAME, buffer);
    final ShapeShiftingColumnarInts offsets = supplier.offsets().get();
    final ShapeShiftingColumnarInts values = supplier.values().get();
    try (ShapeShiftingColumnarMultiInts column =
        new ShapeShiftingColumnarMultiInts(IntColumns.NAME, offsets, values)) {
      final int some = IntStream.range(100, 200).filter(row -> rows.get(row).length > 0).findFirst().orElseThrow();
      // In the same chunk, but not in a vector that was decoded already.
      final int other = IntStream.range(600, 700).filter(row -> rows.get(row).length > 0).findFirst().orElseThrow();
      assertRow(rows.get(some), column.get(some));
      FailingReads.breakReads(offsets);
      final ChunkInfo ofOffsets = supplier.offsets().data().chunkOfBlock(0);
      FailingReads.assertRefused(
          IntColumns.NAME + " (offsets)", ofOffsets, IntForms.byId(ofOffsets.formId()).name(), () -> column.get(some));
      assertRow(rows.get(some), column.get(some));
      FailingReads.breakReads(values);
      final IndexedInts row = column.get(other);
      final ChunkInfo ofValues = supplier.values().data().chunkOfBlock(0);
      FailingReads.assertRefused(
          IntColumns.NAME + " (values)", ofValues, IntForms.byId(ofValues.formId()).name(), () -> row.get(0));
      assertReads(rows, column, random);
    }
  }

  private static void assertRow(int[] expected, IndexedInts row) {
    assertArrayEquals(expected, IntStream.range(0, row.size()).map(row::get).toArray());
  }

  @Test
  void getSharesOneRowAndGetUnsharedDoesNot() throws IOException {
    final List<int[]> rows = List.of(new int[] {1, 2}, new int[0], new int[] {3});
    try (ShapeShiftingColumnarMultiInts column = read(Setup.SMALL, rows)) {
      final IndexedInts shared = column.get(0);
      assertSame(shared, column.get(2));
      assertRow(rows.get(2), shared);

      final IndexedInts first = column.getUnshared(0);
      final IndexedInts last = column.getUnshared(2);
      assertNotSame(first, last);
      assertRow(rows.get(1), column.get(1));
      assertRow(rows.get(0), first);
      assertRow(rows.get(2), last);
    }
  }

  /** Rows of one value each: their offsets are a sequence; all the same value: the values are constant. */
  @Test
  void offsetsAndValuesHaveFormsOfTheirOwn() throws IOException {
    final List<int[]> rows = Stream.generate(() -> new int[] {5}).limit(2L * Setup.SMALL.directLength()).toList();
    final ShapeShiftingColumnarMultiIntsSupplier column =
        ShapeShiftingColumnarMultiIntsSupplier.read(IntColumns.NAME, write(Setup.SMALL, rows));
    assertEquals(List.of((byte) 1), forms(column.values()));
    // The last offset is alone in a chunk, and the sequence before it is not constant.
    assertEquals((byte) 1, forms(column.offsets()).get(0));
    assertEquals(2, forms(column.offsets()).size());
  }

  private static List<Byte> forms(ShapeShiftingColumnarIntsSupplier column) {
    return column.data().header().composition().entries().stream().map(Composition.Entry::formId).toList();
  }

  @Test
  void borrowsWhenReadAndGivesBackWhenClosed(RandomData random) throws IOException {
    final List<int[]> rows = rows(random, 3 * Setup.SMALL.directLength(), 3);
    final ShapeShiftingColumnarMultiIntsSupplier supplier =
        ShapeShiftingColumnarMultiIntsSupplier.read(IntColumns.NAME, write(Setup.SMALL, rows));
    final long before = BorrowedBuffers.count();
    final ShapeShiftingColumnarMultiInts column = supplier.get();
    assertEquals(before, BorrowedBuffers.count(), "making a column borrows nothing");
    for (int i = 0; i < 2; i++) {
      assertReads(rows, column, random);
      column.close();
      assertEquals(before, BorrowedBuffers.count(), "closing gives back all");
    }
  }

  @Test
  void refusesRowsOnceWritten() throws IOException {
    final ShapeShiftingColumnarMultiIntsSerializer serializer = serializer(Setup.SMALL);
    serializer.addValues(new ArrayBasedIndexedInts(new int[] {1}));
    serializer.getSerializedSize();
    final IllegalStateException e = assertThrows(
        IllegalStateException.class, () -> serializer.addValues(new ArrayBasedIndexedInts(new int[] {2})));
    assertEquals("Column[dim] was written already", e.getMessage());
  }

  @Test
  void cutColumnIsRefused() throws IOException {
    final ByteBuffer whole = write(Setup.SMALL, List.of(new int[] {1, 2}, new int[] {3}));
    for (int limit = 2; limit < whole.limit() - 2; limit++) {
      final ByteBuffer cut = whole.duplicate().order(whole.order()).limit(limit);
      assertThrows(
          ColumnFormatException.class, () -> ShapeShiftingColumnarMultiIntsSupplier.read(IntColumns.NAME, cut));
    }
  }

  /** The offsets 0, 2, 3 are bytes, the last three before the column of values. */
  @Test
  void rowsBeyondTheValuesAreRefused() throws IOException {
    final ByteBuffer whole = write(Setup.SMALL, List.of(new int[] {1, 2}, new int[] {3}));
    final int endOfOffsets = whole.position() + ShapeShiftingColumnarMultiIntsSupplier
        .read(IntColumns.NAME, whole.duplicate().order(whole.order()))
        .offsets().data().sizeInBytes();
    assertRowRefused(whole, endOfOffsets - 1, 9, 1, "the values of row 1 go from 2 to 9, of 3");
    assertRowRefused(whole, endOfOffsets - 2, 4, 1, "the values of row 1 go from 4 to 3, of 3");
    assertRowRefused(whole, endOfOffsets - 2, 4, 0, "the values of row 0 go from 0 to 4, of 3");
  }

  private static void assertRowRefused(ByteBuffer whole, int offset, int offsetValue, int row, String message) {
    final ByteBuffer damaged = ByteBuffer.allocate(whole.limit()).order(whole.order()).position(whole.position());
    damaged.put(whole.duplicate()).position(whole.position());
    damaged.put(offset, (byte) offsetValue);
    try (ShapeShiftingColumnarMultiInts column =
             ShapeShiftingColumnarMultiIntsSupplier.read(IntColumns.NAME, damaged).get()) {
      final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> column.get(row));
      assertEquals(ColumnFormatException.damaged(IntColumns.NAME, message).getMessage(), e.getMessage());
    }
  }

  @Test
  void columnWithoutOffsetsIsRefused() {
    final ByteBuffer none = Setup.SMALL.write();
    final ColumnFormatException e = assertThrows(
        ColumnFormatException.class, () -> ShapeShiftingColumnarMultiIntsSupplier.read(IntColumns.NAME, none));
    assertEquals(
        ColumnFormatException.damaged(IntColumns.NAME, "it has no offsets; there must be one more than rows")
                             .getMessage(),
        e.getMessage()
    );
  }

  private static ShapeShiftingColumnarMultiInts read(Setup setup, List<int[]> rows) throws IOException {
    return ShapeShiftingColumnarMultiIntsSupplier.read(IntColumns.NAME, write(setup, rows)).get();
  }
}
