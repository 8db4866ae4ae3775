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
 * The numbers that filters on a column of numbers match, as Druid's matchers have it.
 *
 * @param wanted   the numbers
 * @param doubtful numbers of which matchers of the same filter differ, or filters that ask for an index in the same
 *     words; null if there are none
 */
public record FilterNumbers(WantedNumbers wanted, @Nullable WantedNumbers doubtful) {
  /** From here on not each long is a double. */
  private static final double INEXACT = 0x1p53;

  private FilterNumbers(WantedNumbers wanted) {
    this(wanted, null);
  }

  /** What Druid casts a value to that is compared with a column. */
  static ExpressionType comparedAs(NumberType type) {
    return type == NumberType.LONG ? ExpressionType.LONG : ExpressionType.DOUBLE;
  }

  /**
   * Whether filters differ in which numbers are equal to one, whatever the column has: expressions compare longs with
   * what is no long as doubles.
   *
   * @param value     was cast to {@link #comparedAs}
   * @param valueType what it was before
   */
  static boolean isAmbiguous(NumberType type, ExprEval<?> value, TypeSignature<ValueType> valueType) {
    return type == NumberType.LONG && !valueType.is(ValueType.LONG) && !(Math.abs(value.asDouble()) < INEXACT);
  }

  /**
   * Numbers that are equal to one.
   *
   * @param value     was cast to {@link #comparedAs}
   * @param valueType what it was before
   * @param isTyped   whether no expression asks
   * @return null if matchers by row and by vector differ, whatever the column has
   */
  @Nullable
  static FilterNumbers equalTo(
      NumberType type, ExprEval<?> value, TypeSignature<ValueType> valueType, boolean isTyped) {
    if (!isTyped
        && type == NumberType.FLOAT
        && !valueType.is(ValueType.FLOAT)
        && rounded(type, value.asDouble()) != 0) {
      // One filter takes the nearest float for equal, expressions take none.
      final WantedNumbers nearest = WantedNumbers.of(type, sortable(type, value.asDouble()));
      return new FilterNumbers(nearest, nearest);
    }
    return equalTo(type, type == NumberType.LONG ? value.asLong() : sortable(type, value.asDouble()));
  }

  /**
   * Numbers that are equal to one that is written.
   *
   * @return null if it is not written as Druid would write it: only then do all filters take it for the same
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
      // By vectors both are equal.
      return new FilterNumbers(
          WantedNumbers.of(type, zero, negativeZero), WantedNumbers.of(type, sortable == zero ? negativeZero : zero));
    }
    return sortable == type.nanSortable() ? null : new FilterNumbers(WantedNumbers.of(type, sortable));
  }

  /** Whether a text is what Druid writes for a number. */
  static boolean isWritten(NumberType type, String text) {
    @Nullable final Object number = convert(type, text);
    return number != null && number.toString().equals(text);
  }

  /** Whether a text is what Druid writes for a number, also where it is taken for a double. */
  static boolean isWrittenAlike(NumberType type, String text) {
    return isWritten(type, text)
        && (type != NumberType.FLOAT || Double.toString(((Number) convert(type, text)).doubleValue()).equals(text));
  }

  /**
   * Numbers of a list; nulls, and what is no number of the type, do not count.
   *
   * @return null if one is no number at all (NaN), of which Druid's sets tell apart what has other bits
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

  /** The sortable bits of a double, or of the float that is nearest to it. */
  private static long sortable(NumberType type, double value) {
    return type.sortableOf(value);
  }

  /**
   * Numbers of a range.
   *
   * @param isTyped whether no {@code bound} asks
   * @return null if filters that ask for this range differ, whatever the column has
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

  /** Whether a double is the bound of a filter that may have meant another long. */
  public static boolean isInexact(@Nullable Number bound) {
    return bound != null && !(bound instanceof Long) && !(Math.abs(bound.doubleValue()) < INEXACT);
  }

  /** Whether no long is on the other side of a bound. */
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

  /** Negative if the number that a bound is taken for is less than it, positive if it is greater, else 0. */
  private static int rounded(NumberType type, double bound) {
    return type == NumberType.FLOAT ? Double.compare((float) bound, bound) : 0;
  }

  /** Floats next to bounds that are none: one filter compares as doubles, another rounds its bounds. */
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
   * Numbers that pass a test.
   *
   * @param includeUnknown whether those pass of which the test does not know
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

  /** What a test says of null. */
  static DruidPredicateMatch matchOfNull(NumberType type, DruidPredicateFactory factory) {
    return FilterFailure.guard(() -> switch (type) {
      case LONG -> factory.makeLongPredicate().applyNull();
      case DOUBLE -> factory.makeDoublePredicate().applyNull();
      case FLOAT -> factory.makeFloatPredicate().applyNull();
    });
  }
}
