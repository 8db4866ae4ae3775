// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.common.collect.Lists;
import com.google.common.collect.Maps;
import com.google.common.primitives.Doubles;
import com.google.common.primitives.Floats;
import io.shapeshift.druid.tool.segment.Druid;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.NestedDataColumnSchema;

/** Types as which the values of a column are read, with Druid's names of dimension types. */
enum FieldType {
  STRING {
    @Override
    Object parse(Object value, boolean typed) {
      return switch (shapeOf(value)) {
        case SCALAR, LIST -> value;
        case NESTED -> throw new IllegalArgumentException();
      };
    }

    @Override
    DimensionSchema schema(String name) {
      return new StringDimensionSchema(name);
    }
  },
  LONG {
    @Override
    @Nullable
    Object parse(Object value, boolean typed) {
      return isEmpty(value) ? null : notNull(DimensionHandlerUtils.getExactLongFromDecimalString(number(value)));
    }

    @Override
    DimensionSchema schema(String name) {
      return new LongDimensionSchema(name);
    }
  },
  FLOAT {
    @Override
    @Nullable
    Object parse(Object value, boolean typed) {
      if (isEmpty(value)) {
        return null;
      }
      final String text = number(value);
      final Float parsed = notNull(Floats.tryParse(text));
      requireInRange(parsed.isInfinite(), text);
      return parsed;
    }

    @Override
    DimensionSchema schema(String name) {
      return new FloatDimensionSchema(name);
    }
  },
  DOUBLE {
    @Override
    @Nullable
    Object parse(Object value, boolean typed) {
      if (isEmpty(value)) {
        return null;
      }
      final String text = number(value);
      final Double parsed = notNull(Doubles.tryParse(text));
      requireInRange(parsed.isInfinite(), text);
      return parsed;
    }

    @Override
    DimensionSchema schema(String name) {
      return new DoubleDimensionSchema(name);
    }
  },
  AUTO {
    @Override
    Object parse(Object value, boolean typed) {
      if (typed) {
        return withoutBigIntegers(value);
      }
      if (value instanceof String text) {
        return isLong(text) ? (Object) Long.valueOf(text) : isDouble(text) ? (Object) Double.valueOf(text) : text;
      }
      return ((List<?>) value).stream().map(v -> parse(v, false)).toList();
    }

    @Override
    DimensionSchema schema(String name) {
      return AutoTypeColumnSchema.of(name);
    }
  },
  JSON {
    @Override
    @Nullable
    Object parse(Object value, boolean typed) {
      if (typed || !(value instanceof String text)) {
        return withoutBigIntegers(value);
      }
      try {
        return text.isEmpty() ? null : withoutBigIntegers(Druid.json().readValue(text, Object.class));
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(e);
      }
    }

    @Override
    DimensionSchema schema(String name) {
      return new NestedDataColumnSchema(name, FORMAT_VERSION);
    }
  };

  /** Version of nested columns that Druid writes by default. */
  private static final int FORMAT_VERSION = 5;
  /** Maximum length of a decimal number that surely has at most 15 digits, which a double keeps. */
  private static final int EXACT_CHARS = 15;
  private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?");
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,18}");

  /**
   * Converts a value to the type that Druid expects.
   *
   * @param value value, not null
   * @param typed whether a string is certainly a string, as in JSON; false if it may be the text of a number or of
   *     JSON, as in CSV
   * @throws IllegalArgumentException if the value does not have this type
   */
  @Nullable
  abstract Object parse(Object value, boolean typed);

  /** Dimension schema of this type. */
  abstract DimensionSchema schema(String name);

  /** Kinds of values by structure. */
  enum Shape {
    /** A string, number or boolean. */
    SCALAR,
    /** A list of scalars, which Druid calls a multi-value. */
    LIST,
    /** Any other JSON value. */
    NESTED
  }

  static Shape shapeOf(Object value) {
    if (value instanceof Map) {
      return Shape.NESTED;
    }
    if (value instanceof List<?> list) {
      return list.stream().anyMatch(v -> v instanceof List || v instanceof Map) ? Shape.NESTED : Shape.LIST;
    }
    return Shape.SCALAR;
  }

  /** Whether a value is a long in Java's spelling: 007 is not one, because its zeros would be lost. */
  static boolean isLong(Object value) {
    if (!(value instanceof String text)) {
      return value instanceof Integer || value instanceof Long;
    }
    if (!INTEGER.matcher(text).matches()) {
      return false;
    }
    return text.length() < 19 || new BigInteger(text).bitLength() < Long.SIZE;
  }

  /** Whether a double keeps a number: rounded to the same number of digits, it has the same digits. */
  static boolean isDouble(Object value) {
    if (value instanceof Double) {
      return true;
    }
    if (!(value instanceof String || value instanceof BigInteger || isLong(value))) {
      return false;
    }
    final String text = value.toString();
    if (!DECIMAL.matcher(text).matches()) {
      return false;
    }
    if (text.length() <= EXACT_CHARS && text.indexOf('e') < 0 && text.indexOf('E') < 0) {
      return true;
    }
    final double parsed = Double.parseDouble(text);
    if (Double.isInfinite(parsed)) {
      return false;
    }
    final BigDecimal exact = new BigDecimal(text);
    return new BigDecimal(parsed).round(new MathContext(exact.precision())).compareTo(exact) == 0;
  }

  /** Whether a value is a quoted empty text. For a number, that is the same as an empty value. */
  static boolean isEmpty(Object value) {
    return value instanceof String text && text.isEmpty();
  }

  private static String number(Object value) {
    if (value instanceof String || value instanceof Number) {
      return value.toString();
    }
    throw new IllegalArgumentException();
  }

  /**
   * Replaces integers that do not fit into a long by doubles, as Druid does when it reads JSON. Druid's columns would
   * truncate them.
   */
  @Nullable
  static Object withoutBigIntegers(@Nullable Object value) {
    if (value instanceof BigInteger big) {
      return big.doubleValue();
    }
    if (value instanceof List<?> list) {
      return Lists.newArrayList(Lists.transform(list, FieldType::withoutBigIntegers));
    }
    return value instanceof Map<?, ?> map
           ? Maps.newLinkedHashMap(Maps.transformValues(map, FieldType::withoutBigIntegers))
           : value;
  }

  private static <T> T notNull(@Nullable T parsed) {
    if (parsed == null) {
      throw new IllegalArgumentException();
    }
    return parsed;
  }

  private static void requireInRange(boolean infinite, String text) {
    if (infinite && !text.contains("Infinity")) {
      throw new IllegalArgumentException();
    }
  }

  /** Inference of the narrowest type that keeps all values of a column, and all information in texts. */
  static final class Inference {
    private final boolean typed;
    private boolean any;
    private boolean longs = true;
    private boolean doubles = true;
    private boolean nested;
    private final NumberTexts texts;

    /**
     * Creates an inference without values.
     *
     * @param typed  see {@link FieldType#parse}
     * @param memory memory that all columns of the table share
     */
    Inference(boolean typed, NumberTexts.Memory memory) {
      this.typed = typed;
      this.texts = new NumberTexts(memory);
    }

    /** Adds a value, which must not be null. */
    void add(Object value) {
      if (!typed && isEmpty(value)) {
        return;
      }
      any = true;
      nested = nested || shapeOf(value) == Shape.NESTED;
      final boolean maybeNumber = !(typed && value instanceof String);
      longs = longs && maybeNumber && isLong(value);
      doubles = doubles && maybeNumber && isDouble(value);
      if (doubles && value instanceof String text) {
        // A text such as 12e5 may be a code, which a number would lose.
        doubles = text.indexOf('.') >= 0 || (text.indexOf('e') < 0 && text.indexOf('E') < 0);
        texts.add(text);
      }
      if (!doubles) {
        texts.forget();
      }
    }

    /** Inferred type. */
    FieldType type() {
      if (nested) {
        return JSON;
      }
      if (!any) {
        return STRING;
      }
      return longs ? LONG : doubles && texts.areDistinct() ? DOUBLE : STRING;
    }
  }
}
