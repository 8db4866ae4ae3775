// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import java.io.File;
import java.util.Comparator;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.query.dimension.DimensionSpec;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DimensionIndexer;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.NestedCommonFormatColumnHandler;
import org.apache.druid.segment.ProgressIndicator;
import org.apache.druid.segment.StringDimensionHandler;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.selector.settable.SettableColumnValueSelector;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Druid's handler of a string dimension, but for the merger, which is ours where the indexSpec asks for it.
 */
@SuppressWarnings("rawtypes") // as Druid has it
final class ShapeShiftDimensionHandler implements DimensionHandler<Integer, int[], String> {
  private final StringDimensionHandler delegate;

  private ShapeShiftDimensionHandler(StringDimensionHandler delegate) {
    this.delegate = delegate;
  }

  /** Wraps the handler of a string dimension or of one of type auto; any other is returned as it is. */
  static DimensionHandler<?, ?, ?> wrap(DimensionHandler<?, ?, ?> handler) {
    if (handler.getClass() == NestedCommonFormatColumnHandler.class) {
      return ShapeShiftAutoColumnHandler.of((NestedCommonFormatColumnHandler) handler);
    }
    // Another extension's kind of string dimension has a merger of its own, which is not for us to replace.
    return handler.getClass() == StringDimensionHandler.class
           ? new ShapeShiftDimensionHandler((StringDimensionHandler) handler)
           : handler;
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
    // Made in any case, for its check of the capabilities.
    final DimensionMergerV9 stock = delegate.makeMerger(
        outputName,
        indexSpec,
        segmentWriteOutMedium,
        capabilities,
        progress,
        segmentBaseDir,
        closer
    );
    final EncodingStrategy strategy = ShapeShiftIndexSpec.encodingOf(indexSpec, EncodedType.INT);
    return strategy.isShapeShift()
           ? new ShapeShiftStringDimensionMerger(
               strategy,
               delegate.getDimensionName(),
               outputName,
               indexSpec,
               segmentWriteOutMedium,
               capabilities,
               progress,
               segmentBaseDir,
               closer
           )
           : stock;
  }

  @Override
  public String getDimensionName() {
    return delegate.getDimensionName();
  }

  @Override
  public DimensionSpec getDimensionSpec() {
    return delegate.getDimensionSpec();
  }

  @Override
  public DimensionSchema getDimensionSchema(ColumnCapabilities capabilities) {
    return delegate.getDimensionSchema(capabilities);
  }

  @Nullable
  @Override
  public DimensionSchema.MultiValueHandling getMultivalueHandling() {
    return delegate.getMultivalueHandling();
  }

  @Override
  public DimensionIndexer<Integer, int[], String> makeIndexer() {
    return delegate.makeIndexer();
  }

  @Override
  public int getLengthOfEncodedKeyComponent(int[] dimVals) {
    return delegate.getLengthOfEncodedKeyComponent(dimVals);
  }

  @Override
  public Comparator<ColumnValueSelector> getEncodedValueSelectorComparator() {
    return delegate.getEncodedValueSelectorComparator();
  }

  @Override
  public SettableColumnValueSelector makeNewSettableEncodedValueSelector() {
    return delegate.makeNewSettableEncodedValueSelector();
  }
}
