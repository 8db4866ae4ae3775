// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.numbers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnData;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.IntColumns;
import io.shapeshift.druid.column.NumberColumn;
import io.shapeshift.druid.column.NumberColumns;
import io.shapeshift.druid.column.NumberColumns.Setup;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.FormSelectors;
import io.shapeshift.druid.testing.NumberArrays;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.vector.BitmapVectorOffset;
import org.apache.druid.segment.vector.NoFilterVectorOffset;
import org.apache.druid.segment.vector.VectorOffset;
import org.apache.druid.segment.vector.VectorValueSelector;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Columns of longs, doubles and floats, against their values and against Druid's own columns of them. */
@ExtendWith(RandomData.Seeded.class)
@Tag("slow")
class ShapeShiftingNumbersTest {
  private static final RoaringBitmapFactory BITMAPS = new RoaringBitmapFactory();
  private static final int MAX_LENGTH = Tier.pick(20_000, 40_000);
  /** Numbers of all shapes, of which tests take as many of the first as they need: making them takes long. */
  private static final Map<NumberType, Map<String, long[]>> SHAPES = new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      SHAPES.put(type, NumberData.shapes(type, MAX_LENGTH, RandomData.shared(3)));
    }
  }

  @TempDir
  private Path folder;

  static List<Setup> setups() {
    return Setup.all();
  }

  private static long[] shape(NumberType type, String name, int length) {
    return Arrays.copyOf(SHAPES.get(type).get(name), length);
  }

  // Whole columns

  @ParameterizedTest
  @MethodSource("setups")
  void readsWhatWasWritten(Setup setup, RandomData random) {
    final int length = setup.chunkLength() + setup.blockLength() + random.between(1, 999);
    int combination = setups().indexOf(setup);
    for (String shape : SHAPES.get(setup.type()).keySet()) {
      if (Tier.tries(combination++, 29)) {
        assertWritten(shape(setup.type(), shape, length), setup, random, shape);
      }
    }
  }

  /** Around the borders of blocks, chunks and groups of blocks of all sizes, and of Druid's vectors. */
  @ParameterizedTest
  @MethodSource("setups")
  void readsColumnsOfAnyLength(Setup setup, RandomData random) {
    final List<long[]> shapes = List.copyOf(SHAPES.get(setup.type()).values());
    int combination = setups().indexOf(setup);
    for (int length : new int[] {0, 1, 2, 127, 128, 129, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4097,
        8191, 8192, 8193, 16_383, 16_384, 16_385, 50_000}) {
      if (!Tier.tries(combination++, 19)) {
        continue;
      }
      final long[] bits = new long[length];
      for (int start = 0; start < length; ) {
        final int count = Math.min(length - start, random.between(1, 3000));
        System.arraycopy(random.oneOf(shapes), random.nextInt(3000), bits, start, count);
        start += count;
      }
      assertWritten(bits, setup, random, length + " values");
    }
  }

  // Nulls

  /** The column of numbers in which a null is null. */
  private static long[] writtenWithNulls(Setup setup, Long... numbers) throws IOException {
    final SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium();
    final ShapeShiftingNumbersSerializer serializer = setup.serializer(medium);
    for (int i = 0; i < numbers.length; i++) {
      assertEquals(i, serializer.size());
      if (numbers[i] == null) {
        serializer.addNull();
      } else {
        serializer.addBits(numbers[i]);
      }
    }
    final ByteBuffer bytes = ByteBuffer.wrap(IntColumns.bytes(serializer)).order(setup.order());
    assertThrows(IllegalStateException.class, serializer::addNull);
    final long[] bits = new long[numbers.length];
    try (NumberColumn column = NumberColumn.of(NumberColumns.read(setup.type(), bytes))) {
      assertEquals(numbers.length, column.size());
      for (int i = 0; i < bits.length; i++) {
        bits[i] = column.get(i);
      }
    }
    return bits;
  }

  private static long[] replaced(long underNulls, Long... numbers) {
    return Stream.of(numbers).mapToLong(number -> number == null ? underNulls : number).toArray();
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void oneNumberIsUnderAllNulls(NumberType type) throws IOException {
    final Setup setup = Setup.small(type);
    assertArrayEquals(new long[] {0, 0}, writtenWithNulls(setup, null, null));
    for (Long[] start : new Long[][] {{}, {null}, {null, null}, {5L}, {5L, 7L}}) {
      for (Long[] next
          : new Long[][] {{null, 9L, null}, {9L, null, 8L}, {null}, {9L, 9L}, {null, 9L, 0L, null}, {0L}}) {
        final Long[] few = Stream.of(start, next).flatMap(Arrays::stream).toArray(Long[]::new);
        final List<Long> there = Stream.of(few).filter(number -> number != null).toList();
        final int firstNull = Arrays.asList(few).indexOf(null);
        final long expected = there.isEmpty() || there.contains(0L) ? 0
            : firstNull > 0 ? few[firstNull - 1] : there.get(0);
        assertArrayEquals(replaced(expected, few), writtenWithNulls(setup, few));
        // A zero that comes too late.
        final Long[] many = Stream
            .of(Stream.of(few), Collections.nCopies(setup.chunkLength(), 6L).stream(), Stream.of(null, 0L, null))
            .flatMap(part -> part)
            .toArray(Long[]::new);
        final long number = there.contains(0L) ? 0 : firstNull > 0 ? few[firstNull - 1]
            : there.isEmpty() || firstNull < 0 ? 6 : there.get(0);
        assertArrayEquals(replaced(number, many), writtenWithNulls(setup, many));
      }
    }
  }

  /** As of flags, which are no larger than with Druid's zeros under nulls, of which nobody can tell them there. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void zerosAmongNullsAreNotToldApart(NumberType type, RandomData random) throws IOException {
    final Setup setup = Setup.small(type);
    final Long[] numbers = new Long[3 * setup.chunkLength()];
    Arrays.setAll(numbers, i -> i == 0 ? Long.valueOf(1) : random.nextInt(2) == 0 ? Long.valueOf(0) : null);
    assertArrayEquals(replaced(0, numbers), writtenWithNulls(setup, numbers));
  }

  private static void assertWritten(long[] bits, Setup setup, RandomData random, String what) {
    final byte[] bytes = setup.write(bits).array();
    // Amid other bytes, on the heap and beyond.
    final byte[] before = random.bytes(random.between(1, 9));
    final int size = before.length + bytes.length + 9;
    final ByteBuffer buffer = random.nextInt(2) == 0 ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
    buffer.put(before).put(bytes).put(random.bytes(9)).position(before.length);
    final ShapeShiftingNumbersSupplier<?> supplier =
        NumberColumns.read(setup.type(), buffer.asReadOnlyBuffer().order(setup.order()).position(before.length));
    assertEquals(bytes.length, supplier.data().sizeInBytes(), what);
    IntColumns.assertStructure(
        supplier.data(), setup.logBlockLength(), setup.chunkLength(),
        chunk -> NumberColumns.formOf(supplier, chunk), what);
    final NumberColumn column = NumberColumn.of(supplier);
    assertReads(bits, column, random, what);
    column.close();
    if (Tier.tries(random.nextInt(4), 4)) {
      assertReads(bits, column, random, what + ", closed before");
    } else {
      assertRange(bits, column, 0, 0, bits.length, what + ", closed before");
    }
    column.close();
  }

  /** Every way of reading a column, against its numbers. */
  private static void assertReads(long[] bits, NumberColumn column, RandomData random, String what) {
    final int size = bits.length;
    assertEquals(size, column.size(), what);
    assertRange(bits, column, 0, 0, size, what);
    for (int i = 0; i < size; i++) {
      if (bits[i] != column.get(i)) {
        assertEquals(Long.toHexString(bits[i]), Long.toHexString(column.get(i)), what + " at " + i);
      }
    }
    for (int i = 0; i < 8; i++) {
      final int start = random.between(0, size);
      assertRange(bits, column, random.nextInt(5), start, random.between(0, size - start), what);
      if (size > 0) {
        // Here and there, where nothing was read ahead.
        final int one = random.nextInt(size);
        assertEquals(bits[one], column.get(one), what + " at " + one);
      }
    }
    for (int[] positions : random.singlePositions(size)) {
      for (int position : positions) {
        if (bits[position] != column.get(position)) {
          assertEquals(
              Long.toHexString(bits[position]), Long.toHexString(column.get(position)),
              what + " at " + position + " of " + Arrays.toString(positions));
        }
      }
    }
    for (int[] positions : random.positions(size)) {
      final int some = random.between(0, positions.length);
      if (Tier.tries(some, 2)) {
        assertPositions(bits, column, positions, some, what);
      }
      if (Tier.tries(some + 1, 2)) {
        assertPositions(bits, column, positions, positions.length, what);
      }
    }
    assertOutOfBounds(size, column);
  }

  private static void assertRange(long[] bits, NumberColumn column, int offset, int start, int length, String what) {
    final long[] expected = Arrays.copyOfRange(bits, start, start + length);
    final Object vector = NumberArrays.untouched(column.type(), length + 1);
    column.get(vector, start, length);
    NumberArrays.assertWritten(expected, 0, vector, () -> what + ": " + length + " from " + start);
    final Object out = NumberArrays.untouched(column.type(), offset + length + 2);
    column.get(out, offset, start, length);
    NumberArrays.assertWritten(expected, offset, out, () -> what + ": " + length + " from " + start);
  }

  private static void assertPositions(long[] bits, NumberColumn column, int[] positions, int length, String what) {
    final long[] expected = Arrays.stream(positions, 0, length).mapToLong(position -> bits[position]).toArray();
    final Object out = NumberArrays.untouched(column.type(), positions.length);
    column.get(out, positions, length);
    NumberArrays.assertWritten(expected, 0, out, () -> what + ": by " + length + " positions");
  }

  private static void assertOutOfBounds(int size, NumberColumn column) {
    final Object out = NumberArrays.untouched(column.type(), size + 3);
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
    assertThrows(ColumnFormatException.class, () -> column.get(out, 0, size + 1));
  }

  // As Druid's own

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void readsLikeStockOwnColumn(NumberType type, RandomData random) {
    final int size = 10_000;
    for (String shape : Tier.oneIn(5, SHAPES.get(type).keySet().stream())) {
      final OptimizationTarget target = anyTarget(random);
      final Setup setup = new Setup(type, BlockSize.SMALL, target, ByteOrder.nativeOrder());
      final long[] bits = shape(type, shape, size);
      try (NumberColumn ours = NumberColumn.of(setup.column(bits));
          NumberColumn stock = NumberColumns.stockColumn(type, bits)) {
        assertArrayEquals(stock.all(), ours.all(), shape);
        for (ImmutableBitmap nulls : List.of(BITMAPS.makeEmptyImmutableBitmap(), someOf(size, 7, random))) {
          assertSameRows(stock, ours, nulls, shape);
          assertSameVectors(stock, ours, nulls, () -> new NoFilterVectorOffset(512, 0, size), shape);
          assertSameVectors(stock, ours, nulls, () -> new NoFilterVectorOffset(200, 77, size - 99), shape);
          for (int gap : new int[] {2, 20, 1500}) {
            final ImmutableBitmap rows = someOf(size, gap, random);
            assertSameVectors(stock, ours, nulls, () -> new BitmapVectorOffset(512, rows, 0, size), shape);
          }
        }
      }
    }
  }

  private static OptimizationTarget anyTarget(RandomData random) {
    return List.of(OptimizationTarget.values()).get(random.nextInt(3));
  }

  private static ImmutableBitmap someOf(int size, int gap, RandomData random) {
    final MutableBitmap bitmap = BITMAPS.makeEmptyMutableBitmap();
    for (int i = random.nextInt(gap); i < size; i += random.between(1, gap)) {
      bitmap.add(i);
    }
    return BITMAPS.makeImmutableBitmap(bitmap);
  }

  private static void assertSameRows(NumberColumn stock, NumberColumn ours, ImmutableBitmap nulls, String what) {
    final SimpleAscendingOffset offset = new SimpleAscendingOffset(stock.size());
    final ColumnValueSelector<?> expected = stock.selector(offset, nulls);
    final ColumnValueSelector<?> actual = ours.selector(offset, nulls);
    for (; offset.withinBounds(); offset.increment()) {
      final int row = offset.getOffset();
      final boolean isNull = expected.isNull();
      if (isNull != actual.isNull() || !isNull && !isSameNumber(expected, actual)) {
        fail(what + " in row " + row + ": " + expected.getObject() + ", and ours is " + actual.getObject());
      }
    }
  }

  /** Whether all ways to ask for the number in a row give the same. */
  private static boolean isSameNumber(ColumnValueSelector<?> expected, ColumnValueSelector<?> actual) {
    return expected.getLong() == actual.getLong()
        && Double.doubleToRawLongBits(expected.getDouble()) == Double.doubleToRawLongBits(actual.getDouble())
        && NumberArrays.bits(expected.getFloat()) == NumberArrays.bits(actual.getFloat())
        && Objects.equals(expected.getObject(), actual.getObject());
  }

  /** Makes an offset at the first row. */
  private interface Rows {
    VectorOffset offset();
  }

  private static void assertSameVectors(
      NumberColumn stock,
      NumberColumn ours,
      ImmutableBitmap nulls,
      Rows rows,
      String what
  ) {
    final VectorOffset offset = rows.offset();
    final VectorValueSelector expected = stock.vectorSelector(offset, nulls);
    final VectorValueSelector actual = ours.vectorSelector(offset, nulls);
    for (; !offset.isDone(); offset.advance()) {
      final int size = offset.getCurrentVectorSize();
      assertEquals(expected.getCurrentVectorSize(), actual.getCurrentVectorSize(), what);
      if (expected.getNullVector() == null) {
        assertNull(actual.getNullVector(), what);
      } else {
        assertArrayEquals(
            Arrays.copyOf(expected.getNullVector(), size), Arrays.copyOf(actual.getNullVector(), size), what);
      }
      assertArrayEquals(
          Arrays.copyOf(expected.getLongVector(), size), Arrays.copyOf(actual.getLongVector(), size), what);
      assertArrayEquals(
          NumberArrays.bits(Arrays.copyOf(expected.getDoubleVector(), size)),
          NumberArrays.bits(Arrays.copyOf(actual.getDoubleVector(), size)), what);
      assertArrayEquals(
          NumberArrays.bits(Arrays.copyOf(expected.getFloatVector(), size)),
          NumberArrays.bits(Arrays.copyOf(actual.getFloatVector(), size)), what);
    }
  }

  // What is written

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void writesAsManyBytesAsItSaysAndAgain(NumberType type) throws IOException {
    for (int length : new int[] {0, 1, 512, 513, 5000}) {
      final long[] bits = shape(type, "blocks that differ", length);
      final ShapeShiftingNumbersSerializer serializer =
          Setup.small(type).serializer(new OnHeapMemorySegmentWriteOutMedium());
      NumberColumns.addAll(serializer, bits);
      assertEquals(length, serializer.size());
      final byte[] bytes = IntColumns.bytes(serializer);
      assertEquals(serializer.getSerializedSize(), bytes.length);
      assertArrayEquals(bytes, IntColumns.bytes(serializer));
      assertEquals(
          "Column[dim] was written already",
          assertThrows(IllegalStateException.class, () -> NumberColumns.addAll(serializer, 1)).getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void theSameNumbersGiveTheSameBytesOnAllThreads(NumberType type) throws Exception {
    final Setup setup = Setup.small(type);
    final List<long[]> columns =
        Tier.oneIn(3, SHAPES.get(type).keySet().stream().map(shape -> shape(type, shape, 3000)));
    final List<ByteBuffer> expected = columns.stream().map(setup::write).toList();
    final ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      final List<Future<List<ByteBuffer>>> actual = new ArrayList<>();
      for (int rotation = 0; rotation < 3; rotation++) {
        // Each thread meets the columns in another order, so that the arrays that it borrows have other contents.
        final List<long[]> rotated = new ArrayList<>(columns);
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

  /**
   * Not their bytes are the same, but the forms and blocks of their chunks; unless a codec is among them, which may
   * make other sizes of bytes in another order.
   */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void bothByteOrdersHaveTheSameChunks(NumberType type, RandomData random) {
    int compared = 0;
    for (String shape : Tier.oneIn(2, SHAPES.get(type).keySet().stream())) {
      final OptimizationTarget target = anyTarget(random);
      final List<? extends ColumnData<?>> columns = Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
          .map(order -> new Setup(type, BlockSize.SMALL, target, order).column(shape(type, shape, 3000)).data())
          .toList();
      if (columns.stream().flatMap(data -> data.chunks().stream())
          .noneMatch(chunk -> NumberForms.byId(type).apply(chunk.formId()) instanceof CodecForm<?, ?>)) {
        final List<List<String>> chunks = columns.stream()
            .map(data -> data.chunks().stream()
                .map(chunk -> chunk.formId() + " of blocks from " + chunk.firstBlock())
                .toList())
            .toList();
        assertEquals(chunks.get(0), chunks.get(1), shape);
        compared++;
      }
    }
    assertTrue(compared > 10, "columns without a codec: " + compared);
  }

  /** Each form alone, under each target that uses it, on columns of which it can store each block. */
  @ParameterizedTest
  @EnumSource(NumberType.class)
  void readsColumnsOfOneFormOnly(NumberType type, RandomData random) {
    // What some forms store is rare among random columns: others are tried until each form has had its own.
    final List<NumberForm> left = new ArrayList<>(NumberForms.of(type));
    for (int i = 0; i < 20 && !left.isEmpty(); i++) {
      final Map<String, long[]> shapes = NumberData.shapes(type, 4 * 2048 + 700, random);
      final Map<String, List<NumberChunk>> chunks = new HashMap<>();
      shapes.forEach((shape, bits) -> chunks.put(shape, chunks(type, bits)));
      for (NumberForm form : List.copyOf(left)) {
        final List<String> stored = shapes.keySet().stream()
            .filter(shape -> chunks.get(shape).stream()
                .noneMatch(chunk -> form.estimate(chunk).kind() == Estimate.Kind.SKIP))
            .limit(Tier.pick(1, 3))
            .toList();
        for (String shape : stored) {
          readsColumnOfForm(type, form, shapes.get(shape), form.name() + ": " + shape, random);
        }
        if (!stored.isEmpty()) {
          left.remove(form);
        }
      }
    }
    assertEquals(List.of(), left.stream().map(NumberForm::name).toList());
  }

  private static void readsColumnOfForm(
      NumberType type,
      NumberForm form,
      long[] bits,
      String what,
      RandomData random
  ) {
    final OptimizationTarget any = anyTarget(random);
    final OptimizationTarget target = form instanceof CodecForm<?, ?>
        || form.cost().under(any).factor() == DecodeCost.NEVER ? OptimizationTarget.SMALLER : any;
    final Setup setup = new Setup(
        type, BlockSize.LARGE, FormSelectors.forNumbers(List.of(form), target), ByteOrder.nativeOrder(), form.name());
    final ColumnData<?> data = setup.column(bits).data();
    assertTrue(data.chunks().stream().allMatch(chunk -> chunk.formId() == form.id()), what);
    assertWritten(bits, setup, random, what);
  }

  /** All chunks of a column of large blocks, of one block each and of as many as there may be. */
  private static List<NumberChunk> chunks(NumberType type, long[] bits) {
    final Setup setup = new Setup(type, BlockSize.LARGE, OptimizationTarget.SMALLER, ByteOrder.nativeOrder());
    final List<NumberChunk> chunks = new ArrayList<>();
    for (int length : new int[] {setup.blockLength(), setup.chunkLength()}) {
      for (int start = 0; start < bits.length; start += length) {
        final NumberChunk chunk = new NumberChunk(type);
        Arrays.stream(bits, start, Math.min(bits.length, start + length)).forEach(chunk::add);
        chunks.add(chunk);
      }
    }
    return chunks;
  }

  // Many readers, and what they borrow

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void manyThreadsReadOneColumn(NumberType type, RandomData random) throws Exception {
    final long[] bits = shape(type, "blocks that differ", MAX_LENGTH);
    final ShapeShiftingNumbersSupplier<?> supplier = Setup.small(type).column(bits);
    final ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      final List<Callable<Void>> readers = new ArrayList<>();
      for (int i = 0; i < Tier.pick(8, 16); i++) {
        final RandomData ofThread = new RandomData(random.nextInt(Integer.MAX_VALUE));
        readers.add(() -> {
          try (NumberColumn column = NumberColumn.of(supplier)) {
            assertReads(bits, column, ofThread, "on one of many threads");
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
  @EnumSource(NumberType.class)
  void closingGivesBackWhatReadingBorrowed(NumberType type, RandomData random) {
    final long[] phrases = shape(type, "phrases", 10_000);
    final Setup setup = new Setup(type, BlockSize.LARGE, OptimizationTarget.SMALLER, ByteOrder.nativeOrder());
    final ShapeShiftingNumbersSupplier<?> supplier = setup.column(phrases);
    final long before = BorrowedBuffers.count();
    final NumberColumn column = NumberColumn.of(supplier);
    assertEquals(before, BorrowedBuffers.count(), "making a column borrows nothing");
    for (int i = 0; i < 2; i++) {
      assertReads(phrases, column, random, "time " + i);
      final long borrowed = BorrowedBuffers.count() - before;
      // Of compressed ints and of compressed numbers.
      assertTrue(borrowed == 1 || borrowed == 2, () -> borrowed + " borrowed");
      column.close();
      column.close();
      assertEquals(before, BorrowedBuffers.count(), "closing gives back all");
    }
  }

  // Size

  @ParameterizedTest
  @EnumSource(NumberType.class)
  void readsMillionsOfRows(NumberType type) throws IOException {
    final int rows = Tier.pick(1_000_000, 10_000_000);
    final Setup setup =
        new Setup(type, BlockSize.LARGE, OptimizationTarget.FASTBUTSMALLISH, ByteOrder.nativeOrder());
    final ByteBuffer buffer;
    try (SegmentWriteOutMedium medium =
        TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(folder.toFile())) {
      final ShapeShiftingNumbersSerializer serializer = setup.serializer(medium);
      for (int row = 0; row < rows; row++) {
        NumberColumns.addAll(serializer, bitsOf(type, row));
      }
      buffer = ByteBuffer.wrap(IntColumns.bytes(serializer)).order(setup.order());
    }
    final ShapeShiftingNumbersSupplier<?> supplier = NumberColumns.read(type, buffer);
    try (NumberColumn column = NumberColumn.of(supplier)) {
      assertEquals(rows, column.size());
      final int vector = 512;
      for (int row = 0; row < rows; row += vector) {
        final int length = Math.min(vector, rows - row);
        final Object out = NumberArrays.untouched(type, length);
        column.get(out, row, length);
        final int first = row;
        NumberArrays.assertWritten(
            IntStream.range(row, row + length).mapToLong(i -> bitsOf(type, i)).toArray(), 0, out,
            () -> "row " + first);
      }
    }
    final Set<String> forms = supplier.data().chunks().stream()
        .map(chunk -> NumberColumns.formOf(supplier, chunk))
        .collect(Collectors.toSet());
    assertTrue(forms.size() > 3, () -> "forms: " + forms);
  }

  /** A number of another shape for every 100,000 rows. */
  private static long bitsOf(NumberType type, int row) {
    long hash = row * 0x9E3779B97F4A7C15L;
    hash = (hash ^ (hash >>> 31)) * 0xBF58476D1CE4E5B9L;
    hash ^= hash >>> 29;
    return switch (row / 100_000 % 5) {
      case 0 -> NumberData.bits(type, Math.floor(row / 1000.0));
      case 1 -> NumberData.bits(type, (hash >>> 50) / 4.0);
      case 2 -> hash >>> 57 == 0 ? hash & 0xFFFF_FFFFL : NumberData.bits(type, (int) (hash >>> 60));
      case 3 -> NumberData.bits(type, 1.5);
      default -> type == NumberType.FLOAT ? hash & 0xFFFF_FFFFL : hash;
    };
  }
}
