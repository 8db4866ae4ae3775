// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.spec;

import com.google.common.collect.Sets;
import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Locale;
import java.util.Set;
import javax.annotation.Nullable;

/** Kinds of stored data. Each kind can have an encoding strategy of its own. */
public enum EncodedType {
  /** Dictionary ids of string columns, and row offsets of multi-value string columns. */
  INT(null, "dictionary ids"),
  /** Dimensions and metrics of type long, and {@code __time}. */
  LONG(NumberType.LONG, "longs and the time"),
  /** Dimensions and metrics of type double. */
  DOUBLE(NumberType.DOUBLE, "doubles"),
  /** Dimensions and metrics of type float. */
  FLOAT(NumberType.FLOAT, "floats"),
  /** Posting lists of string columns, which replace Druid's bitmap indexes. */
  INDEX(null, "bitmap indexes of strings"),
  /** Dictionaries: the values of string columns, and the values that {@code auto} columns keep in dictionaries. */
  DICTIONARY(null, "dictionaries"),
  /** Metrics of complex types, such as sketches, unless the type has a column of its own. */
  COMPLEX(null, "complex metrics"),
  /** Columns of nested JSON, with all their parts. */
  NESTED(null, "nested columns");

  /** Types whose rows have blocks. */
  public static final Set<EncodedType> OF_ROWS = Sets.immutableEnumSet(INT, LONG, DOUBLE, FLOAT);

  /** Number types. Their columns can have a hash index. */
  static final Set<EncodedType> OF_NUMBERS = Sets.immutableEnumSet(LONG, DOUBLE, FLOAT);

  /** Types with dictionaries of strings, which can have a text index. */
  static final Set<EncodedType> OF_TEXTS = Sets.immutableEnumSet(DICTIONARY, NESTED);

  @Nullable
  private final NumberType numberType;

  private final String description;

  EncodedType(@Nullable NumberType numberType, String description) {
    this.numberType = numberType;
    this.description = description;
  }

  /** Type of the numbers, or null for a kind without numbers. */
  @Nullable
  public NumberType numberType() {
    return numberType;
  }

  /** Whether it is stored in blocks of values, whose size can be chosen. */
  boolean hasBlocks() {
    return this == NESTED || OF_ROWS.contains(this);
  }

  /** Description of the kind, for messages. */
  public String description() {
    return description;
  }

  /** Name of this type's property in an indexSpec. */
  public String property() {
    return name().toLowerCase(Locale.ROOT) + "EncodingStrategy";
  }
}
