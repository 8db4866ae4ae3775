// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.base.Supplier;
import com.google.common.primitives.Doubles;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.ExprEval;
import org.apache.druid.query.filter.DruidDoublePredicate;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.segment.DimensionHandlerUtils;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.data.FixedIndexed;

/** The indexes of a column of doubles of type {@code auto}. */
public final class DoubleIndexSupplier implements QueriedRows.Indexes {
  private final Supplier<FixedIndexed<Double>> dictionary;
  private final Supplier<? extends ValueBitmaps> bitmaps;
  private final ColumnConfig config;

  /**
   * Makes a supplier.
   *
   * @param dictionary null and the values, sorted
   * @param bitmaps    the rows of each value
   * @param config     says which ranges are not worth an index
   */
  public DoubleIndexSupplier(
      Supplier<FixedIndexed<Double>> dictionary,
      Supplier<? extends ValueBitmaps> bitmaps,
      ColumnConfig config
  ) {
    this.dictionary = dictionary;
    this.bitmaps = bitmaps;
    this.config = config;
  }

  @Override
  public boolean dependOnRows() {
    return PostingIndex.isScanned(bitmaps);
  }

  @Override
  public ColumnIndexSupplier of(QueriedRows rows) {
    return bitmaps instanceof PostingIndex index
           ? new DoubleIndexSupplier(dictionary, () -> index.get(rows), config)
           : this;
  }

  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    return NumberIndexes.INTERFACES.contains(clazz)
           ? clazz.cast(new Indexes(dictionary.get(), bitmaps.get(), config))
           : null;
  }

  private static final class Indexes extends NumberIndexes<Double> {
    private Indexes(FixedIndexed<Double> dictionary, ValueBitmaps bitmaps, ColumnConfig config) {
      super(dictionary, ColumnType.DOUBLE, bitmaps, config);
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
}
