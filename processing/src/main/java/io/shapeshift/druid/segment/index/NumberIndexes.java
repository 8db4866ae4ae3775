// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.collect.Iterators;
import com.google.common.collect.Lists;
import it.unimi.dsi.fastutil.ints.IntIntPair;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.Evals;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.query.filter.TypedInFilter;
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
 * Base class of the indexes of numbers in {@code auto} columns and in fields of nested columns. In Druid's dictionary
 * of an {@code auto} column, id 0 is always null, even if no row is null: Druid's indexes treat the rows of id 0 as
 * nulls without a check. The dictionary of a field has null only if a row has no value.
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
  /** Index types of a field of numbers. */
  static final Set<Class<?>> INTERFACES_OF_FIELD = Set.of(
      NullValueIndex.class,
      ValueIndexes.class,
      ValueSetIndexes.class,
      StringValueSetIndexes.class,
      NumericRangeIndexes.class,
      DruidPredicateIndexes.class
  );

  private final FixedIndexed<T> dictionary;
  private final ColumnType type;
  private final ColumnConfig config;
  private final boolean isField;

  NumberIndexes(
      FixedIndexed<T> dictionary, ColumnType type, ValueBitmaps bitmaps, ColumnConfig config, boolean isField) {
    super(dictionary, type.getNullableStrategy(), bitmaps);
    this.dictionary = dictionary;
    this.type = type;
    this.config = config;
    this.isField = isField;
  }

  /** Whether these are indexes of a field of a nested column. */
  final boolean isField() {
    return isField;
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

  /**
   * Whether a comparison of each number with these bounds has the same result as the order of the dictionary.
   *
   * @param start null if the range has no lower bound
   * @param end   null if the range has no upper bound
   */
  abstract boolean comparesAlike(@Nullable Number start, @Nullable Number end);

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
    return isField ? hasNull() : dictionary.size() > 0;
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
    return range(
        ids.leftInt(), ids.rightInt(), config.skipValueRangeIndexScale(), comparesAlike(startValue, endValue));
  }

  /** For a field, Druid has no such index: it tests all entries of the dictionary. */
  @Nullable
  @Override
  public final BitmapColumnIndex forSortedValues(List<?> sortedValues, TypeSignature<ValueType> matchValueType) {
    if (!isField) {
      return super.forSortedValues(sortedValues, matchValueType);
    }
    if (matchValueType.is(type()) && !sortedValues.isEmpty() && sortedValues.get(0) != null) {
      return matching(Lists.transform(sortedValues, this::entry));
    }
    return matchValueType instanceof ColumnType valueType
           ? forPredicate(new TypedInFilter.PredicateFactory(sortedValues, valueType))
           : null;
  }

  @Override
  public final BitmapColumnIndex forPredicate(DruidPredicateFactory matcherFactory) {
    return matching(dictionary::iterator, () -> matcher(matcherFactory));
  }
}
