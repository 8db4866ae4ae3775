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
 * Writes one segment as Druid's ingestion does: rows are collected in memory, spilled as small segments, and these
 * merged at the end.
 */
public final class SegmentWriter implements Closeable {
  /** The version of the segment's format that Druid writes by default. */
  public static final int VERSION = 9;
  /** Rows that are collected before they are spilled, unless someone knows better. */
  public static final int MAX_ROWS_IN_MEMORY = 100_000;

  /** Of what rows in memory take by Druid's estimate; constant, so that the same rows spill on any machine. */
  private static final long MAX_BYTES_IN_MEMORY = 100_000_000;
  /** Of the spills that are merged at once: each column that is open takes memory. */
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
   * Starts without rows.
   *
   * @param schema          of the rows, which are added with their times
   * @param indexSpec       of the segment
   * @param version         of the segment, 9 or 10
   * @param maxRowsInMemory rows that are collected before they are spilled
   * @param work            directory for spills, which is the writer's alone
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
   * The spec of spills, which are read once and soon: without compression, and so without buffers for it. A merge takes
   * the format of nested and {@code auto} columns from the segments that it merges, not from its spec, so that of the
   * final segment is in the spills already.
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
   * @return what an aggregator cannot read of it, or null if there is no such thing
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

  /** From the first time to the last, which is within. */
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
   * Writes the segment; there must be rows, and no more may be added.
   *
   * @param directory does not exist, or is empty
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
   * A spill with the interval of the segment that it becomes a part of. Spills themselves all have the same one:
   * rows of projections without a time have its start for a time, and only rows of the same time are combined.
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
