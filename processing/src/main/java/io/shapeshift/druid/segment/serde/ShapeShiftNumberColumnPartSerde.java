// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.hash.HashIndex;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.segment.index.KeyIndex;
import io.shapeshift.druid.segment.index.NumberScanIndexSupplier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.LongNumericColumnPartSerdeV2;
import org.apache.druid.segment.serde.Serializer;

/**
 * Serde of shape-shifting number columns, named in a segment's column descriptor. The bytes are those of Druid's
 * {@link LongNumericColumnPartSerdeV2} and its counterparts for doubles and floats, except for the values:
 *
 * <pre>
 * | bytes | content                                                     |
 * |-------|-------------------------------------------------------------|
 * | 4     | number of bytes of the values, big-endian                   |
 * |       | values: one shape-shifting column                           |
 * |       | bitmap of the rows that are null, if there are bytes left   |
 * |       | hash index of keys, if the descriptor says that there is    |
 * </pre>
 *
 * <p>Every row has a value; the value of a null row is undefined. A null bitmap always precedes a hash index, so that a
 * reader that does not know hash indexes does not parse one as the bitmap.
 */
public abstract class ShapeShiftNumberColumnPartSerde implements ColumnPartSerde {
  private final NumberKind kind;
  private final String columnName;
  private final BitmapSerdeFactory bitmapSerdeFactory;
  private final ByteOrder byteOrder;
  private final boolean hasHashIndex;
  @Nullable
  private final Serializer serializer;
  private final UnknownProperties unknown = new UnknownProperties();

  private ShapeShiftNumberColumnPartSerde(
      NumberKind kind,
      String columnName,
      BitmapSerdeFactory bitmapSerdeFactory,
      ByteOrder byteOrder,
      boolean hasHashIndex,
      @Nullable Serializer serializer
  ) {
    this.kind = kind;
    this.columnName = columnName;
    this.bitmapSerdeFactory = bitmapSerdeFactory;
    this.byteOrder = byteOrder;
    this.hasHashIndex = hasHashIndex;
    this.serializer = serializer;
  }

  /** Serde of long columns. */
  public static final class Longs extends ShapeShiftNumberColumnPartSerde {
    /** The {@code type} in a column descriptor; never changes. */
    public static final String TYPE = "shapeshift.long";

    Longs(
        String columnName,
        BitmapSerdeFactory bitmaps,
        ByteOrder byteOrder,
        boolean hasHashIndex,
        @Nullable Serializer serializer
    ) {
      super(NumberKind.LONG, columnName, bitmaps, byteOrder, hasHashIndex, serializer);
    }

    /** Creates a serde for reading. */
    @JsonCreator
    static Longs forReading(
        @JsonProperty("columnName") String columnName,
        @JsonProperty("bitmapSerdeFactory") BitmapSerdeFactory bitmapSerdeFactory,
        @JsonProperty("byteOrder") ByteOrder byteOrder,
        @JsonProperty("hashIndex") boolean hasHashIndex
    ) {
      return new Longs(columnName, bitmapSerdeFactory, byteOrder, hasHashIndex, null);
    }
  }

  /** Serde of double columns. */
  public static final class Doubles extends ShapeShiftNumberColumnPartSerde {
    /** The {@code type} in a column descriptor; never changes. */
    public static final String TYPE = "shapeshift.double";

    Doubles(
        String columnName,
        BitmapSerdeFactory bitmaps,
        ByteOrder byteOrder,
        boolean hasHashIndex,
        @Nullable Serializer serializer
    ) {
      super(NumberKind.DOUBLE, columnName, bitmaps, byteOrder, hasHashIndex, serializer);
    }

    /** Creates a serde for reading. */
    @JsonCreator
    static Doubles forReading(
        @JsonProperty("columnName") String columnName,
        @JsonProperty("bitmapSerdeFactory") BitmapSerdeFactory bitmapSerdeFactory,
        @JsonProperty("byteOrder") ByteOrder byteOrder,
        @JsonProperty("hashIndex") boolean hasHashIndex
    ) {
      return new Doubles(columnName, bitmapSerdeFactory, byteOrder, hasHashIndex, null);
    }
  }

  /** Serde of float columns. */
  public static final class Floats extends ShapeShiftNumberColumnPartSerde {
    /** The {@code type} in a column descriptor; never changes. */
    public static final String TYPE = "shapeshift.float";

    Floats(
        String columnName,
        BitmapSerdeFactory bitmaps,
        ByteOrder byteOrder,
        boolean hasHashIndex,
        @Nullable Serializer serializer
    ) {
      super(NumberKind.FLOAT, columnName, bitmaps, byteOrder, hasHashIndex, serializer);
    }

    /** Creates a serde for reading. */
    @JsonCreator
    static Floats forReading(
        @JsonProperty("columnName") String columnName,
        @JsonProperty("bitmapSerdeFactory") BitmapSerdeFactory bitmapSerdeFactory,
        @JsonProperty("byteOrder") ByteOrder byteOrder,
        @JsonProperty("hashIndex") boolean hasHashIndex
    ) {
      return new Floats(columnName, bitmapSerdeFactory, byteOrder, hasHashIndex, null);
    }
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

  /** Type of the null bitmap. */
  @JsonProperty
  public BitmapSerdeFactory getBitmapSerdeFactory() {
    return bitmapSerdeFactory;
  }

  /** Byte order of the values. */
  @JsonProperty
  public ByteOrder getByteOrder() {
    return byteOrder;
  }

  /** Whether a hash index follows the null bitmap. */
  @JsonProperty("hashIndex")
  @JsonInclude(JsonInclude.Include.NON_DEFAULT)
  public boolean hasHashIndex() {
    return hasHashIndex;
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
      UnknownProperties.require(columnName, "bitmapSerdeFactory", bitmapSerdeFactory);
      open(buffer, builder);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notOpened(columnName, buffer, e);
    }
  }

  private void open(ByteBuffer buffer, ColumnBuilder builder) {
    final ByteBuffer values = readValues(buffer);
    final ShapeShiftingNumbersSupplier<?> numbers = kind.read(columnName, values);
    ColumnFormatException.requireEnd(columnName, values);
    final ImmutableBitmap nulls =
        buffer.hasRemaining()
        ? bitmapSerdeFactory.getObjectStrategy().fromByteBufferWithSize(buffer)
        : bitmapSerdeFactory.getBitmapFactory().makeEmptyImmutableBitmap();
    @Nullable final KeyIndex keys =
        hasHashIndex
        ? new KeyIndex(HashIndex.read(columnName, buffer, numbers.data().header().numValues()), numbers)
        : null;
    ColumnFormatException.requireEnd(columnName, buffer);
    builder.setType(kind.valueType)
           .setHasMultipleValues(false)
           .setHasNulls(!nulls.isEmpty())
           .setNumericColumnSupplier(() -> numbers.get(nulls))
           // Declared as an index without bitmaps: Druid's flag for them describes the stored format of the column, and
           // this index computes its rows.
           .setIndexSupplier(
               new NumberScanIndexSupplier(numbers, nulls, bitmapSerdeFactory.getBitmapFactory(), keys), false, false);
  }

  /** Reads the bytes of the values, and advances the buffer's position past them. */
  private ByteBuffer readValues(ByteBuffer buffer) {
    final int size = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
    if (size < 0 || size > buffer.remaining()) {
      throw ColumnFormatException.damaged(
          columnName,
          "its values have " + size + " bytes, but there are only " + buffer.remaining()
      );
    }
    final ByteBuffer values = buffer.slice(buffer.position(), size).order(byteOrder);
    buffer.position(buffer.position() + size);
    return values;
  }
}
