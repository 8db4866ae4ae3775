// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import java.io.IOException;
import java.nio.IntBuffer;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionMergerV9;
import org.apache.druid.segment.IndexableAdapter;
import org.apache.druid.segment.column.ColumnDescriptor;

/** Merger for shape-shifting number dimensions, which have no dictionary and no bitmap indexes. */
final class ShapeShiftNumberDimensionMerger implements DimensionMergerV9 {
  private final String outputName;
  private final ShapeShiftNumberColumnSerializer serializer;

  /**
   * Creates a merger.
   *
   * @param serializer an open serializer
   */
  ShapeShiftNumberDimensionMerger(String outputName, ShapeShiftNumberColumnSerializer serializer) {
    this.outputName = outputName;
    this.serializer = serializer;
  }

  @Override
  public void writeMergedValueDictionary(List<IndexableAdapter> adapters) {
    // Numbers have no dictionary.
  }

  @Override
  @SuppressWarnings("rawtypes") // same as Druid's signature
  public ColumnValueSelector convertSortedSegmentRowValuesToMergedRowValues(
      int segmentIndex,
      ColumnValueSelector source
  ) {
    return source;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // same as Druid's signature
  public void processMergedRow(ColumnValueSelector selector) throws IOException {
    serializer.serialize(selector);
  }

  @Override
  public void writeIndexes(@Nullable List<IntBuffer> segmentRowNumConversions) {
    // Numbers have no bitmap indexes.
  }

  /** Always false, as in stock: a dimension of nulls only is stored too, so that its type is known. */
  @Override
  public boolean hasOnlyNulls() {
    return false;
  }

  @Override
  public ColumnDescriptor makeColumnDescriptor() {
    return serializer.makeColumnDescriptor(outputName);
  }
}
