// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import io.shapeshift.druid.incremental.store.RowStore;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.BufferAggregator;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.FilteredAggregatorFactory;
import org.apache.druid.query.aggregation.SimpleDoubleAggregatorFactory;
import org.apache.druid.query.aggregation.SimpleFloatAggregatorFactory;
import org.apache.druid.query.aggregation.SimpleLongAggregatorFactory;
import org.apache.druid.query.aggregation.SuppressedAggregatorFactory;
import org.apache.druid.query.aggregation.any.DoubleAnyAggregatorFactory;
import org.apache.druid.query.aggregation.any.FloatAnyAggregatorFactory;
import org.apache.druid.query.aggregation.any.LongAnyAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.DoubleFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.FloatFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.LongFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.DoubleLastAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.FloatLastAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.LongLastAggregatorFactory;
import org.apache.druid.segment.ColumnSelectorFactory;

/** Metric stored in the row itself. One Druid {@link BufferAggregator} serves all rows. */
final class DirectMetric implements Metric {
  /**
   * Maximum size of a metric in bytes: a long or double, and up to eight bytes for an aggregator's flag, such as null
   * or found.
   */
  private static final int MAX_BYTES = 2 * Long.BYTES;

  private final AggregatorFactory factory;
  private final ColumnSelectorFactory selectors;
  private final RowStore rows;
  private final int metric;
  /** Created with the first row, when Druid creates the aggregators of a row. */
  private BufferAggregator aggregator;
  private int place;

  /**
   * Creates a metric.
   *
   * @param metric position among the metrics that are stored in rows
   */
  DirectMetric(AggregatorFactory factory, ColumnSelectorFactory selectors, RowStore rows, int metric) {
    this.factory = factory;
    this.selectors = selectors;
    this.rows = rows;
    this.metric = metric;
  }

  /**
   * Whether a metric can be stored in rows: a number, or a number and its time, whose aggregator keeps no other state.
   * Some other aggregators give different results in a buffer than on the heap: the expression aggregator for null, and
   * that of {@code hyperUnique}, which has no null. Others have a state that all rows would share, or one whose largest
   * size is many times the usual one, as sketches have.
   */
  static boolean isPossible(AggregatorFactory factory) {
    return isTimed(factory)
        || (hasNothingElse(factory)
            && factory.getIntermediateType().isNumeric()
            && factory.getMaxIntermediateSizeWithNulls() <= MAX_BYTES);
  }

  /** Whether a metric is a number with its time, of which readers may see one half before the other. */
  static boolean isTimed(AggregatorFactory factory) {
    final AggregatorFactory inner = inner(factory);
    return inner instanceof LongFirstAggregatorFactory
        || inner instanceof DoubleFirstAggregatorFactory
        || inner instanceof FloatFirstAggregatorFactory
        || inner instanceof LongLastAggregatorFactory
        || inner instanceof DoubleLastAggregatorFactory
        || inner instanceof FloatLastAggregatorFactory;
  }

  private static boolean hasNothingElse(AggregatorFactory factory) {
    final AggregatorFactory inner = inner(factory);
    return inner instanceof CountAggregatorFactory
        || inner instanceof SimpleLongAggregatorFactory
        || inner instanceof SimpleDoubleAggregatorFactory
        || inner instanceof SimpleFloatAggregatorFactory
        || inner instanceof LongAnyAggregatorFactory
        || inner instanceof DoubleAnyAggregatorFactory
        || inner instanceof FloatAnyAggregatorFactory;
  }

  /** Returns the aggregator that others wrap, which add no state. */
  private static AggregatorFactory inner(AggregatorFactory factory) {
    if (factory instanceof FilteredAggregatorFactory filtered) {
      return inner(filtered.getAggregator());
    }
    return factory instanceof SuppressedAggregatorFactory suppressed ? inner(suppressed.getDelegate()) : factory;
  }

  @Override
  public long init(int row, ByteBuffer chunk, int start) {
    if (aggregator == null) {
      place = rows.metric(metric);
      aggregator = factory.factorizeBuffered(selectors);
    }
    aggregator.init(chunk, start + place);
    return 0;
  }

  @Override
  public long aggregate(int row, ByteBuffer chunk, int start, InputRow input) {
    aggregator.aggregate(chunk, start + place);
    return 0;
  }

  @Override
  public boolean isNull(int row, ByteBuffer chunk, int start) {
    return aggregator.isNull(chunk, start + place);
  }

  @Override
  public long getLong(int row, ByteBuffer chunk, int start) {
    return aggregator.getLong(chunk, start + place);
  }

  @Override
  public float getFloat(int row, ByteBuffer chunk, int start) {
    return aggregator.getFloat(chunk, start + place);
  }

  @Override
  public double getDouble(int row, ByteBuffer chunk, int start) {
    return aggregator.getDouble(chunk, start + place);
  }

  @Override
  @Nullable
  public Object get(int row, ByteBuffer chunk, int start) {
    return aggregator.get(chunk, start + place);
  }

  @Override
  public void close() {
    if (aggregator != null) {
      aggregator.close();
    }
  }
}
