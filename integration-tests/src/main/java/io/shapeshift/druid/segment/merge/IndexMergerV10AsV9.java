// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.TimeAndDimsIterator;
import org.apache.druid.segment.TransformableRowIterator;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;

/**
 * Writes V10 segments where a test asks for V9. It is in this package because the method that writes the files is
 * protected. Segments without metadata become V9, because Druid's V10 refuses them.
 */
public final class IndexMergerV10AsV9 extends IndexMergerV9 {
  private final ShapeShiftIndexMergerV9 v9;
  private final ShapeShiftIndexMergerV10 v10;

  /** Makes a merger; the parameters are Druid's. */
  public IndexMergerV10AsV9(
      ObjectMapper mapper,
      IndexIO indexIO,
      SegmentWriteOutMediumFactory segmentWriteOutMediumFactory,
      boolean storeEmptyColumns
  ) {
    super(mapper, indexIO, segmentWriteOutMediumFactory, storeEmptyColumns);
    this.v9 = new ShapeShiftIndexMergerV9(mapper, indexIO, segmentWriteOutMediumFactory, storeEmptyColumns);
    this.v10 = new ShapeShiftIndexMergerV10(mapper, indexIO, segmentWriteOutMediumFactory);
  }

  @Override
  protected File merge(
      List<IndexableAdapter> indexes,
      boolean rollup,
      AggregatorFactory[] metricAggs,
      @Nullable DimensionsSpec dimensionsSpec,
      File outDir,
      IndexSpec indexSpec,
      ProgressIndicator progress,
      @Nullable SegmentWriteOutMediumFactory segmentWriteOutMediumFactory
  ) throws IOException {
    return super.merge(
        ShapeShiftAdapter.wrap(indexes, dimensionsSpec),
        rollup,
        metricAggs,
        dimensionsSpec,
        outDir,
        indexSpec,
        progress,
        segmentWriteOutMediumFactory
    );
  }

  @Override
  protected File makeIndexFiles(
      List<IndexableAdapter> adapters,
      @Nullable Metadata segmentMetadata,
      File outDir,
      ProgressIndicator progress,
      List<String> mergedDimensionsWithTime,
      DimensionsSpecInspector dimensionsSpecInspector,
      List<String> mergedMetrics,
      Function<List<TransformableRowIterator>, TimeAndDimsIterator> rowMergerFn,
      IndexSpec indexSpec,
      @Nullable SegmentWriteOutMediumFactory segmentWriteOutMediumFactory
  ) throws IOException {
    if (segmentMetadata == null) {
      return v9.makeIndexFiles(
          adapters,
          null,
          outDir,
          progress,
          mergedDimensionsWithTime,
          dimensionsSpecInspector,
          mergedMetrics,
          rowMergerFn,
          indexSpec,
          segmentWriteOutMediumFactory
      );
    }
    return v10.makeIndexFiles(
        adapters,
        segmentMetadata,
        outDir,
        progress,
        mergedDimensionsWithTime,
        dimensionsSpecInspector,
        mergedMetrics,
        rowMergerFn,
        indexSpec,
        segmentWriteOutMediumFactory
    );
  }
}
