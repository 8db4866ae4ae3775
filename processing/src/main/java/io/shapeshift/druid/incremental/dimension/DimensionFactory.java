// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import io.shapeshift.druid.incremental.strings.DirectStringIndexer;
import org.apache.druid.segment.AutoTypeColumnIndexer;
import org.apache.druid.segment.DimensionIndexer;
import org.apache.druid.segment.DoubleDimensionIndexer;
import org.apache.druid.segment.FloatDimensionIndexer;
import org.apache.druid.segment.LongDimensionIndexer;
import org.apache.druid.segment.incremental.IncrementalIndex;

/** Choice of the {@link Dimension} for each of Druid's indexers. */
public final class DimensionFactory {
  private DimensionFactory() {
  }

  /** Creates a dimension for a description. Values of other extensions' indexers stay on the heap. */
  public static Dimension make(IncrementalIndex.DimensionDesc description, boolean rollUp) {
    final int index = description.getIndex();
    final DimensionIndexer<?, ?, ?> indexer = description.getIndexer();
    if (indexer instanceof DirectStringIndexer strings) {
      return new StringDimension(index, strings);
    }
    final Class<?> type = indexer.getClass();
    if (type == LongDimensionIndexer.class) {
      return new NumberDimension.Longs(index);
    }
    if (type == DoubleDimensionIndexer.class) {
      return new NumberDimension.Doubles(index);
    }
    if (type == FloatDimensionIndexer.class) {
      return new NumberDimension.Floats(index);
    }
    if (type == AutoTypeColumnIndexer.class) {
      return new AutoDimension(index);
    }
    return new ObjectDimension(index, indexer, rollUp);
  }
}
