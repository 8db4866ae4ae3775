// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import io.shapeshift.druid.column.blobs.Blobs;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.index.SimpleImmutableBitmapIndex;
import org.apache.druid.segment.index.semantic.NullValueIndex;

/** Supplier of the rows of a complex column that are null. The rows are searched for once, when they are wanted. */
final class NullRowsIndex implements ColumnIndexSupplier {
  private final Supplier<ImmutableBitmap> nulls;

  NullRowsIndex(Blobs values, BitmapFactory bitmaps) {
    this.nulls = Suppliers.memoize(() -> values.nulls().toBitmap(bitmaps));
  }

  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    return clazz == NullValueIndex.class
           ? clazz.cast((NullValueIndex) () -> new SimpleImmutableBitmapIndex(nulls.get()))
           : null;
  }
}
