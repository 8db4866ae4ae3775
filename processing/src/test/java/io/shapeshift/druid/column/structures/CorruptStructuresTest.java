// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.testing.RandomData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Damaged structures: the one error that names the column, or objects; never another error, nor endless reading. */
@ExtendWith(RandomData.Seeded.class)
class CorruptStructuresTest {
  private static final byte[] EDGES = {0, 1, 2, 0x7F, (byte) 0x80, (byte) 0xFF};

  /** Objects whose table is compressed only under one target, so that both ways are damaged. */
  private static ObjectColumn intact(OptimizationTarget target) throws IOException {
    final RandomData random = new RandomData(7);
    final List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      final Map<String, Object> object = new TreeMap<>();
      object.put("a", i);
      object.put("k" + i % 3, i % 2 == 0 ? "text" : List.of(1.5, 2.5));
      if (i % 5 == 0) {
        object.put("nested", Map.of("b", List.of(Map.of("b", true), Map.of("c", 1.5f))));
      }
      rows.add(i % 11 == 3 ? null : i % 13 == 4 ? List.of(1, "mixed") : object);
    }
    if (target == OptimizationTarget.SMALLER) {
      final RandomObjects objects = new RandomObjects(random);
      for (int i = 0; i < 20; i++) {
        rows.add(objects.value(0));
      }
    }
    return ObjectColumn.of(rows, ObjectColumn.namesOf(rows), target);
  }

  private static void readOrRefuse(ObjectColumn column, byte[] bytes, String what) {
    try {
      final Structures structures = Structures.read("c", ByteBuffer.wrap(bytes), column.names.size());
      // A damaged number of rows may be large.
      final int numRows = Math.min(structures.numRows(), 1000);
      rows(structures);
      check(structures);
      final ObjectBuilder builder = structures.builder((field, row) -> value(column, field, row));
      try (ShapeShiftingColumnarInts ids = structures.ids()) {
        for (int row = 0; row < numRows; row++) {
          build(builder, row, ids.get(row));
        }
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[c]: "), e.getMessage());
    } catch (RuntimeException | Error e) {
      throw new AssertionError(what, e);
    }
  }

  private static void check(Structures structures) {
    try {
      if (structures.numRows() < 1 << 20) {
        structures.check();
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[c]: "), e.getMessage());
    }
  }

  private static void build(ObjectBuilder builder, int row, int id) {
    try {
      if (id != Structures.KEPT) {
        builder.build(row, id);
      }
    } catch (ColumnFormatException e) {
      assertTrue(e.getMessage().startsWith("Column[c]: "), e.getMessage());
    }
  }

  private static Object value(ObjectColumn column, int field, int row) {
    return row < column.fields.size() ? column.value(field, row) : null;
  }

  private static void rows(Structures structures) {
    if (structures.numRows() < 1 << 20) {
      structures.rowsOf(structures.size() - 1);
      structures.rowsOf(Structures.NULL);
      structures.addRowsWith(0, new RowSet(structures.numRows()));
      structures.numRowsWith(0);
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void eachByteIsChanged(OptimizationTarget target) throws IOException {
    final ObjectColumn column = intact(target);
    for (int at = 0; at < column.bytes.length; at++) {
      change(column, at, EDGES[at % EDGES.length]);
      for (int bit = at % 3; bit < Byte.SIZE; bit += 3) {
        change(column, at, (byte) (column.bytes[at] ^ 1 << bit));
      }
    }
  }

  private static void change(ObjectColumn column, int at, byte to) {
    final byte[] damaged = column.bytes.clone();
    damaged[at] = to;
    readOrRefuse(column, damaged, "byte " + at + " is " + to);
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void severalBytesAreChanged(OptimizationTarget target, RandomData random) throws IOException {
    final ObjectColumn column = intact(target);
    for (int round = 0; round < 500; round++) {
      final byte[] damaged = column.bytes.clone();
      for (int i = random.nextInt(6); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      readOrRefuse(column, damaged, "round " + round);
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void cutAtAnyLength(OptimizationTarget target) throws IOException {
    final ObjectColumn column = intact(target);
    for (int length = 0; length < column.bytes.length; length++) {
      final byte[] cut = Arrays.copyOf(column.bytes, length);
      final ColumnFormatException e = assertThrows(
          ColumnFormatException.class,
          () -> Structures.read("c", ByteBuffer.wrap(cut), column.names.size()),
          "cut to " + length
      );
      assertTrue(e.getMessage().startsWith("Column[c]: "), e.getMessage());
    }
  }

  @Test
  void laterVersion() throws IOException {
    final ObjectColumn column = intact(OptimizationTarget.FASTER);
    column.bytes[0] = 2;
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, column::structures);
    assertEquals(
        "Column[c]: the version at offset 0 of its structures is 2, this druid-shapeshift knows 1. A newer"
            + " druid-shapeshift wrote it, unless the segment is damaged: use the release that wrote it, or a newer"
            + " one, on every Druid service",
        e.getMessage()
    );
  }

  /** Reads a table with two keys and one structure, of ten rows and two fields. */
  private static String refused(int... structure) {
    final ByteArrayOutputStream table = new ByteArrayOutputStream();
    table.writeBytes(new byte[]{2, 1, 'a', 1, 'b', 10});
    for (int b : structure) {
      table.write(b);
    }
    return assertThrows(
        RuntimeException.class, () -> StructureTable.read(table.toByteArray(), 1, 10, 2)).getMessage();
  }

  @Test
  void eachTokenIsChecked() {
    assertEquals("token at offset 6 does not end", refused(0x81));
    assertEquals("token at offset 6 does not end", refused(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF));
    assertEquals(
        "token at offset 6 is 4294967295, expected at most 2147483647", refused(0xFF, 0xFF, 0xFF, 0xFF, 0x0F));
    assertEquals("the token at offset 6 has kind 14", refused(0x0E));
    assertEquals("the token at offset 6 has kind 3", refused(0x03));
    assertEquals("null at offset 6 is 1, expected less than 1", refused(0x10));
    assertEquals("field at offset 6 is 2, expected less than 2", refused(0x24));
    assertEquals("the value at offset 6 has 2 parts in 3 bytes", refused(0x21, 0x03, 0x00, 0x03));
    assertEquals("the value at offset 6 has 2 parts in 1 bytes", refused(0x22, 0x00));
    assertEquals("the token at offset 7 has kind 4, expected a key", refused(0x11, 0x04, 0x04));
    assertEquals("key at offset 7 is 2, expected less than 2", refused(0x11, 0x23, 0x04));
    assertEquals("the last structure ends at offset 7, the table at 8", refused(0x04, 0x04));
    final int[] deep = new int[Tokens.MAX_DEPTH + 2];
    Arrays.fill(deep, 0x12);
    assertEquals("the value at offset 106 is in more than 100 objects and arrays", refused(deep));
  }

  private static String refusedTable(int numRows, int... table) {
    final byte[] bytes = new byte[table.length];
    for (int i = 0; i < table.length; i++) {
      bytes[i] = (byte) table[i];
    }
    return assertThrows(RuntimeException.class, () -> StructureTable.read(bytes, 2, numRows, 2)).getMessage();
  }

  @Test
  void keysAndRowsAreChecked() {
    assertEquals("number of keys at offset 0 is 5, expected at most 4", refusedTable(1, 5, 0, 1, 0));
    assertEquals("key 1 at offset 3 repeats another", refusedTable(1, 2, 1, 'a', 1, 'a', 1, 0));
    assertEquals("key 0 at offset 1 has 3 bytes, of 2", refusedTable(1, 1, 3, 'a', 'b'));
    assertEquals("key 0 at offset 1 is not UTF-8", refusedTable(1, 1, 1, 0xC3, 1, 0));
    assertEquals("2 structures do not fit into 2 bytes", refusedTable(1, 0, 1, 0));
    assertEquals("number of rows at offset 1 is 4, expected at most 3", refusedTable(3, 0, 4, 0, 1, 0));
    assertEquals("number of rows at offset 3 is 2, expected at most 1", refusedTable(3, 0, 1, 0, 2, 0));
    assertEquals("structures have 2 rows, expected 3", refusedTable(3, 0, 1, 0, 1, 0));
  }

  private static void refusedValues(Object right, Object... wrong) throws IOException {
    final Structures structures = ObjectColumn.of(List.of(Map.of("a", right))).structures();
    for (@Nullable Object value : wrong) {
      final ObjectBuilder builder = structures.builder((field, row) -> value);
      final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> builder.build(0, 2));
      assertTrue(e.getMessage().startsWith("Column[c]: field 0 has "), e.getMessage());
    }
  }

  /** Fields that do not have the value that the structure says. */
  @Test
  void otherValues() throws IOException {
    final Object[] array = {"x"};
    refusedValues("x", null, 1L, array);
    refusedValues(1, null, "x", 1.5, array);
    refusedValues(1.5, null, "x", 1L, array);
    refusedValues(1.5f, null, "x", 1L, array);
    refusedValues(true, null, "x", 2L, 1.5, array);
    refusedValues(List.of("x"), null, "x", 1L, new Object[]{1L});
    refusedValues(List.of(1), null, 1L, array);
    refusedValues(List.of(1.5), 1.5, new Object[]{1L});
    refusedValues(List.of(1.5f), 1.5, new Object[]{1L});
    refusedValues(List.of(true), 1L, new Object[]{2L}, array);
  }

  /** Parts of different columns, each of which is intact. */
  @Test
  void contradictionsAreFound() throws IOException {
    final Object one = Map.of("a", 1);
    final Object other = Map.of("b", 1);
    final ObjectColumn column = ObjectColumn.of(List.of(one, one, other, one));
    final byte[] bytes = column.bytes;
    final byte[] moved = ObjectColumn.of(List.of(one, one, one, other)).bytes;
    final byte[] more = ObjectColumn.of(List.of(one, one, other, other)).bytes;
    final int listBytes = (int) column.structures().listBytes();
    final int headBytes = 6 + column.structures().tableBytes();
    assertContradiction(
        bytes, moved, listBytes, "row 2 has structure 3, but is in the posting list of structure 2");
    assertContradiction(
        more, bytes, listBytes, "row 3 has structure 3, but is in the posting list of structure 2");
    assertContradiction(
        bytes, more, bytes.length - headBytes, "structure 2 is that of 2 rows, its number of rows is 3");
  }

  /** Checks the bytes of one column with the last bytes of another. */
  private static void assertContradiction(byte[] start, byte[] end, int endBytes, String expected) {
    final byte[] mixed = start.clone();
    System.arraycopy(end, end.length - endBytes, mixed, mixed.length - endBytes, endBytes);
    final Structures structures = Structures.read("c", ByteBuffer.wrap(mixed), 2);
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, structures::check);
    assertTrue(e.getMessage().startsWith("Column[c]: " + expected + ". The segment is damaged"), e.getMessage());
  }

  /** Exceptions of the values are not damage of the structures. */
  @Test
  void exceptionsOfValuesPassThrough() throws IOException {
    final ObjectColumn column = ObjectColumn.of(List.of(Map.of("a", 1)));
    final ObjectBuilder builder = column.structures().builder((field, row) -> {
      throw new UnsupportedOperationException();
    });
    assertThrows(UnsupportedOperationException.class, () -> builder.build(0, 2));
    final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> builder.build(0, 3));
    assertTrue(e.getMessage().startsWith("Column[c]: row 0 has structure 3, of 3"), e.getMessage());
  }
}
