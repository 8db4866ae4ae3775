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
 * Answers filters on a column of numbers by a scan of what is stored, where Druid's own columns have an index of nulls
 * and nothing else: see {@link NumberScan}. No bytes are stored for it. Single numbers are looked up instead if the
 * column has a hash index and that is faster: see {@link KeyIndex}.
 *
 * <p>The rows that are found are those that Druid's matchers of the same filters find. Druid asks in the same words for
 * filters that mean different things: an index is asked for texts by {@code selector} and by {@code like}, for a double
 * by {@code equals}, which takes it for the nearest float of a column of floats, and by expressions, which do not, and
 * for the bounds of {@code bound} and of {@code range} as doubles, of which only the first takes those of a column of
 * floats for floats, and matches nulls below the upper bound if an index is used. Matchers of equality take 0 and -0
 * for equal by vectors, and not by rows. Where two meanings differ, and it is not known that only one of these filters
 * may ask ({@link QueriedRows#isTyped}), there is no index, or none if the rows of which they differ are found, and
 * Druid matches rows as it does without. Bounds of longs that a double does not tell never get here: see
 * {@code AmbiguousFilters}.
 *
 * <p>A scan takes {@link CostModel.Indexes#SCANNED_ROW_NANOS} for each row of the segment, or of those that the query
 * reads, if it is known which ({@link QueriedRows}), also where few of them are left: see {@link ScanBudget}. Of a
 * test, such as a regular expression, nobody knows what it costs. It is asked once for each distinct number where the
 * form of a chunk tells them, and otherwise for each row: there is an index only if chunks ask it far less often than a
 * matcher of the rows that are left would.
 */
public final class NumberScanIndexSupplier implements QueriedRows.Indexes {
  @SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
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
  /** What the cursor reads that asks, and matches rows itself where an index is not worth it; null if none does. */
  @Nullable
  private final QueriedRows queried;

  /** Makes a supplier of a column without a hash index. */
  public NumberScanIndexSupplier(
      ShapeShiftingNumbersSupplier<?> numbers,
      ImmutableBitmap nulls,
      BitmapFactory bitmapFactory
  ) {
    this(numbers, nulls, bitmapFactory, null);
  }

  /**
   * Makes a supplier.
   *
   * @param nulls the rows that are null, whose numbers mean nothing
   * @param keys  finds single numbers; null if there is no hash index
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
   * The rows of numbers from one to another, if the numbers of the column ascend.
   *
   * @param least    the least number, of a column of longs
   * @param end      end of the numbers, exclusive
   * @param rowsPerFound as {@link QueriedRows} has it
   * @return there may be some rows more at both ends
   */
  public QueriedRows sortedRows(long least, long end, int rowsPerFound) {
    try (NumberScan scan = numbers.scan()) {
      final int from = least == Long.MIN_VALUE ? 0 : scan.start(least);
      final int to = end == Long.MAX_VALUE ? numRows : Math.min(numRows, scan.start(end) + NumberScan.STEP);
      return new QueriedRows(from, Math.max(from, to), rowsPerFound);
    }
  }

  /** Also gives the {@link KeyIndex}, if there is one. */
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

  /** Whether a scan takes less than matching the rows that are left. */
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
   * An index of numbers, unless so few rows are left that matching them takes less.
   *
   * @param count  how many numbers, or more
   * @param wanted the numbers; asked for only where there may be an index, as making a list of them may take long
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
               // At the latest where a scan would be.
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

  /** All indexes but that of nulls. */
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
      // Matchers by row and by vector differ in whether nulls may then be equal.
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

    /** Whether expressions, which compare texts, take the values of a filter for the same numbers. */
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
        // Druid makes its set of them once for all segments.
        return null;
      }
      // Longs are all numbers: of them nobody has to know before they are looked for.
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
      // For a bound without a lower end Druid asks for the rows of the index in any case, and for nulls as well.
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
        // Expressions also compare otherwise by vectors than by rows.
        return null;
      }
      return ComputedIndex.ofTest(
          (applied, total) -> isWorthIt(applied, () -> FilterNumbers.matching(type, matcherFactory, false).wanted())
              && asksAtMost(Math.min(applied, queried.count()) / CostModel.Indexes.MATCHES_PER_TEST),
          includeUnknown -> rows(
              FilterNumbers.matching(type, matcherFactory, includeUnknown).wanted(),
              !nulls.isEmpty() && FilterNumbers.matchOfNull(type, matcherFactory).matches(includeUnknown)
          )
      );
    }
  }

  /** Whether a scan tests no more than {@code limit} numbers. */
  private boolean asksAtMost(int limit) {
    try (NumberScan scan = numbers.scan()) {
      return scan.asksAtMost(limit, queried.from(), queried.to());
    }
  }

  private boolean hasAny(@Nullable WantedNumbers wanted) {
    return wanted != null && !rows(wanted, false).isEmpty();
  }

  /** The rows of numbers that the query reads, perhaps with others, and with those that are null or without. */
  private ImmutableBitmap rows(WantedNumbers wanted, boolean withNulls) {
    return rows(wanted, withNulls, false);
  }

  /**
   * As {@link #rows(WantedNumbers, boolean)}.
   *
   * @param isPromised whether the scan has been counted
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
    // A hash index does not have them.
    return isLookedUp ? rows : rows.intersection(bitmapFactory.complement(nulls, numRows));
  }
}
