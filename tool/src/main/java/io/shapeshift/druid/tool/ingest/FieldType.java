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

/** What the values of a column are read as, by Druid's names of dimension types. */
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
  /** As many characters of a decimal number as surely make no more than the 15 digits that a double keeps. */
  private static final int EXACT_CHARS = 15;
  private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?");
  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]{0,18}");

  /**
   * The value as Druid takes it.
   *
   * @param value not null
   * @param typed whether a string is surely one, as in JSON, and not the text of a number or of JSON, as in CSV
   * @throws IllegalArgumentException if it is none of this type
   */
  @Nullable
  abstract Object parse(Object value, boolean typed);

  /** A dimension of this type. */
  abstract DimensionSchema schema(String name);

  /** How a value is made. */
  enum Shape {
    /** A string, a number, a boolean. */
    SCALAR,
    /** A list of those, which Druid calls a multi-value. */
    LIST,
    /** Anything else that JSON knows. */
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

  /** Whether a value is a long, spelled as Java spells it: 007 is not, since its zeros would be lost. */
  static boolean isLong(Object value) {
    if (!(value instanceof String text)) {
      return value instanceof Integer || value instanceof Long;
    }
    if (!INTEGER.matcher(text).matches()) {
      return false;
    }
    return text.length() < 19 || new BigInteger(text).bitLength() < Long.SIZE;
  }

  /** Whether a value is a number that a double keeps: rounded to as many digits, it has the same ones. */
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

  /** Whether a value is a quoted nothing, which to a number is the same as nothing. */
  static boolean isEmpty(Object value) {
    return value instanceof String text && text.isEmpty();
  }

  private static String number(Object value) {
    if (value instanceof String || value instanceof Number) {
      return value.toString();
    }
    throw new IllegalArgumentException();
  }

  /** With doubles for integers that are too large for a long, as Druid reads JSON: its columns would cut them. */
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

  /** Finds the narrowest type that keeps all values of a column, and of texts all that they say. */
  static final class Inference {
    private final boolean typed;
    private boolean any;
    private boolean longs = true;
    private boolean doubles = true;
    private boolean nested;
    private final NumberTexts texts;

    /**
     * Starts without values.
     *
     * @param typed  as {@link FieldType#parse} takes it
     * @param memory that all columns of the table share
     */
    Inference(boolean typed, NumberTexts.Memory memory) {
      this.typed = typed;
      this.texts = new NumberTexts(memory);
    }

    /** Takes a value, not null, into account. */
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
        // 12e5 may be a code, whose text a number would lose.
        doubles = text.indexOf('.') >= 0 || (text.indexOf('e') < 0 && text.indexOf('E') < 0);
        texts.add(text);
      }
      if (!doubles) {
        texts.forget();
      }
    }

    /** The type. */
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
