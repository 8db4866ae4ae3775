// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.ints.BufferedInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.select.ChunkSplitter;
import io.shapeshift.druid.select.FormSelectors;
import io.shapeshift.druid.stock.StockInts;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(RandomData.Seeded.class)
class ShapeShiftingColumnSerializerTest {
  /** Sixteen values to a block, so that every border of blocks, chunks and groups is near. */
  private static final int LOG_BLOCK = 4;
  private static final int BLOCK = 1 << LOG_BLOCK;
  /** As many bytes as a group has values: that of values of a byte each is full when the group is. */
  private static final int MAX_BYTES = ColumnHeader.BLOCKS_PER_GROUP * BLOCK;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 32, 63, 64, 65, 100, 255, 256, 257, 1000})
  void writesAsManyBytesAsItSays(int length) throws IOException {
    final ShapeShiftingColumnSerializer<IntChunk, BufferedInts> serializer = serializer(Integer.MAX_VALUE);
    add(serializer, RandomData.sequence(length, 0));
    final long size = serializer.getSerializedSize();
    final byte[] bytes = IntColumns.bytes(serializer);
    assertEquals(size, bytes.length);
    assertArrayEquals(bytes, IntColumns.bytes(serializer), "written again");
  }

  /** At exactly the limit a column still fits; whoever needs a byte more is told so before the segment is complete. */
  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 63, 64, 65, 100, 255, 256, 257, 1000})
  void takesNoByteMoreThanTheLimit(int length) throws IOException {
    final int[] values = RandomData.sequence(length, 0);
    final ShapeShiftingColumnSerializer<IntChunk, BufferedInts> unlimited = serializer(Integer.MAX_VALUE);
    add(unlimited, values);
    final long size = unlimited.getSerializedSize();
    final List<ChunkInfo> chunks = read(IntColumns.bytes(unlimited)).data().chunks();

    final ShapeShiftingColumnSerializer<IntChunk, BufferedInts> fits = serializer(size);
    add(fits, values);
    assertArrayEquals(IntColumns.bytes(unlimited), IntColumns.bytes(fits));

    final ShapeShiftingColumnSerializer<IntChunk, BufferedInts> tooLarge = serializer(size - 1);
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> {
      add(tooLarge, values);
      tooLarge.getSerializedSize();
    });
    final int lastChunk = chunks.get(chunks.size() - 1).firstValue();
    assertEquals(
        "Column[dim]: it is too large, with " + size + " bytes at value " + lastChunk + "; a column can have at most "
            + (size - 1) + ". Make segments smaller: set maxRowsPerSegment or targetRowsPerSegment to fewer rows",
        e.getMessage());
  }

  @Test
  void refusesValuesOnceWritten() throws IOException {
    final ShapeShiftingColumnarIntsSerializer serializer =
        Setup.SMALL.serializer(new OnHeapMemorySegmentWriteOutMedium());
    serializer.addValue(1);
    serializer.getSerializedSize();
    final IllegalStateException e = assertThrows(IllegalStateException.class, () -> serializer.addValue(2));
    assertEquals("Column[dim] was written already", e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void refusesNegativeValuesAndGoesOn(int value) throws IOException {
    final ShapeShiftingColumnarIntsSerializer serializer =
        Setup.SMALL.serializer(new OnHeapMemorySegmentWriteOutMedium());
    serializer.addValue(5);
    final IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> serializer.addValue(value));
    assertEquals("value[" + value + "] must not be negative", e.getMessage());
    serializer.addValue(6);
    assertArrayEquals(Setup.SMALL.write(5, 6).array(), IntColumns.bytes(serializer));
  }

  @Test
  void borrowsNothingBetweenChunks(RandomData random) throws IOException {
    final long before = BorrowedBuffers.count();
    final ShapeShiftingColumnarIntsSerializer serializer =
        Setup.SMALL.serializer(new OnHeapMemorySegmentWriteOutMedium());
    for (int value : random.zipf(3 * Setup.SMALL.directLength() + 1, 1000)) {
      serializer.addValue(value);
      assertEquals(before, BorrowedBuffers.count());
    }
    serializer.getSerializedSize();
    assertEquals(before, BorrowedBuffers.count());
  }

  // Values that become wider

  /**
   * Values of a byte, from a position on of two, from another one on of four: whenever the wider ones leave room for no
   * more, whole blocks are encoded, at whatever block that is.
   */
  @Test
  void valuesMayBecomeWiderAnywhere(RandomData random) throws IOException {
    for (int toTwo = 0; toTwo <= 2 * MAX_BYTES + 1; toTwo += random.between(1, 3)) {
      final int toFour = toTwo + random.nextInt(MAX_BYTES);
      final int[] values = random.zipf(toFour + random.nextInt(MAX_BYTES) + 1, 0x100);
      for (int i = toTwo; i < values.length; i++) {
        values[i] = i < toFour ? 0x100 + random.nextInt(0xFF00) : 0x10000 + random.nextInt(0x10000);
      }
      assertRead(values, toTwo + " to two bytes, " + toFour + " to four");
    }
  }

  /** The first wide value may be the only one. */
  @Test
  void oneWideValueAnywhere() throws IOException {
    for (int wide : new int[] {0xFF, 0x100, 0xFFFF, 0x10000, Integer.MAX_VALUE}) {
      for (int position = 0; position < MAX_BYTES + 2 * BLOCK; position++) {
        final int[] values = RandomData.sequence(MAX_BYTES + 3 * BLOCK + 3, 0);
        for (int i = 0; i < values.length; i++) {
          values[i] %= 0x7F;
        }
        values[position] = wide;
        assertRead(values, wide + " at " + position);
      }
    }
  }

  @Test
  void anyLength(RandomData random) throws IOException {
    for (int length = 0; length <= 3 * MAX_BYTES; length++) {
      assertRead(random.sparse(length, random.between(1, 31), 10), length + " values");
    }
  }

  private static void assertRead(int[] values, String what) throws IOException {
    final ShapeShiftingColumnSerializer<IntChunk, BufferedInts> serializer = serializer(Integer.MAX_VALUE);
    add(serializer, values);
    final long size = serializer.getSerializedSize();
    final ShapeShiftingColumnarIntsSupplier supplier = read(IntColumns.bytes(serializer));
    assertEquals(size, supplier.data().sizeInBytes(), what);
    IntColumns.assertStructure(supplier.data(), LOG_BLOCK, MAX_BYTES, IntColumns::formOf, what);
    final int[] actual = new int[values.length];
    try (ShapeShiftingColumnarInts column = supplier.get()) {
      column.get(actual, 0, actual.length);
      assertArrayEquals(values, actual, what);
      for (int i = 0; i < values.length; i += 7) {
        assertEquals(values[i], column.get(i), what);
      }
    }
  }

  private static ShapeShiftingColumnarIntsSupplier read(byte[] bytes) {
    return ShapeShiftingColumnarIntsSupplier.read(
        IntColumns.NAME, ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  private static ShapeShiftingColumnSerializer<IntChunk, BufferedInts> serializer(long maxBytes) throws IOException {
    final ShapeShiftingColumnSerializer<IntChunk, BufferedInts> serializer = new ShapeShiftingColumnSerializer<>(
        IntColumns.NAME,
        new OnHeapMemorySegmentWriteOutMedium(),
        new BufferedInts(MAX_BYTES),
        LOG_BLOCK,
        new ChunkSplitter<>(
            FormSelectors.forInts(OptimizationTarget.FASTBUTSMALLISH),
            LOG_BLOCK,
            ByteOrder.LITTLE_ENDIAN,
            new StockInts(Integer.MAX_VALUE, MAX_BYTES),
            ColumnHeader.OVERHEAD
        ),
        ByteOrder.LITTLE_ENDIAN,
        maxBytes
    );
    serializer.open();
    return serializer;
  }

  private static void add(ShapeShiftingColumnSerializer<IntChunk, BufferedInts> serializer, int[] values)
      throws IOException {
    for (int value : values) {
      while (!serializer.values().add(value)) {
        serializer.flush();
      }
    }
  }
}
