// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Inject;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.IndexMergerV9Factory;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.TimeAndDimsIterator;
import org.apache.druid.segment.TransformableRowIterator;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;

/** Merger for segments of version 9, with shape-shifting columns if the indexSpec asks for them. */
public final class ShapeShiftIndexMergerV9 extends IndexMergerV9 {
  /** Creates a merger. The parameters are those of the stock merger. */
  public ShapeShiftIndexMergerV9(
      ObjectMapper mapper,
      IndexIO indexIO,
      SegmentWriteOutMediumFactory segmentWriteOutMediumFactory,
      boolean storeEmptyColumns
  ) {
    super(mapper, indexIO, segmentWriteOutMediumFactory, storeEmptyColumns);
  }

  /** Factory that replaces the stock factory. */
  public static final class Factory extends IndexMergerV9Factory {
    private final ObjectMapper mapper;
    private final IndexIO indexIO;
    private final SegmentWriteOutMediumFactory segmentWriteOutMediumFactory;

    @Inject
    public Factory(ObjectMapper mapper, IndexIO indexIO, SegmentWriteOutMediumFactory segmentWriteOutMediumFactory) {
      super(mapper, indexIO, segmentWriteOutMediumFactory);
      this.mapper = mapper;
      this.indexIO = indexIO;
      this.segmentWriteOutMediumFactory = segmentWriteOutMediumFactory;
    }

    @Override
    public IndexMergerV9 create(boolean storeEmptyColumns) {
      return new ShapeShiftIndexMergerV9(mapper, indexIO, segmentWriteOutMediumFactory, storeEmptyColumns);
    }
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
    final MergedSegment segment = new MergedSegment(
        9,
        ShapeShiftAdapter.unwrap(adapters),
        segmentMetadata,
        mergedDimensionsWithTime,
        mergedMetrics,
        indexSpec,
        outDir
    );
    return segment.write(() -> super.makeIndexFiles(
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
    ));
  }

  @Override
  protected void makeColumn(SegmentFileBuilder files, String name, ColumnDescriptor column) throws IOException {
    super.makeColumn(SegmentSummary.add(column, name, files), name, column);
  }

  @Override
  @SuppressWarnings("rawtypes") // same as Druid's signature
  protected GenericColumnSerializer setupTimeWriter(SegmentWriteOutMedium segmentWriteOutMedium, IndexSpec indexSpec)
      throws IOException {
    return NumberColumns.setupTime(
        segmentWriteOutMedium, indexSpec, () -> super.setupTimeWriter(segmentWriteOutMedium, indexSpec));
  }

  @Override
  @SuppressWarnings("rawtypes") // same as Druid's signature
  protected void makeTimeColumn(
      SegmentFileBuilder segmentFileBuilder,
      ProgressIndicator progress,
      GenericColumnSerializer timeWriter,
      IndexSpec indexSpec,
      String name
  ) throws IOException {
    NumberColumns.makeTime(
        timeWriter,
        name,
        () -> super.makeTimeColumn(segmentFileBuilder, progress, timeWriter, indexSpec, name),
        (file, descriptor) -> makeColumn(segmentFileBuilder, file, descriptor)
    );
  }

  @Override
  @SuppressWarnings({"rawtypes", "NonApiType"}) // same as Druid's signature
  protected ArrayList<GenericColumnSerializer> setupMetricsWriters(
      SegmentWriteOutMedium segmentWriteOutMedium,
      List<String> mergedMetrics,
      Map<String, ColumnFormat> metricsTypes,
      IndexSpec indexSpec,
      String prefix
  ) throws IOException {
    return new ArrayList<>(NumberColumns.setupMetrics(
        segmentWriteOutMedium,
        mergedMetrics,
        metricsTypes,
        indexSpec,
        prefix,
        metrics -> super.setupMetricsWriters(segmentWriteOutMedium, metrics, metricsTypes, indexSpec, prefix)
    ));
  }

  @Override
  @SuppressWarnings("rawtypes") // same as Druid's signature
  protected void makeMetricsColumns(
      SegmentFileBuilder segmentFileBuilder,
      ProgressIndicator progress,
      List<String> mergedMetrics,
      Map<String, ColumnFormat> metricsTypes,
      List<GenericColumnSerializer> metWriters,
      IndexSpec indexSpec,
      String namePrefix
  ) throws IOException {
    NumberColumns.makeMetrics(
        mergedMetrics,
        metWriters,
        namePrefix,
        (metrics, writers) -> super.makeMetricsColumns(
            segmentFileBuilder,
            progress,
            metrics,
            metricsTypes,
            writers,
            indexSpec,
            namePrefix
        ),
        (file, descriptor) -> makeColumn(segmentFileBuilder, file, descriptor)
    );
  }
}
