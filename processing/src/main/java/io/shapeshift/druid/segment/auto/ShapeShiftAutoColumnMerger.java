// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import io.shapeshift.druid.segment.spec.EncodingStrategy;
import java.io.File;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.EnumMap;
import java.util.Map;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.AutoTypeColumnMerger;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Merger for {@code auto} dimensions with shape-shifting files. The type of the dimension is known only after the
 * merge, and Druid's merger keeps its serializer private. So the merger collects a stock column, and
 * {@link AutoColumnFileBuilder} re-encodes its files when they are written into the segment.
 */
public final class ShapeShiftAutoColumnMerger extends AutoTypeColumnMerger {
  private final Map<AutoColumnFile, EncodingStrategy> strategies;
  private final String outputName;
  private final SegmentWriteOutMedium medium;
  private final File segmentBaseDir;

  /**
   * Creates a merger.
   *
   * @param strategies encoding strategies of the files that shape-shift
   */
  ShapeShiftAutoColumnMerger(
      Map<AutoColumnFile, EncodingStrategy> strategies,
      AutoTypeColumnSchema schema,
      String outputName,
      NestedCommonFormatColumnFormatSpec columnFormatSpec,
      SegmentWriteOutMedium medium,
      File segmentBaseDir,
      Closer closer
  ) {
    super(
        schema.getName(),
        outputName,
        schema.getCastToType(),
        columnFormatSpec,
        medium,
        segmentBaseDir,
        closer
    );
    this.strategies = strategies;
    this.outputName = outputName;
    this.medium = medium;
    this.segmentBaseDir = segmentBaseDir;
  }

  @Override
  public ColumnDescriptor makeColumnDescriptor() {
    final ColumnDescriptor stock = super.makeColumnDescriptor();
    final NestedCommonFormatColumnPartSerde stockPart = (NestedCommonFormatColumnPartSerde) stock.getParts().get(0);
    final Map<AutoColumnFile, EncodingStrategy> ours = new EnumMap<>(strategies);
    ours.keySet().retainAll(ShapeShiftAutoColumnPartSerde.filesOf(stockPart, strategies.keySet()));
    if (ours.isEmpty()) {
      return stock;
    }
    final Serializer files = new Files(ours, stockPart);
    return ColumnDescriptor
        .builder()
        .setValueType(stock.getValueType())
        .setHasMultipleValues(stock.isHasMultipleValues())
        .addSerde(new ShapeShiftAutoColumnPartSerde(ours.keySet(), stockPart, files))
        .build();
  }

  /** Writes Druid's files through an {@link AutoColumnFileBuilder}. */
  private final class Files implements Serializer {
    private final Map<AutoColumnFile, EncodingStrategy> ours;
    private final NestedCommonFormatColumnPartSerde stock;

    private Files(Map<AutoColumnFile, EncodingStrategy> ours, NestedCommonFormatColumnPartSerde stock) {
      this.ours = ours;
      this.stock = stock;
    }

    @Override
    public long getSerializedSize() throws IOException {
      return stock.getSerializer().getSerializedSize();
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
      stock.getSerializer().writeTo(
          channel,
          new AutoColumnFileBuilder(
              fileBuilder,
              outputName,
              ours,
              ShapeShiftAutoColumnPartSerde.bitmapsOf(stock).getObjectStrategy(),
              medium,
              segmentBaseDir
          )
      );
    }
  }
}
