// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.collect.Iterators;
import it.unimi.dsi.fastutil.ints.IntIntPair;
import java.util.Iterator;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.Evals;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.FixedIndexed;
import org.apache.druid.segment.index.AllFalseBitmapColumnIndex;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.DictionaryEncodedValueIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.NumericRangeIndexes;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;

/**
 * Base class of the indexes of {@code auto} columns of numbers. In Druid's dictionary of such a column, id 0 is always
 * null, even if no row is null. Druid's indexes treat the rows of id 0 as nulls without a check.
 */
@SuppressWarnings("deprecation") // Druid still requests StringValueSetIndexes.
abstract class NumberIndexes<T extends Number> extends DictionaryIndexes<T> implements NumericRangeIndexes {
  /** Index types of a number column. */
  static final Set<Class<?>> INTERFACES = Set.of(
      NullValueIndex.class,
      ValueIndexes.class,
      ValueSetIndexes.class,
      StringValueSetIndexes.class,
      NumericRangeIndexes.class,
      DruidPredicateIndexes.class,
      DictionaryEncodedStringValueIndex.class,
      DictionaryEncodedValueIndex.class
  );

  private final FixedIndexed<T> dictionary;
  private final ColumnType type;
  private final ColumnConfig config;

  NumberIndexes(FixedIndexed<T> dictionary, ColumnType type, ValueBitmaps bitmaps, ColumnConfig config) {
    super(dictionary, type.getNullableStrategy(), bitmaps);
    this.dictionary = dictionary;
    this.type = type;
    this.config = config;
  }

  /** Number of a value that {@link ExprEval#castForEqualityComparison} returned. */
  abstract T number(ExprEval<?> value);

  /** Number with which a single string is compared, or null if the string is not a number. */
  @Nullable
  abstract T parse(@Nullable String value);

  /** Number with which a string of a set is compared, or null if the string is not a number. */
  @Nullable
  abstract T parseOfSet(String value);

  /** Creates the test of numbers for a predicate. */
  abstract Function<T, DruidPredicateMatch> matcher(DruidPredicateFactory factory);

  /** Least number of a range with this lower bound; values must be greater than {@code value} if {@code strict}. */
  abstract T lowerBound(double value, boolean strict);

  /** Greatest number of a range with this upper bound; values must be less than {@code value} if {@code strict}. */
  abstract T upperBound(double value, boolean strict);

  @Override
  final ValueType type() {
    return type.getType();
  }

  @Nullable
  @Override
  @SuppressWarnings("unchecked")
  final T entry(@Nullable Object value) {
    return (T) value;
  }

  @Nullable
  @Override
  public final String getValue(int index) {
    return Evals.asString(dictionary.get(index));
  }

  @Override
  public final Iterator<String> getValueIterator() {
    return Iterators.transform(dictionary.iterator(), Evals::asString);
  }

  @Override
  final boolean isStock() {
    return true;
  }

  @Override
  final boolean hasUnknowns() {
    return dictionary.size() > 0;
  }

  @Override
  final int leastId() {
    return hasNull() ? 1 : 0;
  }

  @Override
  public final BitmapColumnIndex forValue(Object value, TypeSignature<ValueType> valueType) {
    @Nullable final ExprEval<?> number = ExprEval.castForEqualityComparison(
        ExprEval.ofType(ExpressionType.fromColumnTypeStrict(valueType), value),
        ExpressionType.fromColumnTypeStrict(type)
    );
    return number == null
           ? new AllFalseBitmapColumnIndex(getBitmapFactory(), unknowns())
           : entryIndex(number(number));
  }

  @Override
  public final BitmapColumnIndex forValue(@Nullable String value) {
    @Nullable final T number = parse(value);
    if (number != null) {
      return entryIndex(number);
    }
    // As in Druid, comparing with a text that is not a number gives no unknown rows.
    return new ComputedIndex(1, includeUnknown -> value == null ? unknowns() : noRows());
  }

  @Override
  public final BitmapColumnIndex forSortedValues(SortedSet<String> values) {
    return values(values, this::idOfSet, hasUnknowns());
  }

  private int idOfSet(@Nullable String value) {
    if (value == null) {
      return hasUnknowns() ? 0 : -1;
    }
    @Nullable final T number = parseOfSet(value);
    return number == null ? -1 : dictionary.indexOf(number);
  }

  @Override
  public final BitmapColumnIndex forRange(
      @Nullable Number startValue,
      boolean startStrict,
      @Nullable Number endValue,
      boolean endStrict
  ) {
    final IntIntPair ids = dictionary.getRange(
        startValue == null ? null : lowerBound(startValue.doubleValue(), startStrict),
        startStrict,
        endValue == null ? null : upperBound(endValue.doubleValue(), endStrict),
        endStrict
    );
    final boolean isExact =
        !type.is(ValueType.LONG) || !(FilterNumbers.isInexact(startValue) || FilterNumbers.isInexact(endValue));
    return range(ids.leftInt(), ids.rightInt(), config.skipValueRangeIndexScale(), isExact);
  }

  @Override
  public final BitmapColumnIndex forPredicate(DruidPredicateFactory matcherFactory) {
    return matching(dictionary::iterator, () -> matcher(matcherFactory));
  }
}
