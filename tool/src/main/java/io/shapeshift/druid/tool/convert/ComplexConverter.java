// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import io.shapeshift.druid.segment.merge.GenericComplexTypes;
import io.shapeshift.druid.segment.merge.ShapeShiftComplexColumnSerializer;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import io.shapeshift.druid.tool.encoding.EncodedObjects;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.LazyMedium;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.ShapeShiftEncoding;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.serde.ComplexColumnPartSerde;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Converter of columns of complex types, object by object, as a merge writes them. Columns of types that this process
 * does not know stay as they are, and so do those of types with a column of their own.
 */
final class ComplexConverter {
  /** Encoding of a complex column of Druid's. */
  static final String STOCK = "druid";

  private final RowEncoding encoding;

  ComplexConverter(RowEncoding encoding) {
    this.encoding = encoding;
  }

  /** Whether this process knows the type of a column, and the type has no column of its own. */
  private static boolean isKnown(SegmentColumn column) {
    @Nullable final String typeName = column.complexType();
    return typeName != null
        && ComplexMetrics.getSerdeForType(typeName) != null
        && (column.isShapeShifting() || GenericComplexTypes.isGenericOrUnknown(typeName));
  }

  /** Whether a column is written anew. */
  boolean isConverted(SegmentColumn column) {
    return isKnown(column) && (column.isShapeShifting() || encoding instanceof ShapeShiftEncoding);
  }

  private IndexSpec spec(SegmentColumn column) {
    return encoding instanceof ShapeShiftEncoding ours
           ? EncodedObjects.shapeShiftingSpec(column.bitmapsOfSegment(), ours.target())
           : IndexSpec.builder().withBitmapSerdeFactory(column.bitmapsOfSegment()).build().getEffectiveSpec();
  }

  /**
   * Converts a column.
   *
   * @throws IOException if the system's temporary directory is full
   */
  WholeColumn convert(SegmentColumn column) throws IOException {
    final SegmentWriteOutMedium medium = new LazyMedium();
    try {
      return encoding instanceof ShapeShiftEncoding ? shapeShift(column, medium) : toStock(column, medium);
    } catch (IOException | RuntimeException e) {
      medium.close();
      throw e;
    }
  }

  private WholeColumn shapeShift(SegmentColumn column, SegmentWriteOutMedium medium) throws IOException {
    final ShapeShiftComplexColumnSerializer ours =
        ShapeShiftComplexColumnSerializer.open(
            column.complexType(), column.name(), column.file(), medium, spec(column));
    copy(column, ours);
    final ColumnDescriptor descriptor = ours.makeColumnDescriptor();
    return descriptor.getParts().get(0) instanceof ShapeShiftComplexColumnPartSerde
           ? converted(column, descriptor, RowEncodings.SHAPE_SHIFTING, FormUsage.ofSections(ours.sections()), medium)
           : converted(column, descriptor, STOCK, Map.of(), medium);
  }

  private WholeColumn toStock(SegmentColumn column, SegmentWriteOutMedium medium) throws IOException {
    final String typeName = column.complexType();
    final ComplexMetricSerde type = ComplexMetrics.getSerdeForType(typeName);
    final GenericColumnSerializer<?> stock = type.getSerializer(medium, column.file(), spec(column));
    stock.open();
    copy(column, stock);
    final ColumnDescriptor descriptor = ColumnDescriptor
        .builder()
        .setValueType(ValueType.COMPLEX)
        .addSerde(ComplexColumnPartSerde.serializerBuilder().withTypeName(typeName).withDelegate(stock).build())
        .build();
    return converted(column, descriptor, STOCK, Map.of(), medium);
  }

  private static WholeColumn converted(
      SegmentColumn column,
      ColumnDescriptor descriptor,
      String to,
      Map<String, FormUsage> forms,
      SegmentWriteOutMedium medium
  ) throws IOException {
    final Serializer serializer = descriptor.getParts().get(0).getSerializer();
    final long size = serializer.getSerializedSize();
    return new WholeColumn(
        descriptor,
        size,
        serializer::writeTo,
        bytes -> ColumnConversion.ofWhole(column, to, bytes, forms),
        medium
    );
  }

  @SuppressWarnings("unchecked") // The serializer gets objects of its own type only.
  private static void copy(SegmentColumn column, GenericColumnSerializer<?> serializer) throws IOException {
    try (BaseColumn objects = column.holder().getColumn()) {
      final SimpleAscendingOffset row = new SimpleAscendingOffset(column.numRows());
      final ColumnValueSelector<?> selector = objects.makeColumnValueSelector(row);
      for (; row.withinBounds(); row.increment()) {
        ((GenericColumnSerializer<Object>) serializer).serialize(selector);
      }
    }
  }
}
