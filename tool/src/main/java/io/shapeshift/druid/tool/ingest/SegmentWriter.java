// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.collect.Iterables;
import com.google.common.collect.Lists;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.JodaUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.java.util.common.parsers.UnparseableColumnsParseException;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexIndexableAdapter;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.joda.time.Interval;

/**
 * Writer of one segment, as in Druid's ingestion: rows are collected in memory, spilled as small segments, and merged
 * at the end.
 */
public final class SegmentWriter implements Closeable {
  /** Segment version that Druid writes by default. */
  public static final int VERSION = 9;
  /** Default number of rows in memory before a spill. */
  public static final int MAX_ROWS_IN_MEMORY = 100_000;

  /** Maximum size of rows in memory by Druid's estimate. A constant, so that the same rows spill on any machine. */
  private static final long MAX_BYTES_IN_MEMORY = 100_000_000;
  /** Maximum number of columns of the spills that are merged at once. Each open column uses memory. */
  private static final int MAX_COLUMNS_TO_MERGE = 2_000;

  private final IncrementalIndexSchema schema;
  private final IndexSpec indexSpec;
  private final IndexSpec spillSpec;
  private final IndexMerger merger;
  private final int maxRowsInMemory;
  private final Path work;
  private final List<Path> spills = new ArrayList<>();
  private int numDirectories;
  private long minTime = JodaUtils.MAX_INSTANT;
  private long maxTime = JodaUtils.MIN_INSTANT;
  private IncrementalIndex rows;

  /**
   * Creates a writer without rows.
   *
   * @param schema          schema of the rows
   * @param indexSpec       indexSpec of the segment
   * @param version         version of the segment, 9 or 10
   * @param maxRowsInMemory number of rows in memory before a spill
   * @param work            directory for spills, used only by this writer
   */
  public SegmentWriter(
      IncrementalIndexSchema schema,
      IndexSpec indexSpec,
      int version,
      int maxRowsInMemory,
      Path work
  ) {
    this.schema = schema;
    this.indexSpec = indexSpec;
    this.spillSpec = spillSpec(indexSpec);
    this.merger = Druid.merger(version);
    this.maxRowsInMemory = maxRowsInMemory;
    this.work = work;
    this.rows = newRows();
  }

  /**
   * IndexSpec of spills. They are read once and soon, so they are not compressed, and need no buffers for that. A merge
   * takes the format of nested and {@code auto} columns from its inputs instead of its indexSpec. So spills already
   * have the format of the final segment.
   */
  private static IndexSpec spillSpec(IndexSpec ofSegment) {
    final IndexSpec effective = ofSegment.getEffectiveSpec();
    return IndexSpec.builder()
        .withDimensionCompression(CompressionStrategy.UNCOMPRESSED)
        .withMetricCompression(CompressionStrategy.UNCOMPRESSED)
        .withBitmapSerdeFactory(effective.getBitmapSerdeFactory())
        .withAutoColumnFormatSpec(NestedCommonFormatColumnFormatSpec.getEffectiveFormatSpec(null, effective))
        .build();
  }

  private IncrementalIndex newRows() {
    return new OnheapIncrementalIndex.Builder()
        .setIndexSchema(schema)
        .setMaxRowCount(maxRowsInMemory)
        .setMaxBytesInMemory(MAX_BYTES_IN_MEMORY)
        .build();
  }

  /**
   * Adds a row.
   *
   * @return message about a value that an aggregator cannot read, or null
   */
  @Nullable
  public String add(InputRow row) throws IOException {
    if (!rows.canAppendRow()) {
      spill();
      rows = newRows();
    }
    @Nullable final ParseException unread = rows.add(row).getParseException();
    if (unread == null) {
      return null;
    }
    return unread instanceof UnparseableColumnsParseException columns
           ? columns.getColumnExceptionMessages().get(0)
           : unread.getMessage();
  }

  private void spill() throws IOException {
    final Path spill = newDirectory();
    try (IncrementalIndex spilled = rows) {
      extend(spilled);
      merger.persist(spilled, Intervals.ETERNITY, spill.toFile(), spillSpec, null);
    }
    spills.add(spill);
  }

  private void extend(IncrementalIndex index) {
    minTime = Math.min(minTime, index.getMinTime().getMillis());
    maxTime = Math.max(maxTime, index.getMaxTime().getMillis());
  }

  /** Interval from the first time to the last, inclusive. */
  private Interval interval() {
    return new Interval(
        DateTimes.utc(minTime),
        schema.getQueryGranularity().increment(DateTimes.utc(maxTime))
    );
  }

  private Path newDirectory() {
    return work.resolve(String.valueOf(numDirectories++));
  }

  /**
   * Writes the segment. There must be rows, and none can be added afterwards.
   *
   * @param directory directory of the segment; must not exist, or must be empty
   */
  public void finish(Path directory) throws IOException {
    if (spills.isEmpty()) {
      extend(rows);
      merger.persist(rows, interval(), directory.toFile(), indexSpec, null);
      return;
    }
    spill();
    List<Path> parts = spills;
    final int columns =
        1 + schema.getDimensionsSpec().getDimensions().size() + schema.getMetrics().length;
    final int partsAtOnce = Math.max(2, MAX_COLUMNS_TO_MERGE / columns);
    while (parts.size() > partsAtOnce) {
      final List<Path> merged = new ArrayList<>();
      for (List<Path> group : Lists.partition(parts, partsAtOnce)) {
        if (group.size() == 1) {
          merged.add(Iterables.getOnlyElement(group));
        } else {
          merged.add(merge(group, Intervals.ETERNITY, newDirectory(), spillSpec));
        }
      }
      parts = merged;
    }
    merge(parts, interval(), directory, indexSpec);
  }

  private Path merge(List<Path> parts, Interval interval, Path directory, IndexSpec spec) throws IOException {
    try (Closer closer = Closer.create()) {
      final List<IndexableAdapter> adapters = new ArrayList<>();
      for (Path part : parts) {
        adapters.add(new Part(closer.register(Druid.instance(IndexIO.class).loadIndex(part.toFile())), interval));
      }
      merger.merge(
          adapters,
          schema.isRollup(),
          schema.getMetrics(),
          directory.toFile(),
          schema.getDimensionsSpec(),
          spec,
          IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE
      );
    }
    for (Path part : parts) {
      FileUtils.deleteDirectory(part.toFile());
    }
    return directory;
  }

  /**
   * Spill with the interval of the final segment. All spills must have the same interval: a row of a projection without
   * a time gets the start of the interval as its time, and only rows with equal times are combined.
   */
  private static final class Part extends QueryableIndexIndexableAdapter {
    private final Interval interval;

    Part(QueryableIndex index, Interval interval) {
      super(index);
      this.interval = interval;
    }

    @Override
    public Interval getDataInterval() {
      return interval;
    }
  }

  @Override
  public void close() {
    rows.close();
  }
}
