// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.ints;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.Composition;
import io.shapeshift.druid.column.IntColumns;
import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.IntIterator;

@ExtendWith(RandomData.Seeded.class)
@Tag("slow")
class ShapeShiftingColumnarIntsTest {
  private static final int UNTOUCHED = -6016;

  @TempDir
  private Path folder;

  /** Where the bytes of a column may lie. */
  private enum Place {
    HEAP, READ_ONLY_HEAP, DIRECT, MAPPED
  }

  // Whole columns

  static List<Setup> setups() {
    return Setup.all();
  }

  @ParameterizedTest
  @MethodSource("setups")
  void readsWhatWasWritten(Setup setup, RandomData random) throws IOException {
    int i = setups().indexOf(setup);
    for (Map.Entry<String, int[]> shape : shapes(setup.directLength(), random).entrySet()) {
      if (!Tier.tries(i++, 5)) {
        continue;
      }
      // Every other medium, every fourth place: over all setups and shapes each meets each.
      final byte[] bytes;
      try (SegmentWriteOutMedium medium = i % 2 == 0
          ? new OnHeapMemorySegmentWriteOutMedium()
          : TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(folder.toFile())) {
        bytes = setup.write(shape.getValue(), medium);
      }
      final Place place = Place.values()[i / 2 % Place.values().length];
      final ByteBuffer buffer = put(bytes, place, random).order(setup.order());
      final int start = buffer.position();
      final ShapeShiftingColumnarIntsSupplier supplier = ShapeShiftingColumnarIntsSupplier.read("dim", buffer);
      assertEquals(start + bytes.length, buffer.position(), () -> "position behind " + shape.getKey());
      assertEquals(bytes.length, supplier.data().sizeInBytes(), shape::getKey);
      IntColumns.assertStructure(
          supplier.data(), setup.blockSize().logValuesPerBlock(2), setup.blockSize().bytes(), IntColumns::formOf,
          shape.getKey());
      try (ShapeShiftingColumnarInts column = supplier.get()) {
        assertReads(shape.getValue(), column, random, shape.getKey() + " in " + place);
      }
    }
  }

  /** Shapes of about as many values as a chunk that is read where it lies, which has four blocks. */
  private static Map<String, int[]> shapes(int block, RandomData random) {
    final Map<String, int[]> shapes = new LinkedHashMap<>();
    shapes.put("empty", new int[0]);
    shapes.put("one value", new int[] {random.uniform(31)});
    shapes.put("four blocks", random.uniform(block, 9));
    shapes.put("four blocks less one", random.runs(block - 1, 5, 1, 2, 3, 50));
    shapes.put("four blocks and one", random.zipf(block + 1, 300));
    shapes.put("twelve blocks", random.zipf(3 * block, 70_000));
    shapes.put("one block", random.uniform(block / 4, 11));
    shapes.put("one block less one", random.zipf(block / 4 - 1, 4000));
    shapes.put("one block and one", random.uniform(block / 4 + 1, 17));
    shapes.put("a group and one", random.phrases(4 * block + 1, 8, 20, 30));
    shapes.put("sequence", RandomData.sequence(2 * block + 1000, 0));
    shapes.put("sequences of 640", IntStream.range(0, 2 * block + 1000).map(i -> i % 640).toArray());
    shapes.put("sequences of 128", IntStream.range(0, 2 * block + 1000).map(i -> 3 * (i % 128)).toArray());
    shapes.put("constant", RandomData.constant(2 * block + 3, 1234));
    shapes.put("zeros", RandomData.constant(2 * block + 2, 0));
    shapes.put("sparse", random.sparse(2 * block + 777, 13, 500));
    shapes.put("long runs", random.runs(2 * block + 5, 10, 10, 100, 3000));
    shapes.put("phrases", random.phrases(block + 999, 7, 9, 33));
    shapes.put("a shape for each block", IntStream.range(0, 31)
        .mapToObj(width -> random.uniform(block / 4, width))
        .flatMapToInt(Arrays::stream)
        .toArray());
    for (int width = 0; width < Integer.SIZE; width++) {
      shapes.put(width + " bits", random.uniform(random.between(1, block / 8), width));
    }
    return shapes;
  }

  /** Puts the bytes somewhere amid others; the position is at the first. */
  private ByteBuffer put(byte[] bytes, Place place, RandomData random) throws IOException {
    final byte[] before = random.bytes(random.between(1, 9));
    final ByteBuffer heap = ByteBuffer.allocate(before.length + bytes.length + random.between(1, 9));
    heap.put(before).put(bytes).put(random.bytes(heap.remaining())).flip();
    final ByteBuffer buffer = switch (place) {
      case HEAP -> heap;
      case READ_ONLY_HEAP -> heap.asReadOnlyBuffer();
      case DIRECT -> ByteBuffer.allocateDirect(heap.limit()).put(heap).flip();
      case MAPPED -> {
        final Path file = Files.createTempFile(folder, "column", null);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          channel.write(heap);
          yield channel.map(FileChannel.MapMode.READ_ONLY, 0, heap.limit());
        }
      }
    };
    return buffer.position(before.length);
  }

  /** Around the borders of blocks, chunks, groups, and of what may wait, for blocks of all sizes. */
  @ParameterizedTest
  @MethodSource("setups")
  void readsColumnsOfAnyLength(Setup setup, RandomData random) {
    int combination = setups().indexOf(setup);
    for (int length : new int[] {1, 2, 1023, 1024, 1025, 2047, 2049, 4095, 4096, 4097, 8191, 8192, 8193, 16_383, 16_384,
        16_385, 32_767, 32_768, 32_769, 65_535, 65_536, 65_537, 200_000}) {
      if (!Tier.tries(combination++, 11)) {
        continue;
      }
      // Narrow values first, and wider ones from anywhere on.
      final int toTwo = random.nextInt(length + 1);
      final int toFour = random.between(toTwo, length);
      final int[] values = Stream.of(
          random.zipf(toTwo, 200), random.zipf(toFour - toTwo, 5000), random.zipf(length - toFour, 1_000_000)
      ).flatMapToInt(Arrays::stream).toArray();
      assertWritten(values, setup, random, length + " values, wider from " + toTwo + " and " + toFour + " on");
    }
  }

  /** A wider value ends what waits, so that the chunks of a group are not those of equally wide values. */
  @ParameterizedTest
  @MethodSource("setups")
  void readsValuesThatBecomeWiderAnywhere(Setup setup, RandomData random) {
    final int block = setup.blockLength();
    final int group = setup.groupLength();
    int combination = setups().indexOf(setup);
    for (int wider : new int[] {0, 1, block - 1, block, block + 1, 3 * block + 7, 4 * block, 5 * block - 1, 7 * block,
        8 * block - 1, 8 * block + 1, 11 * block + 3, group - block, group - 1, group, group + 1, group + 3 * block}) {
      if (!Tier.tries(combination++, 17)) {
        continue;
      }
      final int[] values = random.phrases(group + 5 * block + 3, 7, 40, 25);
      final int[] widths = random.nextInt(2) == 0 ? new int[] {14, 20} : new int[] {20, 30};
      for (int i = wider; i < values.length; i++) {
        values[i] |= 1 << widths[i < wider + 2 * block + 1 ? 0 : 1];
      }
      assertWritten(values, setup, random, "wider from " + wider + " on");
    }
  }

  private static void assertWritten(int[] values, Setup setup, RandomData random, String name) {
    final ShapeShiftingColumnarIntsSupplier supplier = setup.column(values);
    IntColumns.assertStructure(
        supplier.data(), setup.blockSize().logValuesPerBlock(2), setup.blockSize().bytes(), IntColumns::formOf, name);
    try (ShapeShiftingColumnarInts column = supplier.get()) {
      assertReads(values, column, random, name);
    }
  }

  // What is written

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void theSameValuesGiveTheSameBytesOnAllThreads(OptimizationTarget target, RandomData random) throws Exception {
    final Setup setup = new Setup(BlockSize.SMALL, target, ByteOrder.LITTLE_ENDIAN);
    final List<int[]> columns = Tier.oneIn(3, shapes(setup.directLength(), random).values().stream());
    final List<ByteBuffer> expected = columns.stream().map(setup::write).toList();
    final ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      final List<Future<List<ByteBuffer>>> actual = new ArrayList<>();
      for (int rotation = 0; rotation < 3; rotation++) {
        // Each thread meets the columns in another order, so that the arrays that it borrows have other contents.
        final List<int[]> rotated = new ArrayList<>(columns);
        Collections.rotate(rotated, -7 * rotation);
        actual.add(threads.submit(() -> rotated.stream().map(setup::write).toList()));
      }
      for (int rotation = 0; rotation < 3; rotation++) {
        final List<ByteBuffer> back = new ArrayList<>(actual.get(rotation).get());
        Collections.rotate(back, 7 * rotation);
        assertEquals(expected, back);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Not their bytes are the same, but the forms and blocks of their chunks. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void bothByteOrdersHaveTheSameChunks(OptimizationTarget target, RandomData random) {
    for (Map.Entry<String, int[]> shape : Tier.oneIn(2, shapes(4096, random).entrySet().stream())) {
      final List<List<String>> chunks = Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
          .map(order -> new Setup(BlockSize.SMALL, target, order).column(shape.getValue()).data().chunks().stream()
              .map(chunk -> chunk.formId() + " of blocks from " + chunk.firstBlock())
              .toList())
          .toList();
      assertEquals(chunks.get(0), chunks.get(1), shape::getKey);
    }
  }

  @Test
  void compositionTellsTheFormOfEachChunk() {
    final int block = Setup.SMALL.directLength();
    final int[] values = Arrays.copyOf(RandomData.constant(3 * block, 9), 3 * block + 2);
    Arrays.fill(values, block, 2 * block, 0);
    values[3 * block + 1] = 300;
    assertEquals(
        Map.of("zero", new Composition.Entry((byte) 0, 1, 1), "constant", new Composition.Entry((byte) 1, 2, 10),
            "bytepack", new Composition.Entry((byte) 3, 1, 6)),
        Setup.SMALL.column(values).data().header().composition().entries().stream()
            .collect(Collectors.toMap(entry -> IntForms.byId(entry.formId()).name(), entry -> entry)));
  }

  // Ways of reading

  /** Every way of reading a column, against its values. */
  private static void assertReads(int[] values, ShapeShiftingColumnarInts column, RandomData random, String name) {
    final int size = values.length;
    assertEquals(size, column.size(), name);
    assertSingle(values, column, RandomData.sequence(size, 0), name);
    final int[] all = new int[size];
    column.get(all, 0, size);
    assertArrayEquals(values, all, name);
    for (int i = 0; i < 10; i++) {
      final int start = random.between(0, size);
      assertRange(values, column, random.nextInt(5), start, random.between(0, size - start), name);
      if (size > 0) {
        final int[] positions = IntStream.generate(() -> random.nextInt(size)).limit(random.between(0, 300)).toArray();
        assertPositions(values, column, positions, random.between(0, positions.length), name);
        Arrays.sort(positions);
        assertPositions(values, column, positions, positions.length, name);
        final int one = random.nextInt(size);
        assertEquals(values[one], column.get(one), name);
      }
    }
    for (int[] positions : random.singlePositions(size)) {
      assertSingle(values, column, positions, name);
    }
    assertPositions(values, column, RandomData.sequence(size, 0), size, name);
    for (int[] positions : random.positions(size)) {
      assertPositions(values, column, positions, positions.length, name);
    }
    for (int i = 0; size > 0 && i < 5; i++) {
      final int one = values[random.nextInt(size)];
      final int other = i == 0 ? one : values[random.nextInt(size)];
      assertFinds(values, column, Math.min(one, other), Math.max(one, other), name);
    }
    assertOutOfBounds(size, column);
  }

  private static void assertSingle(int[] values, ShapeShiftingColumnarInts column, int[] positions, String name) {
    for (int position : positions) {
      final int actual = column.get(position);
      if (values[position] != actual) {
        assertEquals(values[position], actual, name + ": at " + position + " of " + Arrays.toString(positions));
      }
    }
  }

  private static void assertFinds(
      int[] values,
      ShapeShiftingColumnarInts column,
      int least,
      int greatest,
      String name
  ) {
    final RowSet rows = new RowSet(values.length);
    column.find(least, greatest, 0, values.length, rows);
    final BitSet expected = new BitSet();
    for (int i = 0; i < values.length; i++) {
      expected.set(i, values[i] >= least && values[i] <= greatest);
    }
    final BitSet found = new BitSet();
    final IntIterator iterator = rows.toBitmap(RoaringBitmapFactory.INSTANCE).iterator();
    while (iterator.hasNext()) {
      found.set(iterator.next());
    }
    assertEquals(expected, found, () -> least + " to " + greatest + " in " + name);
  }

  private static void assertRange(
      int[] values,
      ShapeShiftingColumnarInts column,
      int offset,
      int start,
      int length,
      String name
  ) {
    final int[] expected = RandomData.constant(offset + length + 2, UNTOUCHED);
    System.arraycopy(values, start, expected, offset, length);
    final int[] actual = RandomData.constant(offset + length + 2, UNTOUCHED);
    column.get(actual, offset, start, length);
    assertArrayEquals(expected, actual, () -> name + ": " + length + " from " + start);
    final int[] vector = RandomData.constant(length + 1, UNTOUCHED);
    column.get(vector, start, length);
    assertArrayEquals(Arrays.copyOfRange(values, start, start + length), Arrays.copyOf(vector, length), name);
    assertEquals(UNTOUCHED, vector[length], name);
  }

  private static void assertPositions(
      int[] values,
      ShapeShiftingColumnarInts column,
      int[] positions,
      int length,
      String name
  ) {
    final int[] expected = RandomData.constant(positions.length, UNTOUCHED);
    for (int i = 0; i < length; i++) {
      expected[i] = values[positions[i]];
    }
    final int[] actual = RandomData.constant(positions.length, UNTOUCHED);
    column.get(actual, positions, length);
    assertArrayEquals(expected, actual, () -> name + ": by " + length + " positions");
  }

  private static void assertOutOfBounds(int size, ShapeShiftingColumnarInts column) {
    final int[] out = new int[10];
    for (int position : new int[] {-1, size, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      final ColumnFormatException e =
          assertThrows(ColumnFormatException.class, () -> column.get(position));
      assertTrue(
          e.getMessage().startsWith(
              "Column[dim]: position " + position + " is asked for, of a column of " + size + " values. "),
          e.getMessage());
      assertThrows(ColumnFormatException.class, () -> column.get(out, position, 1));
      assertThrows(ColumnFormatException.class, () -> column.get(out, 1, position, 2));
      assertThrows(ColumnFormatException.class, () -> column.get(out, new int[] {position}, 1));
      if (size > 0) {
        assertThrows(ColumnFormatException.class, () -> column.get(out, new int[] {0, position}, 2));
      }
    }
    assertThrows(ColumnFormatException.class, () -> column.get(new int[size + 1], 0, size + 1));
  }

  @Test
  void readsOnAfterAPositionOutOfBounds(RandomData random) {
    final int[] values = random.zipf(2 * Setup.SMALL.directLength(), 500);
    try (ShapeShiftingColumnarInts column = Setup.SMALL.column(values).get()) {
      assertReads(values, column, random, "before");
      assertOutOfBounds(values.length, column);
      assertReads(values, column, random, "after");
    }
  }

  // Many readers, and what they borrow

  @Test
  void manyThreadsReadOneColumn(RandomData random) throws Exception {
    final int[] values = IntStream.range(0, 20)
        .mapToObj(i -> i % 2 == 0 ? random.zipf(3000, 20 << i % 12) : random.runs(3000, i, 1, 5, 500))
        .flatMapToInt(Arrays::stream)
        .toArray();
    final ShapeShiftingColumnarIntsSupplier supplier = Setup.SMALL.column(values);
    final ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      final List<Callable<Void>> readers = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        final RandomData ofThread = new RandomData(random.nextInt(Integer.MAX_VALUE));
        readers.add(() -> {
          try (ShapeShiftingColumnarInts column = supplier.get()) {
            assertReads(values, column, ofThread, "on one of many threads");
          }
          return null;
        });
      }
      for (Future<Void> reader : threads.invokeAll(readers)) {
        reader.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void closingGivesBackWhatReadingBorrowed(OptimizationTarget target, RandomData random) {
    final Setup setup = new Setup(BlockSize.SMALL, target, ByteOrder.nativeOrder());
    final int[] values = Stream.of(
        random.runs(4096, 20, 300, 400), random.zipf(4096, 1000), random.phrases(4096, 24, 5, 50)
    ).flatMapToInt(Arrays::stream).toArray();
    final ShapeShiftingColumnarIntsSupplier supplier = setup.column(values);
    final long before = BorrowedBuffers.count();
    final ShapeShiftingColumnarInts column = supplier.get();
    assertEquals(before, BorrowedBuffers.count(), "making a column borrows nothing");
    for (int i = 0; i < 2; i++) {
      assertReads(values, column, random, "time " + i);
      final long borrowed = BorrowedBuffers.count() - before;
      assertTrue(borrowed == 1 || borrowed == 2, () -> borrowed + " borrowed");
      column.close();
      column.close();
      assertEquals(before, BorrowedBuffers.count(), "closing gives back all");
    }
  }

  /** What needs no decoding is read where it lies, and from no buffer but the segment's. */
  @Test
  void readingWhereValuesLieBorrowsNothing(RandomData random) {
    final int[] values = Stream.of(random.uniform(4096, 8), RandomData.constant(4096, 3), random.uniform(4096, 31))
        .flatMapToInt(Arrays::stream).toArray();
    final long before = BorrowedBuffers.count();
    try (ShapeShiftingColumnarInts column = Setup.SMALL.column(values).get()) {
      assertReads(values, column, random, "where they lie");
      assertEquals(before, BorrowedBuffers.count());
    }
  }

  // Size

  @Test
  void readsMillionsOfRows() throws IOException {
    final int rows = Tier.pick(2_000_000, 10_000_000);
    final Setup setup = new Setup(BlockSize.LARGE, OptimizationTarget.FASTBUTSMALLISH, ByteOrder.nativeOrder());
    final ByteBuffer buffer;
    try (SegmentWriteOutMedium medium =
        TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(folder.toFile())) {
      final ShapeShiftingColumnarIntsSerializer serializer = setup.serializer(medium);
      for (int row = 0; row < rows; row++) {
        serializer.addValue(valueOf(row));
      }
      buffer = ByteBuffer.wrap(IntColumns.bytes(serializer)).order(setup.order());
    }
    final ShapeShiftingColumnarIntsSupplier supplier = ShapeShiftingColumnarIntsSupplier.read("dim", buffer);
    try (ShapeShiftingColumnarInts column = supplier.get()) {
      assertEquals(rows, column.size());
      final int[] vector = new int[512];
      for (int row = 0; row < rows; row += vector.length) {
        final int length = Math.min(vector.length, rows - row);
        column.get(vector, row, length);
        for (int i = 0; i < length; i++) {
          if (vector[i] != valueOf(row + i)) {
            assertEquals(valueOf(row + i), vector[i], "row " + (row + i));
          }
        }
      }
      final Composition composition = supplier.data().header().composition();
      assertTrue(composition.entries().size() > 3, () -> "forms: " + composition);
    }
  }

  /** A value of another shape for every 100,000 rows. */
  private static int valueOf(int row) {
    int hash = row * 0x9E3779B9;
    hash = (hash ^ (hash >>> 15)) * 0x85EBCA6B;
    hash ^= hash >>> 13;
    return switch (row / 100_000 % 5) {
      case 0 -> row / 1000;
      case 1 -> hash >>> 24;
      case 2 -> hash >>> 24 == 0 ? hash >>> 8 : hash >>> 28;
      case 3 -> 5;
      default -> hash >>> 1;
    };
  }
}
