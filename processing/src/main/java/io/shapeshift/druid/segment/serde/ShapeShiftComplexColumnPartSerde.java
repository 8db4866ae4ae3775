// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.blobs.Blobs;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.segment.serde.Serializer;

/**
 * Serde of shape-shifting columns of a complex type, such as sketches. The bytes are {@link Blobs} of the objects'
 * bytes, which the type's own {@link ObjectStrategy} writes and reads.
 */
public final class ShapeShiftComplexColumnPartSerde implements ColumnPartSerde {
  /** The {@code type} in a column descriptor; never changes. */
  public static final String TYPE = "shapeshift.complex";

  private static final Logger LOG = new Logger(ShapeShiftComplexColumnPartSerde.class);

  private final String columnName;
  private final String typeName;
  private final BitmapSerdeFactory bitmapSerdeFactory;
  @Nullable
  private final Serializer serializer;
  private final UnknownProperties unknown = new UnknownProperties();

  /**
   * Creates a serde for writing.
   *
   * @param columnName name of the column's file
   * @param typeName   name of the complex type
   */
  public ShapeShiftComplexColumnPartSerde(
      String columnName,
      String typeName,
      BitmapSerdeFactory bitmapSerdeFactory,
      @Nullable Serializer serializer
  ) {
    this.columnName = columnName;
    this.typeName = typeName;
    this.bitmapSerdeFactory = bitmapSerdeFactory;
    this.serializer = serializer;
  }

  /** Creates a serde for reading. */
  @JsonCreator
  static ShapeShiftComplexColumnPartSerde forReading(
      @JsonProperty("columnName") String columnName,
      @JsonProperty("typeName") String typeName,
      @JsonProperty("bitmapSerdeFactory") BitmapSerdeFactory bitmapSerdeFactory
  ) {
    return new ShapeShiftComplexColumnPartSerde(columnName, typeName, bitmapSerdeFactory, null);
  }

  /** Collects properties that only a later release knows. */
  @JsonAnySetter
  void setUnknown(String name, @Nullable Object value) {
    unknown.add(name);
  }

  /** Name of the column's file in the segment, for messages. Druid does not pass it to a part's deserializer. */
  @JsonProperty
  public String getColumnName() {
    return columnName;
  }

  /** Name of the complex type. */
  @JsonProperty
  public String getTypeName() {
    return typeName;
  }

  /** Type of the bitmap of null rows, which is computed when it is wanted. */
  @JsonProperty
  public BitmapSerdeFactory getBitmapSerdeFactory() {
    return bitmapSerdeFactory;
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
      UnknownProperties.require(columnName, "typeName", typeName);
      UnknownProperties.require(columnName, "bitmapSerdeFactory", bitmapSerdeFactory);
      open(buffer, builder);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notOpened(columnName, buffer, e);
    }
  }

  @SuppressWarnings("deprecation") // Druid reads its own columns by this strategy.
  private void open(ByteBuffer buffer, ColumnBuilder builder) {
    final Blobs values = Blobs.read(columnName, buffer);
    ColumnFormatException.requireEnd(columnName, buffer);
    // As Druid's own columns say. Only the type knows whether it makes null of no bytes.
    builder.setHasNulls(ColumnCapabilities.Capable.TRUE).setComplexTypeName(typeName);
    if (!values.hasEmpty()) {
      builder.setIndexSupplier(
          new NullRowsIndex(values, bitmapSerdeFactory.getBitmapFactory()), false, false);
    }
    @Nullable final ComplexMetricSerde type = ComplexMetrics.getSerdeForType(typeName);
    if (type == null) {
      // As for Druid's own columns, all rows then are null.
      LOG.warn("Column[%s] is of the complex type[%s], which no loaded extension knows", columnName, typeName);
      return;
    }
    final ObjectStrategy<?> strategy = type.getObjectStrategy();
    builder.setComplexColumnSupplier(() -> new ShapeShiftComplexColumn(typeName, strategy, values.reader()));
  }
}
