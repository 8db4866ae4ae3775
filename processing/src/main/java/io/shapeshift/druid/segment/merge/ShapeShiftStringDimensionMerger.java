// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSerializer;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.segment.serde.LimitedSerializer;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.select.FormSelector;
import java.io.File;
import java.io.IOException;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.StringDimensionMergerV9;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Writes a string dimension whose dictionary ids shape-shift. Dictionary, bitmap and spatial indexes are Druid's own.
 */
final class ShapeShiftStringDimensionMerger extends StringDimensionMergerV9 {
  private final EncodingStrategy strategy;

  ShapeShiftStringDimensionMerger(
      EncodingStrategy strategy,
      String dimensionName,
      String outputName,
      IndexSpec indexSpec,
      SegmentWriteOutMedium segmentWriteOutMedium,
      ColumnCapabilities capabilities,
      ProgressIndicator progress,
      File segmentBaseDir,
      Closer closer
  ) {
    super(dimensionName, outputName, indexSpec, segmentWriteOutMedium, capabilities, progress, segmentBaseDir, closer);
    this.strategy = strategy;
  }

  @Override
  protected void setupEncodedValueWriter() throws IOException {
    final FormSelector<IntChunk> selector = FormSelector.forInts(strategy.optimizationTarget());
    encodedValueSerializer =
        isMultiValue()
        ? new ShapeShiftingColumnarMultiIntsSerializer(
            outputName,
            segmentWriteOutMedium,
            strategy.blockSize(),
            selector,
            IndexIO.BYTE_ORDER
        )
        : new ShapeShiftingColumnarIntsSerializer(
            outputName,
            segmentWriteOutMedium,
            strategy.blockSize(),
            selector,
            IndexIO.BYTE_ORDER
        );
    encodedValueSerializer.open();
  }

  @Override
  public ColumnDescriptor makeColumnDescriptor() {
    return ColumnDescriptor
        .builder()
        .setValueType(ValueType.STRING)
        .setHasMultipleValues(isMultiValue())
        .addSerde(
            new ShapeShiftStringColumnPartSerde(
                outputName,
                indexSpec.getBitmapSerdeFactory(),
                IndexIO.BYTE_ORDER,
                // Druid's part writes dictionary, ids and indexes in turn; only the ids are ours.
                new LimitedSerializer(
                    outputName,
                    "dictionary and indexes",
                    super.makeColumnDescriptor().getParts().get(0).getSerializer()
                )
            )
        )
        .build();
  }

  private boolean isMultiValue() {
    return capabilities.hasMultipleValues().isTrue();
  }
}
