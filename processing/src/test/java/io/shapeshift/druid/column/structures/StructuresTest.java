// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.testing.RandomData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects there and back. */
@ExtendWith(RandomData.Seeded.class)
class StructuresTest {
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void randomObjects(OptimizationTarget target, RandomData random) throws IOException {
    int numStructures = 0;
    int numKept = 0;
    for (int round = 0; round < 15; round++) {
      final RandomObjects objects = new RandomObjects(random);
      final List<Object> rows = new ArrayList<>();
      for (int i = random.nextInt(300); i >= 0; i--) {
        rows.add(random.nextInt(10) == 0 ? null : objects.value(0));
      }
      final ObjectColumn column = ObjectColumn.of(rows, ObjectColumn.namesOf(rows), target);
      check(rows, column);
      numStructures += column.structures().size() - Structures.FIRST;
      numKept += column.structures().numKept();
    }
    assertTrue(numStructures > 500 && numKept > 20, numStructures + " structures, " + numKept + " kept objects");
  }

  /** Checks fields and objects against Druid's, and the lists of rows. */
  static ObjectColumn check(List<?> rows) throws IOException {
    final ObjectColumn column = ObjectColumn.of(rows);
    check(rows, column);
    return column;
  }

  private static void check(List<?> rows, ObjectColumn column) {
    checkFields(rows, column);
    checkObjects(rows, column);
    checkRows(column);
  }

  private static void checkFields(List<?> rows, ObjectColumn column) {
    for (int row = 0; row < rows.size(); row++) {
      final Map<String, Object> expected =
          rows.get(row) == null ? Map.of() : DruidFields.of(rows.get(row), column.names);
      final Map<String, Object> found = new HashMap<>();
      column.fields.get(row).forEach((field, value) -> found.put(column.names.get(field), value));
      assertEquals(expected.keySet(), found.keySet(), "row " + row);
      expected.forEach((name, value) ->
          assertArrayEquals(new Object[]{value}, new Object[]{found.get(name)}, name));
    }
  }

  private static void checkObjects(List<?> rows, ObjectColumn column) {
    final Structures structures = column.structures();
    assertEquals(rows.size(), structures.numRows());
    final ObjectBuilder builder = structures.builder(column::value);
    int numNulls = 0;
    int numKept = 0;
    try (ShapeShiftingColumnarInts ids = structures.ids()) {
      for (int row = 0; row < rows.size(); row++) {
        final int id = ids.get(row);
        assertEquals(rows.get(row) == null, id == Structures.NULL);
        assertEquals(column.kept.get(row) != null, id == Structures.KEPT);
        numNulls += id == Structures.NULL ? 1 : 0;
        numKept += id == Structures.KEPT ? 1 : 0;
        if (id != Structures.KEPT) {
          checkObject(rows.get(row), builder.build(row, id));
        }
      }
    }
    assertEquals(numNulls, structures.numNulls());
    assertEquals(numKept, structures.numKept());
  }

  private static void checkObject(@Nullable Object object, @Nullable Object rebuilt) {
    @Nullable final StructuredData expected = ObjectColumn.throughSmile(object);
    @Nullable final StructuredData found = StructuredData.wrap(rebuilt);
    if (expected == null) {
      assertNull(found);
      return;
    }
    assertArrayEquals(ObjectColumn.smile(expected), ObjectColumn.smile(found), () -> object + " became " + rebuilt);
    assertEquals(expected, found);
    assertEquals(expected.hashCode(), found.hashCode());
    assertEquals(0, expected.compareTo(found));
  }

  /** Checks the rows of ids and of fields. */
  private static void checkRows(ObjectColumn column) {
    final Structures structures = column.structures();
    structures.check();
    final List<BitSet> rowsById = new ArrayList<>();
    final List<BitSet> rowsByField = new ArrayList<>();
    for (int id = 0; id < structures.size(); id++) {
      rowsById.add(new BitSet());
    }
    for (int field = 0; field < column.names.size(); field++) {
      rowsByField.add(new BitSet());
    }
    try (ShapeShiftingColumnarInts ids = structures.ids()) {
      for (int row = 0; row < structures.numRows(); row++) {
        final int id = ids.get(row);
        rowsById.get(id).set(row);
        if (id != Structures.KEPT) {
          for (int field : column.fields.get(row).keySet()) {
            rowsByField.get(field).set(row);
          }
        }
      }
    }
    for (int id = 0; id < structures.size(); id++) {
      assertEquals(rowsById.get(id), bits(structures.rowsOf(id)), "rows of " + id);
      assertEquals(rowsById.get(id).cardinality(), structures.numRowsOf(id));
    }
    for (int field = 0; field < column.names.size(); field++) {
      final RowSet rows = new RowSet(structures.numRows());
      structures.addRowsWith(field, rows);
      assertEquals(rowsByField.get(field), bits(rows), "rows with " + column.names.get(field));
      assertEquals(rowsByField.get(field).cardinality(), structures.numRowsWith(field));
    }
  }

  private static BitSet bits(RowSet rows) {
    return BitSet.valueOf(rows.bits());
  }

  private static Map<String, Object> objectOf(List<String> keys, Object value) {
    final Map<String, Object> object = new LinkedHashMap<>();
    for (String key : keys) {
      object.put(key, value);
    }
    return object;
  }

  /** Structures and keys get their numbers by their rows, so that frequent ones have small numbers. */
  @Test
  void frequentStructuresComeFirst() throws IOException {
    final List<Object> rows = new ArrayList<>();
    for (String key : List.of("a", "b", "b", "c", "b", "c", "d", "c", "a")) {
      rows.add(objectOf(List.of(key), 1));
    }
    final Structures structures = check(rows).structures();
    final List<Integer> found = new ArrayList<>();
    try (ShapeShiftingColumnarInts ids = structures.ids()) {
      for (int row = 0; row < rows.size(); row++) {
        found.add(ids.get(row));
      }
    }
    assertEquals(List.of(4, 2, 2, 3, 2, 3, 5, 3, 4), found);
    assertArrayEquals(ObjectColumn.of(rows).bytes, ObjectColumn.of(rows).bytes);
  }

  @Test
  void descriptions() throws IOException {
    final Map<String, Object> object = new LinkedHashMap<>();
    object.put("s", "x");
    object.put("o", Map.of("i", List.of(1)));
    object.put("a", Arrays.asList(Map.of(), null, true, List.of(1.5f)));
    final Structures structures = check(List.of(object, List.of(1, "x"))).structures();
    assertEquals("null row", structures.describe(Structures.NULL));
    assertEquals("kept", structures.describe(Structures.KEPT));
    assertEquals(
        "{\"s\": string, \"o\": {\"i\": [integer]}, \"a\": [{}, null, boolean, [float]]}",
        structures.describe(Structures.FIRST)
    );
  }

  @Test
  void manyFields() throws IOException {
    final List<String> keys = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      keys.add("key" + i);
    }
    final List<Object> rows = List.of(objectOf(keys, "x"), Map.of("key7", 1), Map.of("key19999", "y"));
    final ObjectColumn column = ObjectColumn.of(rows);
    final Structures structures = column.structures();
    assertEquals(0, structures.numKept());
    checkObjects(rows, column);
    assertEquals(2, structures.numRowsWith(column.names.indexOf("$.key7")));
    assertEquals(1, structures.numRowsWith(column.names.indexOf("$.key8")));
  }

  /** An array of thousands of objects makes a field for each of them. */
  @Test
  void longArrays() throws IOException {
    final List<Object> rows = new ArrayList<>();
    for (int length = 0; length < 3000; length += 500) {
      rows.add(Map.of("a", Collections.nCopies(length, Map.of("b", "c"))));
    }
    final ObjectColumn column = ObjectColumn.of(rows);
    assertEquals(2501, column.names.size());
    checkObjects(rows, column);
  }

  @Test
  void noMoreStructuresThanBounds() throws IOException {
    final List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(objectOf(List.of("a" + i % 20), i));
    }
    final StructureSet.Bounds bounds = new StructureSet.Bounds(10, 1 << 16);
    final ObjectColumn column = ObjectColumn.of(rows, bounds);
    check(rows, column);
    assertEquals(10 + Structures.FIRST, column.structures().size());
    assertEquals(50, column.structures().numKept());
  }

  /** No two objects are alike. */
  @Test
  void noMoreBytesThanBounds(RandomData random) throws IOException {
    final List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      final Map<String, Object> object = new LinkedHashMap<>();
      for (int key = 0; key < 12; key++) {
        object.put("k" + random.nextInt(50), "some text " + i);
      }
      rows.add(object);
    }
    assertEquals(0, check(rows).structures().numKept());
    for (int bytes : new int[]{0, 1000, 20_000}) {
      final ObjectColumn column = ObjectColumn.of(rows, new StructureSet.Bounds(Structures.MAX_STRUCTURES, bytes));
      check(rows, column);
      final int numStructures = column.structures().size() - Structures.FIRST;
      // Each has 6 to 12 entries, of 2 tokens of one or two bytes.
      assertTrue(numStructures <= bytes / 12 && numStructures >= (bytes - 300) / 51, numStructures + " structures");
    }
  }

  /** A dictionary of doubles has one NaN, whatever its bits are. */
  @Test
  void canonicalNaN() throws IOException {
    final List<Object> rows = List.of(List.of(Double.NaN), Double.NaN, Float.NaN);
    final ObjectColumn column = check(rows);
    final Structures structures = column.structures();
    final Double other = Double.longBitsToDouble(0x7FF8000000000001L);
    final ObjectBuilder builder = structures.builder((field, row) -> row == 0 ? new Object[]{other} : other);
    try (ShapeShiftingColumnarInts ids = structures.ids()) {
      for (int row = 0; row < rows.size(); row++) {
        checkObject(rows.get(row), builder.build(row, ids.get(row)));
      }
    }
  }

  @Test
  void rowsOfNullAreNotObjectsOfNull() throws IOException {
    final Structures structures;
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final StructuresSerializer ours =
          new StructuresSerializer("c", medium, OptimizationTarget.FASTER, BlockSize.SMALL);
      ours.open();
      final ObjectWalker walker = new ObjectWalker(FieldPaths.of(List.of()), (field, value) -> 1);
      ours.addNull();
      assertTrue(walker.walk(null));
      assertTrue(ours.add(walker));
      assertEquals(2, ours.numRows());
      assertEquals(1, ours.numNulls());
      assertEquals(1, ours.numStructures());
      final ByteArrayOutputStream out = new ByteArrayOutputStream();
      ours.writeTo(Channels.newChannel(out));
      assertThrows(IllegalStateException.class, ours::addNull);
      structures = Structures.read("c", ByteBuffer.wrap(out.toByteArray()), 0);
    }
    assertEquals(1, structures.numNulls());
    assertTrue(structures.hasNulls());
    final ObjectBuilder builder = structures.builder((field, row) -> null);
    assertNull(builder.build(0, Structures.NULL));
    assertNull(builder.build(1, Structures.FIRST));
    assertThrows(IllegalStateException.class, () -> builder.build(0, Structures.KEPT));
  }

  @Test
  void noRows() throws IOException {
    final Structures structures = check(List.of()).structures();
    assertEquals(Structures.FIRST, structures.size());
    assertTrue(structures.sizeInBytes() > 0);
  }
}
