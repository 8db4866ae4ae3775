// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Inject;
import io.shapeshift.druid.metrics.WrittenSegment;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.FileUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.AggregateProjectionMetadata;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMergerV10;
import org.apache.druid.segment.IndexMergerV10Factory;
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

/** Writes V10 segments with our columns where the indexSpec asks for them. */
public final class ShapeShiftIndexMergerV10 extends IndexMergerV10 {
  private static final Logger LOG = new Logger(ShapeShiftIndexMergerV10.class);

  /** Makes a merger; the parameters are Druid's. */
  public ShapeShiftIndexMergerV10(
      ObjectMapper mapper,
      IndexIO indexIO,
      SegmentWriteOutMediumFactory segmentWriteOutMediumFactory
  ) {
    super(mapper, indexIO, segmentWriteOutMediumFactory);
  }

  /** Takes the place of Druid's factory. */
  public static final class Factory extends IndexMergerV10Factory {
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
    public IndexMergerV10 create() {
      return new ShapeShiftIndexMergerV10(mapper, indexIO, segmentWriteOutMediumFactory);
    }
  }

  /**
   * Also deletes the directories of id conversions that Druid 37 leaves in the segment where a column is shared with a
   * projection: their names start with {@code tmp_}, and pushing to local deep storage refuses subdirectories.
   */
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
    SegmentFileNames.requireDistinct(10, adapters, segmentMetadata, mergedDimensionsWithTime, mergedMetrics);
    UnindexedColumns.warn(adapters, indexSpec);
    try (WrittenSegment summary = WrittenSegment.start()) {
      final File segment = super.makeIndexFiles(
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
      @Nullable final File[] leftBehind =
          segment.listFiles(file -> file.isDirectory() && file.getName().startsWith("tmp_"));
      if (leftBehind != null) {
        for (File directory : leftBehind) {
          FileUtils.deleteDirectory(directory);
        }
      }
      SegmentSummary.writeChecksums(summary, segment);
      LOG.info("Segment[%s] is written: %s", outDir, summary.complete());
      return segment;
    }
  }

  @Override
  protected void makeColumn(SegmentFileBuilder files, String name, ColumnDescriptor column) throws IOException {
    super.makeColumn(SegmentSummary.add(column, name, files), name, column);
  }

  @Override
  @SuppressWarnings("rawtypes") // as Druid has it
  protected Map<String, DimensionHandler> makeDimensionHandlers(
      List<String> mergedDimensions,
      List<ColumnFormat> dimFormats
  ) {
    final Map<String, DimensionHandler> handlers = super.makeDimensionHandlers(mergedDimensions, dimFormats);
    handlers.replaceAll((name, handler) -> ShapeShiftDimensionHandler.wrap(handler, false));
    return handlers;
  }

  @Override
  @SuppressWarnings("rawtypes") // as Druid has it
  protected GenericColumnSerializer setupTimeWriter(SegmentWriteOutMedium segmentWriteOutMedium, IndexSpec indexSpec)
      throws IOException {
    @Nullable final GenericColumnSerializer ours = ShapeShiftNumberColumnSerializer.openTime(
        segmentWriteOutMedium,
        indexSpec
    );
    return ours == null ? super.setupTimeWriter(segmentWriteOutMedium, indexSpec) : ours;
  }

  @Override
  @SuppressWarnings("rawtypes") // as Druid has it
  protected void makeTimeColumn(
      SegmentFileBuilder segmentFileBuilder,
      ProgressIndicator progress,
      GenericColumnSerializer timeWriter,
      IndexSpec indexSpec,
      String name
  ) throws IOException {
    if (timeWriter instanceof ShapeShiftNumberColumnSerializer ours) {
      makeColumn(segmentFileBuilder, name, ours.makeColumnDescriptor(name));
    } else {
      super.makeTimeColumn(segmentFileBuilder, progress, timeWriter, indexSpec, name);
    }
  }

  @Override
  @SuppressWarnings({"rawtypes", "NonApiType"}) // as Druid has it
  protected ArrayList<GenericColumnSerializer> setupMetricsWriters(
      SegmentWriteOutMedium segmentWriteOutMedium,
      List<String> mergedMetrics,
      Map<String, ColumnFormat> metricsTypes,
      IndexSpec indexSpec,
      String prefix
  ) throws IOException {
    return new ArrayList<>(NumberMetrics.setup(
        segmentWriteOutMedium,
        mergedMetrics,
        metricsTypes,
        indexSpec,
        prefix,
        metrics -> super.setupMetricsWriters(segmentWriteOutMedium, metrics, metricsTypes, indexSpec, prefix)
    ));
  }

  @Override
  @SuppressWarnings("rawtypes") // as Druid has it
  protected void makeMetricsColumns(
      SegmentFileBuilder segmentFileBuilder,
      ProgressIndicator progress,
      List<String> mergedMetrics,
      Map<String, ColumnFormat> metricsTypes,
      List<GenericColumnSerializer> metWriters,
      IndexSpec indexSpec,
      String namePrefix
  ) throws IOException {
    NumberMetrics.make(
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

  @Override
  protected Metadata makeProjections(
      SegmentFileBuilder segmentFileBuilder,
      List<AggregateProjectionMetadata> projections,
      List<IndexableAdapter> adapters,
      IndexSpec indexSpec,
      SegmentWriteOutMedium segmentWriteOutMedium,
      ProgressIndicator progress,
      File segmentBaseDir,
      Closer closer,
      Map<String, DimensionMergerV9> parentMergers,
      Metadata segmentMetadata
  ) throws IOException {
    return super.makeProjections(
        segmentFileBuilder,
        projections,
        ShapeShiftAdapter.wrap(adapters),
        indexSpec,
        segmentWriteOutMedium,
        progress,
        segmentBaseDir,
        closer,
        parentMergers,
        segmentMetadata
    );
  }
}
