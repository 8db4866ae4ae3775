// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.blobs.Blobs;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.SimpleImmutableBitmapIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;

/**
 * Index of the rows of a complex column that are null, for the filter {@code null} alone. The rows are searched for
 * once, when they are wanted.
 *
 * <p>Not a {@code NullValueIndex}, which {@code selector} filters use as well: these take all objects of Druid's own
 * columns for null.
 */
final class NullRowsIndex implements ColumnIndexSupplier, DruidPredicateIndexes {
  private final Supplier<ImmutableBitmap> nulls;

  NullRowsIndex(Blobs values, BitmapFactory bitmaps) {
    this.nulls = Suppliers.memoize(() -> values.nulls().toBitmap(bitmaps));
  }

  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    return clazz == DruidPredicateIndexes.class ? clazz.cast(this) : null;
  }

  @Nullable
  @Override
  public BitmapColumnIndex forPredicate(DruidPredicateFactory predicate) {
    return predicate instanceof NullFilter.NullPredicateFactory ? new SimpleImmutableBitmapIndex(nulls.get()) : null;
  }
}
