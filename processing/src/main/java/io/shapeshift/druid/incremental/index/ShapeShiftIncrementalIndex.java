// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.index;

import com.google.common.collect.Iterators;
import io.shapeshift.druid.incremental.memory.Arena;
import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.incremental.memory.Readers;
import io.shapeshift.druid.incremental.metric.LostMetrics;
import io.shapeshift.druid.incremental.metric.Metric;
import io.shapeshift.druid.incremental.metric.MetricsBuilder;
import io.shapeshift.druid.incremental.row.StoredRow;
import io.shapeshift.druid.incremental.store.RowStore;
import io.shapeshift.druid.incremental.strings.DirectStringDictionary;
import io.shapeshift.druid.incremental.strings.DirectStringIndexer;
import io.shapeshift.druid.incremental.strings.Texts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedRow;
import org.apache.druid.data.input.Row;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.PostAggregator;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DimensionIndexer;
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
 * An incremental index whose rows are in direct memory: what Druid's {@code OnheapIncrementalIndex} is, with the same
 * rows, values and order, and several times the rows in the same memory.
 *
 * <p>Druid's has rows in an ordered map at all times, though order is wanted only when it is persisted, and by queries
 * as far as the time goes. Here a hash table finds the row to roll up into, and rows are sorted once, by the ranks of
 * their strings, which are in direct memory, too. Aggregators that are not just a number, dictionaries of dimensions of
 * type {@code auto}, and projections stay on the heap, as Druid's own.
 *
 * <p>One thread adds rows, any number of others query meanwhile, with a lock only to look the id of a string up.
 * {@link #close} frees the memory when nobody is reading; who reads afterwards gets an exception.
 */
public final class ShapeShiftIncrementalIndex extends IncrementalIndex {
  /** What the order of rows takes on the heap for each once it is asked for. */
  private static final int ORDER_BYTES = Integer.BYTES;
  private static final int NO_ROW = -1;
  /** What Druid says that a row itself takes, apart from its values: see {@link IncrementalIndexRow}. */
  private static final int STOCK_ROW_BYTES = 3 * Long.BYTES;

  private final int maxRowCount;
  private final long maxBytesInMemory;
  private final LostMetrics lostMetrics;
  private final DirectMemory memory;
  private final Readers readers = new Readers();
  private final Texts texts;
  private final IndexDimensions dimensions;
  private final RowStore rows;
  private final Metric[] metrics;
  private final ShapeShiftFacts facts;
  private final HeapProjections projections;
  private final InputReader inputs = new InputReader();
  private final Granularity queryGranularity;
  private final long minTimestamp;
  /** The latest time of an input that Druid's class was told of. */
  private long maxInputTime = Long.MIN_VALUE;
  /** By name, and with indexers that read rows where they are. */
  private final Map<String, DimensionDesc> storedDimensions = new ConcurrentHashMap<>();
  /** What is on the heap for rows and metrics, apart from dimensions. */
  private long heapBytes;
  /** What is on the heap for dimensions. */
  private long dimensionBytes;
  /** What {@link #getBytesInMemory} has of both, and of direct memory. */
  private long countedBytes;
  @Nullable
  private String outOfRowsReason;

  public ShapeShiftIncrementalIndex(
      IncrementalIndexSchema schema,
      int maxRowCount,
      long maxBytesInMemory,
      boolean preserveExistingMetrics,
      LostMetrics lostMetrics,
      DirectMemory memory
  ) {
    super(schema, preserveExistingMetrics);
    this.maxRowCount = maxRowCount;
    this.maxBytesInMemory = maxBytesInMemory == 0 ? Long.MAX_VALUE : maxBytesInMemory;
    this.lostMetrics = lostMetrics;
    this.memory = memory;
    this.texts = new Texts(memory);
    this.dimensions = new IndexDimensions(
        this,
        schema.getDimensionsSpec().useSchemaDiscovery(),
        this::withDirectMemory
    );
    this.queryGranularity = schema.getQueryGranularity();
    this.minTimestamp = schema.getMinTimestamp();
    MetricsBuilder builder = new MetricsBuilder(getMetricAggs(), preserveExistingMetrics);
    this.rows = new RowStore(memory, isRollup(), builder.directBytes());
    this.metrics = builder.build(rows, aggregator -> makeColumnSelectorFactory(aggregator, inputRowHolder));
    this.facts = new ShapeShiftFacts(rows, readers, isRollup(), timePosition);
    this.projections = new HeapProjections(schema, super::getDimension, this::metricFactory);
  }

  /** A dimension whose indexer has strings in direct memory, if it is Druid's of strings. */
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

  /** Direct memory that the rows and strings of all such indexes of the process take. */
  public static long directBytesOfAll() {
    return DirectMemory.bytesOfAll();
  }

  /** How many such indexes of the process have rows in direct memory. */
  public static long inUse() {
    return DirectMemory.inUse();
  }

  @Override
  protected void initAggs(AggregatorFactory[] metrics, InputRowHolder rowSupplier) {
    // IncrementalIndex calls this before there are any fields; the constructor makes metrics afterwards.
  }

  @Nullable
  private AggregatorFactory metricFactory(String name) {
    MetricDesc description = getMetric(name);
    return description == null ? null : getMetricAggs()[description.getIndex()];
  }

  /**
   * Adds an input. One that names the same dimensions as the one before is read here, as Druid's class does, which adds
   * all others, calling {@link #addToFacts}.
   */
  @Override
  public IncrementalIndexAddResult add(InputRow input) {
    // Only who is inside is safe from a close() meanwhile.
    int ticket = readers.enter();
    try {
      return addInside(input);
    } finally {
      readers.exit(ticket);
    }
  }

  private IncrementalIndexAddResult addInside(InputRow input) {
    InputRow row = formatRow(input);
    boolean isTooEarly = row.getTimestampFromEpoch() < minTimestamp;
    Object[] values = isTooEarly || !projections.isEmpty() ? null : read(row);
    if (values == null) {
      // It may bring up dimensions even if it fails.
      inputs.reset();
      if (!isTooEarly) {
        dimensions.addNew(row);
      }
      IncrementalIndexAddResult result = super.add(input);
      inputs.learn(row, super.getDimensions(), super::getDimension);
      return result;
    }
    inputRowHolder.set(input);
    long timestamp = Math.max(queryGranularity.bucketStart(row.getTimestampFromEpoch()), minTimestamp);
    List<String> parseExceptions = new ArrayList<>();
    add(timestamp, values, inputs.bytes() + (long) Integer.BYTES * values.length, null, input, parseExceptions);
    if (input.getTimestampFromEpoch() > maxInputTime) {
      maxInputTime = input.getTimestampFromEpoch();
      DruidAccess.updateMaxIngestedTime(this, input.getTimestamp());
    }
    ParseException parseException = inputs.failures().isEmpty() && parseExceptions.isEmpty()
        ? null
        : getCombinedParseException(input, inputs.failures(), parseExceptions);
    inputRowHolder.unset();
    return new IncrementalIndexAddResult(rows.count(), getBytesInMemory().get(), parseException);
  }

  /** The values of an input; null if Druid's class is to read it. */
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
    List<String> parseExceptions = new ArrayList<>();
    add(
        key.getTimestamp(),
        key.getDims(),
        key.estimateBytesInMemory() - STOCK_ROW_BYTES,
        key,
        input.getRow(),
        parseExceptions
    );
    return new AddToFactsResult(rows.count(), getBytesInMemory().get(), parseExceptions);
  }

  /**
   * Adds a row.
   *
   * @param estimate what Druid's indexers said that the values take, and four bytes for each value
   * @param key the same row as Druid has it; may be null if there are no projections
   */
  private void add(
      long timestamp,
      Object[] values,
      long estimate,
      @Nullable IncrementalIndexRow key,
      InputRow input,
      List<String> parseExceptions
  ) {
    if (values.length > rows.dimensions().length || rows.count() == 0) {
      takeInDimensions();
    }
    if (rows.count() == 0 && !preserveExistingMetrics) {
      lostMetrics.lookFor(getMetricAggs(), input);
    }
    int hash = isRollup() ? rows.hash(timestamp, values) : 0;
    int prior = isRollup() ? rows.find(hash, timestamp, values) : NO_ROW;
    // Whatever may fail for want of memory does so before anything has changed, but for strings in dictionaries.
    int address = prior == NO_ROW ? rows.reserve(values) : 0;
    // As Druid does: a query that is answered by a projection has at least the rows of the index.
    if (key != null) {
      projections.add(key, input, parseExceptions, getBytesInMemory());
    }
    if (prior == NO_ROW) {
      rows.write(address, timestamp, values);
      addNew(timestamp, hash, input, parseExceptions);
      heapBytes += rows.uncountedBytes(estimate, values);
    } else {
      heapBytes += aggregate(prior, rows.chunk(prior), rows.start(prior), input, parseExceptions);
    }
    count();
  }

  /** Adds the row that was written. */
  private void addNew(long timestamp, int hash, InputRow input, List<String> parseExceptions) {
    int row = rows.count();
    ByteBuffer chunk = rows.chunk(row);
    int start = rows.start(row);
    long bytes = ORDER_BYTES;
    for (Metric metric : metrics) {
      bytes += metric.init(row, chunk, start);
    }
    bytes += aggregate(row, chunk, start, input, parseExceptions);
    rows.publish(hash, timestamp);
    dimensionBytes = rows.heapBytes();
    heapBytes += bytes;
  }

  private long aggregate(int row, ByteBuffer chunk, int start, InputRow input, List<String> parseExceptions) {
    long bytes = 0;
    for (Metric metric : metrics) {
      try {
        bytes += metric.aggregate(row, chunk, start, input);
      } catch (ParseException e) {
        if (preserveExistingMetrics) {
          throw e;
        }
        parseExceptions.add(e.getMessage());
      }
    }
    return bytes;
  }

  private void takeInDimensions() {
    List<DimensionDesc> all = super.getDimensions();
    facts.setDimensions(all);
    rows.setDimensions(all);
  }

  private void count() {
    long bytes = memory.bytes() + heapBytes + dimensionBytes;
    if (bytes != countedBytes) {
      getBytesInMemory().addAndGet(bytes - countedBytes);
      countedBytes = bytes;
    }
  }

  /** Frees the memory of the rows as soon as nobody is reading; whoever reads later gets an exception. */
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
    DimensionDesc description = super.getDimension(dimension);
    if (description == null) {
      return null;
    }
    return stored(description);
  }

  /** All dimensions. Those of strings have their rows at once, where Druid asks what values each row has. */
  @Override
  public List<DimensionDesc> getDimensions() {
    return super.getDimensions().stream()
        .map(each -> each.getIndexer() instanceof DirectStringIndexer ? stored(each) : each)
        .toList();
  }

  private DimensionDesc stored(DimensionDesc description) {
    return storedDimensions.computeIfAbsent(
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
    int ticket = readers.enter();
    try {
      return rows.value(row, dimension, stored);
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public boolean isNull(int rowOffset, int aggOffset) {
    int ticket = readers.enter();
    try {
      int address = rows.address(rowOffset);
      return metrics[aggOffset].isNull(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public long getMetricLongValue(int rowOffset, int aggOffset) {
    int ticket = readers.enter();
    try {
      int address = rows.address(rowOffset);
      return metrics[aggOffset].getLong(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public float getMetricFloatValue(int rowOffset, int aggOffset) {
    int ticket = readers.enter();
    try {
      int address = rows.address(rowOffset);
      return metrics[aggOffset].getFloat(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public double getMetricDoubleValue(int rowOffset, int aggOffset) {
    int ticket = readers.enter();
    try {
      int address = rows.address(rowOffset);
      return metrics[aggOffset].getDouble(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  @Nullable
  public Object getMetricObjectValue(int rowOffset, int aggOffset) {
    int ticket = readers.enter();
    try {
      int address = rows.address(rowOffset);
      return metrics[aggOffset].get(rowOffset, rows.chunkAt(address), Arena.offset(address));
    } finally {
      readers.exit(ticket);
    }
  }

  @Override
  public Iterable<Row> iterableWithPostAggregations(@Nullable List<PostAggregator> postAggs, boolean descending) {
    return () -> {
      Iterator<IncrementalIndexRow> all = facts.iterator(descending);
      // Asked for after the rows, whose dimensions are among them then.
      List<DimensionDesc> descriptions = getDimensions();
      return Iterators.transform(all, row -> toRow(row, descriptions, postAggs));
    };
  }

  private Row toRow(
      IncrementalIndexRow row,
      List<DimensionDesc> dimensions,
      @Nullable List<PostAggregator> postAggregators
  ) {
    Map<String, Object> event = new LinkedHashMap<>();
    Object[] values = row.getDims();
    for (int i = 0; i < values.length; i++) {
      event.put(dimensions.get(i).getName(), actualValue(dimensions.get(i), values[i]));
    }
    for (int i = 0; i < metrics.length; i++) {
      event.put(getMetricAggs()[i].getName(), getMetricObjectValue(row.getRowIndex(), i));
    }
    if (postAggregators != null) {
      for (PostAggregator postAggregator : postAggregators) {
        event.put(postAggregator.getName(), postAggregator.compute(event));
      }
    }
    return new MapBasedRow(row.getTimestamp(), event);
  }

  @Nullable
  @SuppressWarnings({"rawtypes", "unchecked"}) // The value is of the dimension's own type.
  private static Object actualValue(DimensionDesc dimension, @Nullable Object value) {
    DimensionHandler handler = dimension.getHandler();
    if (value == null || handler.getLengthOfEncodedKeyComponent(value) == 0) {
      return null;
    }
    DimensionIndexer indexer = dimension.getIndexer();
    return indexer.convertUnsortedEncodedKeyComponentToActualList(value);
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
    boolean rowsFit = rows.count() < maxRowCount;
    boolean bytesFit = maxBytesInMemory <= 0 || getBytesInMemory().get() < maxBytesInMemory;
    boolean isFull = !rowsFit || !bytesFit || !rows.hasSpace() || !texts.hasSpace();
    if (isFull) {
      outOfRowsReason = reason(rowsFit, bytesFit);
    }
    return !isFull;
  }

  private String reason(boolean rowsFit, boolean bytesFit) {
    // In Druid's words.
    if (!rowsFit && !bytesFit) {
      return StringUtils.format(
          "Maximum number of rows [%d] and maximum size in bytes [%d] reached", maxRowCount, maxBytesInMemory);
    }
    if (!rowsFit) {
      return StringUtils.format("Maximum number of rows [%d] reached", maxRowCount);
    }
    return bytesFit
           ? "No more rows fit into one index"
           : StringUtils.format("Maximum size in bytes [%d] reached", maxBytesInMemory);
  }

  @Override
  @Nullable
  public String getOutOfRowsReason() {
    return outOfRowsReason;
  }
}
