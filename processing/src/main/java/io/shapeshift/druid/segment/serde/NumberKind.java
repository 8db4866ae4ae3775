// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.FormSelectors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Predicate;
import javax.annotation.Nullable;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionHandler;
import org.apache.druid.segment.DoubleDimensionHandler;
import org.apache.druid.segment.FloatDimensionHandler;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.LongDimensionHandler;
import org.apache.druid.segment.column.TypeSignature;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Kinds of number columns in a segment. Pairs Druid's classes of each kind with the extension's. */
public enum NumberKind {
  LONG(
      EncodedType.LONG,
      ValueType.LONG,
      LongDimensionHandler.class,
      ShapeShiftingColumnarLongsSerializer::new,
      ShapeShiftingColumnarLongsSupplier::read,
      ShapeShiftNumberColumnPartSerde.Longs::new
  ),
  DOUBLE(
      EncodedType.DOUBLE,
      ValueType.DOUBLE,
      DoubleDimensionHandler.class,
      ShapeShiftingColumnarDoublesSerializer::new,
      ShapeShiftingColumnarDoublesSupplier::read,
      ShapeShiftNumberColumnPartSerde.Doubles::new
  ),
  FLOAT(
      EncodedType.FLOAT,
      ValueType.FLOAT,
      FloatDimensionHandler.class,
      ShapeShiftingColumnarFloatsSerializer::new,
      ShapeShiftingColumnarFloatsSupplier::read,
      ShapeShiftNumberColumnPartSerde.Floats::new
  );

  /** Creates the serializer of a column's numbers. */
  @FunctionalInterface
  private interface NumbersMaker {
    ShapeShiftingNumbersSerializer make(
        String column,
        SegmentWriteOutMedium medium,
        BlockSize blockSize,
        FormSelector<NumberChunk> selector,
        ByteOrder order
    );
  }

  /** Reads the header of a column's numbers. */
  @FunctionalInterface
  private interface NumbersReader {
    ShapeShiftingNumbersSupplier<?> read(String column, ByteBuffer values);
  }

  /** Creates a serde for writing. */
  @FunctionalInterface
  private interface SerdeMaker {
    ShapeShiftNumberColumnPartSerde make(
        String file,
        BitmapSerdeFactory bitmaps,
        ByteOrder order,
        boolean hasHashIndex,
        Serializer serializer
    );
  }

  public final EncodedType encodedType;
  public final ValueType valueType;
  private final Class<? extends DimensionHandler<?, ?, ?>> stockHandler;
  @SuppressWarnings("ImmutableEnumChecker") // A constructor reference, which is immutable.
  private final NumbersMaker numbersMaker;
  @SuppressWarnings("ImmutableEnumChecker") // A reference to a static method, which is immutable.
  private final NumbersReader numbersReader;
  @SuppressWarnings("ImmutableEnumChecker") // A constructor reference, which is immutable.
  private final SerdeMaker serdeMaker;

  NumberKind(
      EncodedType encodedType,
      ValueType valueType,
      Class<? extends DimensionHandler<?, ?, ?>> stockHandler,
      NumbersMaker numbersMaker,
      NumbersReader numbersReader,
      SerdeMaker serdeMaker
  ) {
    this.encodedType = encodedType;
    this.valueType = valueType;
    this.stockHandler = stockHandler;
    this.numbersMaker = numbersMaker;
    this.numbersReader = numbersReader;
    this.serdeMaker = serdeMaker;
  }

  /** Kind of a column type, or null if the type is not a number type. */
  @Nullable
  public static NumberKind of(TypeSignature<ValueType> type) {
    return find(kind -> type.is(kind.valueType));
  }

  /** Kind of the dimensions that one of Druid's number handlers handles, or null for another handler. */
  @Nullable
  public static NumberKind of(DimensionHandler<?, ?, ?> handler) {
    return find(kind -> handler.getClass() == kind.stockHandler);
  }

  @Nullable
  private static NumberKind find(Predicate<NumberKind> condition) {
    return Arrays.stream(values()).filter(condition).findFirst().orElse(null);
  }

  /**
   * Opens the serializer of a shape-shifting number column.
   *
   * @param column     name of the column, for messages
   * @param isLookedUp whether a hash index will read single rows at random positions
   */
  public ShapeShiftingNumbersSerializer open(
      String column,
      SegmentWriteOutMedium medium,
      EncodingStrategy strategy,
      boolean isLookedUp
  ) throws IOException {
    final FormSelector<NumberChunk> selector =
        FormSelectors.forNumbers(encodedType.numberType(), strategy.optimizationTarget());
    final ShapeShiftingNumbersSerializer numbers = numbersMaker.make(
        column,
        medium,
        strategy.blockSize(),
        isLookedUp ? selector.forLookUps() : selector,
        IndexIO.BYTE_ORDER
    );
    numbers.open();
    return numbers;
  }

  /**
   * Reads a shape-shifting column from the buffer, and advances the buffer's position past it.
   *
   * @param column name of the column, for messages
   * @param values in the byte order of the column
   */
  ShapeShiftingNumbersSupplier<?> read(String column, ByteBuffer values) {
    return numbersReader.read(column, values);
  }

  /**
   * Creates a serde for writing.
   *
   * @param hasHashIndex whether a hash index follows the null bitmap
   */
  public ShapeShiftNumberColumnPartSerde serde(
      String file,
      BitmapSerdeFactory bitmaps,
      ByteOrder order,
      boolean hasHashIndex,
      Serializer serializer
  ) {
    return serdeMaker.make(file, bitmaps, order, hasHashIndex, serializer);
  }

  /** Hash index key of a non-null row: its {@linkplain NumberType#sortable sortable bits}. */
  public long keyOf(ColumnValueSelector<?> row) {
    return switch (this) {
      case LONG -> row.getLong();
      case DOUBLE -> NumberType.DOUBLE.sortableOf(row.getDouble());
      case FLOAT -> NumberType.FLOAT.sortableOf(row.getFloat());
    };
  }
}
