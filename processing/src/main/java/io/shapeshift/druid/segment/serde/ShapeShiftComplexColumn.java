// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.blobs.BlobsReader;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ComplexColumn;
import org.apache.druid.segment.data.ObjectStrategy;

/** Shape-shifting column of a complex type. Its objects are made by the type's own strategy. For one thread. */
final class ShapeShiftComplexColumn implements ComplexColumn {
  private final String typeName;
  private final ObjectStrategy<?> strategy;
  private final BlobsReader values;
  /** Whether objects may refer to the bytes that they were made from, which then are new for each. */
  private final boolean isKept;

  ShapeShiftComplexColumn(String typeName, ObjectStrategy<?> strategy, BlobsReader values) {
    this.typeName = typeName;
    this.strategy = strategy;
    this.values = values;
    this.isKept = strategy.readRetainsBufferReference();
  }

  @Override
  public Class<?> getClazz() {
    return strategy.getClazz();
  }

  @Override
  public String getTypeName() {
    return typeName;
  }

  @Nullable
  @Override
  public Object getRowValue(int rowNum) {
    @Nullable final ByteBuffer value = values.get(rowNum, isKept);
    if (value == null) {
      return null;
    }
    final int length = value.remaining();
    try {
      return strategy.fromByteBuffer(value, length);
    } catch (RuntimeException e) {
      throw ColumnFormatException.damaged(
          values.column(), "the " + length + " bytes of row " + rowNum + " are no " + typeName + ": " + e, e);
    }
  }

  /** Returns -1 for an unknown size, as Druid's own column does. */
  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void close() {
    values.close();
  }
}
