// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.File;
import java.util.EnumMap;
import java.util.Map;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.NestedCommonFormatColumnHandler;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Stock handler of {@code auto} dimensions, except that it creates a shape-shifting merger if the indexSpec asks for
 * it.
 */
public final class ShapeShiftAutoColumnHandler extends NestedCommonFormatColumnHandler {
  private final AutoTypeColumnSchema schema;

  private ShapeShiftAutoColumnHandler(AutoTypeColumnSchema schema) {
    super(schema.getName(), schema.getCastToType(), schema.getColumnFormatSpec());
    this.schema = schema;
  }

  /** Creates a handler with the parameters of a stock handler. */
  public static ShapeShiftAutoColumnHandler of(NestedCommonFormatColumnHandler handler) {
    return new ShapeShiftAutoColumnHandler(
        (AutoTypeColumnSchema) handler.getDimensionSchema(ColumnCapabilitiesImpl.createDefault())
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
      final EncodingStrategy strategy = ShapeShiftIndexSpec.encodingOf(indexSpec, file.type());
      if (strategy.isShapeShift()) {
        strategies.put(file, strategy);
      }
    }
    return strategies.isEmpty()
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
               strategies,
               schema,
               outputName,
               NestedCommonFormatColumnFormatSpec.getEffectiveFormatSpec(schema.getColumnFormatSpec(), indexSpec),
               segmentWriteOutMedium,
               segmentBaseDir,
               closer
           );
  }
}
