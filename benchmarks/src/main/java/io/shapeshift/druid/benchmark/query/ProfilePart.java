// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.google.common.base.Ascii;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.numbers.NumberForms;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Part of the work of a query. The innermost method of a stack that identifies a part decides which part the stack
 * belongs to. Our own methods are recognised by package alone, so that this holds for any form. Int forms, and the bit
 * packing below them, identify no part, because they are used both for ids and for numbers in a frame.
 */
enum ProfilePart {
  /** Reading dictionary ids, or decoding them other than by general compression. */
  IDS(
      packageOf(ShapeShiftingColumnarIntsSupplier.class),
      "org[.]apache[.]druid[.]segment[.]data[.].*Columnar(Multi)?Ints.*",
      "org[.]apache[.]druid[.]segment[.]column[.]StringUtf8DictionaryEncodedColumn.*"
  ),
  /** Decompressing ids by LZ4 or Zstandard. */
  ID_DECOMPRESSION,
  /** Reading numbers, including the time column. */
  NUMBERS(
      packageOf(ShapeShiftingNumbersSupplier.class),
      packageOf(NumberForms.class),
      "org[.]apache[.]druid[.]segment[.](data[.].*(Longs?|Floats|Doubles).*"
          + "|column[.](Numeric|Longs|Floats|Doubles)Column.*)"
  ),
  /** Decompressing numbers by LZ4 or Zstandard. */
  NUMBER_DECOMPRESSION,
  /** Looking up values by their ids, or ids by values. */
  DICTIONARY("org[.]apache[.]druid[.]segment[.]data[.](FrontCoded|FixedIndexed).*"),
  /** Finding the rows: bitmaps, filters, and advancing from row to row. */
  ROWS(
      "org[.]roaringbitmap[.].*",
      "org[.]apache[.]druid[.](collections[.]bitmap|segment[.](index|filter)|query[.]filter)[.].*",
      "org[.]apache[.]druid[.]segment[.].*(Offset|Cursor).*"
  ),
  /** Counts and sums. */
  AGGREGATION("org[.]apache[.]druid[.]query[.]aggregation[.].*"),
  /** Finding the place of a row's aggregates, as in hash tables. */
  GROUPING("org[.]apache[.]druid[.]query[.](groupby|topn)[.].*"),
  /** Everything else. */
  OTHER;

  private static final Pattern COMPRESSION = Pattern.compile(String.join(
      "|",
      packageOf(Codec.class),
      "net[.]jpountz[.].*|com[.]github[.]luben[.].*|org[.]apache[.]druid[.]segment[.]data[.]CompressionStrategy.*"
  ));
  private static final Pattern LOOKUP = Pattern.compile(
      "org[.]apache[.]druid[.]segment[.]column[.]StringUtf8DictionaryEncodedColumn.*[.](lookup\\w*|\\w*IdLookup.*)"
  );

  private final Pattern classes;

  ProfilePart(String... classes) {
    this.classes = Pattern.compile(String.join("|", classes));
  }

  /** Pattern of all methods in the package of a class and in the packages below. */
  private static String packageOf(Class<?> type) {
    return Pattern.quote(type.getPackageName() + ".") + ".*";
  }

  /** Name in results. */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name()).replace('_', ' ');
  }

  /**
   * The part that a stack belongs to. Code that serves several parts, such as general compression, is counted for its
   * caller.
   *
   * @param stack names of methods with those of their classes, the innermost first
   */
  static ProfilePart of(List<String> stack) {
    boolean decompressing = false;
    for (String method : stack) {
      if (COMPRESSION.matcher(method).matches()) {
        decompressing = true;
        continue;
      }
      if (LOOKUP.matcher(method).matches()) {
        return DICTIONARY;
      }
      for (ProfilePart part : values()) {
        if (part.classes.matcher(method).matches()) {
          return !decompressing ? part
              : part == IDS ? ID_DECOMPRESSION
              : part == NUMBERS ? NUMBER_DECOMPRESSION
              : part;
        }
      }
    }
    return OTHER;
  }
}
