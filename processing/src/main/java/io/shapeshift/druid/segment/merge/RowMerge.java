// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import com.google.common.collect.ForwardingList;
import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnMerger;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.IntBuffer;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.logger.Logger;
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
 * The adapters that are merged into a segment, whose rows are merged as by Druid's {@code mergeIndexesAndWriteColumns},
 * but for where they have gone: that is in a file, and only if somebody asks for it.
 *
 * <p>It is a list since Druid hands the adapters on, from where the directory is known to where rows are merged, and a
 * merger is for any number of threads.
 */
final class RowMerge extends ForwardingList<IndexableAdapter> implements Closeable {
  private static final Logger LOG = new Logger(RowMerge.class);
  private static final boolean IS_POSSIBLE = isPossible();

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

  private static boolean isPossible() {
    try {
      DruidRows.check();
      return true;
    } catch (LinkageError e) {
      LOG.warn(e, "Druid merges rows, and keeps on the heap where they go, as its classes are not those of Druid 37");
      return false;
    }
  }

  /** Merges rows by Druid's own way instead, should this Druid have changed what {@link DruidRows} reaches. */
  static boolean isPossible(List<IndexableAdapter> adapters) {
    return IS_POSSIBLE && adapters instanceof RowMerge;
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

  /**
   * Whether a merger asks where rows have gone. Numbers have no indexes, and columns of type {@code auto} make them of
   * merged rows; of mergers of other extensions nobody knows.
   */
  private static boolean needsConversions(DimensionMergerV9 merger) {
    if (merger instanceof ShapeShiftStringDimensionMerger strings) {
      return strings.needsConversions();
    }
    return !(merger instanceof NumericDimensionMergerV9)
        && !(merger instanceof ShapeShiftNumberDimensionMerger)
        && !(merger instanceof ShapeShiftAutoColumnMerger)
        && merger.getClass() != AutoTypeColumnMerger.class;
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
