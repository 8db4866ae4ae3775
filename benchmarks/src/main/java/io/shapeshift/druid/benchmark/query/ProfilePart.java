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
 * What a query spends its time on: that of the innermost method of the stack that says something of it. Our own methods
 * are told apart by their packages alone, so that it holds for any form. Forms of ints and the bits below them say
 * nothing, since they serve ids as well as numbers in a frame.
 */
enum ProfilePart {
  /** Reading dictionary ids, or decoding them other than by a general compression. */
  IDS(
      packageOf(ShapeShiftingColumnarIntsSupplier.class),
      "org[.]apache[.]druid[.]segment[.]data[.].*Columnar(Multi)?Ints.*",
      "org[.]apache[.]druid[.]segment[.]column[.]StringUtf8DictionaryEncodedColumn.*"
  ),
  /** LZ4 or Zstandard for ids. */
  ID_DECOMPRESSION,
  /** Reading numbers, the time among them. */
  NUMBERS(
      packageOf(ShapeShiftingNumbersSupplier.class),
      packageOf(NumberForms.class),
      "org[.]apache[.]druid[.]segment[.](data[.].*(Longs?|Floats|Doubles).*"
          + "|column[.](Numeric|Longs|Floats|Doubles)Column.*)"
  ),
  /** LZ4 or Zstandard for numbers. */
  NUMBER_DECOMPRESSION,
  /** Looking values up by their ids, or ids by values. */
  DICTIONARY("org[.]apache[.]druid[.]segment[.]data[.](FrontCoded|FixedIndexed).*"),
  /** Finding the rows: bitmaps, filters, and going from row to row. */
  ROWS(
      "org[.]roaringbitmap[.].*",
      "org[.]apache[.]druid[.](collections[.]bitmap|segment[.](index|filter)|query[.]filter)[.].*",
      "org[.]apache[.]druid[.]segment[.].*(Offset|Cursor).*"
  ),
  /** Counts and sums. */
  AGGREGATION("org[.]apache[.]druid[.]query[.]aggregation[.].*"),
  /** Finding the place of a row's aggregates: hash tables and the like. */
  GROUPING("org[.]apache[.]druid[.]query[.](groupby|topn)[.].*"),
  /** All else. */
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

  /** The methods of a class and of all others in its package and below. */
  private static String packageOf(Class<?> type) {
    return Pattern.quote(type.getPackageName() + ".") + ".*";
  }

  /** Its name in results. */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name()).replace('_', ' ');
  }

  /**
   * The part that a stack belongs to. What serves several, such as a general compression, is counted for the caller.
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
