// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.primitives.Doubles;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.query.filter.DruidDoublePredicate;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.FixedIndexed;

/** Indexes of doubles in an {@code auto} column or in a field of a nested column, over the sorted dictionary. */
final class DoubleIndexes extends NumberIndexes<Double> {
  private final FixedIndexed<Double> dictionary;

  DoubleIndexes(FixedIndexed<Double> dictionary, ValueBitmaps bitmaps, ColumnConfig config, boolean isField) {
    super(dictionary, ColumnType.DOUBLE, bitmaps, config, isField);
    this.dictionary = dictionary;
  }

  @Override
  Double number(ExprEval<?> value) {
    return value.asDouble();
  }

  @Nullable
  @Override
  Double convert(@Nullable Object value) {
    return DimensionHandlerUtils.convertObjectToDouble(value);
  }

  @Nullable
  @Override
  Double parse(@Nullable String value) {
    return value == null ? null : Doubles.tryParse(value);
  }

  @Nullable
  @Override
  Double parseOfSet(String value) {
    return Doubles.tryParse(value);
  }

  /** In the dictionary -0 is less than 0, and NaN is greater than all numbers. */
  @Override
  boolean comparesAlike(@Nullable Number start, @Nullable Number end) {
    return dictionary.indexOf(-0.) < 0 && dictionary.indexOf(Double.NaN) < 0;
  }

  @Override
  Double lowerBound(double value, boolean strict) {
    return value;
  }

  @Override
  Double upperBound(double value, boolean strict) {
    return value;
  }

  @Override
  Function<Double, DruidPredicateMatch> matcher(DruidPredicateFactory factory) {
    final DruidDoublePredicate predicate = factory.makeDoublePredicate();
    return value -> value == null ? predicate.applyNull() : predicate.applyDouble(value);
  }
}
