// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import io.shapeshift.druid.segment.index.FilterNumbers;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.query.filter.ColumnIndexSelector;
import org.apache.druid.query.filter.DruidLongPredicate;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.filter.BoundFilter;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.NumericRangeIndexes;

/**
 * Compares what Druid's index and its matchers take the bounds of a {@code bound} filter for on a column of longs. The
 * index is asked for doubles. Matchers read the text as a decimal number: so they tell 9007199254740993 from
 * 9007199254740992, and 5.00000000000000000001 from 5, and take {@code 5d} for no number at all. Druid lets nobody see
 * the bounds of the filter, so the filter is asked what it would ask an index.
 */
final class LongBounds implements ColumnIndexSelector, ColumnIndexSupplier, NumericRangeIndexes, DruidPredicateIndexes {
  private final Class<?> offered;
  @Nullable
  private Range range;
  @Nullable
  private DruidPredicateFactory predicate;

  private LongBounds(BoundFilter filter, Class<?> offered) {
    this.offered = offered;
    filter.getBitmapColumnIndex(this);
  }

  /** Whether index and matchers find the same longs; also if the filter is not asked for a range of numbers at all. */
  static boolean areAlike(BoundFilter filter) {
    @Nullable final Range range = new LongBounds(filter, NumericRangeIndexes.class).range;
    @Nullable final DruidPredicateFactory predicate = new LongBounds(filter, DruidPredicateIndexes.class).predicate;
    return range == null || predicate == null || range.isAlike(predicate);
  }

  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    return clazz == offered ? clazz.cast(this) : null;
  }

  @Nullable
  @Override
  public BitmapColumnIndex forRange(
      @Nullable Number startValue,
      boolean startStrict,
      @Nullable Number endValue,
      boolean endStrict
  ) {
    range = new Range(startValue, startStrict, endValue, endStrict);
    return null;
  }

  @Nullable
  @Override
  public BitmapColumnIndex forPredicate(DruidPredicateFactory matcherFactory) {
    predicate = matcherFactory;
    return null;
  }

  @Override
  public ColumnIndexSupplier getIndexSupplier(String column) {
    return this;
  }

  @Override
  public int getNumRows() {
    return 0;
  }

  @Override
  public BitmapFactory getBitmapFactory() {
    return RoaringBitmapFactory.INSTANCE;
  }

  @Nullable
  @Override
  public ColumnHolder getColumnHolder(String columnName) {
    return null;
  }

  /** What an index is asked for. */
  private record Range(@Nullable Number start, boolean startStrict, @Nullable Number end, boolean endStrict) {
    /**
     * Whether a predicate, which is true of one range of longs as well, is true of this one. Below 2^53 a text and the
     * double that is nearest to it are less than 1 apart, so the ends of two ranges that differ are next to the bounds.
     */
    boolean isAlike(DruidPredicateFactory factory) {
      if (FilterNumbers.isInexact(start) || FilterNumbers.isInexact(end)) {
        // Before the predicate is made: the decimal number of 1e999999999 has as many digits.
        return false;
      }
      final DruidLongPredicate predicate = factory.makeLongPredicate();
      return Stream
          .of(start, end)
          .flatMapToLong(bound -> bound == null
              ? LongStream.of(Long.MIN_VALUE, Long.MAX_VALUE)
              : LongStream.rangeClosed(bound.longValue() - 1, bound.longValue() + 1))
          .allMatch(value -> predicate.applyLong(value).matches(false) == contains(value));
    }

    private boolean contains(long value) {
      return (start == null || (startStrict ? value > start.doubleValue() : value >= start.doubleValue()))
          && (end == null || (endStrict ? value < end.doubleValue() : value <= end.doubleValue()));
    }
  }
}
