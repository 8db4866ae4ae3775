// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.segment.nested.DictionaryIdLookup;

/**
 * Sorted values of all fields of a nested column, as Druid's merge has written them to temporary files. Null is 0, then
 * come all strings, longs, doubles and arrays.
 */
final class NestedColumnValues {
  /** Recently looked up texts, by hash. Neighbouring rows repeat texts, and a search reads the dictionary. */
  private static final int CACHED_TEXTS = 1 << 12;

  private final DictionaryIdLookup lookup;
  private final int firstLong;
  private final int firstDouble;
  private final int firstArray;
  private final int size;
  private final String[] texts = new String[CACHED_TEXTS];
  private final int[] ids = new int[CACHED_TEXTS];

  NestedColumnValues(DictionaryIdLookup lookup) {
    this.lookup = lookup;
    this.firstLong = lookup.getStringCardinality();
    this.firstDouble = firstLong + lookup.getLongCardinality();
    this.firstArray = firstDouble + lookup.getDoubleCardinality();
    this.size = firstArray + lookup.getArrayCardinality();
  }

  /**
   * Returns the id of a value of a field.
   *
   * @param value a String, Long, Double, or array of these, as Druid's expressions have them
   */
  int id(@Nullable Object value) {
    if (value == null) {
      return 0;
    }
    if (value instanceof Long number) {
      return lookup.lookupLong(number);
    }
    if (value instanceof Double number) {
      return lookup.lookupDouble(number);
    }
    if (value instanceof Object[] array) {
      final int[] elements = new int[array.length];
      for (int i = 0; i < array.length; i++) {
        elements[i] = id(array[i]);
      }
      return lookup.lookupArray(elements);
    }
    return textId(String.valueOf(value));
  }

  private int textId(String text) {
    final int hash = text.hashCode();
    final int slot = (hash ^ hash >>> 15) & CACHED_TEXTS - 1;
    if (!text.equals(texts[slot])) {
      ids[slot] = lookup.lookupString(text);
      texts[slot] = text;
    }
    return ids[slot];
  }

  /** Returns a string, long or double by its id; null for 0. */
  @Nullable
  Object scalar(int id) {
    return lookup.getDictionaryValue(id);
  }

  /** Returns the ids of an array's elements. */
  int[] elements(int arrayId) {
    return Objects.requireNonNull(lookup.getArrayValue(arrayId));
  }

  /** Returns the id of the first long, if there is one. */
  int firstLong() {
    return firstLong;
  }

  /** Returns the id of the first double, if there is one. */
  int firstDouble() {
    return firstDouble;
  }

  /** Returns the id of the first array, if there is one. */
  int firstArray() {
    return firstArray;
  }

  /** Returns the number of values, including null. */
  int size() {
    return size;
  }
}
