// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.SeveralFiles;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import io.shapeshift.druid.column.strings.StringDictionary;
import io.shapeshift.druid.column.strings.StringDictionaryColumn;
import io.shapeshift.druid.segment.index.PostingIndex;
import io.shapeshift.druid.segment.index.StringIndexSupplier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarMultiInts;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.ImmutableRTreeObjectStrategy;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.DictionaryEncodedColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.serde.StringUtf8ColumnIndexSupplier;
import org.apache.druid.segment.serde.StringUtf8DictionaryEncodedColumnSupplier;

/**
 * Serde of string columns with shape-shifting parts, named in a segment's column descriptor. The bytes are those of
 * Druid's {@link DictionaryEncodedColumnPartSerde}, except for the {@link #getParts() parts} that the descriptor lists:
 *
 * <pre>
 * | content                                                        | if it shape-shifts              |
 * |----------------------------------------------------------------|---------------------------------|
 * | Druid's version and flags                                      |                                 |
 * | dictionary, absent in a projection whose base table has it     | a shape-shifting dictionary     |
 * | ids of the rows                                                | one shape-shifting column; two, |
 * |                                                                | of offsets and of values, if it |
 * |                                                                | is multi-value                  |
 * | index of the rows of each value, if the flags say so           | posting lists                   |
 * | spatial index, if there are bytes left and neither dictionary  |                                 |
 * | nor index shape-shifts                                         |                                 |
 * </pre>
 */
public final class ShapeShiftStringColumnPartSerde implements ColumnPartSerde {
  /** The {@code type} in a column descriptor; never changes. */
  public static final String TYPE = "shapeshift.stringDictionary";

  private final String columnName;
  private final EnumSet<StringColumnPart> parts;
  private final BitmapSerdeFactory bitmapSerdeFactory;
  private final ByteOrder byteOrder;
  @Nullable
  private final Serializer serializer;
  private final UnknownProperties unknown = new UnknownProperties();
  private boolean tellsParts = true;

  /**
   * Creates a serde for writing.
   *
   * @param parts parts that shape-shift; empty if only the dictionary was requested and cannot shape-shift
   */
  public ShapeShiftStringColumnPartSerde(
      String columnName,
      Set<StringColumnPart> parts,
      BitmapSerdeFactory bitmapSerdeFactory,
      ByteOrder byteOrder,
      @Nullable Serializer serializer
  ) {
    this.columnName = columnName;
    this.parts = EnumSet.noneOf(StringColumnPart.class);
    this.parts.addAll(parts);
    this.bitmapSerdeFactory = bitmapSerdeFactory;
    this.byteOrder = byteOrder;
    this.serializer = serializer;
  }

  /** Creates a serde for reading. A property that the descriptor lacks is reported when the column is opened. */
  @JsonCreator
  static ShapeShiftStringColumnPartSerde forReading(
      @JsonProperty("columnName") String columnName,
      @JsonProperty("parts") @Nullable Set<String> parts,
      @JsonProperty("bitmapSerdeFactory") BitmapSerdeFactory bitmapSerdeFactory,
      @JsonProperty("byteOrder") ByteOrder byteOrder
  ) {
    final EnumSet<StringColumnPart> known = EnumSet.noneOf(StringColumnPart.class);
    final Set<String> unknown = new TreeSet<>(parts == null ? Set.of() : parts);
    for (StringColumnPart part : StringColumnPart.values()) {
      if (unknown.remove(part.json())) {
        known.add(part);
      }
    }
    final ShapeShiftStringColumnPartSerde serde =
        new ShapeShiftStringColumnPartSerde(columnName, known, bitmapSerdeFactory, byteOrder, null);
    serde.tellsParts = parts != null;
    unknown.forEach(part -> serde.unknown.add("the part " + part));
    return serde;
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

  /** Parts that shape-shift; the others are stock. */
  @JsonProperty
  public Set<StringColumnPart> getParts() {
    return parts;
  }

  /** Type of the bitmaps in a stock index, and of the bitmaps that queries get. */
  @JsonProperty
  public BitmapSerdeFactory getBitmapSerdeFactory() {
    return bitmapSerdeFactory;
  }

  /** Byte order of shape-shifting parts and of stock ids. */
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
    try {
      unknown.refuse(columnName);
      UnknownProperties.require(columnName, "parts", tellsParts ? parts : null);
      UnknownProperties.require(columnName, "byteOrder", byteOrder);
      UnknownProperties.require(columnName, "bitmapSerdeFactory", bitmapSerdeFactory);
      open(buffer, builder, parent);
    } catch (RuntimeException e) {
      throw ColumnFormatException.notOpened(columnName, buffer, e);
    }
  }

  private void open(ByteBuffer buffer, ColumnBuilder builder, @Nullable ColumnHolder parent) {
    final StringColumnHead head = StringColumnHead.read(buffer);
    if (!head.areFlagsKnown()) {
      throw ColumnFormatException.newer(columnName, "its flags are " + Integer.toBinaryString(head.flags())
          + "; this druid-shapeshift knows only those of Druid 37, the lowest three");
    }
    final Supplier<? extends Indexed<ByteBuffer>> dictionary = readDictionary(buffer, builder, parent);
    final BitmapFactory bitmapFactory = bitmapSerdeFactory.getBitmapFactory();
    @Nullable final Supplier<ColumnarInts> ids = head.isMultiValue() ? null : readIds(head, buffer, builder);
    @Nullable final Supplier<ColumnarMultiInts> multiIds =
        head.isMultiValue() ? readMultiIds(head, buffer, builder) : null;
    @Nullable final StringDictionary texts = dictionary instanceof StringDictionary ours ? ours : null;
    final StringUtf8DictionaryEncodedColumnSupplier<?> column =
        texts == null
        ? new StringUtf8DictionaryEncodedColumnSupplier<>(dictionary, ids, multiIds, bitmapFactory)
        : StringDictionaryColumn.supplier(texts, ids, multiIds, bitmapFactory);
    // Opening a segment must not read the dictionary's texts.
    @Nullable final Indexed<ByteBuffer> values = texts == null ? dictionary.get() : null;
    final int numValues = texts == null ? values.size() : texts.size();
    final boolean hasNull = numValues == 0 || (texts == null ? values.get(0) == null : texts.hasNull());
    builder.setType(ValueType.STRING)
           .setHasMultipleValues(head.isMultiValue())
           .setHasNulls(hasNull)
           .setDictionaryEncodedColumnSupplier(column);

    if (head.hasIndexes() && parts.contains(StringColumnPart.INDEXES)) {
      final PostingLists lists = PostingLists.read(columnName, buffer, numValues, numRows(ids, multiIds));
      ColumnFormatException.requireEnd(columnName, buffer);
      final PostingIndex index = new PostingIndex(lists, ids, bitmapFactory);
      builder.setIndexSupplier(new StringIndexSupplier(dictionary, index), true, false);
      return;
    }
    @Nullable GenericIndexed<ImmutableBitmap> bitmaps = null;
    if (head.hasIndexes()) {
      SeveralFiles.check(columnName, buffer, builder.getFileMapper());
      bitmaps = GenericIndexed.read(buffer, bitmapSerdeFactory.getObjectStrategy(), builder.getFileMapper());
    }
    @Nullable ImmutableRTree spatialIndex = null;
    if (buffer.hasRemaining()) {
      spatialIndex = new ImmutableRTreeObjectStrategy(bitmapFactory).fromByteBufferWithSize(buffer);
      ColumnFormatException.requireEnd(columnName, buffer);
    }
    if (bitmaps == null && spatialIndex == null && ids != null && parts.contains(StringColumnPart.IDS)) {
      final PostingLists none = PostingLists.none(columnName, numValues, numRows(ids, null));
      final PostingIndex scans = new PostingIndex(none, ids, bitmapFactory);
      builder.setIndexSupplier(StringIndexSupplier.withoutIndex(dictionary, scans, hasNull), false, false);
    } else if (bitmaps != null || spatialIndex != null) {
      builder.setIndexSupplier(
          new StringUtf8ColumnIndexSupplier<>(bitmapFactory, dictionary, bitmaps, spatialIndex),
          bitmaps != null,
          spatialIndex != null
      );
    }
  }

  private static int numRows(@Nullable Supplier<ColumnarInts> ids, @Nullable Supplier<ColumnarMultiInts> multiIds) {
    try (ColumnarInts one = ids == null ? null : ids.get();
        ColumnarMultiInts several = multiIds == null ? null : multiIds.get()) {
      return one == null ? several.size() : one.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Supplier<ColumnarInts> readIds(StringColumnHead head, ByteBuffer buffer, ColumnBuilder builder) {
    return parts.contains(StringColumnPart.IDS)
           ? readOurs(buffer, ids -> ShapeShiftingColumnarIntsSupplier.read(columnName, ids))
           : head.readIds(buffer, byteOrder, builder.getFileMapper());
  }

  private Supplier<ColumnarMultiInts> readMultiIds(
      StringColumnHead head,
      ByteBuffer buffer,
      ColumnBuilder builder
  ) {
    return parts.contains(StringColumnPart.IDS)
           ? readOurs(buffer, ids -> ShapeShiftingColumnarMultiIntsSupplier.read(columnName, ids))
           : head.readMultiIds(buffer, byteOrder, builder.getFileMapper());
  }

  /** Reads a shape-shifting part, and advances the buffer's position past it. */
  private <T> T readOurs(ByteBuffer buffer, Function<ByteBuffer, T> reader) {
    final ByteBuffer ours = buffer.duplicate().order(byteOrder);
    final T read = reader.apply(ours);
    buffer.position(ours.position());
    return read;
  }

  private Supplier<? extends Indexed<ByteBuffer>> readDictionary(
      ByteBuffer buffer,
      ColumnBuilder builder,
      @Nullable ColumnHolder parent
  ) {
    if (parent != null) {
      return ((StringUtf8DictionaryEncodedColumnSupplier<?>) parent.getColumnSupplier()).getDictionary();
    }
    if (parts.contains(StringColumnPart.DICTIONARY)) {
      return StringDictionary.read(columnName, buffer);
    }
    SeveralFiles.check(columnName, buffer, builder.getFileMapper());
    final Supplier<? extends Indexed<ByteBuffer>> stock =
        StringEncodingStrategies.getStringDictionarySupplier(builder.getFileMapper(), buffer, byteOrder);
    return stock.get().isSorted() ? stock : () -> new UnsortedTexts(stock.get());
  }
}
