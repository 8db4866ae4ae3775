// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.numbers.NumberScan;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.WantedNumbers;
import io.shapeshift.druid.rows.RowSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.BooleanSupplier;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.math.expr.ExpressionType;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.index.AllFalseBitmapColumnIndex;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.SimpleImmutableBitmapIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.NumericRangeIndexes;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.index.semantic.ValueSetIndexes;

/**
 * Supplier of computed indexes for a number column. They scan the stored chunks (see {@link NumberScan}) and need no
 * bytes in the segment; a stock column has only an index of nulls. If the column has a hash index and a look-up is
 * faster, single numbers are looked up instead: see {@link KeyIndex}.
 *
 * <p>An index finds the rows that Druid's matcher of the same filter finds. This is not always possible, because
 * different filters make the same request with different meanings:
 * <ul>
 * <li>{@code selector} and {@code like} both request the rows of a text.
 * <li>{@code equals} and expressions both request the rows of a double. On a float column, {@code equals} rounds it to
 * the nearest float, and an expression does not.
 * <li>{@code bound} and {@code range} both request a range of doubles. On a float column, only {@code bound} rounds its
 * bounds to floats. An index of a {@code bound} without a lower end also matches nulls.
 * <li>Equality matchers treat 0 and -0 as equal if they work on vectors, but not if they work on rows.
 * </ul>
 * <p>If two meanings differ and {@link QueriedRows#isTyped} does not exclude one of them, there is no index, or none if
 * the column has numbers on which the meanings differ. Druid then matches rows, as in stock. Long bounds that have no
 * exact double never reach this class: see {@code AmbiguousFilters}.
 *
 * <p>A scan costs {@link CostModel.Indexes#SCANNED_ROW_NANOS} per row that the query reads ({@link QueriedRows}), or
 * per row of the segment if that is unknown. It does not get cheaper if an earlier filter left few rows: see
 * {@link ScanBudget}. The cost of a predicate, such as a regular expression, is unknown. A scan tests it once per
 * distinct number in chunks whose form lists the distinct numbers, and once per row in others. There is an index only
 * if that is far fewer tests than a matcher of the remaining rows would make.
 */
public final class NumberScanIndexSupplier implements QueriedRows.Indexes {
  @SuppressWarnings("deprecation") // Druid still requests StringValueSetIndexes.
  private static final Set<Class<?>> INTERFACES = Set.of(
      ValueIndexes.class,
      ValueSetIndexes.class,
      StringValueSetIndexes.class,
      NumericRangeIndexes.class,
      DruidPredicateIndexes.class
  );

  private final ShapeShiftingNumbersSupplier<?> numbers;
  private final ImmutableBitmap nulls;
  private final BitmapFactory bitmapFactory;
  private final NumberType type;
  private final int numRows;
  @Nullable
  private final KeyIndex keys;
  /**
   * Rows that the requesting cursor reads; it matches rows itself if an index does not pay. Null if the request does
   * not come from a cursor.
   */
  @Nullable
  private final QueriedRows queried;

  /** Creates a supplier for a column without a hash index. */
  public NumberScanIndexSupplier(
      ShapeShiftingNumbersSupplier<?> numbers,
      ImmutableBitmap nulls,
      BitmapFactory bitmapFactory
  ) {
    this(numbers, nulls, bitmapFactory, null);
  }

  /**
   * Creates a supplier.
   *
   * @param nulls null rows, whose stored numbers have no meaning
   * @param keys  index of single numbers; null if the column has no hash index
   */
  public NumberScanIndexSupplier(
      ShapeShiftingNumbersSupplier<?> numbers,
      ImmutableBitmap nulls,
      BitmapFactory bitmapFactory,
      @Nullable KeyIndex keys
  ) {
    this(numbers, nulls, bitmapFactory, keys, null);
  }

  private NumberScanIndexSupplier(
      ShapeShiftingNumbersSupplier<?> numbers,
      ImmutableBitmap nulls,
      BitmapFactory bitmapFactory,
      @Nullable KeyIndex keys,
      @Nullable QueriedRows queried
  ) {
    this.numbers = numbers;
    this.nulls = nulls;
    this.bitmapFactory = bitmapFactory;
    this.type = numbers.type();
    this.numRows = numbers.data().header().numValues();
    this.keys = keys;
    this.queried = queried;
  }

  @Override
  public boolean dependOnRows() {
    return true;
  }

  @Override
  public NumberScanIndexSupplier of(QueriedRows rows) {
    return new NumberScanIndexSupplier(numbers, nulls, bitmapFactory, keys, rows);
  }

  /**
   * Rows of a range of numbers in a long column whose numbers ascend.
   *
   * @param least    least number
   * @param end      end of the numbers, exclusive
   * @param rowsPerFound see {@link QueriedRows}
   * @return the rows, possibly with extra rows at both ends
   */
  public QueriedRows sortedRows(long least, long end, int rowsPerFound) {
    try (NumberScan scan = numbers.scan()) {
      final int from = least == Long.MIN_VALUE ? 0 : scan.start(least);
      final int to = end == Long.MAX_VALUE ? numRows : Math.min(numRows, scan.start(end) + NumberScan.STEP);
      return new QueriedRows(from, Math.max(from, to), rowsPerFound);
    }
  }

  /** Also returns the {@link KeyIndex} if the column has one. */
  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    if (clazz == KeyIndex.class) {
      return clazz.cast(keys);
    }
    if (clazz == NullValueIndex.class) {
      return clazz.cast((NullValueIndex) () -> new SimpleImmutableBitmapIndex(nulls));
    }
    return queried != null && INTERFACES.contains(clazz) ? clazz.cast(new Indexes()) : null;
  }

  private boolean isLookedUp(long count) {
    return keys != null && keys.isCheaper(count);
  }

  /** Whether a scan is faster than matching the remaining rows. */
  private boolean isWorthIt(int applied) {
    final int left = Math.min(applied, queried.count());
    return queried.rowsPerFound() != QueriedRows.NEVER
        && queried.budget().isWorthIt(CostModel.Indexes.SCANNED_ROW_NANOS * queried.scanned(numRows), left);
  }

  private boolean isWorthIt(int applied, Supplier<WantedNumbers> wanted) {
    if (!isWorthIt(applied) || queried.rowsPerFound() == 0) {
      return isWorthIt(applied);
    }
    try (NumberScan scan = numbers.scan()) {
      return scan.seemsRare(wanted.get(), queried.from(), queried.rowsPerFound());
    }
  }

  /**
   * Index of numbers that does not pay if matching the remaining rows is faster.
   *
   * @param count  upper bound on the number of wanted numbers
   * @param wanted supplier of the numbers; called only if there may be an index, because converting a list may be slow
   */
  private BitmapColumnIndex index(
      long count,
      Supplier<WantedNumbers> wanted,
      BooleanSupplier isClear,
      ComputedIndex.Rows rows
  ) {
    return isLookedUp(count)
           ? new ComputedIndex(
               (int) count,
               // Pays whenever a scan would.
               (applied, total) -> (ComputedIndex.isCheaper(keys.nanos(count), Math.min(applied, queried.count()))
                   || isWorthIt(applied, wanted)) && isClear.getAsBoolean(),
               rows
           )
           : new ComputedIndex(
               ComputedIndex.costOfScan(queried.count()),
               (applied, total) -> isWorthIt(applied, wanted) && isClear.getAsBoolean(),
               rows
           );
  }

  /** All indexes except that of nulls. */
  @SuppressWarnings("deprecation")
  private final class Indexes
      implements ValueIndexes, ValueSetIndexes, StringValueSetIndexes, NumericRangeIndexes, DruidPredicateIndexes {
    @Nullable
    @Override
    public BitmapColumnIndex forValue(Object value, TypeSignature<ValueType> valueType) {
      if (!areClear(List.of(value), valueType)) {
        return null;
      }
      @Nullable final ExprEval<?> number = ExprEval.castForEqualityComparison(
          ExprEval.ofType(ExpressionType.fromColumnTypeStrict(valueType), value), FilterNumbers.comparedAs(type));
      if (number != null) {
        return FilterNumbers.isAmbiguous(type, number, valueType)
               ? null
               : index(FilterNumbers.equalTo(type, number, valueType, queried.isTyped()));
      }
      // Row and vector matchers disagree on whether nulls match here.
      return nulls.isEmpty() ? new AllFalseBitmapColumnIndex(bitmapFactory) : null;
    }

    @Nullable
    @Override
    public BitmapColumnIndex forValue(@Nullable String value) {
      return value == null ? new SimpleImmutableBitmapIndex(nulls) : index(FilterNumbers.equalTo(type, value));
    }

    @Nullable
    @Override
    public BitmapColumnIndex forSortedValues(List<?> sortedValues, TypeSignature<ValueType> matchValueType) {
      return areClear(sortedValues, matchValueType) ? in(sortedValues) : null;
    }

    /** Whether expressions, which compare texts, match the same numbers for the values of a filter. */
    private boolean areClear(List<?> filterValues, TypeSignature<ValueType> valueType) {
      return valueType.isPrimitive()
          && (!valueType.is(ValueType.STRING)
              || filterValues.stream().allMatch(
                  value -> value == null || FilterNumbers.isWrittenAlike(type, value.toString())));
    }

    @Nullable
    @Override
    public BitmapColumnIndex forSortedValues(SortedSet<String> values) {
      return in(values);
    }

    @Nullable
    private BitmapColumnIndex in(Collection<?> values) {
      if (values.size() > queried.count() / CostModel.Indexes.ROWS_PER_LISTED) {
        // Druid then creates its set of the values once for all segments.
        return null;
      }
      // Every long is a number, so the values of a long column need no check in advance.
      if (type != NumberType.LONG && ListedNumbers.of(type, values).isEmpty()) {
        return null;
      }
      final Supplier<WantedNumbers> wanted =
          Suppliers.memoize(() -> ListedNumbers.of(type, values).orElseThrow().wanted());
      final boolean hasNull = values.stream().anyMatch(Objects::isNull);
      return NumberScanIndexSupplier.this.index(
          values.size(), wanted, () -> true, includeUnknown -> rows(wanted.get(), hasNull || includeUnknown));
    }

    @Nullable
    @Override
    public BitmapColumnIndex forRange(
        @Nullable Number startValue,
        boolean startStrict,
        @Nullable Number endValue,
        boolean endStrict
    ) {
      final boolean isTyped = queried.isTyped();
      @Nullable final FilterNumbers range =
          FilterNumbers.between(type, startValue, startStrict, endValue, endStrict, isTyped);
      if (range == null || (startValue == null && range.doubtful() != null)) {
        return null;
      }
      // For a bound without a lower end, Druid requests the rows of the index in any case, and also nulls.
      final boolean mayBeBound = startValue == null && !(endValue instanceof Long) && !isTyped;
      if (mayBeBound && (!nulls.isEmpty() || !isWorthIt(queried.count()) || !queried.budget().promise())) {
        return null;
      }
      return index(range, mayBeBound);
    }

    @Nullable
    private BitmapColumnIndex index(@Nullable FilterNumbers filter) {
      return index(filter, false);
    }

    @Nullable
    private BitmapColumnIndex index(@Nullable FilterNumbers filter, boolean isPromised) {
      return filter == null
             ? null
             : NumberScanIndexSupplier.this.index(
                 filter.wanted().count(),
                 filter::wanted,
                 () -> !hasAny(filter.doubtful()),
                 includeUnknown -> rows(filter.wanted(), includeUnknown, isPromised)
             );
    }

    @Nullable
    @Override
    public BitmapColumnIndex forPredicate(DruidPredicateFactory matcherFactory) {
      if (ComputedIndex.isCode(matcherFactory)) {
        // Vector and row expressions compare differently.
        return null;
      }
      return ComputedIndex.ofTest(
          (applied, total) -> isWorthIt(applied, () -> FilterNumbers.matching(type, matcherFactory, false).wanted())
              && testsAtMost(Math.min(applied, queried.count()) / CostModel.Indexes.MATCHES_PER_TEST),
          includeUnknown -> rows(
              FilterNumbers.matching(type, matcherFactory, includeUnknown).wanted(),
              !nulls.isEmpty() && FilterNumbers.matchOfNull(type, matcherFactory).matches(includeUnknown)
          )
      );
    }
  }

  /** Whether a scan tests at most {@code limit} numbers. */
  private boolean testsAtMost(int limit) {
    try (NumberScan scan = numbers.scan()) {
      return scan.testsAtMost(limit, queried.from(), queried.to());
    }
  }

  private boolean hasAny(@Nullable WantedNumbers wanted) {
    return wanted != null && !rows(wanted, false).isEmpty();
  }

  /** Rows of numbers that the query reads, possibly with other matching rows, with or without null rows. */
  private ImmutableBitmap rows(WantedNumbers wanted, boolean withNulls) {
    return rows(wanted, withNulls, false);
  }

  /**
   * Same as {@link #rows(WantedNumbers, boolean)}.
   *
   * @param isPromised whether {@link ScanBudget#promise} has counted the scan
   */
  private ImmutableBitmap rows(WantedNumbers wanted, boolean withNulls, boolean isPromised) {
    final boolean isLookedUp = isLookedUp(wanted.count());
    final RowSet found = new RowSet(numRows);
    if (isLookedUp) {
      try (KeyIndex.Reader reader = keys.open()) {
        reader.find(wanted.sortables(), found);
      }
    } else {
      if (!isPromised) {
        queried.budget().scanned();
      }
      try (NumberScan scan = numbers.scan()) {
        scan.find(wanted, queried.from(), queried.to(), found);
      }
    }
    final ImmutableBitmap rows = found.toBitmap(bitmapFactory);
    if (nulls.isEmpty()) {
      return rows;
    }
    if (withNulls) {
      return rows.union(nulls);
    }
    // A hash index has no null rows.
    return isLookedUp ? rows : rows.intersection(bitmapFactory.complement(nulls, numRows));
  }
}
