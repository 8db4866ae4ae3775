// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.row.StoredRow;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexRow;
import org.apache.druid.segment.incremental.IncrementalIndexRowHolder;

/** Holder of a row with the value of a single dimension, read at the first access. For one thread. */
final class ValueHolder extends IncrementalIndexRowHolder {
  private final IncrementalIndexRowHolder rows;
  private final ValueReader values;
  private final IncrementalIndex.DimensionDesc dimension;
  private final IncrementalIndex.DimensionDesc description;
  private final StoredRow stored = new StoredRow();
  private final Object[] value = new Object[1];
  private final IncrementalIndexRow row;
  @Nullable
  private IncrementalIndexRow read;

  ValueHolder(IncrementalIndexRowHolder rows, IncrementalIndex.DimensionDesc dimension, ValueReader values) {
    this.rows = rows;
    this.values = values;
    this.dimension = dimension;
    this.description =
        new IncrementalIndex.DimensionDesc(0, dimension.getName(), dimension.getHandler(), dimension.getIndexer());
    this.row = DruidAccess.row(0, value, List.of(description), 0);
  }

  /** Description of the dimension, as the only one of {@link #get}'s row. */
  IncrementalIndex.DimensionDesc description() {
    return description;
  }

  @Override
  @Nullable
  @SuppressWarnings("ReferenceEquality") // The cache is for this row object only.
  public IncrementalIndexRow get() {
    final IncrementalIndexRow current = rows.get();
    if (current == null) {
      return null;
    }
    if (current != read) {
      // Rows of a persist already include their values.
      final Object[] all = current.getDims();
      final int index = dimension.getIndex();
      value[0] = index < all.length ? all[index] : values.read(current.getRowIndex(), stored);
      read = current;
    }
    return row;
  }

  @Override
  public long getLong() {
    return rows.getLong();
  }
}
