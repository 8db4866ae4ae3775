// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.strings.StringDictionarySerializer;
import io.shapeshift.druid.column.structures.Structures;
import io.shapeshift.druid.column.structures.StructuresSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.nested.NestedFieldFormat.Section;
import io.shapeshift.druid.select.FormSelectors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.VByte;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.junit.jupiter.api.Test;

/** A damaged field is refused with its name. */
class NestedFieldTest {
  /** Structures of one null row. */
  private static Structures structures() throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final StructuresSerializer out =
          new StructuresSerializer("column", medium, OptimizationTarget.FASTBUTSMALLISH, BlockSize.SMALL);
      out.open();
      out.addNull();
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      out.writeTo(Channels.newChannel(bytes));
      return Structures.read("column", ByteBuffer.wrap(bytes.toByteArray()), 1);
    }
  }

  private static void assertRefused(String expected, int numIds, Section section, byte... bytes) throws IOException {
    final ByteBuffer field = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
    field.put(NestedFieldFormat.VERSION).putShort((short) section.bit());
    VByte.writeInt(field, numIds);
    VByte.writeInt(field, bytes.length);
    field.put(bytes).flip();
    final FieldTypeInfo.TypeSet types =
        new FieldTypeInfo.TypeSet(new FieldTypeInfo.MutableTypeSet().add(ColumnType.LONG_ARRAY).getByteValue());
    final Structures structures = structures();
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> {
      final NestedField read =
          new NestedField("column $.field", types, field, structures, ByteOrder.LITTLE_ENDIAN, null);
      read.ids().get(0);
    });
    assertTrue(e.getMessage().contains("column $.field") && e.getMessage().contains(expected), e::getMessage);
  }

  @Test
  void damagedArrays() throws IOException {
    assertRefused("its arrays", 2, Section.ARRAYS, (byte) 1, (byte) 0);
  }

  @Test
  void numbersWithNull() throws IOException {
    // Druid's dictionary of null.
    assertRefused("one of its dictionaries of numbers has null", 1, Section.LONGS, new byte[]{0, 3, 0, 0, 0, 0});
  }

  @Test
  void withoutIds() throws IOException {
    assertRefused("do not tell the ids of its rows", 1, Section.STRINGS, strings());
  }

  @Test
  void damagedIdsOfStructures() throws IOException {
    // There is no structure beside that of null and of kept rows.
    assertRefused("its ids of structures, at offset 1", 1, Section.STRUCTURE_IDS, (byte) 0x81, (byte) 0x81);
  }

  @Test
  void idsOfMoreRowsThanTheColumn() throws IOException {
    assertRefused("its section IDS has 2 rows, expected 1", 1, Section.IDS, idsOfTwoRows());
  }

  private static byte[] idsOfTwoRows() throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final ShapeShiftingColumnarIntsSerializer out = new ShapeShiftingColumnarIntsSerializer(
          "column",
          medium,
          BlockSize.SMALL,
          FormSelectors.forInts(OptimizationTarget.FASTBUTSMALLISH),
          1,
          ByteOrder.LITTLE_ENDIAN
      );
      out.open();
      out.addValue(0);
      out.addValue(0);
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      out.writeTo(Channels.newChannel(bytes), null);
      return bytes.toByteArray();
    }
  }

  private static byte[] strings() throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final StringDictionarySerializer out =
          new StringDictionarySerializer("column", medium, OptimizationTarget.FASTBUTSMALLISH);
      out.open();
      out.write(null);
      final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      out.writeTo(Channels.newChannel(bytes), null);
      return bytes.toByteArray();
    }
  }
}
