// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.spatial.ImmutableRTree;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.StringEncodingStrategies;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.ImmutableRTreeObjectStrategy;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.serde.StringUtf8ColumnIndexSupplier;
import org.apache.druid.segment.serde.StringUtf8DictionaryEncodedColumnSupplier;

/**
 * A string column whose dictionary ids shape-shift, in a segment's column descriptor. The part's bytes are those of
 * Druid's {@link DictionaryEncodedColumnPartSerde}, but for the ids:
 *
 * <pre>
 * | content                                                                                        |
 * |------------------------------------------------------------------------------------------------|
 * | Druid's version and flags                                                                      |
 * | dictionary, absent in a projection whose base table has the column                             |
 * | ids: one shape-shifting column, or, where rows have several values, one of offsets and another |
 * | bitmap indexes, if the flags say so                                                            |
 * | spatial index, if there are bytes left                                                         |
 * </pre>
 */
public final class ShapeShiftStringColumnPartSerde implements ColumnPartSerde {
  /** The {@code type} in a column descriptor; for ever, as the formats are. */
  public static final String TYPE = "shapeshift.stringDictionary";

  private final String columnName;
  private final BitmapSerdeFactory bitmapSerdeFactory;
  private final ByteOrder byteOrder;
  @Nullable
  private final Serializer serializer;

  public ShapeShiftStringColumnPartSerde(
      String columnName,
      BitmapSerdeFactory bitmapSerdeFactory,
      ByteOrder byteOrder,
      @Nullable Serializer serializer
  ) {
    this.columnName = columnName;
    this.bitmapSerdeFactory = bitmapSerdeFactory;
    this.byteOrder = byteOrder;
    this.serializer = serializer;
  }

  /** Makes a serde that reads. */
  @JsonCreator
  static ShapeShiftStringColumnPartSerde forReading(
      @JsonProperty("columnName") String columnName,
      @JsonProperty("bitmapSerdeFactory") BitmapSerdeFactory bitmapSerdeFactory,
      @JsonProperty("byteOrder") ByteOrder byteOrder
  ) {
    return new ShapeShiftStringColumnPartSerde(columnName, bitmapSerdeFactory, byteOrder, null);
  }

  /** Name of the column's file in the segment, for messages: readers of a part are not told which column it is. */
  @JsonProperty
  public String getColumnName() {
    return columnName;
  }

  /** The kind of bitmaps in the index. */
  @JsonProperty
  public BitmapSerdeFactory getBitmapSerdeFactory() {
    return bitmapSerdeFactory;
  }

  /** Byte order of the ids. */
  @JsonProperty
  public ByteOrder getByteOrder() {
    return byteOrder;
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
    final int flags = readFlags(buffer);
    final Supplier<? extends Indexed<ByteBuffer>> dictionary = readDictionary(buffer, builder, parent);
    final BitmapFactory bitmapFactory = bitmapSerdeFactory.getBitmapFactory();
    final boolean multiValue = isMultiValue(flags);
    final ByteBuffer ids = buffer.duplicate().order(byteOrder);
    final StringUtf8DictionaryEncodedColumnSupplier<?> column = new StringUtf8DictionaryEncodedColumnSupplier<>(
        dictionary,
        multiValue ? null : ShapeShiftingColumnarIntsSupplier.read(columnName, ids),
        multiValue ? ShapeShiftingColumnarMultiIntsSupplier.read(columnName, ids) : null,
        bitmapFactory
    );
    buffer.position(ids.position());
    builder.setType(ValueType.STRING)
           .setHasMultipleValues(multiValue)
           .setHasNulls(dictionary.get().get(0) == null)
           .setDictionaryEncodedColumnSupplier(column);

    @Nullable GenericIndexed<ImmutableBitmap> bitmaps = null;
    if (!DictionaryEncodedColumnPartSerde.Feature.NO_BITMAP_INDEX.isSet(flags)) {
      bitmaps = GenericIndexed.read(buffer, bitmapSerdeFactory.getObjectStrategy(), builder.getFileMapper());
    }
    @Nullable ImmutableRTree spatialIndex = null;
    if (buffer.hasRemaining()) {
      spatialIndex = new ImmutableRTreeObjectStrategy(bitmapFactory).fromByteBufferWithSize(buffer);
    }
    if (bitmaps != null || spatialIndex != null) {
      builder.setIndexSupplier(
          new StringUtf8ColumnIndexSupplier<>(bitmapFactory, dictionary, bitmaps, spatialIndex),
          bitmaps != null,
          spatialIndex != null
      );
    }
  }

  /** Takes Druid's version and flags from the buffer. */
  public static int readFlags(ByteBuffer buffer) {
    final DictionaryEncodedColumnPartSerde.VERSION version =
        DictionaryEncodedColumnPartSerde.VERSION.fromByte(buffer.get());
    return switch (version) {
      case UNCOMPRESSED_SINGLE_VALUE -> DictionaryEncodedColumnPartSerde.NO_FLAGS;
      case UNCOMPRESSED_MULTI_VALUE -> DictionaryEncodedColumnPartSerde.Feature.MULTI_VALUE.getMask();
      case COMPRESSED, UNCOMPRESSED_WITH_FLAGS -> buffer.getInt();
    };
  }

  /** Whether rows have several values. */
  public static boolean isMultiValue(int flags) {
    return DictionaryEncodedColumnPartSerde.Feature.MULTI_VALUE.isSet(flags)
        || DictionaryEncodedColumnPartSerde.Feature.MULTI_VALUE_V3.isSet(flags);
  }

  private Supplier<? extends Indexed<ByteBuffer>> readDictionary(
      ByteBuffer buffer,
      ColumnBuilder builder,
      @Nullable ColumnHolder parent
  ) {
    return parent == null
           ? StringEncodingStrategies.getStringDictionarySupplier(builder.getFileMapper(), buffer, byteOrder)
           : ((StringUtf8DictionaryEncodedColumnSupplier<?>) parent.getColumnSupplier()).getDictionary();
  }
}
