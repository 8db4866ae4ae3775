// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.google.common.collect.Sets;
import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Locale;
import java.util.Set;
import javax.annotation.Nullable;

/** What the columns of a segment store, of which each kind can have an encoding strategy of its own. */
public enum EncodedType {
  /** Dictionary ids of string columns, and the offsets of those with several values per row. */
  INT(null, "dictionary ids"),
  /** Dimensions and metrics of type long, and {@code __time}. */
  LONG(NumberType.LONG, "longs and the time"),
  /** Dimensions and metrics of type double. */
  DOUBLE(NumberType.DOUBLE, "doubles"),
  /** Dimensions and metrics of type float. */
  FLOAT(NumberType.FLOAT, "floats"),
  /** Which rows have a value: the posting lists of string columns, in the place of Druid's bitmaps. */
  INDEX(null, "bitmap indexes of strings"),
  /** The values of string columns, and those of type {@code auto} that Druid keeps in dictionaries. */
  DICTIONARY(null, "dictionaries");

  /** What is stored row by row: all but indexes and dictionaries. */
  public static final Set<EncodedType> OF_ROWS = Sets.immutableEnumSet(INT, LONG, DOUBLE, FLOAT);

  /** Numbers, whose columns can have a hash index. */
  static final Set<EncodedType> OF_NUMBERS = Sets.immutableEnumSet(LONG, DOUBLE, FLOAT);

  @Nullable
  private final NumberType numberType;

  private final String description;

  EncodedType(@Nullable NumberType numberType, String description) {
    this.numberType = numberType;
    this.description = description;
  }

  /** The type of the numbers, or null for what is not numbers. */
  @Nullable
  public NumberType numberType() {
    return numberType;
  }

  /** What is stored, in words. */
  public String description() {
    return description;
  }

  /** Name of this type's property in an indexSpec. */
  public String property() {
    return name().toLowerCase(Locale.ROOT) + "EncodingStrategy";
  }
}
