// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.GenericIndexedBasedComplexColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.serde.ComplexColumnSerializer;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.segment.serde.CompressedComplexColumnSerializer;
import org.apache.druid.segment.serde.LargeColumnSupportedComplexColumnSerializer;
import org.apache.druid.segment.serde.NoIndexesColumnIndexSupplier;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Complex types whose columns are the bytes of the type's own strategy, and nothing else: those that Druid's generic
 * serializers write, and that are read as Druid reads such columns. Other types have a column of their own.
 */
public final class GenericComplexTypes {
  /** The strategy of each of Druid's generic serializers, which may be another than that of the type. */
  private static final Map<Class<?>, VarHandle> STRATEGIES = Map.of(
      LargeColumnSupportedComplexColumnSerializer.class, strategy(LargeColumnSupportedComplexColumnSerializer.class),
      CompressedComplexColumnSerializer.class, strategy(CompressedComplexColumnSerializer.class),
      ComplexColumnSerializer.class, strategy(ComplexColumnSerializer.class)
  );

  private GenericComplexTypes() {}

  private static VarHandle strategy(Class<?> serializer) {
    try {
      return MethodHandles.privateLookupIn(serializer, MethodHandles.lookup())
          .findVarHandle(serializer, "strategy", ObjectStrategy.class);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("This version of Druid has another " + serializer, e);
    }
  }

  /** Returns whether a type is unknown to this process, or its columns are the bytes of its strategy. */
  public static boolean isGenericOrUnknown(String typeName) {
    @Nullable final ComplexMetricSerde type = ComplexMetrics.getSerdeForType(typeName);
    return type == null
        || strategyOf(
            type, typeName, new OnHeapMemorySegmentWriteOutMedium(), IndexSpec.builder().build().getEffectiveSpec()
        ) != null;
  }

  /**
   * Returns the strategy with which Druid writes a type, if columns are read with one of the same class.
   *
   * @param column    name of the column's file
   * @param indexSpec {@link IndexSpec#getEffectiveSpec() effective}
   * @return null if the type has a column of its own
   */
  @Nullable
  @SuppressWarnings({"unchecked", "deprecation"}) // The strategy gets objects of its own type only.
  static ObjectStrategy<Object> strategyOf(
      ComplexMetricSerde type,
      String column,
      SegmentWriteOutMedium medium,
      IndexSpec indexSpec
  ) {
    final GenericColumnSerializer<?> stock = type.getSerializer(medium, column, indexSpec);
    @Nullable final VarHandle field = STRATEGIES.get(stock.getClass());
    if (field == null || !isReadAsGeneric(type)) {
      return null;
    }
    final ObjectStrategy<Object> strategy = (ObjectStrategy<Object>) field.get(stock);
    return strategy.getClass() == type.getObjectStrategy().getClass() ? strategy : null;
  }

  /**
   * Returns whether columns of a type can be compressed. Types with a serializer of their own may not be able to read
   * Druid's compressed columns.
   */
  static boolean isCompressible(ComplexMetricSerde type, String column, SegmentWriteOutMedium medium) {
    final IndexSpec lz4 =
        IndexSpec.builder().withComplexMetricCompression(CompressionStrategy.LZ4).build().getEffectiveSpec();
    return type.getSerializer(medium, column, lz4).getClass() == CompressedComplexColumnSerializer.class;
  }

  /** Returns whether a type reads a generic column as Druid does, without a column or an index of its own. */
  private static boolean isReadAsGeneric(ComplexMetricSerde type) {
    final ByteBuffer empty = ByteBuffer.wrap(new byte[]{1, 0, 0, 0, 0, Integer.BYTES, 0, 0, 0, 0});
    final ColumnBuilder builder =
        new ColumnBuilder().setType(ValueType.COMPLEX).setComplexTypeName(type.getTypeName());
    try {
      type.deserializeColumn(empty, builder, ColumnConfig.DEFAULT);
    } catch (RuntimeException e) {
      // A column of the type's own.
      return false;
    }
    final BaseColumnHolder holder = builder.build();
    return holder.getColumn().getClass() == GenericIndexedBasedComplexColumn.class
        && holder.getIndexSupplier().getClass() == NoIndexesColumnIndexSupplier.class;
  }
}
