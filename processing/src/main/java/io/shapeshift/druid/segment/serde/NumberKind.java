// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.select.FormSelector;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DoubleDimensionHandler;
import org.apache.druid.segment.FloatDimensionHandler;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.LongDimensionHandler;
import org.apache.druid.segment.column.DoublesColumn;
import org.apache.druid.segment.column.FloatsColumn;
import org.apache.druid.segment.column.LongsColumn;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** The kinds of number columns in a segment, with all in which they differ. */
public enum NumberKind {
  LONG(ValueType.LONG, EncodedType.LONG, NumberType.LONG, LongDimensionHandler.class) {
    @Override
    Values makeValues(
        String column,
        SegmentWriteOutMedium medium,
        BlockSize blockSize,
        FormSelector<NumberChunk> selector
    ) {
      final ShapeShiftingColumnarLongsSerializer longs =
          new ShapeShiftingColumnarLongsSerializer(column, medium, blockSize, selector, IndexIO.BYTE_ORDER);
      return new Values(longs) {
        @Override
        void add(ColumnValueSelector<?> row) throws IOException {
          longs.add(row.getLong());
        }
      };
    }

    @Override
    Supplier<NumericColumn> read(String column, ByteBuffer values, ImmutableBitmap nulls) {
      final ShapeShiftingColumnarLongsSupplier longs = ShapeShiftingColumnarLongsSupplier.read(column, values);
      return () -> LongsColumn.create(longs.get(), nulls);
    }

    @Override
    public ShapeShiftNumberColumnPartSerde serde(
        String file,
        BitmapSerdeFactory bitmaps,
        ByteOrder order,
        Serializer serializer
    ) {
      return new ShapeShiftNumberColumnPartSerde.Longs(file, bitmaps, order, serializer);
    }
  },

  DOUBLE(ValueType.DOUBLE, EncodedType.DOUBLE, NumberType.DOUBLE, DoubleDimensionHandler.class) {
    @Override
    Values makeValues(
        String column,
        SegmentWriteOutMedium medium,
        BlockSize blockSize,
        FormSelector<NumberChunk> selector
    ) {
      final ShapeShiftingColumnarDoublesSerializer doubles =
          new ShapeShiftingColumnarDoublesSerializer(column, medium, blockSize, selector, IndexIO.BYTE_ORDER);
      return new Values(doubles) {
        @Override
        void add(ColumnValueSelector<?> row) throws IOException {
          doubles.add(row.getDouble());
        }
      };
    }

    @Override
    Supplier<NumericColumn> read(String column, ByteBuffer values, ImmutableBitmap nulls) {
      final ShapeShiftingColumnarDoublesSupplier doubles = ShapeShiftingColumnarDoublesSupplier.read(column, values);
      return () -> DoublesColumn.create(doubles.get(), nulls);
    }

    @Override
    public ShapeShiftNumberColumnPartSerde serde(
        String file,
        BitmapSerdeFactory bitmaps,
        ByteOrder order,
        Serializer serializer
    ) {
      return new ShapeShiftNumberColumnPartSerde.Doubles(file, bitmaps, order, serializer);
    }
  },

  FLOAT(ValueType.FLOAT, EncodedType.FLOAT, NumberType.FLOAT, FloatDimensionHandler.class) {
    @Override
    Values makeValues(
        String column,
        SegmentWriteOutMedium medium,
        BlockSize blockSize,
        FormSelector<NumberChunk> selector
    ) {
      final ShapeShiftingColumnarFloatsSerializer floats =
          new ShapeShiftingColumnarFloatsSerializer(column, medium, blockSize, selector, IndexIO.BYTE_ORDER);
      return new Values(floats) {
        @Override
        void add(ColumnValueSelector<?> row) throws IOException {
          floats.add(row.getFloat());
        }
      };
    }

    @Override
    Supplier<NumericColumn> read(String column, ByteBuffer values, ImmutableBitmap nulls) {
      final ShapeShiftingColumnarFloatsSupplier floats = ShapeShiftingColumnarFloatsSupplier.read(column, values);
      return () -> FloatsColumn.create(floats.get(), nulls);
    }

    @Override
    public ShapeShiftNumberColumnPartSerde serde(
        String file,
        BitmapSerdeFactory bitmaps,
        ByteOrder order,
        Serializer serializer
    ) {
      return new ShapeShiftNumberColumnPartSerde.Floats(file, bitmaps, order, serializer);
    }
  };

  /** A column of numbers that takes the values of rows. */
  public abstract static class Values {
    public final ShapeShiftingNumbersSerializer column;

    private Values(ShapeShiftingNumbersSerializer column) {
      this.column = column;
    }

    /** Adds the value of a row that is not null. */
    abstract void add(ColumnValueSelector<?> row) throws IOException;

    /** Adds the value of a row. */
    public final void add(ColumnValueSelector<?> row, boolean isNull) throws IOException {
      if (isNull) {
        column.addNull();
      } else {
        add(row);
      }
    }
  }

  public final ValueType valueType;
  public final EncodedType encodedType;
  private final NumberType numberType;
  private final Class<? extends DimensionHandler<?, ?, ?>> stockHandler;

  NumberKind(
      ValueType valueType,
      EncodedType encodedType,
      NumberType numberType,
      Class<? extends DimensionHandler<?, ?, ?>> stockHandler
  ) {
    this.valueType = valueType;
    this.encodedType = encodedType;
    this.numberType = numberType;
    this.stockHandler = stockHandler;
  }

  /** The kind of a column's type, or null for other types. */
  @Nullable
  public static NumberKind of(TypeSignature<ValueType> type) {
    for (NumberKind kind : values()) {
      if (type.is(kind.valueType)) {
        return kind;
      }
    }
    return null;
  }

  /** The kind whose dimensions Druid has this handler for, or null if it is another handler. */
  @Nullable
  public static NumberKind of(DimensionHandler<?, ?, ?> handler) {
    for (NumberKind kind : values()) {
      if (handler.getClass() == kind.stockHandler) {
        return kind;
      }
    }
    return null;
  }

  /**
   * Opens a shape-shifting column for values.
   *
   * @param column name of the column, for messages
   */
  public final Values open(String column, SegmentWriteOutMedium medium, EncodingStrategy strategy) throws IOException {
    final Values values = makeValues(
        column,
        medium,
        strategy.blockSize(),
        FormSelector.forNumbers(numberType, strategy.optimizationTarget())
    );
    values.column.open();
    return values;
  }

  abstract Values makeValues(
      String column,
      SegmentWriteOutMedium medium,
      BlockSize blockSize,
      FormSelector<NumberChunk> selector
  );

  /**
   * Takes a shape-shifting column from the buffer, whose position moves behind it.
   *
   * @param column name of the column, for messages
   * @param values in the byte order of the column
   * @param nulls  the rows whose values are not to be seen
   */
  abstract Supplier<NumericColumn> read(String column, ByteBuffer values, ImmutableBitmap nulls);

  /** Makes a serde that writes. */
  public abstract ShapeShiftNumberColumnPartSerde serde(
      String file,
      BitmapSerdeFactory bitmaps,
      ByteOrder order,
      Serializer serializer
  );
}
