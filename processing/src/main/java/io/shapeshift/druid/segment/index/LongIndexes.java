// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.common.guava.GuavaUtils;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.query.filter.DruidLongPredicate;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.FixedIndexed;

/** Indexes of longs in an {@code auto} column or in a field of a nested column, over the sorted dictionary. */
final class LongIndexes extends NumberIndexes<Long> {
  LongIndexes(FixedIndexed<Long> dictionary, ValueBitmaps bitmaps, ColumnConfig config, boolean isField) {
    super(dictionary, ColumnType.LONG, bitmaps, config, isField);
  }

  @Override
  Long number(ExprEval<?> value) {
    return value.asLong();
  }

  @Nullable
  @Override
  Long convert(@Nullable Object value) {
    return DimensionHandlerUtils.convertObjectToLong(value);
  }

  @Nullable
  @Override
  Long parse(@Nullable String value) {
    return GuavaUtils.tryParseLong(value);
  }

  @Nullable
  @Override
  Long parseOfSet(String value) {
    // In a set for an auto column, unlike a single value, a text such as "1.0" is accepted.
    return isField() ? parse(value) : convert(value);
  }

  @Override
  boolean comparesAlike(@Nullable Number start, @Nullable Number end) {
    return !(FilterNumbers.isInexact(start) || FilterNumbers.isInexact(end));
  }

  @Override
  Long lowerBound(double value, boolean strict) {
    return (long) (strict ? Math.floor(value) : Math.ceil(value));
  }

  @Override
  Long upperBound(double value, boolean strict) {
    return (long) (strict ? Math.ceil(value) : Math.floor(value));
  }

  @Override
  Function<Long, DruidPredicateMatch> matcher(DruidPredicateFactory factory) {
    final DruidLongPredicate predicate = factory.makeLongPredicate();
    return value -> value == null ? predicate.applyNull() : predicate.applyLong(value);
  }
}
