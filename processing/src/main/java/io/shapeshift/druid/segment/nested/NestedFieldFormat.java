// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

/**
 * Layout of one field of a nested column.
 *
 * <pre>
 * | bytes      | field                                                                                        |
 * |------------|----------------------------------------------------------------------------------------------|
 * | 1          | version, 1                                                                                   |
 * | 2          | {@link Section sections} that follow, a bit for each (short)                                 |
 * | 1 to 5     | number of ids (VByte)                                                                        |
 * | 1 to 5 for | size of the section in bytes (VByte)                                                         |
 * | each       |                                                                                              |
 * |            | sections                                                                                     |
 * </pre>
 * The values of a field are numbered: null is 0, then come its strings, longs, doubles and arrays, each sorted;
 * elements of arrays are numbered among the strings and numbers. The <em>id</em> of a value is its number, less 1 if
 * the field has a value in every row.
 *
 * <p>A field that few rows have stores no ids: the posting lists tell which rows have which value. In all posting lists
 * the one of null is empty. The rows of null are those that are in no other list.
 */
final class NestedFieldFormat {
  static final byte VERSION = 1;

  /** Fields with a value in fewer rows than one of this number store no ids. */
  static final int ROWS_PER_LISTED_VALUE = 16;

  /** Sections, in their order. All are optional. */
  enum Section {
    /** Null and all strings: a {@link io.shapeshift.druid.column.strings.StringDictionary}. */
    STRINGS(0),
    /** All longs: a {@link io.shapeshift.druid.column.numbers.NumberDictionary}. */
    LONGS(1),
    /** All doubles: a {@link io.shapeshift.druid.column.numbers.NumberDictionary}. */
    DOUBLES(2),
    /** All arrays, as numbers of their elements: Druid's {@code FrontCodedIntArrayIndexed}. */
    ARRAYS(3),
    /** Ids of all rows: a column of ints. */
    IDS(4),
    /** Longs of all rows: a column of longs. */
    LONG_VALUES(5),
    /** Doubles of all rows: a column of doubles. */
    DOUBLE_VALUES(6),
    /** Rows of each id: posting lists. */
    LISTS(7),
    /** Rows of each number that occurs as the element of an array: posting lists by number. */
    ELEMENT_LISTS(8);

    private final int bit;

    Section(int number) {
      this.bit = 1 << number;
    }

    int bit() {
      return bit;
    }
  }

  private NestedFieldFormat() {}
}
