// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSerializer;
import io.shapeshift.druid.form.IntChunk;
import io.shapeshift.druid.select.FormSelector;
import java.io.File;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.StringDimensionMergerV9;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;
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
                new LimitedSerializer(outputName, super.makeColumnDescriptor().getParts().get(0).getSerializer())
            )
        )
        .build();
  }

  /** Says which column does not fit into a file of a segment; Druid would only say that something does not. */
  record LimitedSerializer(String column, Serializer delegate) implements Serializer {
    /** Leaves room for the column's descriptor, which V9 writes in front of it. */
    static final int MAX_SIZE = Integer.MAX_VALUE - (1 << 16);

    @Override
    public long getSerializedSize() throws IOException {
      final long size = delegate.getSerializedSize();
      if (size > MAX_SIZE) {
        throw ColumnFormatException.tooLarge(
            column,
            size + " bytes with its dictionary and indexes, of which a column can have " + MAX_SIZE
        );
      }
      return size;
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
      delegate.writeTo(channel, fileBuilder);
    }
  }

  private boolean isMultiValue() {
    return capabilities.hasMultipleValues().isTrue();
  }
}
