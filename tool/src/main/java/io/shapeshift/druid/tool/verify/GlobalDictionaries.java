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
 * The dictionaries of values of several types, of arrays and of nested data. Ids go through all of them, one behind the
 * other, of which 0 is null.
 *
 * @param arrays the ids of the elements of each array
 */
record GlobalDictionaries(
    Indexed<String> strings,
    Indexed<Long> longs,
    Indexed<Double> doubles,
    Indexed<int[]> arrays
) {
  /**
   * Those of a column: of a projection's, those that it shares.
   *
   * @param opened the column, which has to stay open
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

  /** The column that has the files of a column's dictionaries. */
  static SegmentColumn owner(SegmentColumn column) {
    return column.parent() == null ? column : column.parent();
  }

  /** How many ids are of no array. */
  int numScalars() {
    return strings.size() + longs.size() + doubles.size();
  }

  /** How many ids there are. */
  int size() {
    return numScalars() + arrays.size();
  }

  /** The value of an id that is of no array. */
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

  /** The ids of the elements of the array that has an id, none if it is of no array. */
  int[] elements(int id) {
    @Nullable final int[] array = id < numScalars() ? null : arrays.get(id - numScalars());
    return array == null ? new int[0] : array;
  }

  /**
   * Checks all of them.
   *
   * @throws Damage if one is not in order, or does not find a value
   */
  void check() {
    DictionaryCheck.strings(ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME, strings);
    DictionaryCheck.checkLookUp(ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME, longs);
    DictionaryCheck.checkLookUp(ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME, doubles);
    DictionaryCheck.arrays(ColumnSerializerUtils.ARRAY_DICTIONARY_FILE_NAME, arrays, numScalars());
  }
}
