// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.structures;

import io.shapeshift.druid.bits.Varint;

/**
 * Tokens of structures: a kind in the low bits, and above it an argument, which is a number of entries or elements, a
 * key, or a field. A structure is a value:
 *
 * <pre>
 * | kind                   | argument           | value                                                         |
 * |------------------------|--------------------|---------------------------------------------------------------|
 * | 0 null                 | 0                  | null                                                          |
 * | 1 object               | number of entries  | a map; for each entry follow a token of a key, and a value    |
 * | 2 array                | number of elements | a list; for each element follows a value                      |
 * | 3 key                  | key                | (only within objects)                                         |
 * | 4 string               | field              | the field's string                                            |
 * | 5 integer              | field              | the field's long, as an Integer if it fits                    |
 * | 6 double               | field              | the field's double                                            |
 * | 7 float                | field              | the field's double, as a Float                                |
 * | 8 boolean              | field              | the field's long, which is 0 or 1, as a Boolean               |
 * | 9 to 13 arrays         | field              | the field's array, whose elements are null, or of this kind:  |
 * |                        |                    | string, integer, double, float, boolean                       |
 * </pre>
 *
 * <p>For example, {@code {"a": 1, "b": ["x", null]}} is 0x21, 0x03, 0x05, 0x13, 0x19, if {@code a} is key 0 and field 0
 * and {@code b} key 1 and field 1: an object of two entries, key 0, integer of field 0, key 1, strings of field 1.
 */
final class Tokens {
  static final int KIND_BITS = 4;
  static final int KIND_MASK = (1 << KIND_BITS) - 1;
  /** Largest argument. */
  static final int MAX_ARGUMENT = Integer.MAX_VALUE >>> KIND_BITS;

  static final int NULL = 0;
  static final int OBJECT = 1;
  static final int ARRAY = 2;
  static final int KEY = 3;
  static final int STRING = 4;
  static final int INTEGER = 5;
  static final int DOUBLE = 6;
  static final int FLOAT = 7;
  static final int BOOLEAN = 8;
  /** Distance from the kind of a value to the kind of an array of such values. */
  static final int TO_ARRAY = 5;
  static final int STRINGS = STRING + TO_ARRAY;
  static final int INTEGERS = INTEGER + TO_ARRAY;
  static final int DOUBLES = DOUBLE + TO_ARRAY;
  static final int FLOATS = FLOAT + TO_ARRAY;
  static final int BOOLEANS = BOOLEAN + TO_ARRAY;
  /** Number of kinds. */
  static final int KINDS = BOOLEANS + 1;

  /** Most objects and arrays around a value. */
  static final int MAX_DEPTH = 100;

  private Tokens() {}

  static int token(int kind, int argument) {
    return argument << KIND_BITS | kind;
  }

  static int kind(int token) {
    return token & KIND_MASK;
  }

  static int argument(int token) {
    return token >>> KIND_BITS;
  }

  /** Returns the name of a kind of values that are neither objects nor arrays of values, for people. */
  static String nameOf(int kind) {
    return switch (kind) {
      case NULL -> "null";
      case STRING -> "string";
      case INTEGER -> "integer";
      case DOUBLE -> "double";
      case FLOAT -> "float";
      case BOOLEAN -> "boolean";
      default -> "[" + nameOf(kind - TO_ARRAY) + "]";
    };
  }

  /** Returns whether the argument of tokens of a kind is a field. */
  static boolean hasField(int kind) {
    return kind >= STRING;
  }

  /** Returns the bytes of a number in a segment. */
  static int size(int number) {
    return 1 + (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(number | 1)) / Varint.BITS;
  }
}
