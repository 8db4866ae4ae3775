// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import io.shapeshift.druid.testing.RandomData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Random objects of all kinds of values, with few different structures. */
final class RandomObjects {
  private static final List<String> KEYS = List.of(
      "a", "b", "key", "a.b", "it's", "\"quoted\"", "[0]", "]", "", "\u00e9", "\u4e2d\u6587", "\ud83d\ude00", "a b",
      "$", ".", "with\\", "c'", "'", "\n", "0");
  private static final int MAX_DEPTH = 5;

  private final RandomData random;
  private final int numKeys;
  /** Number of parts of objects and arrays, less one. */
  private final int size;

  RandomObjects(RandomData random) {
    this.random = random;
    this.numKeys = random.between(1, KEYS.size());
    this.size = random.between(1, 5);
  }

  /** A value, mostly an object if there is nothing around it. */
  Object value(int depth) {
    final boolean isLeaf = depth >= MAX_DEPTH || random.nextInt(depth == 0 ? 8 : 2) == 0;
    if (isLeaf) {
      return leaf(random.nextInt(10));
    }
    return switch (random.nextInt(depth == 0 ? 6 : 3)) {
      case 0 -> array(depth);
      case 1 -> flatArray();
      default -> object(depth);
    };
  }

  private Map<String, Object> object(int depth) {
    final Map<String, Object> object = new LinkedHashMap<>();
    for (int i = random.nextInt(size + 1); i > 0; i--) {
      object.put(KEYS.get(random.nextInt(numKeys)), random.nextInt(10) == 0 ? null : value(depth + 1));
    }
    return object;
  }

  private Object array(int depth) {
    final List<Object> array = new ArrayList<>();
    final boolean ofObjects = random.nextInt(2) == 0;
    for (int i = random.nextInt(size + 1); i > 0; i--) {
      if (random.nextInt(10) == 0) {
        array.add(null);
      } else {
        array.add(ofObjects ? object(depth + 1) : flatArray());
      }
    }
    return random.nextInt(8) == 0 ? array.toArray() : array;
  }

  private Object flatArray() {
    final List<Object> array = new ArrayList<>();
    final int kind = random.nextInt(11);
    for (int i = random.nextInt(size + 1); i > 0; i--) {
      array.add(random.nextInt(6) == 0 ? null : leaf(kind == 10 ? random.nextInt(10) : kind));
    }
    return random.nextInt(8) == 0 ? array.toArray() : array;
  }

  private Object leaf(int kind) {
    return switch (kind) {
      case 0 -> random.nextInt(100);
      case 1 -> random.nextInt(2) == 0 ? random.nextLong() : (Object) random.nextInt(1000);
      case 2 -> random.oneOf(List.of(0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, 1e300, 0.1, 3.0));
      case 3 -> random.oneOf(List.of(0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, 0.1f, 16777217f, 2f));
      case 4 -> random.nextInt(2) == 0;
      case 5 -> random.oneOf(List.of(Long.MAX_VALUE, Long.MIN_VALUE, 1L << 31, (1L << 31) - 1, -1L << 31, 5L));
      default -> text();
    };
  }

  private String text() {
    return random.oneOf(List.of("", "a", "true", "12", "1.5", "null", "\u00fc\u4e2d\ud83d\ude00", "text"))
        + (random.nextInt(3) == 0 ? String.valueOf(random.nextInt(1000)) : "");
  }
}
