// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.FrontCodedIntArrayIndexed;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/**
 * Dictionaries of a column with values of several types, arrays or nested data. Ids number the entries of all
 * dictionaries consecutively; 0 is null.
 *
 * @param arrays arrays, each as the ids of its elements
 */
record GlobalDictionaries(
    Indexed<String> strings,
    Indexed<Long> longs,
    Indexed<Double> doubles,
    Indexed<int[]> arrays
) {
  /**
   * Dictionaries of a column; for a column of a projection, the shared ones.
   *
   * @param opened opened column, which must stay open
   */
  static GlobalDictionaries of(SegmentColumn column, NestedCommonFormatColumn opened) {
    final SegmentColumn owner = owner(column);
    @Nullable final ByteBuffer arrays =
        owner.internalFiles().get(ColumnSerializerUtils.ARRAY_DICTIONARY_FILE_NAME);
    return new GlobalDictionaries(
        opened.getStringDictionary(),
        opened.getLongDictionary(),
        opened.getDoubleDictionary(),
        arrays == null
        ? Indexed.empty()
        : FrontCodedIntArrayIndexed.read(arrays.duplicate(), owner.order()).get()
    );
  }

  /** Column that owns the files of a column's dictionaries. */
  static SegmentColumn owner(SegmentColumn column) {
    return column.parent() == null ? column : column.parent();
  }

  /** Number of ids that are not arrays. */
  int numScalars() {
    return strings.size() + longs.size() + doubles.size();
  }

  /** Number of ids. */
  int size() {
    return numScalars() + arrays.size();
  }

  /** Value of an id that is not an array. */
  @Nullable
  Object scalar(int id) {
    if (id < strings.size()) {
      return strings.get(id);
    }
    final int behind = id - strings.size();
    if (behind < longs.size()) {
      return longs.get(behind);
    }
    return doubles.get(behind - longs.size());
  }

  /** Ids of the elements of an array; empty if the id is not an array. */
  int[] elements(int id) {
    @Nullable final int[] array = id < numScalars() ? null : arrays.get(id - numScalars());
    return array == null ? new int[0] : array;
  }

  /**
   * Checks all dictionaries.
   *
   * @throws Damage if a dictionary is not sorted, or a look-up does not find its value
   */
  void check() {
    DictionaryCheck.strings(ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME, strings);
    DictionaryCheck.checkLookUp(ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME, longs);
    DictionaryCheck.checkLookUp(ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME, doubles);
    DictionaryCheck.arrays(ColumnSerializerUtils.ARRAY_DICTIONARY_FILE_NAME, arrays, numScalars());
  }
}
