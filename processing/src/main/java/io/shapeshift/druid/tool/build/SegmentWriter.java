// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.build;

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
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.parsers.ParseException;
import org.apache.druid.java.util.common.parsers.UnparseableColumnsParseException;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.joda.time.Interval;

/**
 * Writes one segment as Druid's ingestion does: rows are collected in memory, spilled as small segments, and these
 * merged at the end.
 */
final class SegmentWriter implements Closeable {
  /** Of what rows in memory take by Druid's estimate; constant, so that the same rows spill on any machine. */
  private static final long MAX_BYTES_IN_MEMORY = 100_000_000;
  /** Of the spills that are merged at once: each column that is open takes memory. */
  private static final int MAX_COLUMNS_TO_MERGE = 2_000;
  /** Spills are read once and soon: without compression, and so without buffers for it. */
  private static final IndexSpec SPILL_SPEC = IndexSpec.builder()
      .withDimensionCompression(CompressionStrategy.UNCOMPRESSED)
      .withMetricCompression(CompressionStrategy.UNCOMPRESSED)
      .build();

  private final IncrementalIndexSchema schema;
  private final IndexSpec indexSpec;
  private final IndexMerger merger;
  private final int maxRowsInMemory;
  private final Path work;
  private final List<Path> spills = new ArrayList<>();
  private int numDirectories;
  private IncrementalIndex rows;

  /**
   * Starts without rows.
   *
   * @param indexSpec       of the segment
   * @param version         of the segment, 9 or 10
   * @param maxRowsInMemory rows that are collected before they are spilled
   * @param work            directory for spills, which is the writer's alone
   */
  SegmentWriter(IncrementalIndexSchema schema, IndexSpec indexSpec, int version, int maxRowsInMemory, Path work) {
    this.schema = schema;
    this.indexSpec = indexSpec;
    this.merger = Druid.merger(version);
    this.maxRowsInMemory = maxRowsInMemory;
    this.work = work;
    this.rows = newRows();
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
  String add(InputRow row) throws IOException {
    if (!rows.canAppendRow()) {
      final Path spill = newDirectory();
      persist(spill, SPILL_SPEC);
      spills.add(spill);
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

  private void persist(Path directory, IndexSpec spec) throws IOException {
    try (IncrementalIndex finished = rows) {
      final Interval interval = new Interval(
          finished.getMinTime(),
          schema.getQueryGranularity().increment(finished.getMaxTime())
      );
      merger.persist(finished, interval, directory.toFile(), spec, null);
    }
  }

  private Path newDirectory() {
    return work.resolve(String.valueOf(numDirectories++));
  }

  /**
   * Writes the segment; there must be rows, and no more may be added.
   *
   * @param directory does not exist, or is empty
   */
  void finish(Path directory) throws IOException {
    if (spills.isEmpty()) {
      persist(directory, indexSpec);
      return;
    }
    final Path last = newDirectory();
    persist(last, SPILL_SPEC);
    spills.add(last);

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
          merged.add(merge(group, newDirectory(), SPILL_SPEC));
        }
      }
      parts = merged;
    }
    merge(parts, directory, indexSpec);
  }

  private Path merge(List<Path> parts, Path directory, IndexSpec spec) throws IOException {
    try (Closer closer = Closer.create()) {
      final List<QueryableIndex> indexes = new ArrayList<>();
      for (Path part : parts) {
        indexes.add(closer.register(Druid.instance(IndexIO.class).loadIndex(part.toFile())));
      }
      merger.mergeQueryableIndex(
          indexes,
          schema.isRollup(),
          schema.getMetrics(),
          schema.getDimensionsSpec(),
          directory.toFile(),
          spec,
          spec,
          new BaseProgressIndicator(),
          null,
          IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE
      );
    }
    for (Path part : parts) {
      FileUtils.deleteDirectory(part.toFile());
    }
    return directory;
  }

  @Override
  public void close() {
    rows.close();
  }
}
