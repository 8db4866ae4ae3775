// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.testing.Golden;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Structures byte by byte. A string {@code float 1.5} stands for that float. */
class GoldenStructuresTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FLOAT = "float ";

  @Test
  void columnsMatchTheirGoldenBytes() throws IOException {
    final Set<Integer> kinds = new TreeSet<>();
    for (Golden.Example example : Golden.checkExamples(Golden.file("structures"), GoldenStructuresTest::encode)) {
      final List<Object> objects = objects(example);
      final ObjectColumn column = column(example);
      final Structures structures =
          Structures.read("c", ByteBuffer.wrap(example.bytes()), column.names.size());
      final ObjectBuilder builder = structures.builder(column::value);
      try (ShapeShiftingColumnarInts ids = structures.ids()) {
        for (int row = 0; row < objects.size(); row++) {
          assertEquals(column.kept.get(row) != null, ids.get(row) == Structures.KEPT);
          if (ids.get(row) != Structures.KEPT) {
            assertArrayEquals(
                ObjectColumn.smile(objects.get(row)),
                ObjectColumn.smile(builder.build(row, ids.get(row))),
                example.spec()
            );
          }
        }
      }
      kinds.addAll(structures.kinds());
    }
    assertEquals(Tokens.KINDS, kinds.size(), "Add examples of all kinds");
  }

  private static byte[] encode(Golden.Example example) {
    return column(example).bytes;
  }

  private static ObjectColumn column(Golden.Example example) {
    try {
      final List<Object> objects = objects(example);
      return ObjectColumn.of(
          objects, ObjectColumn.namesOf(objects), OptimizationTarget.valueOf(example.form()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Object> objects(Golden.Example example) {
    try {
      final List<Object> objects =
          JSON.readValue(example.spec().substring(example.form().length() + 1), new TypeReference<>() {});
      objects.replaceAll(GoldenStructuresTest::withFloats);
      return objects;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static Object withFloats(Object value) {
    if (value instanceof Map<?, ?> map) {
      ((Map<String, Object>) map).replaceAll((key, inner) -> withFloats(inner));
    } else if (value instanceof List<?> list) {
      ((List<Object>) list).replaceAll(GoldenStructuresTest::withFloats);
    } else if (value instanceof String text && text.startsWith(FLOAT)) {
      return Float.valueOf(text.substring(FLOAT.length()));
    }
    return value;
  }
}
