// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.metric.LostMetrics;
import io.shapeshift.druid.incremental.metric.Metric;
import io.shapeshift.druid.incremental.store.RowStore;
import java.nio.ByteBuffer;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexRow;

/** Adder of inputs: rolls an input up into an existing row, or adds a new row. For the thread that adds rows. */
final class RowAdder {
  /** Heap bytes per row in the order of queries or of a persist. */
  private static final int ORDER_BYTES = Integer.BYTES;
  private static final int NO_ROW = -1;

  private final AggregatorFactory[] factories;
  private final boolean rollUp;
  private final RowStore rows;
  private final Metric[] metrics;
  private final HeapProjections projections;
  private final IndexCapacity capacity;
  private final LostMetrics lostMetrics;
  private final boolean preservesMetrics;

  RowAdder(
      IncrementalIndex index,
      RowStore rows,
      Metric[] metrics,
      HeapProjections projections,
      IndexCapacity capacity,
      LostMetrics lostMetrics,
      boolean preservesMetrics
  ) {
    this.factories = index.getMetricAggs();
    this.rollUp = index.isRollup();
    this.rows = rows;
    this.metrics = metrics;
    this.projections = projections;
    this.capacity = capacity;
    this.lostMetrics = lostMetrics;
    this.preservesMetrics = preservesMetrics;
  }

  /**
   * Adds a row. The store must have its dimensions.
   *
   * @param estimate the estimate of Druid's indexers for the values, plus four bytes for each value
   * @param key the same row in Druid's form; may be null if there are no projections
   */
  void add(
      long timestamp,
      Object[] values,
      long estimate,
      @Nullable IncrementalIndexRow key,
      InputRow input,
      List<String> parseExceptions
  ) {
    if (rows.count() == 0 && !preservesMetrics) {
      lostMetrics.lookFor(factories, input);
    }
    final int hash = rollUp ? rows.hash(timestamp, values) : 0;
    final int prior = rollUp ? rows.find(hash, timestamp, values) : NO_ROW;
    // Allocations that can fail come before any change, except for strings added to dictionaries.
    final int address = prior == NO_ROW ? rows.reserve(values) : 0;
    // Before the row, as in Druid: a query that a projection answers then sees at least the rows of the index.
    if (key != null) {
      projections.add(key, input, parseExceptions, capacity.bytesInMemory());
    }
    if (prior == NO_ROW) {
      rows.write(address, timestamp, values);
      addNew(timestamp, hash, input, parseExceptions);
      capacity.addHeapBytes(rows.uncountedBytes(estimate, values));
    } else {
      capacity.addHeapBytes(aggregate(prior, rows.chunk(prior), rows.start(prior), input, parseExceptions));
    }
    capacity.count();
  }

  /** Initialises the metrics of the written row, and publishes it. */
  private void addNew(long timestamp, int hash, InputRow input, List<String> parseExceptions) {
    final int row = rows.count();
    final ByteBuffer chunk = rows.chunk(row);
    final int start = rows.start(row);
    long bytes = ORDER_BYTES;
    for (Metric metric : metrics) {
      bytes += metric.init(row, chunk, start);
    }
    bytes += aggregate(row, chunk, start, input, parseExceptions);
    rows.publish(hash, timestamp);
    capacity.setDimensionBytes(rows.heapBytes());
    capacity.addHeapBytes(bytes);
  }

  private long aggregate(int row, ByteBuffer chunk, int start, InputRow input, List<String> parseExceptions) {
    long bytes = 0;
    for (Metric metric : metrics) {
      try {
        bytes += metric.aggregate(row, chunk, start, input);
      } catch (ParseException e) {
        if (preservesMetrics) {
          throw e;
        }
        parseExceptions.add(e.getMessage());
      }
    }
    return bytes;
  }
}
