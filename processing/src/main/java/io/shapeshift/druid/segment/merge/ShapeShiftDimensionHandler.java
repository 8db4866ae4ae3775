// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnHandler;
import io.shapeshift.druid.segment.serde.NumberKind;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
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
 * Decorator of a stock dimension handler that creates a shape-shifting merger if the indexSpec asks for it.
 *
 * @param <E> type of an encoded value
 * @param <K> type of the encoded values of a row
 * @param <V> type of an actual value
 */
@SuppressWarnings("rawtypes") // same as Druid's signature
abstract class ShapeShiftDimensionHandler<E extends Comparable<E>, K, V extends Comparable<V>>
    implements DimensionHandler<E, K, V> {
  final DimensionHandler<E, K, V> delegate;

  private ShapeShiftDimensionHandler(DimensionHandler<E, K, V> delegate) {
    this.delegate = delegate;
  }

  /**
   * Wraps a stock handler of a dimension that can shape-shift. A handler of another extension is returned unchanged,
   * because its merger must not be replaced.
   *
   * @param isOfProjection whether the dimension belongs to a projection, not to a base table
   * @param dimensions dimensions of the ingestion; null if the dimension is none of them
   */
  static DimensionHandler<?, ?, ?> wrap(
      DimensionHandler<?, ?, ?> handler,
      boolean isOfProjection,
      @Nullable DimensionsSpec dimensions
  ) {
    if (handler.getClass() == StringDimensionHandler.class) {
      return new Strings((StringDimensionHandler) handler, isOfProjection);
    }
    if (handler.getClass() == NestedCommonFormatColumnHandler.class) {
      return ShapeShiftAutoColumnHandler.of((NestedCommonFormatColumnHandler) handler, dimensions);
    }
    @Nullable final NumberKind kind = NumberKind.of(handler);
    return kind == null ? handler : new Numbers<>(handler, kind);
  }

  private static final class Strings extends ShapeShiftDimensionHandler<Integer, int[], String> {
    private final boolean isOfProjection;

    Strings(StringDimensionHandler delegate, boolean isOfProjection) {
      super(delegate);
      this.isOfProjection = isOfProjection;
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
      final DimensionOutput output = new DimensionOutput(
          outputName, indexSpec, segmentWriteOutMedium, capabilities, progress, segmentBaseDir, closer);
      // Created in any case, because it checks the capabilities.
      final DimensionMergerV9 stock = output.makeMerger(delegate);
      @Nullable final DimensionMergerV9 ours =
          ShapeShiftStringDimensionMerger.of(delegate.getDimensionName(), isOfProjection, output);
      return ours == null ? stock : ours;
    }
  }

  /** Handler of number dimensions, for all number types. */
  private static final class Numbers<E extends Comparable<E>, K, V extends Comparable<V>>
      extends ShapeShiftDimensionHandler<E, K, V> {
    private final NumberKind kind;

    Numbers(DimensionHandler<E, K, V> delegate, NumberKind kind) {
      super(delegate);
      this.kind = kind;
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
      try {
        @Nullable final ShapeShiftNumberColumnSerializer serializer = ShapeShiftNumberColumnSerializer.open(
            kind,
            delegate.getDimensionName(),
            outputName,
            segmentWriteOutMedium,
            indexSpec
        );
        if (serializer != null) {
          return new ShapeShiftNumberDimensionMerger(outputName, serializer);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return delegate.makeMerger(
          outputName,
          indexSpec,
          segmentWriteOutMedium,
          capabilities,
          progress,
          segmentBaseDir,
          closer
      );
    }
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
  public DimensionIndexer<E, K, V> makeIndexer() {
    return delegate.makeIndexer();
  }

  @Override
  public int getLengthOfEncodedKeyComponent(K dimVals) {
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
