// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import io.shapeshift.druid.incremental.memory.Arena;
import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.incremental.memory.Readers;
import io.shapeshift.druid.incremental.metric.LostMetrics;
import io.shapeshift.druid.incremental.metric.Metric;
import io.shapeshift.druid.incremental.metric.MetricsBuilder;
import io.shapeshift.druid.incremental.store.RowStore;
import io.shapeshift.druid.incremental.strings.DirectStringDictionary;
import io.shapeshift.druid.incremental.strings.DirectStringIndexer;
import io.shapeshift.druid.incremental.strings.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.Row;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.PostAggregator;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.StringDimensionIndexer;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.incremental.FactsHolder;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexAddResult;
import org.apache.druid.segment.incremental.IncrementalIndexRow;
import org.apache.druid.segment.incremental.IncrementalIndexRowSelector;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.projections.QueryableProjection;
import org.apache.druid.utils.CloseableUtils;

/**
 * Incremental index with rows in direct memory, which replaces Druid's {@code OnheapIncrementalIndex}. Rows, values and
 * order are the same, and the same amount of memory holds several times as many rows.
 *
 * <p>Druid's index keeps rows in an ordered map, although only a persist needs their full order, and queries need the
 * order by time. In this index, a hash table finds the row for roll-up, and rows are sorted once, by the ranks of their
 * strings, which are in direct memory as well. Aggregators other than plain numbers, dictionaries of {@code auto}
 * dimensions, and projections stay on the heap, as in Druid.
 *
 * <p>One thread adds rows while other threads query; only a look-up of a string's id takes a lock. {@link #close} frees
 * the memory when no thread reads it. Later reads fail with an exception.
 */
public final class ShapeShiftIncrementalIndex extends IncrementalIndex {
  /** Druid's estimate for a row without its values: see {@link IncrementalIndexRow}. */
  private static final int STOCK_ROW_BYTES = 3 * Long.BYTES;

  private final DirectMemory memory;
  private final Readers readers = new Readers();
  private final Texts texts;
  private final IndexDimensions dimensions;
  private final RowStore rows;
  private final Metric[] metrics;
  private final ShapeShiftFacts facts;
  private final StoredDimensions storedDimensions;
  private final HeapProjections projections;
  private final IndexCapacity capacity;
  private final RowAdder adder;
  private final InputReader inputs = new InputReader();
  private final Granularity queryGranularity;
  private final long minTimestamp;
  /** Latest time of an input that was passed to Druid's class. */
  private long maxInputTime = Long.MIN_VALUE;

  /**
   * Creates an index without rows.
   *
   * @param maxBytesInMemory limit in a tuningConfig; no limit if it is 0 or less
   * @param lostMetrics the warning that all indexes of a task share
   */
  public ShapeShiftIncrementalIndex(
      IncrementalIndexSchema schema,
      int maxRowCount,
      long maxBytesInMemory,
      boolean preserveExistingMetrics,
      LostMetrics lostMetrics,
      DirectMemory memory
  ) {
    super(schema, preserveExistingMetrics);
    this.memory = memory;
    this.texts = new Texts(memory);
    this.dimensions = new IndexDimensions(
        this,
        schema.getDimensionsSpec().useSchemaDiscovery(),
        this::withDirectMemory
    );
    this.queryGranularity = schema.getQueryGranularity();
    this.minTimestamp = schema.getMinTimestamp();
    final MetricsBuilder builder = new MetricsBuilder(getMetricAggs(), preserveExistingMetrics);
    this.rows = new RowStore(memory, isRollup(), builder.directBytes());
    this.metrics = builder.build(rows, aggregator -> makeColumnSelectorFactory(aggregator, inputRowHolder));
    this.facts = new ShapeShiftFacts(rows, readers, isRollup(), timePosition);
    this.storedDimensions = new StoredDimensions(rows, readers, facts);
    this.projections = new HeapProjections(schema, super::getDimension, this::metricFactory);
    this.capacity = new IndexCapacity(maxRowCount, maxBytesInMemory, memory, getBytesInMemory());
    this.adder = new RowAdder(this, rows, metrics, projections, capacity, lostMetrics, preserveExistingMetrics);
  }

  /** Replaces a Druid string indexer by one in direct memory. Other dimensions are returned unchanged. */
  private DimensionDesc withDirectMemory(DimensionDesc description) {
    if (description.getIndexer().getClass() != StringDimensionIndexer.class) {
      return description;
    }
    return new DimensionDesc(
        description.getIndex(),
        description.getName(),
        description.getHandler(),
        DirectStringIndexer.of(
            (StringDimensionIndexer) description.getIndexer(),
            description.getHandler().getMultivalueHandling(),
            new DirectStringDictionary(memory, texts),
            readers
        )
    );
  }

  @Override
  protected void initAggs(AggregatorFactory[] metrics, InputRowHolder rowSupplier) {
    // IncrementalIndex calls this in its constructor, before the fields of this class are set. The constructor of this
    // class creates the metrics.
  }

  @Nullable
  private AggregatorFactory metricFactory(String name) {
    final MetricDesc description = getMetric(name);
    return description == null ? null : getMetricAggs()[description.getIndex()];
  }

  /**
   * Adds an input. If it has the same dimension names as the previous one, it is read here, as in Druid. Otherwise
   * Druid's class reads it, and calls {@link #addToFacts}.
   */
  @Override
  public IncrementalIndexAddResult add(InputRow input) {
    // A concurrent close() waits for the exit.
    final int ticket = readers.enter();
    try {
      return addInside(input);
    } finally {
      readers.exit(ticket);
    }
  }

  private IncrementalIndexAddResult addInside(InputRow input) {
    final InputRow row = formatRow(input);
    final boolean isTooEarly = row.getTimestampFromEpoch() < minTimestamp;
    final Object[] values = isTooEarly || !projections.isEmpty() ? null : read(row);
    if (values == null) {
      // An input that failed may also have added dimensions.
      inputs.reset();
      if (!isTooEarly) {
        dimensions.addNew(row);
      }
      final IncrementalIndexAddResult result = super.add(input);
      inputs.learn(row, super.getDimensions(), super::getDimension);
      return result;
    }
    inputRowHolder.set(input);
    final long timestamp = Math.max(queryGranularity.bucketStart(row.getTimestampFromEpoch()), minTimestamp);
    final List<String> parseExceptions = new ArrayList<>();
    takeInDimensions(values);
    adder.add(timestamp, values, inputs.bytes() + (long) Integer.BYTES * values.length, null, input, parseExceptions);
    if (input.getTimestampFromEpoch() > maxInputTime) {
      maxInputTime = input.getTimestampFromEpoch();
      DruidAccess.updateMaxIngestedTime(this, input.getTimestamp());
    }
    final ParseException parseException = inputs.failures().isEmpty() && parseExceptions.isEmpty()
        ? null
        : getCombinedParseException(input, inputs.failures(), parseExceptions);
    inputRowHolder.unset();
    return new IncrementalIndexAddResult(rows.count(), getBytesInMemory().get(), parseException);
  }

  /** Values of an input; null if Druid's class must read it. */
  @Nullable
  private Object[] read(InputRow row) {
    return inputs.isForLock() ? dimensions.locked(() -> inputs.read(row)) : inputs.read(row);
  }

  @Override
  public void loadDimensionIterable(Iterable<String> oldDimensionOrder, Map<String, ColumnFormat> oldColumnFormats) {
    inputs.reset();
    dimensions.load(() -> super.loadDimensionIterable(oldDimensionOrder, oldColumnFormats));
  }

  @Override
  protected AddToFactsResult addToFacts(IncrementalIndexRow key, InputRowHolder input) {
    final List<String> parseExceptions = new ArrayList<>();
    takeInDimensions(key.getDims());
    adder.add(
        key.getTimestamp(),
        key.getDims(),
        key.estimateBytesInMemory() - STOCK_ROW_BYTES,
        key,
        input.getRow(),
        parseExceptions
    );
    return new AddToFactsResult(rows.count(), getBytesInMemory().get(), parseExceptions);
  }

  /** Adds the new dimensions of a row to the store. */
  private void takeInDimensions(Object[] values) {
    if (values.length > rows.dimensions().length || rows.count() == 0) {
      final List<DimensionDesc> all = super.getDimensions();
      facts.setDimensions(all);
      rows.setDimensions(all);
    }
  }

  /** Frees the memory of rows as soon as no thread reads it. Later reads fail with an exception. */
  @Override
  public void close() {
    super.close();
    readers.close(() -> {
      final Closer closer = Closer.create();
      closer.register(memory::freeAll);
      for (Metric metric : metrics) {
        closer.register(metric::close);
      }
      CloseableUtils.closeAndWrapExceptions(closer);
    });
  }

  @Override
  public FactsHolder getFacts() {
    return facts;
  }

  @Override
  public boolean isEmpty() {
    return rows.count() == 0;
  }

  @Override
  public int numRows() {
    return rows.count();
  }

  @Override
  public int getLastRowIndex() {
    return rows.count() - 1;
  }

  @Override
  @Nullable
  public DimensionDesc getDimension(String dimension) {
    final DimensionDesc description = super.getDimension(dimension);
    return description == null ? null : storedDimensions.of(description);
  }

  /**
   * All dimensions. A string dimension gets a {@link StoredIndexer}, because Druid asks the indexer of a dimension for
   * the rows of each value.
   */
  @Override
  public List<DimensionDesc> getDimensions() {
    return super.getDimensions().stream()
        .map(each -> each.getIndexer() instanceof DirectStringIndexer ? storedDimensions.of(each) : each)
        .toList();
  }

  @Override
  public boolean isNull(int rowOffset, int aggOffset) {
    final int ticket = readers.enter();
    try {
      final int address = rows.address(rowOffset);
      return metrics[aggOffset].isNull(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public long getMetricLongValue(int rowOffset, int aggOffset) {
    final int ticket = readers.enter();
    try {
      final int address = rows.address(rowOffset);
      return metrics[aggOffset].getLong(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public float getMetricFloatValue(int rowOffset, int aggOffset) {
    final int ticket = readers.enter();
    try {
      final int address = rows.address(rowOffset);
      return metrics[aggOffset].getFloat(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public double getMetricDoubleValue(int rowOffset, int aggOffset) {
    final int ticket = readers.enter();
    try {
      final int address = rows.address(rowOffset);
      return metrics[aggOffset].getDouble(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  @Nullable
  public Object getMetricObjectValue(int rowOffset, int aggOffset) {
    final int ticket = readers.enter();
    try {
      final int address = rows.address(rowOffset);
      return metrics[aggOffset].get(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public Iterable<Row> iterableWithPostAggregations(@Nullable List<PostAggregator> postAggs, boolean descending) {
    return MapRows.of(this, postAggs, descending);
  }

  @Override
  public Metadata getMetadata() {
    return projections.addTo(super.getMetadata());
  }

  @Override
  @Nullable
  public QueryableProjection<IncrementalIndexRowSelector> getProjection(CursorBuildSpec buildSpec) {
    return projections.find(buildSpec, this);
  }

  @Override
  @Nullable
  public IncrementalIndexRowSelector getProjection(String name) {
    return projections.get(name);
  }

  @Override
  public boolean canAppendRow() {
    return capacity.hasRoom(rows.count(), rows.hasSpace() && texts.hasSpace());
  }

  @Override
  @Nullable
  public String getOutOfRowsReason() {
    return capacity.outOfRowsReason();
  }
}
