// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.segment.serde.UnknownProperties;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.nested.NestedCommonFormatColumn;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde.FormatSpec;
import org.apache.druid.segment.serde.Serializer;

/**
 * Serde of shape-shifting nested columns, named in a segment's column descriptor.
 *
 * @see NestedColumnFormat the format
 */
public final class ShapeShiftNestedColumnPartSerde implements ColumnPartSerde {
  /** The {@code type} in a column descriptor; never changes. */
  public static final String TYPE = "shapeshift.nested";

  private final String columnName;
  private final boolean hasNulls;
  private final boolean enforceLogicalType;
  private final ByteOrder byteOrder;
  private final FormatSpec columnFormatSpec;
  @Nullable
  private final Serializer serializer;
  private final UnknownProperties unknown = new UnknownProperties();

  /**
   * Creates a serde for writing.
   *
   * @param columnName         name of the column's file
   * @param hasNulls           whether a row is null
   * @param enforceLogicalType whether the column was declared with a type, as Druid's part has it
   * @param columnFormatSpec   effective format of the column
   */
  public ShapeShiftNestedColumnPartSerde(
      String columnName,
      boolean hasNulls,
      boolean enforceLogicalType,
      ByteOrder byteOrder,
      NestedCommonFormatColumnFormatSpec columnFormatSpec,
      @Nullable Serializer serializer
  ) {
    this.columnName = columnName;
    this.hasNulls = hasNulls;
    this.enforceLogicalType = enforceLogicalType;
    this.byteOrder = byteOrder;
    this.columnFormatSpec = FormatSpec.forSerde(columnFormatSpec);
    this.serializer = serializer;
  }

  /** Creates a serde for reading. */
  @JsonCreator
  static ShapeShiftNestedColumnPartSerde forReading(
      @JsonProperty("columnName") String columnName,
      @JsonProperty("hasNulls") boolean hasNulls,
      @JsonProperty("enforceLogicalType") boolean enforceLogicalType,
      @JsonProperty("byteOrder") ByteOrder byteOrder,
      @JsonProperty("columnFormatSpec") FormatSpec columnFormatSpec
  ) {
    return new ShapeShiftNestedColumnPartSerde(
        columnName, hasNulls, enforceLogicalType, byteOrder, columnFormatSpec, null);
  }

  /** Collects properties that only a later release knows. */
  @JsonAnySetter
  void setUnknown(String name, @Nullable Object value) {
    unknown.add(name);
  }

  /** Name of the column's file in the segment. Druid does not pass it to a part's deserializer. */
  @JsonProperty
  public String getColumnName() {
    return columnName;
  }

  /** Whether a row is null. */
  @JsonProperty
  public boolean getHasNulls() {
    return hasNulls;
  }

  /** Whether the column was declared with a type, as Druid's part has it. */
  @JsonProperty
  public boolean getEnforceLogicalType() {
    return enforceLogicalType;
  }

  /** Byte order of rows and arrays. */
  @JsonProperty
  public ByteOrder getByteOrder() {
    return byteOrder;
  }

  /** Effective format of the column, which a merge takes over as Druid's. */
  @JsonProperty
  public FormatSpec getColumnFormatSpec() {
    return columnFormatSpec;
  }

  @Nullable
  @Override
  public Serializer getSerializer() {
    return serializer;
  }

  @Override
  public Deserializer getDeserializer() {
    return this::read;
  }

  private void read(ByteBuffer buffer, ColumnBuilder builder, ColumnConfig config, @Nullable ColumnHolder parent) {
    try {
      unknown.refuse(columnName);
      UnknownProperties.require(columnName, "byteOrder", byteOrder);
      UnknownProperties.require(columnName, "columnFormatSpec", columnFormatSpec);
      UnknownProperties.require(columnName, "bitmapEncoding", columnFormatSpec.getBitmapEncoding());
      final NestedColumnData column = NestedColumnData.read(
          columnName, buffer, builder.getFileMapper(), byteOrder, columnFormatSpec, config);
      builder.setType(ColumnType.NESTED_DATA);
      builder.setHasNulls(hasNulls);
      builder.setNestedCommonFormatColumnSupplier(column);
      if (hasNulls) {
        builder.setIndexSupplier(new NullObjectsIndex(column), false, false);
      }
      builder.setColumnFormat(
          new NestedCommonFormatColumn.Format(
              ColumnType.NESTED_DATA, hasNulls, enforceLogicalType, columnFormatSpec));
    } catch (RuntimeException e) {
      throw ColumnFormatException.notOpened(columnName, buffer, e);
    }
  }
}
