// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.index.SimpleImmutableBitmapIndex;
import org.apache.druid.segment.index.semantic.NullValueIndex;

/** Supplier of the rows of a nested column that are null. */
record NullObjectsIndex(NestedColumnData column) implements ColumnIndexSupplier {
  @Nullable
  @Override
  public <T> T as(Class<T> clazz) {
    return clazz == NullValueIndex.class
           ? clazz.cast((NullValueIndex) () -> new SimpleImmutableBitmapIndex(column.nulls()))
           : null;
  }
}
