// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.blobs.Blobs;
import io.shapeshift.druid.column.blobs.BlobsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.junit.jupiter.api.Test;

/** Objects that a type's strategy makes of bytes, and bytes of which it makes none. */
class ComplexObjectsTest {
  /** Numbers of four bytes. */
  private static final class Ints implements ObjectStrategy<Integer> {
    @Override
    public Class<Integer> getClazz() {
      return Integer.class;
    }

    @Override
    public Integer fromByteBuffer(ByteBuffer buffer, int numBytes) {
      return buffer.getInt();
    }

    @Override
    public byte[] toBytes(Integer value) {
      return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    @Override
    public int compare(Integer one, Integer other) {
      return one.compareTo(other);
    }
  }

  @Test
  void bytesThatAreNoObjectAreNamed() throws IOException {
    final BlobsSerializer values = new BlobsSerializer(
        "users", new OnHeapMemorySegmentWriteOutMedium(), OptimizationTarget.FASTBUTSMALLISH);
    values.add(new byte[]{0, 0, 1, 2});
    values.add(new byte[]{9, 8});
    values.add((byte[]) null);
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    values.writeTo(Channels.newChannel(out));
    final Blobs blobs = Blobs.read("users", ByteBuffer.wrap(out.toByteArray()));
    try (ShapeShiftComplexColumn column = new ShapeShiftComplexColumn("ints", new Ints(), blobs.reader())) {
      assertEquals(0x102, column.getRowValue(0));
      assertNull(column.getRowValue(2));
      final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> column.getRowValue(1));
      assertTrue(e.getMessage().startsWith("Column[users]: the 2 bytes of row 1 are no ints: "), e::getMessage);
    }
  }
}
