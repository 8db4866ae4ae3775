// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.column.IntColumns.Setup;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.form.BorrowedBuffers;
import io.shapeshift.druid.form.IntChunk;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.nio.ByteOrder;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(RandomData.Seeded.class)
class ShapeShiftingColumnSerializerTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 32, 100})
  void writesAsManyBytesAsItSays(int length) throws IOException {
    final ShapeShiftingColumnSerializer<IntChunk> serializer = serializer(Integer.MAX_VALUE);
    add(serializer, RandomData.sequence(length, 0));
    final long size = serializer.getSerializedSize();
    final byte[] bytes = IntColumns.bytes(serializer);
    assertEquals(size, bytes.length);
    assertArrayEquals(bytes, IntColumns.bytes(serializer), "written again");
  }

  /** At exactly the limit a column still fits; whoever needs a byte more is told so before the segment is complete. */
  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 17, 100})
  void takesNoByteMoreThanTheLimit(int length) throws IOException {
    final int[] values = RandomData.sequence(length, 0);
    final ShapeShiftingColumnSerializer<IntChunk> unlimited = serializer(Integer.MAX_VALUE);
    add(unlimited, values);
    final int size = (int) unlimited.getSerializedSize();

    final ShapeShiftingColumnSerializer<IntChunk> fits = serializer(size);
    add(fits, values);
    assertArrayEquals(IntColumns.bytes(unlimited), IntColumns.bytes(fits));

    final ShapeShiftingColumnSerializer<IntChunk> tooLarge = serializer(size - 1);
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> {
      add(tooLarge, values);
      tooLarge.getSerializedSize();
    });
    final int lastChunk = (length - 1) / 16 * 16;
    assertEquals(
        "Column[dim]: it is too large, with " + size + " bytes at value " + lastChunk + ", of which a column can have "
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
    for (int value : random.zipf(3 * Setup.SMALL.blockLength() + 1, 1000)) {
      serializer.addValue(value);
      assertEquals(before, BorrowedBuffers.count());
    }
    serializer.getSerializedSize();
    assertEquals(before, BorrowedBuffers.count());
  }

  private static ShapeShiftingColumnSerializer<IntChunk> serializer(long maxBytes) throws IOException {
    final ShapeShiftingColumnSerializer<IntChunk> serializer = new ShapeShiftingColumnSerializer<>(
        IntColumns.NAME,
        new OnHeapMemorySegmentWriteOutMedium(),
        new IntChunk(16),
        4,
        FormSelector.forInts(OptimizationTarget.FASTBUTSMALLISH),
        ByteOrder.LITTLE_ENDIAN,
        maxBytes
    );
    serializer.open();
    return serializer;
  }

  private static void add(ShapeShiftingColumnSerializer<IntChunk> serializer, int[] values) throws IOException {
    for (int value : values) {
      serializer.chunk().add(value);
    }
  }
}
