// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.nested.StructuredData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Objects there and back. */
@ExtendWith(RandomData.Seeded.class)
class StructuresTest {
  @Test
  void randomObjects(RandomData random) throws IOException {
    for (int round = 0; round < 40; round++) {
      final RandomObjects objects = new RandomObjects(random);
      final List<Object> rows = new ArrayList<>();
      for (int i = random.nextInt(300); i >= 0; i--) {
        rows.add(random.nextInt(10) == 0 ? null : objects.value(0));
      }
      check(rows);
    }
  }

  /** Checks fields and objects against Druid's, and the lists of rows. */
  static ObjectColumn check(List<?> rows) throws IOException {
    final ObjectColumn column = ObjectColumn.of(rows);
    checkFields(rows, column);
    checkObjects(rows, column);
    return column;
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

  @Test
  void noRows() throws IOException {
    final Structures structures = check(List.of()).structures();
    assertEquals(Structures.FIRST, structures.size());
    assertTrue(structures.sizeInBytes() > 0);
  }
}
