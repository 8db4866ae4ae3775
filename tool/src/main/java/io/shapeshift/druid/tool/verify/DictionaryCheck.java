// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.TextIndexCheck;
import io.shapeshift.druid.tool.encoding.LazyMedium;
import io.shapeshift.druid.tool.segment.Damage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntFunction;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexedWriter;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Check that dictionaries are sorted and that look-ups find all their values. */
final class DictionaryCheck {
  private static final String UNSORTED = "Druid 37 wrote a dictionary that is not in order, as it does of values"
      + " with half of a surrogate pair: filters on values of the column fail (IllegalArgumentException). Write the"
      + " segment again without such values";

  private DictionaryCheck() {}

  /**
   * Checks the dictionary of a string column, as strings and as UTF-8, which queries also read.
   *
   * @return description of an error that Druid itself makes when it writes; null if there is none
   * @throws Damage that names the first wrong value
   */
  @Nullable
  static String column(DictionaryEncodedColumn<?> column, Indexed<ByteBuffer> texts) {
    final String name = "the dictionary";
    final IntFunction<String> values = id -> (String) column.lookupName(id);
    // A stock dictionary may be marked as unsorted because of unpaired surrogates. Look-ups then find nothing.
    final boolean isSorted = texts.isSorted();
    @Nullable final String disorder = disorder(name, column.getCardinality(), values);
    if (isSorted && disorder != null) {
      throw new Damage(disorder);
    }
    if (!isSorted && disorder == null) {
      throw new Damage(name + " is in order, and says that it is not: nothing is found in it");
    }
    // Look-ups in an unsorted dictionary fail, so the wrong order is the better message.
    for (int id = 0; id < column.getCardinality(); id++) {
      @Nullable final String value = checkText(name, texts, id, values);
      if (isSorted) {
        // Druid's dictionaries require a buffer that starts with the text.
        checkFound(name, id, value, Damage.reading(
            name + "'s " + ColumnCheck.quoted(value), () -> texts.indexOf(StringUtils.toUtf8ByteBuffer(value))));
      }
    }
    return isSorted ? null : UNSORTED;
  }

  /**
   * Checks that the text index of a dictionary has for each trigram the groups of texts that have it.
   *
   * @param dictionary null for one of Druid's
   * @throws Damage that names the first wrong group
   */
  static void textIndex(@Nullable StringDictionary dictionary) {
    if (dictionary != null && dictionary.textIndex() != null) {
      Damage.reading("the text index", () -> {
        try (SegmentWriteOutMedium medium = new LazyMedium()) {
          TextIndexCheck.check(dictionary, medium);
        }
        return dictionary;
      });
    }
  }

  /** Describes the first value that does not sort after the previous one; null if there is none. */
  @Nullable
  private static String disorder(String name, int size, IntFunction<String> values) {
    @Nullable String previous = null;
    for (int id = 0; id < size; id++) {
      final int current = id;
      @Nullable final String value = Damage.reading(name + "'s id " + id, () -> values.apply(current));
      if (id > 0 && (value == null || (previous != null && previous.compareTo(value) >= 0))) {
        return name + " is not in order: id " + id + " is " + ColumnCheck.quoted(value) + ", behind "
            + ColumnCheck.quoted(previous);
      }
      previous = value;
    }
    return null;
  }

  @Nullable
  private static String checkText(String name, Indexed<ByteBuffer> texts, int id, IntFunction<String> values) {
    @Nullable final String value = Damage.reading(name + "'s id " + id, () -> values.apply(id));
    @Nullable final ByteBuffer text = Damage.reading(name + "'s id " + id + " as UTF-8", () -> texts.get(id));
    if (!Objects.equals(StringUtils.fromUtf8Nullable(text == null ? null : text.duplicate()), value)) {
      throw new Damage(
          name + "'s id " + id + " is " + ColumnCheck.quoted(value) + ", and another value as UTF-8");
    }
    return value;
  }

  private static void checkFound(String name, int id, @Nullable Object value, int found) {
    if (found != id) {
      throw new Damage(
          name + "'s id " + id + " is " + ColumnCheck.quoted(value) + ", for which it finds id " + found);
    }
  }

  /**
   * Checks the strings of a column with values of several types.
   *
   * @param file suffix of the dictionary's file after the dot, for messages
   * @throws Damage that names the first wrong value
   */
  static void strings(String file, Indexed<String> strings) {
    @Nullable final String disorder = disorder(name(file), strings.size(), strings::get);
    if (disorder != null) {
      throw new Damage(disorder);
    }
    checkLookUp(file, strings);
  }

  private static String name(String file) {
    return "the dictionary " + file;
  }

  /**
   * Checks that look-ups find all numbers, or all ids that stand for values. This implies that they are sorted.
   *
   * @param file suffix of the dictionary's file after the dot, for messages
   * @throws Damage that names the first wrong value
   */
  static <T> void checkLookUp(String file, Indexed<T> values) {
    final String name = name(file);
    for (int id = 0; id < values.size(); id++) {
      final int current = id;
      @Nullable final T value = Damage.reading(name + "'s id " + id, () -> values.get(current));
      checkFound(name, id, value, Damage.reading(name + "'s id " + id, () -> values.indexOf(value)));
    }
  }

  /**
   * Checks arrays, which are stored as the ids of their elements.
   *
   * @param file       suffix of the dictionary's file after the dot, for messages
   * @param numScalars number of ids that elements may have
   * @throws Damage that names the first wrong array
   */
  static void arrays(String file, Indexed<int[]> arrays, int numScalars) {
    final String name = name(file);
    @Nullable int[] previous = null;
    for (int id = 0; id < arrays.size(); id++) {
      final int current = id;
      @Nullable final int[] array = Damage.reading(name + "'s id " + id, () -> arrays.get(current));
      if (id > 0 && FrontCodedIntArrayIndexedWriter.ARRAY_COMPARATOR.compare(previous, array) >= 0) {
        throw new Damage(name + " is not in order: id " + id + " has the elements " + Arrays.toString(array)
            + ", behind " + Arrays.toString(previous));
      }
      for (int element : array == null ? new int[0] : array) {
        if (element < 0 || element >= numScalars) {
          throw new Damage(name + "'s id " + id + " has element " + element + ", but there are " + numScalars);
        }
      }
      previous = array;
    }
    for (int id = 0; id < arrays.size(); id++) {
      final int current = id;
      final int found = Damage.reading(name + "'s id " + id, () -> arrays.indexOf(arrays.get(current)));
      if (found != id) {
        throw new Damage(name + "'s id " + id + " has the elements " + Arrays.toString(arrays.get(id))
            + ", for which it finds id " + found);
      }
    }
  }
}
