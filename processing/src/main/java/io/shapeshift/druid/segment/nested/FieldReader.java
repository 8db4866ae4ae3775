// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.strings.StringDictionaryReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;
import org.apache.druid.segment.data.Indexed;

/** Reader of the values of a field by row, for objects. For one thread. */
final class FieldReader implements Closeable {
  /** Values kept, by id. Neighbouring rows repeat values. */
  private static final int MOST_CACHED = 256;

  private final ColumnarInts ids;
  /** The ids if they follow from structures; else null. */
  @Nullable
  private final FollowedIds.Reader followed;
  private final Values values;
  private final int firstNumber;
  private final int numIds;
  private final String name;
  private final int[] cachedIds;
  private final Object[] cached;

  FieldReader(NestedField field) {
    this.ids = field.ids();
    this.followed = ids instanceof FollowedIds.Reader reader ? reader : null;
    this.values = new Values(field);
    this.firstNumber = field.firstNumber();
    this.numIds = field.numIds();
    this.name = field.name();
    int size = 1;
    while (size < MOST_CACHED && size < field.numIds()) {
      size <<= 1;
    }
    this.cachedIds = new int[size];
    this.cached = new Object[size];
  }

  /**
   * Returns a String, Long, Double, or array of these; null if the row has no value.
   *
   * @param structure structure of the row's object
   * @throws ColumnFormatException if the field is damaged
   */
  @Nullable
  Object get(int row, int structure) {
    final int id = followed == null ? ids.get(row) : followed.get(row, structure);
    if (id < 0 || id >= numIds) {
      throw ColumnFormatException.damaged(name, "row " + row + " has value " + id + ", of " + numIds);
    }
    final int slot = id & cached.length - 1;
    if (cached[slot] == null || cachedIds[slot] != id) {
      cachedIds[slot] = id;
      cached[slot] = values.get(id + firstNumber);
    }
    return cached[slot];
  }

  @Override
  public void close() throws IOException {
    ids.close();
  }

  /** Values of a field by number: null is 0, then come strings, longs, doubles and arrays. For one thread. */
  static final class Values {
    private final Indexed<ByteBuffer> strings;
    private final FixedIndexed<Long> longs;
    private final FixedIndexed<Double> doubles;
    @Nullable
    private final FrontCodedIntArrayIndexed arrays;
    private final int firstLong;
    private final int firstDouble;
    private final int firstArray;

    Values(NestedField field) {
      this.strings = field.strings();
      this.longs = field.longs();
      this.doubles = field.doubles();
      this.arrays = field.arrays();
      this.firstLong = strings.size();
      this.firstDouble = firstLong + longs.size();
      this.firstArray = firstDouble + doubles.size();
    }

    /** Returns a String, Long, Double, or array of these; null for number 0. */
    @Nullable
    Object get(int number) {
      if (number < firstLong) {
        return strings instanceof StringDictionaryReader texts
               ? texts.getString(number)
               : StringUtils.fromUtf8Nullable(strings.get(number));
      }
      if (number < firstDouble) {
        return longs.get(number - firstLong);
      }
      if (number < firstArray) {
        return doubles.get(number - firstDouble);
      }
      return array(number);
    }

    /** Returns an array by its number. */
    Object[] array(int number) {
      final int[] elements = Objects.requireNonNull(arrays).get(number - firstArray);
      final Object[] array = new Object[elements.length];
      for (int i = 0; i < array.length; i++) {
        array[i] = get(elements[i]);
      }
      return array;
    }

    /** Returns the number of the first array, if there is one. */
    int firstArray() {
      return firstArray;
    }

    /** Returns the number of arrays. */
    int numArrays() {
      return arrays == null ? 0 : arrays.size();
    }
  }
}
