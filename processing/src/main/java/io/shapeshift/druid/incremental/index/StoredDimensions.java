// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.memory.Readers;
import io.shapeshift.druid.incremental.row.StoredRow;
import io.shapeshift.druid.incremental.store.RowStore;
import io.shapeshift.druid.incremental.strings.DirectStringIndexer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
import org.apache.druid.segment.incremental.IncrementalIndex.DimensionDesc;

/** Dimensions for queries and persists, each with a {@link StoredIndexer}. For any thread. */
final class StoredDimensions {
  private final RowStore rows;
  private final Readers readers;
  private final ShapeShiftFacts facts;
  private final Map<String, DimensionDesc> byName = new ConcurrentHashMap<>();

  StoredDimensions(RowStore rows, Readers readers, ShapeShiftFacts facts) {
    this.rows = rows;
    this.readers = readers;
    this.facts = facts;
  }

  /** Dimension for a description: always the same object for the same name. */
  DimensionDesc of(DimensionDesc description) {
    return byName.computeIfAbsent(
        description.getName(),
        name -> StoredIndexer.describe(
            description,
            (row, stored) -> value(row, description.getIndex(), stored),
            description.getIndexer() instanceof DirectStringIndexer
            ? bitmaps -> facts.fill(description.getIndex(), bitmaps)
            : null,
            rows::count
        )
    );
  }

  @Nullable
  private Object value(int row, int dimension, StoredRow stored) {
    final int ticket = readers.enter();
    try {
      return rows.value(row, dimension, stored);
    } finally {
      readers.exit(ticket);
    }
  }
}
