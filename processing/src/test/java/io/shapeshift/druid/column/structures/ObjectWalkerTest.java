// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
import org.apache.druid.segment.nested.StructuredData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which objects have a structure, why others have none, and what values fields get. */
@ExtendWith(RandomData.Seeded.class)
class ObjectWalkerTest {
  private static final float OTHER_NAN = Float.intBitsToFloat(0x7FC00001);
  private static final double OTHER_DOUBLE_NAN = Double.longBitsToDouble(0x7FF8000000000001L);

  /** Checks a value as root, in an object, in an array, and in an array beside an object. */
  private static void check(@Nullable Kept expected, @Nullable Object value) throws IOException {
    final List<Object> objects = List.of(
        new StructuredData(value),
        mapOf("a", 1, "b", value),
        mapOf("b", mapOf("", value)),
        Arrays.asList(value, mapOf("x", "y")),
        mapOf("b", Arrays.asList(mapOf(), value, value))
    );
    for (Object object : objects) {
      final Object unwrapped = StructuredData.unwrap(object);
      final ObjectColumn column = StructuresTest.check(Collections.singletonList(unwrapped));
      if (unwrapped != null) {
        assertEquals(expected, column.kept.get(0), () -> String.valueOf(unwrapped));
      }
    }
  }

  private static Map<String, Object> mapOf(Object... keysAndValues) {
    final Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  @Test
  void valuesWithStructures() throws IOException {
    check(null, null);
    for (Object value : Arrays.asList(
        "", "text", "null", "\u00e9\u4e2d\ud83d\ude00", "x".repeat(1000),
        0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L, 1L + Integer.MAX_VALUE, Long.MIN_VALUE, (short) 7, (byte) -7,
        0.0, -0.0, 0.1, Double.NaN, Double.MIN_VALUE, Double.POSITIVE_INFINITY,
        0f, -0f, 0.1f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY,
        true, false
    )) {
      check(null, value);
      check(null, new StructuredData(value));
    }
  }

  @Test
  void partsWithStructures() throws IOException {
    for (Object value : Arrays.asList(
        mapOf(), List.of(), mapOf("x", null), new TreeMap<>(mapOf("z", 1, "y", 2)), mapOf("y", mapOf("y", List.of())),
        Collections.singletonList(null), Arrays.asList(null, null), List.of(List.of()), List.of(mapOf()),
        Arrays.asList("x", null), Arrays.asList(null, 1, 1L << 40), List.of(1.5, -0.0), List.of(1.5f, Float.NaN),
        Arrays.asList(true, null, false), new Object[]{"x"}, new String[]{"x", null}, new Integer[]{1}, new Object[0],
        new Long[]{1L, null}, new Object[]{new Object[]{1}, List.of("x")}, Arrays.asList(mapOf("x", 1), null),
        Arrays.asList(List.of(1), "x", mapOf("x", 1)), new StructuredData(mapOf("x", new StructuredData(1)))
    )) {
      check(null, value);
    }
  }

  @Test
  void numbersOfOtherKinds() throws IOException {
    for (Object value : List.of(
        BigInteger.ONE, BigInteger.TWO.pow(70), BigDecimal.ONE, new BigDecimal("1e1000"), new AtomicLong(3),
        OTHER_NAN, OTHER_DOUBLE_NAN
    )) {
      check(Kept.NUMBER, value);
    }
    assertEquals(Kept.NUMBER, keptAlone(List.of(OTHER_NAN)));
    assertEquals(Kept.NUMBER, keptAlone(List.of(1.0, OTHER_DOUBLE_NAN)));
  }

  @Test
  void valuesOfOtherKinds() throws IOException {
    for (Object value : List.of(
        new byte[]{1, 2}, new long[]{1, 2}, new int[]{3}, new double[]{1.5}, new float[0], TimeUnit.DAYS, 'c',
        new StructuredData(new StructuredData("x"))
    )) {
      check(Kept.CLASS, value);
    }
  }

  @Nullable
  private static Kept keptAlone(Object object) throws IOException {
    return StructuresTest.check(List.of(object)).kept.get(0);
  }

  @Test
  void mixedArrays() throws IOException {
    for (List<?> array : List.of(
        List.of(1, "x"), List.of(1, 1.5), List.of(1.5f, 1.5), List.of(true, 1), List.of("x", true), List.of(1f, 1L),
        List.of((short) 1), List.of((byte) 1, (short) 1), List.of(BigInteger.ONE), List.of(1, BigInteger.TWO.pow(70))
    )) {
      assertEquals(Kept.MIXED_ARRAY, keptAlone(array));
      assertEquals(Kept.MIXED_ARRAY, keptAlone(mapOf("a", array)));
    }
  }

  @Test
  void halfSurrogatePairs() throws IOException {
    for (String text : List.of("\ud83d", "\ude00", "x\ud83dx", "\ud83d\ude00\ude00", "\ude00\ud83d")) {
      for (Object object : List.of(text, mapOf("a", text), List.of(text), mapOf(text, null), mapOf(text, 1))) {
        assertEquals(Kept.TEXT, kept(object, ObjectColumn.namesOf(List.of(object))));
        assertThrows(DruidException.class, () -> ObjectColumn.smile(object), "which Druid cannot write");
      }
    }
  }

  /** Walks through an object whose fields may not be Druid's. */
  @Nullable
  private static Kept kept(Object object, List<String> names) throws IOException {
    final ObjectWalker walker = new ObjectWalker(FieldPaths.of(names), (field, value) -> 1);
    assertEquals(walker.walk(object), walker.kept() == null);
    return walker.kept();
  }

  @Test
  void valuesWithoutField() throws IOException {
    final List<String> names = List.of("$.a", "$.b[0]");
    assertNull(kept(mapOf("a", 1), names));
    assertNull(kept(mapOf("a", 1, "x", null, "y", mapOf(), "z", mapOf("a", null)), names));
    assertEquals(Kept.NO_FIELD, kept(mapOf("a", 1, "x", 2), names));
    assertEquals(Kept.NO_FIELD, kept(mapOf("a", mapOf("a", 1)), names));
    assertEquals(Kept.NO_FIELD, kept(1, names));
    assertNull(kept(mapOf("b", List.of(1)), names));
    assertNull(kept(mapOf("b", Arrays.asList(1, null)), names));
    assertEquals(Kept.NO_FIELD, kept(mapOf("b", List.of(1, 2)), names));
  }

  @Test
  void valuesThatAreNotStored() throws IOException {
    final ObjectWalker walker = new ObjectWalker(FieldPaths.of(List.of("$.a", "$.b")), (field, value) -> 2 * field - 1);
    walker.walk(mapOf("b", 1));
    assertNull(walker.kept());
    walker.walk(mapOf("b", 1, "a", 2));
    assertEquals(Kept.NOT_STORED, walker.kept());
    walker.walk(mapOf("b", 1));
    assertNull(walker.kept());
  }

  @Test
  void depth() throws IOException {
    Object nested = 1;
    for (int depth = 1; depth <= Tokens.MAX_DEPTH + 2; depth++) {
      nested = depth % 3 == 0 ? List.of(mapOf(), nested) : mapOf("a", nested);
      assertEquals(depth <= Tokens.MAX_DEPTH ? null : Kept.DEPTH, keptAlone(nested), "depth " + depth);
    }
  }

  /** Keys that make paths which cannot be parsed, and keys whose path is that of others. */
  @Test
  void keysThatNeedQuotes() throws IOException {
    final Map<String, Object> object = new LinkedHashMap<>();
    for (String key : List.of("a.b\\", "x']", "x'].y", "['", "'", ".", "[0]", "$", "it's", "\"", "]", "a'][0", "")) {
      object.put(key, "value of " + key);
    }
    assertNull(keptAlone(object));
    assertEquals(Kept.SAME_FIELD, keptSame(mapOf("a.b", mapOf("c.d", 1), "a.b']['c.d", 2)));
    assertEquals(Kept.SAME_FIELD, keptSame(mapOf("a.b']['c.d", List.of(1), "a.b", mapOf("c.d", List.of("x")))));
  }

  private static Kept keptSame(Object object) throws IOException {
    final List<String> names = ObjectColumn.namesOf(List.of(object));
    final List<Integer> added = new ArrayList<>();
    final ObjectWalker walker = new ObjectWalker(FieldPaths.of(names), (field, value) -> {
      added.add(field);
      return 1;
    });
    for (int i = 1; i <= 2; i++) {
      walker.walk(object);
      assertEquals(i, added.size(), "one value per object");
    }
    return walker.kept();
  }

  @Test
  void keysOfOtherKinds() throws IOException {
    final ObjectWalker walker = new ObjectWalker(FieldPaths.of(List.of("$.a")), (field, value) -> 1);
    final Map<Object, Object> noKey = new HashMap<>();
    noKey.put(null, 1);
    walker.walk(noKey);
    assertEquals(Kept.KEY, walker.kept());
    assertThrows(ClassCastException.class, () -> walker.walk(Map.of(1, 1)));
    walker.walk(Map.of("a", 1));
    assertNull(walker.kept(), "after an exception");
  }

  /** Any number of keys without values does not fill the heap. */
  @Test
  void manyKeysWithoutValues() throws IOException {
    final ObjectWalker walker = new ObjectWalker(FieldPaths.of(List.of("$.a")), (field, value) -> 1);
    final String rest = "x".repeat(1 << 10);
    int accepted = 0;
    for (int i = 0; i < 20_000; i++) {
      accepted += walker.walk(mapOf("a", 1, i + rest, null)) ? 1 : 0;
    }
    assertEquals(Kept.KEY, walker.kept());
    assertTrue(accepted > 7000 && accepted < 8192, accepted + " of 1 KB each");
    assertTrue(walker.walk(mapOf("a", 1, 0 + rest, null)));
  }

  /** Arrays as one value or as their elements, which depends on the fields that there are. */
  @Test
  void someFields(RandomData random) throws IOException {
    for (int round = 0; round < 30; round++) {
      final RandomObjects objects = new RandomObjects(random);
      final List<Object> rows = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        rows.add(objects.value(0));
      }
      final List<String> names = ObjectColumn.namesOf(rows);
      names.removeIf(name -> random.nextInt(3) == 0);
      final List<Map<String, Object>> expected = new ArrayList<>();
      for (Object row : rows) {
        expected.add(DruidFields.of(row, names));
      }
      final ObjectColumn column = ObjectColumn.of(rows, names);
      for (int row = 0; row < rows.size(); row++) {
        final Map<String, Object> found = new TreeMap<>();
        column.fields.get(row).forEach((field, value) -> found.put(names.get(field), value));
        assertEquals(expected.get(row).keySet(), found.keySet());
        assertArrayEquals(expected.get(row).values().toArray(), found.values().toArray());
      }
    }
  }
}
