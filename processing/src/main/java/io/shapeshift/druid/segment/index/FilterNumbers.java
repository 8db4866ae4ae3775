// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import io.shapeshift.druid.form.numbers.FilterFailure;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import java.util.Collection;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.query.filter.DruidDoublePredicate;
import org.apache.druid.query.filter.DruidFloatPredicate;
import org.apache.druid.query.filter.DruidLongPredicate;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;

/**
 * Numbers that a filter on a number column matches, according to Druid's matchers.
 *
 * @param wanted   matching numbers
 * @param doubtful numbers on which the result is ambiguous: row and vector matchers of the filter disagree, or
 *     different filters request the same index but match differently; null if there are none
 */
public record FilterNumbers(WantedNumbers wanted, @Nullable WantedNumbers doubtful) {
  /** Above this magnitude not every long is a double. */
  private static final double INEXACT = 0x1p53;

  private FilterNumbers(WantedNumbers wanted) {
    this(wanted, null);
  }

  /** Type to which Druid casts a value that is compared with a column. */
  static ExpressionType comparedAs(NumberType type) {
    return type == NumberType.LONG ? ExpressionType.LONG : ExpressionType.DOUBLE;
  }

  /**
   * Whether filters disagree on which numbers equal a value, for any column. Expressions compare a long with a value of
   * another type as doubles.
   *
   * @param value     value, cast to {@link #comparedAs}
   * @param valueType type of the value before the cast
   */
  static boolean isAmbiguous(NumberType type, ExprEval<?> value, TypeSignature<ValueType> valueType) {
    return type == NumberType.LONG && !valueType.is(ValueType.LONG) && !(Math.abs(value.asDouble()) < INEXACT);
  }

  /**
   * Numbers that equal a value.
   *
   * @param value     value, cast to {@link #comparedAs}
   * @param valueType type of the value before the cast
   * @param isTyped   whether the filter is not an expression
   * @return null if row and vector matchers disagree for any column
   */
  @Nullable
  static FilterNumbers equalTo(
      NumberType type, ExprEval<?> value, TypeSignature<ValueType> valueType, boolean isTyped) {
    if (!isTyped
        && type == NumberType.FLOAT
        && !valueType.is(ValueType.FLOAT)
        && rounded(type, value.asDouble()) != 0) {
      // The equality filter matches the nearest float; an expression matches no float.
      final WantedNumbers nearest = WantedNumbers.of(type, sortable(type, value.asDouble()));
      return new FilterNumbers(nearest, nearest);
    }
    return equalTo(type, type == NumberType.LONG ? value.asLong() : sortable(type, value.asDouble()));
  }

  /**
   * Numbers that equal a number given as text.
   *
   * @return null if the text differs from Druid's text of the number: filters parse such texts differently
   */
  @Nullable
  static FilterNumbers equalTo(NumberType type, String text) {
    return isWritten(type, text) ? equalTo(type, sortableOf(type, text)) : null;
  }

  @Nullable
  private static FilterNumbers equalTo(NumberType type, long sortable) {
    if (type == NumberType.LONG) {
      return new FilterNumbers(WantedNumbers.of(type, sortable));
    }
    final long zero = sortable(type, 0);
    final long negativeZero = sortable(type, -0.0);
    if (sortable == zero || sortable == negativeZero) {
      // Vector matchers treat 0 and -0 as equal.
      return new FilterNumbers(
          WantedNumbers.of(type, zero, negativeZero), WantedNumbers.of(type, sortable == zero ? negativeZero : zero));
    }
    return sortable == type.nanSortable() ? null : new FilterNumbers(WantedNumbers.of(type, sortable));
  }

  /** Whether a text is exactly Druid's text of a number. */
  static boolean isWritten(NumberType type, String text) {
    @Nullable final Object number = convert(type, text);
    return number != null && number.toString().equals(text);
  }

  /** Whether a text is exactly Druid's text of a number, also if it is parsed as a double. */
  static boolean isWrittenAlike(NumberType type, String text) {
    return isWritten(type, text)
        && (type != NumberType.FLOAT || Double.toString(((Number) convert(type, text)).doubleValue()).equals(text));
  }

  /**
   * Numbers of a list. Nulls and values that are not numbers of the type are ignored.
   *
   * @return null if the list has a NaN, because Druid's sets distinguish NaNs with different bits
   */
  @Nullable
  static FilterNumbers in(NumberType type, Collection<?> values) {
    final long[] sortables = values
        .stream()
        .filter(value -> convert(type, value) != null)
        .mapToLong(value -> sortableOf(type, value))
        .toArray();
    return type != NumberType.LONG && LongStream.of(sortables).anyMatch(sortable -> sortable == type.nanSortable())
           ? null
           : new FilterNumbers(WantedNumbers.of(type, sortables));
  }

  @Nullable
  private static Object convert(NumberType type, @Nullable Object value) {
    return switch (type) {
      case LONG -> DimensionHandlerUtils.convertObjectToLong(value);
      case DOUBLE -> DimensionHandlerUtils.convertObjectToDouble(value);
      case FLOAT -> DimensionHandlerUtils.convertObjectToFloat(value);
    };
  }

  private static long sortableOf(NumberType type, Object value) {
    final Number number = (Number) Objects.requireNonNull(convert(type, value));
    return type == NumberType.LONG ? number.longValue() : sortable(type, number.doubleValue());
  }

  /** Sortable bits of a double, or of the nearest float. */
  private static long sortable(NumberType type, double value) {
    return type.sortableOf(value);
  }

  /**
   * Numbers of a range.
   *
   * @param isTyped whether the filter is not a {@code bound}
   * @return null if filters that request this range disagree for any column
   */
  @Nullable
  static FilterNumbers between(
      NumberType type,
      @Nullable Number start,
      boolean startStrict,
      @Nullable Number end,
      boolean endStrict,
      boolean isTyped
  ) {
    if (type == NumberType.LONG && (isInexact(start) || isInexact(end))) {
      return null;
    }
    final long from = start == null ? Long.MIN_VALUE : lower(type, start.doubleValue(), startStrict);
    final long to = end == null ? Long.MAX_VALUE : upper(type, end.doubleValue(), endStrict);
    final boolean isNothing = type == NumberType.LONG && (isBeyond(start, startStrict, Long.MAX_VALUE)
        || isBeyond(end, endStrict, Long.MIN_VALUE));
    return new FilterNumbers(
        isNothing ? WantedNumbers.of(type) : WantedNumbers.between(type, from, to),
        type == NumberType.FLOAT && !isTyped ? near(start, end) : null
    );
  }

  /** Whether a filter's bound may have been another long before it was converted to this double. */
  public static boolean isInexact(@Nullable Number bound) {
    return bound != null && !(bound instanceof Long) && !(Math.abs(bound.doubleValue()) < INEXACT);
  }

  /** Whether a bound excludes all longs. */
  private static boolean isBeyond(@Nullable Number bound, boolean strict, long last) {
    return bound != null && strict && (long) bound.doubleValue() == last;
  }

  private static long lower(NumberType type, double bound, boolean strict) {
    if (type == NumberType.LONG) {
      return strict ? (long) Math.floor(bound) + 1 : (long) Math.ceil(bound);
    }
    final int rounded = rounded(type, bound);
    return sortable(type, bound) + (rounded < 0 || (rounded == 0 && strict) ? 1 : 0);
  }

  private static long upper(NumberType type, double bound, boolean strict) {
    if (type == NumberType.LONG) {
      return strict ? (long) Math.ceil(bound) - 1 : (long) Math.floor(bound);
    }
    final int rounded = rounded(type, bound);
    return sortable(type, bound) - (rounded > 0 || (rounded == 0 && strict) ? 1 : 0);
  }

  /**
   * Sign of the rounding error of a bound: negative if the bound is rounded down to a number of the type, positive if
   * it is rounded up, 0 if it is exact.
   */
  private static int rounded(NumberType type, double bound) {
    return type == NumberType.FLOAT ? Double.compare((float) bound, bound) : 0;
  }

  /** Floats next to bounds that are not floats. Some filters compare them as doubles, others round the bounds. */
  @Nullable
  private static WantedNumbers near(@Nullable Number start, @Nullable Number end) {
    final long[] sortables = Stream
        .of(start, end)
        .filter(bound -> bound != null && rounded(NumberType.FLOAT, bound.doubleValue()) != 0)
        .mapToLong(bound -> sortable(NumberType.FLOAT, bound.doubleValue()))
        .flatMap(sortable -> LongStream.rangeClosed(sortable - 1, sortable + 1))
        .toArray();
    return sortables.length == 0 ? null : WantedNumbers.of(NumberType.FLOAT, sortables);
  }

  /**
   * Numbers that pass a predicate.
   *
   * @param includeUnknown whether numbers with an unknown result pass
   */
  static FilterNumbers matching(NumberType type, DruidPredicateFactory factory, boolean includeUnknown) {
    return new FilterNumbers(WantedNumbers.matching(switch (type) {
      case LONG -> {
        final DruidLongPredicate predicate = FilterFailure.guard(factory::makeLongPredicate);
        yield sortable -> predicate.applyLong(sortable).matches(includeUnknown);
      }
      case DOUBLE -> {
        final DruidDoublePredicate predicate = FilterFailure.guard(factory::makeDoublePredicate);
        yield sortable -> predicate.applyDouble(Double.longBitsToDouble(type.bits(sortable))).matches(includeUnknown);
      }
      case FLOAT -> {
        final DruidFloatPredicate predicate = FilterFailure.guard(factory::makeFloatPredicate);
        yield sortable -> predicate.applyFloat(Float.intBitsToFloat((int) type.bits(sortable))).matches(includeUnknown);
      }
    }));
  }

  /** Result of a predicate for null. */
  static DruidPredicateMatch matchOfNull(NumberType type, DruidPredicateFactory factory) {
    return FilterFailure.guard(() -> switch (type) {
      case LONG -> factory.makeLongPredicate().applyNull();
      case DOUBLE -> factory.makeDoublePredicate().applyNull();
      case FLOAT -> factory.makeFloatPredicate().applyNull();
    });
  }
}
