// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import java.util.Set;

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
 * <p>The ids of the rows have one of three layouts:
 * <ul>
 * <li>{@link Section#IDS}, and {@link Section#LISTS} of the rows of each id.
 * <li>Without ids, for a field that few rows have: {@code LISTS} tell which rows have which value.
 * <li>{@link Section#STRUCTURE_IDS}: rows have the id of their object's structure. If some do not, {@code LISTS} has
 * the rows of each id that are such exceptions.
 * </ul>
 * In the first two layouts the list of null is empty. The rows of null are those that are in no other list.
 *
 * <p>{@code STRUCTURE_IDS} has two numbers (VByte) for each structure whose id is not 0, in the order of
 * {@link io.shapeshift.druid.column.structures.Structures structures}: the distance from the previous such structure,
 * counted from {@link io.shapeshift.druid.column.structures.Structures#KEPT KEPT} for the first, and the id. Null rows,
 * kept rows and other structures have id 0.
 */
final class NestedFieldFormat {
  static final byte VERSION = 1;

  /** Fields with a value in fewer rows than one of this number store no ids. */
  static final int ROWS_PER_LISTED_VALUE = 16;

  /**
   * Rows per exception, at least. Each vector of 512 rows then has 16 exceptions on average: to look for them takes
   * little beside reading the ids of structures.
   */
  static final int ROWS_PER_EXCEPTION = 32;

  /**
   * Rows per byte of ids that follow from structures. If they take fewer bytes, no other layout is tried, which could
   * save only them.
   */
  static final int ROWS_PER_BYTE_OF_STRUCTURES = 128;

  /** Sections, in their order. All are optional. */
  enum Section {
    /**
     * Null and all strings: a {@link io.shapeshift.druid.column.strings.StringDictionary}. If the field would take more
     * than 2 GiB: Druid's {@code GenericIndexed} in several files, {@code __strings_N_header} and
     * {@code __strings_N_value_0} and so on, where N is the number of the field.
     */
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
    /** Rows of each id, or only exceptions: posting lists. */
    LISTS(7),
    /** Rows of each number that occurs as the element of an array: posting lists by number. */
    ELEMENT_LISTS(8),
    /** Id of each structure: pairs of numbers. */
    STRUCTURE_IDS(9);

    private final int bit;

    Section(int number) {
      this.bit = 1 << number;
    }

    int bit() {
      return bit;
    }
  }

  /** Sections that one of the layouts of ids has. */
  static final Set<Section> ROWS = Set.of(
      Section.IDS, Section.LONG_VALUES, Section.DOUBLE_VALUES, Section.LISTS, Section.STRUCTURE_IDS);

  private NestedFieldFormat() {}
}
