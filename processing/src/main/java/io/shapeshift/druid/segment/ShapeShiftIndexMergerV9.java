// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Inject;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.AggregateProjectionMetadata;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.IndexMergerV9Factory;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.Metadata;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;

/** Writes V9 segments whose string dimensions get our handlers. */
public final class ShapeShiftIndexMergerV9 extends IndexMergerV9 {
  /** Makes a merger; the parameters are Druid's. */
  public ShapeShiftIndexMergerV9(
      ObjectMapper mapper,
      IndexIO indexIO,
      SegmentWriteOutMediumFactory segmentWriteOutMediumFactory,
      boolean storeEmptyColumns
  ) {
    super(mapper, indexIO, segmentWriteOutMediumFactory, storeEmptyColumns);
  }

  /** Takes the place of Druid's factory. */
  static final class Factory extends IndexMergerV9Factory {
    private final ObjectMapper mapper;
    private final IndexIO indexIO;
    private final SegmentWriteOutMediumFactory segmentWriteOutMediumFactory;

    @Inject
    Factory(ObjectMapper mapper, IndexIO indexIO, SegmentWriteOutMediumFactory segmentWriteOutMediumFactory) {
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
  @SuppressWarnings("rawtypes") // as Druid has it
  protected Map<String, DimensionHandler> makeDimensionHandlers(
      List<String> mergedDimensions,
      List<ColumnFormat> dimFormats
  ) {
    final Map<String, DimensionHandler> handlers = super.makeDimensionHandlers(mergedDimensions, dimFormats);
    handlers.replaceAll((name, handler) -> ShapeShiftDimensionHandler.wrap(handler));
    return handlers;
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
