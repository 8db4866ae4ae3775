// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.column.blobs.Blobs;
import io.shapeshift.druid.column.blobs.BlobsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.metrics.BytesByForm;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import io.shapeshift.druid.segment.serde.LimitedSerializer;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ComplexColumnPartSerde;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Serializer for a metric of a complex type, in the place of Druid's generic ones. Where the shape-shifting column
 * would be larger than Druid's, or larger than a file can be, Druid's column is written.
 *
 * @see ShapeShiftComplexColumnPartSerde the format
 */
public final class ShapeShiftComplexColumnSerializer implements GenericColumnSerializer<Object> {
  /** Bytes by which the column's descriptor is longer than that of Druid's, apart from the name of the column. */
  private static final int DESCRIPTOR_BYTES = 72;

  private final String typeName;
  private final String column;
  private final SegmentWriteOutMedium medium;
  private final BitmapSerdeFactory bitmaps;
  private final ObjectStrategy<Object> strategy;
  private final OptimizationTarget target;
  private final boolean isCompressible;
  private final BlobsSerializer values;
  private final StockComplexColumn stock;

  private ShapeShiftComplexColumnSerializer(
      String typeName,
      String column,
      SegmentWriteOutMedium medium,
      BitmapSerdeFactory bitmaps,
      ObjectStrategy<Object> strategy,
      OptimizationTarget target,
      boolean isCompressible
  ) {
    this.typeName = typeName;
    this.column = column;
    this.medium = medium;
    this.bitmaps = bitmaps;
    this.strategy = strategy;
    this.target = target;
    this.isCompressible = isCompressible;
    this.values = new BlobsSerializer(column, medium, target);
    this.stock = new StockComplexColumn(values);
  }

  /**
   * Creates a serializer.
   *
   * @param name      name of the column
   * @param column    name of the column's file
   * @param indexSpec {@link IndexSpec#getEffectiveSpec() effective}
   * @return null if the indexSpec asks for stock columns, or the type has a column of its own or is unknown
   */
  @Nullable
  public static ShapeShiftComplexColumnSerializer open(
      String typeName,
      String name,
      String column,
      SegmentWriteOutMedium medium,
      IndexSpec indexSpec
  ) {
    final EncodingStrategy encoding = ShapeShiftIndexSpec.encodingOf(indexSpec, name, EncodedType.COMPLEX);
    @Nullable final ComplexMetricSerde type = ComplexMetrics.getSerdeForType(typeName);
    if (!encoding.isShapeShift() || type == null) {
      return null;
    }
    @Nullable final ObjectStrategy<Object> strategy =
        GenericComplexTypes.strategyOf(type, column, medium, indexSpec);
    return strategy == null
           ? null
           : new ShapeShiftComplexColumnSerializer(
               typeName,
               column,
               medium,
               indexSpec.getBitmapSerdeFactory(),
               strategy,
               encoding.optimizationTarget(),
               GenericComplexTypes.isCompressible(type, column, medium)
           );
  }

  /**
   * Creates a serializer for the bytes of objects, which {@link #add} gets. The type may be unknown, but must not have
   * a column of its own.
   *
   * @param column    name of the column's file
   * @param indexSpec {@link IndexSpec#getEffectiveSpec() effective}, under which complex metrics shape-shift
   */
  @SuppressWarnings("unchecked") // No object is passed to the strategy.
  public static ShapeShiftComplexColumnSerializer ofBytes(
      String typeName,
      String column,
      SegmentWriteOutMedium medium,
      IndexSpec indexSpec
  ) {
    @Nullable final ComplexMetricSerde type = ComplexMetrics.getSerdeForType(typeName);
    return new ShapeShiftComplexColumnSerializer(
        typeName,
        column,
        medium,
        indexSpec.getBitmapSerdeFactory(),
        (ObjectStrategy<Object>) (ObjectStrategy<?>) ObjectBytes.STRATEGY,
        ShapeShiftIndexSpec.encodingOf(indexSpec, column, EncodedType.COMPLEX).optimizationTarget(),
        // Types are, unless they say otherwise.
        type == null || GenericComplexTypes.isCompressible(type, column, medium)
    );
  }

  @Override
  public void open() {}

  /** Adds the bytes of the next object, or null. */
  public void add(@Nullable byte[] value) throws IOException {
    values.add(value);
  }

  @Override
  public void serialize(ColumnValueSelector<?> row) throws IOException {
    @Nullable final Object value = row.getObject();
    if (value == null) {
      values.add((byte[]) null);
    } else {
      // Druid writes no bytes for an object for which the strategy has none.
      @Nullable final byte[] bytes = strategy.toBytes(value);
      values.add(bytes == null ? new byte[0] : bytes);
    }
  }

  /** Completes the column, and returns its descriptor. No rows can be added afterwards. */
  public ColumnDescriptor makeColumnDescriptor() {
    try {
      return ColumnDescriptor.builder().setValueType(ValueType.COMPLEX).addSerde(serde()).build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ColumnPartSerde serde() throws IOException {
    final long size = values.getSerializedSize() + DESCRIPTOR_BYTES + StringUtils.toUtf8(column).length;
    final boolean mayShapeShift = size <= LimitedSerializer.MAX_SIZE && size <= stock.bytes();
    if (mayShapeShift && isProven(size)) {
      return new ShapeShiftComplexColumnPartSerde(column, typeName, bitmaps, this);
    }
    return ComplexColumnPartSerde
        .serializerBuilder()
        .withTypeName(typeName)
        // Druid cannot write a compressed column of 2 GiB.
        .withDelegate(stock.serializer(column, medium, mayShapeShift))
        .build();
  }

  private boolean isProven(long size) throws IOException {
    return !isCompressible
        || target == OptimizationTarget.FASTER
        || values.isProven()
        || stock.hasLz4Bytes(size);
  }

  @Override
  public long getSerializedSize() throws IOException {
    return values.getSerializedSize();
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    values.writeTo(channel);
    final BytesByForm forms = new BytesByForm();
    sections().forEach(section -> forms.add(section.form(), section.bytes()));
    WrittenSegment.addPart(SegmentPart.COMPLEX, values.getSerializedSize(), forms, stock.bytes());
  }

  /**
   * Returns Druid's own serializer, with all values; none can be added afterwards.
   *
   * @param isCompressed whether it compresses them with LZ4; by default, Druid does not
   */
  public Serializer stock(boolean isCompressed) throws IOException {
    return stock.serializer(column, medium, isCompressed);
  }

  /** Returns the sections of the column, if it shape-shifts. */
  public List<Blobs.Section> sections() throws IOException {
    return values.describe();
  }
}
