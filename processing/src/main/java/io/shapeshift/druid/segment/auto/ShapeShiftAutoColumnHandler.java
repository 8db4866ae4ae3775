// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.File;
import java.util.EnumMap;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.NestedCommonFormatColumnHandler;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Stock handler of {@code auto} dimensions, except that it creates a shape-shifting merger if the indexSpec asks for
 * it.
 */
public final class ShapeShiftAutoColumnHandler extends NestedCommonFormatColumnHandler {
  private final AutoTypeColumnSchema schema;
  @Nullable
  private final DimensionsSpec dimensions;

  private ShapeShiftAutoColumnHandler(AutoTypeColumnSchema schema, @Nullable DimensionsSpec dimensions) {
    super(schema.getName(), schema.getCastToType(), schema.getColumnFormatSpec());
    this.schema = schema;
    this.dimensions = dimensions;
  }

  /**
   * Creates a handler with the parameters of a stock handler.
   *
   * @param dimensions dimensions of the ingestion; null if the column is none of them
   */
  public static ShapeShiftAutoColumnHandler of(
      NestedCommonFormatColumnHandler handler,
      @Nullable DimensionsSpec dimensions
  ) {
    return new ShapeShiftAutoColumnHandler(
        (AutoTypeColumnSchema) handler.getDimensionSchema(ColumnCapabilitiesImpl.createDefault()),
        dimensions
    );
  }

  @Override
  public DimensionMergerV9 makeMerger(
      String outputName,
      IndexSpec indexSpec,
      SegmentWriteOutMedium segmentWriteOutMedium,
      ColumnCapabilities capabilities,
      ProgressIndicator progress,
      File segmentBaseDir,
      Closer closer
  ) {
    final Map<AutoColumnFile, EncodingStrategy> strategies = new EnumMap<>(AutoColumnFile.class);
    for (AutoColumnFile file : AutoColumnFile.values()) {
      final EncodingStrategy strategy = ShapeShiftIndexSpec.encodingOf(indexSpec, schema.getName(), file.type());
      if (strategy.isShapeShift()) {
        strategies.put(file, strategy);
      }
    }
    final EncodingStrategy nested =
        ShapeShiftIndexSpec.encodingOf(indexSpec, schema.getName(), EncodedType.NESTED);
    return strategies.isEmpty() && !nested.isShapeShift()
           ? super.makeMerger(
               outputName,
               indexSpec,
               segmentWriteOutMedium,
               capabilities,
               progress,
               segmentBaseDir,
               closer
           )
           : new ShapeShiftAutoColumnMerger(
               new AskedEncodings(
                   strategies, nested, ShapeShiftIndexSpec.hasTextIndex(indexSpec, schema.getName())),
               schema,
               outputName,
               AskedFormat.of(schema.getName(), schema.getColumnFormatSpec(), dimensions, indexSpec),
               segmentWriteOutMedium,
               segmentBaseDir,
               closer
           );
  }
}
