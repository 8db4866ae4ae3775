// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import com.google.common.collect.ForwardingList;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.IntBuffer;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.AutoTypeColumnMerger;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.NumericDimensionMergerV9;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.RowPointer;
import org.apache.druid.segment.TimeAndDimsIterator;
import org.apache.druid.segment.TimeAndDimsPointer;

/**
 * The adapters that are merged into a segment, whose rows are merged as by Druid, but for where they have gone: that is
 * in a file, and only if somebody asks for it.
 */
final class RowMerge extends ForwardingList<IndexableAdapter> implements Closeable {
  private final List<IndexableAdapter> adapters;
  private final File directory;
  private final Closer closer = Closer.create();

  /**
   * Merges nothing yet.
   *
   * @param directory that of the segment
   */
  RowMerge(List<IndexableAdapter> adapters, File directory) {
    this.adapters = adapters;
    this.directory = directory;
  }

  @Override
  protected List<IndexableAdapter> delegate() {
    return adapters;
  }

  /**
   * Gives all rows to the writers of their columns.
   *
   * @param rows the merged rows, of Druid's iterators
   * @return Druid's {@code IndexMergeResult}
   * @throws IOException if something cannot be written
   */
  @SuppressWarnings("rawtypes") // as Druid has it
  Object merge(
      ProgressIndicator progress,
      TimeAndDimsIterator rows,
      GenericColumnSerializer timeWriter,
      List<GenericColumnSerializer> metricWriters,
      List<DimensionMergerV9> mergers
  ) throws IOException {
    final String section = "walk through and merge rows";
    progress.startSection(section);
    @Nullable final RowConversions conversions = mergers.stream().anyMatch(RowMerge::needsConversions)
        ? closer.register(
            new RowConversions(directory, adapters.stream().mapToInt(IndexableAdapter::getNumRows).toArray()))
        : null;
    int count = 0;
    while (rows.moveToNext()) {
      progress.progress();
      final TimeAndDimsPointer row = rows.getPointer();
      write(row, timeWriter, metricWriters, mergers);
      if (conversions != null) {
        convert(rows, row, count, conversions);
      }
      count++;
    }
    @Nullable final List<IntBuffer> completed = conversions == null ? null : conversions.complete();
    progress.stopSection(section);
    return DruidRows.result(completed, count);
  }

  /** Whether the indexes of a column are merged by their rows, as Druid's are; ours are made of merged rows. */
  private static boolean needsConversions(DimensionMergerV9 merger) {
    return merger instanceof ShapeShiftStringDimensionMerger strings
           ? !strings.invertsRows()
           : !(merger instanceof NumericDimensionMergerV9) && !(merger instanceof AutoTypeColumnMerger);
  }

  @SuppressWarnings({"rawtypes", "unchecked"}) // as Druid has it
  private static void write(
      TimeAndDimsPointer row,
      GenericColumnSerializer timeWriter,
      List<GenericColumnSerializer> metricWriters,
      List<DimensionMergerV9> mergers
  ) throws IOException {
    timeWriter.serialize(DruidRows.time(row));
    final int metrics = row.getNumMetrics();
    for (int metric = 0; metric < metrics; metric++) {
      metricWriters.get(metric).serialize(DruidRows.metric(row, metric));
    }
    final int dimensions = DruidRows.dimensions(row);
    for (int dimension = 0; dimension < dimensions; dimension++) {
      final DimensionMergerV9 merger = mergers.get(dimension);
      if (!merger.hasOnlyNulls()) {
        merger.processMergedRow(DruidRows.dimension(row, dimension));
      }
    }
  }

  private static void convert(
      TimeAndDimsIterator rows,
      TimeAndDimsPointer row,
      int mergedRow,
      RowConversions conversions
  ) throws IOException {
    if (DruidRows.isMerging(rows)) {
      final RowPointer merged = (RowPointer) row;
      conversions.put(DruidRows.adapter(merged), merged.getRowNum(), mergedRow);
    } else if (DruidRows.isCombining(rows)) {
      for (int adapter = DruidRows.nextCombined(rows, 0);
           adapter >= 0;
           adapter = DruidRows.nextCombined(rows, adapter + 1)) {
        final int last = DruidRows.lastRow(rows, adapter);
        for (int combined = DruidRows.firstRow(rows, adapter); combined <= last; combined++) {
          conversions.put(adapter, combined, mergedRow);
        }
      }
    } else {
      throw new IllegalStateException("Rows are merged by neither of Druid's iterators, but by " + rows.getClass());
    }
  }

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
