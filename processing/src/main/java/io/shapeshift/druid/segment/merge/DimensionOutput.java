// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import java.io.File;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Parameters of {@link DimensionHandler#makeMerger}. */
record DimensionOutput(
    String outputName,
    IndexSpec indexSpec,
    SegmentWriteOutMedium medium,
    ColumnCapabilities capabilities,
    ProgressIndicator progress,
    File segmentBaseDir,
    Closer closer
) {
  /** Creates the merger of a handler. */
  DimensionMergerV9 makeMerger(DimensionHandler<?, ?, ?> handler) {
    return handler.makeMerger(outputName, indexSpec, medium, capabilities, progress, segmentBaseDir, closer);
  }
}
