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
 * Compares how Druid's index and Druid's matchers interpret the bounds of a {@code bound} filter on a long column. The
 * index gets the bounds as doubles. Matchers parse the text as a decimal number: they distinguish 9007199254740993 from
 * 9007199254740992, and 5.00000000000000000001 from 5, and do not accept {@code 5d} as a number. Druid does not expose
 * the bounds of the filter. So this class poses as the index of a column, and records the range and the predicate that
 * the filter requests from it.
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

  /** Whether index and matchers find the same longs. True if the filter does not request a range of numbers at all. */
  static boolean agree(BoundFilter filter) {
    @Nullable final Range range = new LongBounds(filter, NumericRangeIndexes.class).range;
    @Nullable final DruidPredicateFactory predicate = new LongBounds(filter, DruidPredicateIndexes.class).predicate;
    return range == null || predicate == null || range.isAcceptedBy(predicate);
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

  /** Range requested from an index. */
  private record Range(@Nullable Number start, boolean startStrict, @Nullable Number end, boolean endStrict) {
    /**
     * Whether a predicate accepts exactly this range. The longs that the predicate accepts also form a range. Below
     * 2^53 a number and the nearest double differ by less than 1. So if the two ranges differ, they differ next to the
     * bounds.
     */
    boolean isAcceptedBy(DruidPredicateFactory factory) {
      if (FilterNumbers.isInexact(start) || FilterNumbers.isInexact(end)) {
        // Tested before the predicate is created, because the decimal number for 1e999999999 would have a billion
        // digits.
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
