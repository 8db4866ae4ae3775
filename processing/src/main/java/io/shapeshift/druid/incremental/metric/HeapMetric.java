// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.query.aggregation.Aggregator;
import org.apache.druid.query.aggregation.AggregatorAndSize;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.ColumnSelectorFactory;

/** Metric with an {@link Aggregator} per row on the heap, such as a sketch. */
final class HeapMetric implements Metric {
  private static final int CHUNK_BITS = 10;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final AggregatorFactory factory;
  private final ColumnSelectorFactory selectors;
  /** Aggregators by row number. The outer array is replaced by longer ones; chunks stay. */
  private volatile Aggregator[][] aggregators = {};

  HeapMetric(AggregatorFactory factory, ColumnSelectorFactory selectors) {
    this.factory = factory;
    this.selectors = selectors;
  }

  @Override
  public long init(int row, ByteBuffer chunk, int start) {
    if (row >>> CHUNK_BITS == aggregators.length) {
      final Aggregator[][] more = Arrays.copyOf(aggregators, aggregators.length + 1);
      more[aggregators.length] = new Aggregator[CHUNK];
      aggregators = more;
    }
    final AggregatorAndSize made = factory.factorizeWithSize(selectors);
    final Aggregator former = aggregators[row >>> CHUNK_BITS][row & CHUNK - 1];
    if (former != null) {
      // Left over from a row that was not added because another metric failed.
      former.close();
    }
    aggregators[row >>> CHUNK_BITS][row & CHUNK - 1] = made.getAggregator();
    return made.getInitialSizeBytes() + Integer.BYTES;
  }

  @Override
  public long aggregate(int row, ByteBuffer chunk, int start, InputRow input) {
    return aggregator(row).aggregateWithSize();
  }

  @Override
  public boolean isNull(int row, ByteBuffer chunk, int start) {
    return aggregator(row).isNull();
  }

  @Override
  public long getLong(int row, ByteBuffer chunk, int start) {
    return aggregator(row).getLong();
  }

  @Override
  public float getFloat(int row, ByteBuffer chunk, int start) {
    return aggregator(row).getFloat();
  }

  @Override
  public double getDouble(int row, ByteBuffer chunk, int start) {
    return aggregator(row).getDouble();
  }

  @Override
  @Nullable
  public Object get(int row, ByteBuffer chunk, int start) {
    return aggregator(row).get();
  }

  @Override
  public void close() {
    RuntimeException failure = null;
    for (Aggregator[] chunk : aggregators) {
      for (Aggregator aggregator : chunk) {
        try {
          if (aggregator != null) {
            aggregator.close();
          }
        } catch (RuntimeException e) {
          // The remaining aggregators must be closed as well.
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
    }
    aggregators = new Aggregator[0][];
    if (failure != null) {
      throw failure;
    }
  }

  private Aggregator aggregator(int row) {
    return aggregators[row >>> CHUNK_BITS][row & CHUNK - 1];
  }
}
