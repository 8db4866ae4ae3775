// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.metrics.WrittenSegment;
import java.io.File;
import java.io.IOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;

/**
 * Steps around the writing of a merged segment that are the same for V9 and V10.
 *
 * @param version    9 or 10
 * @param adapters   the segments that are merged, undecorated
 * @param metadata   metadata of the merged segment
 * @param dimensions names of the base table's dimensions
 * @param metrics    names of the base table's metrics
 * @param indexSpec  {@link IndexSpec#getEffectiveSpec() effective}
 * @param directory  directory of the merged segment
 */
record MergedSegment(
    int version,
    List<IndexableAdapter> adapters,
    @Nullable Metadata metadata,
    List<String> dimensions,
    List<String> metrics,
    IndexSpec indexSpec,
    File directory
) {
  private static final Logger LOG = new Logger(MergedSegment.class);

  /** The superclass's way to write the files of a segment. */
  @FunctionalInterface
  interface StockWriter {
    File write() throws IOException;
  }

  /**
   * Checks names of files, writes the segment and its checksums, and logs a summary.
   *
   * @return directory of the segment
   */
  File write(StockWriter stock) throws IOException {
    SegmentFileNames.requireDistinct(version, adapters, metadata, dimensions, metrics);
    ColumnEntries.warn(adapters, indexSpec);
    try (WrittenSegment summary = WrittenSegment.start()) {
      final File segment = stock.write();
      SegmentSummary.writeChecksums(summary, segment);
      LOG.info("Segment[%s] is written: %s", directory, summary.complete());
      return segment;
    }
  }
}
