// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.google.common.base.Supplier;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnCapabilitiesImpl;
import org.apache.druid.segment.column.ColumnFormat;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;

/**
 * Column builder for Druid's deserializer. It forwards properties to the real builder, but keeps the suppliers of
 * columns and indexes.
 */
final class StockBuilder extends ColumnBuilder {
  private final ColumnBuilder builder;
  private Supplier<? extends NestedCommonFormatColumn> supplier;
  private ColumnIndexSupplier indexes;

  StockBuilder(ColumnBuilder builder, SegmentFileMapper files) {
    this.builder = builder;
    setFileMapper(files);
  }

  /** Supplier of stock columns. */
  Supplier<? extends NestedCommonFormatColumn> supplier() {
    return supplier;
  }

  /** Supplier of stock indexes. */
  ColumnIndexSupplier indexes() {
    return indexes;
  }

  @Override
  public ColumnBuilder setNestedCommonFormatColumnSupplier(Supplier<? extends NestedCommonFormatColumn> supplier) {
    this.supplier = supplier;
    return this;
  }

  @Override
  public ColumnBuilder setIndexSupplier(
      @Nullable ColumnIndexSupplier indexSupplier,
      boolean hasBitmapIndex,
      boolean hasSpatial
  ) {
    this.indexes = indexSupplier;
    return this;
  }

  @Override
  public ColumnCapabilitiesImpl getCapabilitiesBuilder() {
    return builder.getCapabilitiesBuilder();
  }

  @Override
  public ColumnBuilder setType(ColumnType type) {
    builder.setType(type);
    return this;
  }

  @Override
  public ColumnBuilder setHasNulls(boolean nullable) {
    builder.setHasNulls(nullable);
    return this;
  }

  @Override
  public ColumnBuilder setColumnFormat(ColumnFormat columnFormat) {
    builder.setColumnFormat(columnFormat);
    return this;
  }
}
