// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.NumberArrays;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import java.io.Closeable;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What leaves a column when a read fails, and what is read afterwards. */
@ExtendWith(RandomData.Seeded.class)
class FailedReadTest {
  private static final int SIZE = 3 * 4096;

  /** A column of ints or of numbers of a type. */
  interface Column extends Closeable {
    /** The bits of what is read. */
    long get(int index);

    /** Reads a range to an array with room for this many. */
    long[] get(int room, int start, int length);

    /** Reads some positions to an array with room for this many. */
    long[] get(int room, int[] positions, int length);

    ShapeShiftingColumn<?> column();

    ChunkInfo chunkOf(int index);

    @Override
    void close();
  }

  static List<String> types() {
    return Stream.concat(Stream.of("INT"), Stream.of(NumberType.values()).map(NumberType::toString)).toList();
  }

  /** Values of which each chunk is bit-packed, whatever the type. */
  private static int[] values(RandomData random) {
    return random.uniform(SIZE, 9);
  }

  private static long[] bits(String type, int[] values) {
    return type.equals("INT")
           ? Arrays.stream(values).asLongStream().toArray()
           : Arrays.stream(values).mapToLong(value -> NumberData.bits(NumberType.valueOf(type), value)).toArray();
  }

  private static Column column(String type, int[] values) {
    return type.equals("INT") ? ints(values) : numbers(NumberType.valueOf(type), bits(type, values));
  }

  private static Column ints(int[] values) {
    final ShapeShiftingColumnarIntsSupplier supplier = Setup.SMALL.column(values);
    final ShapeShiftingColumnarInts column = supplier.get();
    return new Column() {
      @Override
      public long get(int index) {
        return column.get(index);
      }

      @Override
      public long[] get(int room, int start, int length) {
        final int[] out = new int[room];
        column.get(out, start, length);
        return Arrays.stream(out).asLongStream().toArray();
      }

      @Override
      public long[] get(int room, int[] positions, int length) {
        final int[] out = new int[room];
        column.get(out, positions, length);
        return Arrays.stream(out).asLongStream().toArray();
      }

      @Override
      public ShapeShiftingColumn<?> column() {
        return column;
      }

      @Override
      public ChunkInfo chunkOf(int index) {
        return supplier.data().chunkOfBlock(index / Setup.SMALL.blockLength());
      }

      @Override
      public void close() {
        column.close();
      }
    };
  }

  private static Column numbers(NumberType type, long[] bits) {
    final NumberColumns.Setup setup = NumberColumns.Setup.small(type);
    final ShapeShiftingNumbersSupplier<?> supplier = setup.column(bits);
    final NumberColumn column = NumberColumn.of(supplier);
    return new Column() {
      @Override
      public long get(int index) {
        return column.get(index);
      }

      @Override
      public long[] get(int room, int start, int length) {
        final Object out = NumberArrays.untouched(type, room);
        column.get(out, start, length);
        return NumberArrays.bits(out);
      }

      @Override
      public long[] get(int room, int[] positions, int length) {
        final Object out = NumberArrays.untouched(type, room);
        column.get(out, positions, length);
        return NumberArrays.bits(out);
      }

      @Override
      public ShapeShiftingColumn<?> column() {
        return (ShapeShiftingColumn<?>) column.column();
      }

      @Override
      public ChunkInfo chunkOf(int index) {
        return supplier.data().chunkOfBlock(index / setup.blockLength());
      }

      @Override
      public void close() {
        column.close();
      }
    };
  }

  private static void assertRefused(String type, ChunkInfo chunk, Executable read) {
    final FormDecoder<?> form = type.equals("INT")
        ? IntForms.byId(chunk.formId())
        : NumberForms.byId(NumberType.valueOf(type)).apply(chunk.formId());
    FailingReads.assertRefused(IntColumns.NAME, chunk, form.name(), read);
  }

  @ParameterizedTest
  @MethodSource("types")
  void failedReadIsRefusedAndTheNextIsRight(String type, RandomData random) {
    final int[] values = values(random);
    final long[] bits = bits(type, values);
    final int[] positions = IntStream.range(0, 40).map(i -> 3 * i).toArray();
    final long[] ofPositions = Arrays.stream(positions).mapToLong(i -> bits[i]).toArray();
    try (Column column = column(type, values)) {
      final ChunkInfo chunk = column.chunkOf(0);
      assertEquals(bits[0], column.get(0));
      FailingReads.breakReads(column.column());
      assertRefused(type, chunk, () -> column.get(77));
      assertEquals(bits[77], column.get(77));
      FailingReads.breakReads(column.column());
      assertRefused(type, chunk, () -> column.get(1000, 0, 1000));
      assertArrayEquals(Arrays.copyOf(bits, 1000), column.get(1000, 0, 1000));
      FailingReads.breakReads(column.column());
      assertRefused(type, chunk, () -> column.get(40, positions, 40));
      assertArrayEquals(ofPositions, column.get(40, positions, 40));
    }
  }

  /** Rows read one by one are read ahead. If that fails, what was read ahead before must not be taken for them. */
  @ParameterizedTest
  @MethodSource("types")
  void windowThatWasNotFilledIsNotRead(String type, RandomData random) {
    final int[] values = values(random);
    final long[] bits = bits(type, values);
    try (Column column = column(type, values)) {
      for (int window : new int[] {0, 512, 4096}) {
        for (int i = window; i < window + 512; i++) {
          assertEquals(bits[i], column.get(i));
        }
        FailingReads.breakReads(column.column());
        assertRefused(type, column.chunkOf(window), () -> column.get(window + 512));
        assertEquals(bits[window + 513], column.get(window + 513));
        assertEquals(bits[window + 17], column.get(window + 17));
        for (int i = 0; i < SIZE; i++) {
          assertEquals(bits[i], column.get(i), "row " + i);
        }
      }
    }
  }

  /** An array without room is no damage. */
  @ParameterizedTest
  @MethodSource("types")
  void mistakesOfThoseWhoReadStayWhatTheyAre(String type, RandomData random) {
    final int[] values = values(random);
    final long[] bits = bits(type, values);
    final int[] positions = IntStream.range(0, 40).map(i -> 3 * i).toArray();
    try (Column column = column(type, values)) {
      assertThrows(IndexOutOfBoundsException.class, () -> column.get(999, 0, 1000));
      assertThrows(IndexOutOfBoundsException.class, () -> column.get(39, positions, 40));
      assertThrows(IndexOutOfBoundsException.class, () -> column.get(41, positions, 41));
      assertThrows(ColumnFormatException.class, () -> column.get(SIZE));
      assertArrayEquals(bits, column.get(SIZE, 0, SIZE));
    }
  }

  /** Whatever a decoder throws: the column names itself, the chunk, its offset and its form. */
  @Test
  @SuppressWarnings("unchecked")
  void failedDecodingIsRefused(RandomData random) {
    final FormDecoder<IntChunkReader> failing = (FormDecoder<IntChunkReader>) Proxy.newProxyInstance(
        FormDecoder.class.getClassLoader(),
        new Class<?>[] {FormDecoder.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("name")) {
            return "failing";
          }
          throw new IndexOutOfBoundsException("of the decoder");
        });
    final ColumnData<IntChunkReader> data = ColumnData.read(
        IntColumns.NAME, Setup.SMALL.write(values(random)), Limits.MAX_INTS_PER_CHUNK, id -> failing);
    final ColumnData.BlockRange blocks = new ColumnData.BlockRange();
    data.findChunk(0, blocks);
    try (IntChunkReader reader = new IntChunkReader()) {
      final ColumnFormatException e = assertThrows(
          ColumnFormatException.class, () -> data.transform(blocks, data.newView(), reader));
      assertEquals(
          "Column[dim]: chunk 0 at offset " + data.chunkOfBlock(0).offset()
              + " (failing) cannot be read: java.lang.IndexOutOfBoundsException: of the decoder"
              + CorruptColumnContract.DAMAGED,
          e.getMessage());
    }
  }
}
