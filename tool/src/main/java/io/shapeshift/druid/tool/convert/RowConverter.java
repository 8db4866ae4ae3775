// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Maps;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnHead;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import io.shapeshift.druid.tool.encoding.EncodedHashIndex;
import io.shapeshift.druid.tool.encoding.EncodedIndex;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.encoding.ShapeShiftEncoding;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.NumberDictionaryPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.Indexed;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/** Converter of the row parts, indexes and dictionaries of columns. All other bytes stay unchanged. */
final class RowConverter {
  /**
   * Names of Druid's additional files of rows that do not fit into one file. The column's name and a dot precede them.
   */
  private static final Pattern SPLIT_ROWS =
      Pattern.compile("(forward_dim(\\.offsets|\\.values)?|(long|float|double)_column)_.*");
  /** Advice to the user if a column does not fit into a file. */
  static final String TOO_LARGE =
      "Choose an encoding that makes it smaller, of its type alone with --int-encoding-strategy and the like";

  private final Map<EncodedType, RowEncoding> encodings;
  @Nullable
  private final Boolean hashIndex;
  @Nullable
  private final Boolean textIndex;
  private final ComplexConverter complex;
  private final NestedConverter nested;

  /**
   * Creates a converter.
   *
   * @param encodings target encoding of each type
   * @param hashIndex whether numbers get a hash index; null to keep those that there are
   * @param textIndex whether dictionaries of strings, also of nested fields, get a text index; null to keep those that
   *     there are
   */
  RowConverter(
      Map<EncodedType, RowEncoding> encodings,
      @Nullable Boolean hashIndex,
      @Nullable Boolean textIndex
  ) {
    this.encodings = Maps.immutableEnumMap(encodings);
    this.hashIndex = hashIndex;
    this.textIndex = textIndex;
    this.complex = new ComplexConverter(encodings.get(EncodedType.COMPLEX));
    this.nested = new NestedConverter(this.encodings, textIndex);
  }

  /** Whether a column is written anew as a whole: of objects of a complex type, or nested. */
  boolean isConvertedAsAWhole(SegmentColumn column) {
    return complex.isConverted(column) || nested.isConverted(column);
  }

  /**
   * Converts a column as a whole.
   *
   * @throws IOException if the system's temporary directory is full
   */
  WholeColumn convertAsAWhole(SegmentColumn column) throws IOException {
    try {
      return complex.isConverted(column) ? complex.convert(column) : nested.convert(column);
    } catch (ColumnFormatException e) {
      throw notEncoded(column, e);
    } catch (OutOfMemoryError e) {
      throw ToolException.outOfMemory(column.where(), e);
    }
  }

  /**
   * Converted file with a row part, an index or a dictionary.
   *
   * @param bytes      contents of the file, without the descriptor that precedes a column's own file in version 9
   * @param summary    result of the conversion
   * @param rows       row part within the bytes; null if the file has none
   * @param index      index within the bytes; null if the file has none, or it is unchanged
   * @param dictionary dictionary within the bytes; null if the file has none, or it is unchanged
   * @param hashIndex  hash index within the bytes; null if the file has none, or it is unchanged
   */
  record Converted(
      List<ByteBuffer> bytes,
      ColumnConversion summary,
      @Nullable EncodedRows rows,
      @Nullable EncodedIndex index,
      @Nullable EncodedDictionary dictionary,
      @Nullable EncodedHashIndex hashIndex
  ) implements Closeable {
    @Override
    public void close() {
      if (hashIndex != null) {
        hashIndex.close();
      }
      if (rows != null) {
        rows.close();
      }
      if (index != null) {
        index.close();
      }
      if (dictionary != null) {
        dictionary.close();
      }
    }
  }

  /** Whether a column has rows to convert. */
  static boolean hasRows(SegmentColumn column) {
    return column.parts().rows() != null;
  }

  /** Reason why the rows of a column cannot be converted, or null if they can. */
  @Nullable
  static String obstacle(SegmentColumn column) {
    if (column.order() != IndexIO.BYTE_ORDER) {
      return "kept: written on a machine of byte order " + column.order();
    }
    if (column.isAuto() && column.parent() != null && obstacle(column.parent()) != null) {
      // Columns that share dictionaries are either all shape-shifting or all stock.
      return obstacle(column.parent());
    }
    return column.internalFiles().keySet().stream().anyMatch(file -> SPLIT_ROWS.matcher(file).matches())
           ? "kept: its rows take more than one file"
           : null;
  }

  /** Result for an unchanged column. */
  static ColumnConversion kept(SegmentColumn column, String note) {
    final RowPart rows = column.parts().rows();
    final ColumnConversion kept =
        ColumnConversion.ofRows(column, rows, rows.encoding(), rows.bytes().remaining(), rows.forms(), note);
    @Nullable final IndexPart index = column.parts().index();
    @Nullable final DictionaryPart dictionary = column.parts().dictionary();
    final ColumnConversion withIndex =
        index == null ? kept : kept.plus(ColumnConversion.ofIndex(column, index, null));
    return dictionary == null || dictionary.isShared()
           ? withIndex
           : withIndex.plus(ColumnConversion.ofDictionary(column, dictionary, null));
  }

  /**
   * Converts the rows, the index and the dictionary in a column's own file.
   *
   * @param column column whose own file has its rows
   * @throws IOException if the system's temporary directory is full
   */
  Converted convert(SegmentColumn column) throws IOException {
    final ColumnParts parts = column.parts();
    @Nullable final DictionaryPart dictionaryPart = parts.dictionary();
    @Nullable final EncodedDictionary dictionary = dictionaryPart == null ? null : encode(column, dictionaryPart);
    final EncodedColumn encoded = encode(column);
    final EncodedRows rows = encoded.rows();
    final ByteBuffer head =
        parts.isString()
        ? StringColumnHead.of(parts.multiValue(), isCompressed(), parts.body().strings().hasIndexes()).toBytes()
        : ByteBuffer.allocate(Integer.BYTES).putInt(rows.sizeInBytes()).flip();
    final List<ByteBuffer> bytes = new ArrayList<>();
    bytes.add(head);
    bytes.add(dictionary == null ? parts.body().dictionary() : dictionary.bytes());
    bytes.add(rows.bytes());
    final ByteBuffer indexes = parts.body().indexes();
    ColumnConversion summary = summary(column, parts.rows(), rows);
    if (dictionaryPart != null && !dictionaryPart.isShared()) {
      summary = summary.plus(ColumnConversion.ofDictionary(column, dictionaryPart, dictionary));
    }
    @Nullable final IndexPart index = parts.index();
    @Nullable EncodedHashIndex hashes = null;
    if (mayHaveHashIndex(column)) {
      hashes = parts.hashIndex() == null ? hashIndex(column) : null;
      bytes.addAll(nullsAndHashIndex(column, parts, hashes));
    } else if (parts.hashIndex() != null) {
      bytes.add(parts.stockNulls(column.numRows()));
    } else if (index == null) {
      bytes.add(indexes);
    } else {
      bytes.add(encoded.index() == null ? index.bytes() : encoded.index().bytes());
      // Spatial index.
      bytes.add(indexes.slice(index.bytes().limit(), indexes.limit() - index.bytes().limit()));
      summary = summary.plus(ColumnConversion.ofIndex(column, index, encoded.index()));
    }
    return new Converted(bytes, summary, rows, encoded.index(), dictionary, hashes);
  }

  private static List<ByteBuffer> nullsAndHashIndex(
      SegmentColumn column,
      ColumnParts parts,
      @Nullable EncodedHashIndex added
  ) {
    if (parts.hashIndex() != null) {
      return List.of(parts.body().indexes(), parts.hashIndex().bytes());
    }
    return added == null
           ? List.of(parts.body().indexes())
           : List.of(parts.nullsBeforeHashIndex(column), added.bytes());
  }

  /** Whether a column has a hash index after the conversion, if one is possible. Only shape-shifting numbers have. */
  private boolean mayHaveHashIndex(SegmentColumn column) {
    final ColumnParts parts = column.parts();
    return parts.body() != null
        && !parts.isString()
        && encodings.get(parts.rows().type()).isShapeShifting()
        && (hashIndex == null ? parts.hashIndex() != null : hashIndex);
  }

  /** Builds a hash index; null if none is possible. */
  @Nullable
  private EncodedHashIndex hashIndex(SegmentColumn column) throws IOException {
    final RowPart rows = column.parts().rows();
    final RowValues.Numbers values = (RowValues.Numbers) read(column, () -> rows.read(column.numRows()));
    final ShapeShiftEncoding encoding = (ShapeShiftEncoding) encodings.get(rows.type());
    return encode(column, () -> EncodedHashIndex.of(column.file(), values, encoding.target()));
  }

  /** Converts the rows of a column, and its index unless that is unchanged. */
  private EncodedColumn encode(SegmentColumn column) throws IOException {
    final RowPart rows = column.parts().rows();
    @Nullable final IndexPart index = column.parts().index();
    if (index == null || !hasPostingLists(index)) {
      return new EncodedColumn(
          encodingOf(column, rows), encode(column, rows), index == null ? null : encode(column, index));
    }
    final RowValues values = read(column, () -> rows.read(column.numRows()));
    final IndexValues indexValues = read(column, () -> index.read(column.numRows()));
    return encode(column, () -> EncodedColumn.encode(
        column.file(), encodingOf(column, rows), values, encodings.get(EncodedType.INDEX), indexValues));
  }

  /**
   * Converts a row part in a file of its own.
   *
   * @throws IOException if the system's temporary directory is full
   */
  Converted convert(SegmentColumn column, RowPart part) throws IOException {
    final EncodedRows rows = encode(column, part);
    return new Converted(List.of(rows.bytes()), summary(column, part, rows), rows, null, null, null);
  }

  /**
   * Converts an index in a file of its own.
   *
   * @throws IOException if the system's temporary directory is full
   */
  Converted convert(SegmentColumn column, IndexPart part) throws IOException {
    @Nullable final EncodedIndex index = encode(column, part);
    return new Converted(
        List.of(index == null ? part.bytes() : index.bytes()),
        ColumnConversion.ofIndex(column, part, index),
        null,
        index,
        null,
        null
    );
  }

  /**
   * Converts a dictionary in a file of its own.
   *
   * @throws IOException if the system's temporary directory is full
   */
  Converted convert(SegmentColumn column, DictionaryPart part) throws IOException {
    @Nullable final EncodedDictionary dictionary = encode(column, part);
    return new Converted(
        List.of(dictionary == null ? part.bytes() : dictionary.bytes()),
        ColumnConversion.ofDictionary(column, part, dictionary),
        null,
        null,
        dictionary,
        null
    );
  }

  /** Converts a dictionary of numbers in a file of its own. */
  Converted convert(SegmentColumn column, NumberDictionaryPart part) {
    final ByteBuffer bytes = read(column, () -> part.encode(areNumbersOurs(column)));
    return new Converted(
        List.of(bytes), ColumnConversion.ofDictionary(column, part, bytes.remaining()), null, null, null, null);
  }

  /**
   * Whether dictionaries of numbers shape-shift after the conversion. Only with shape-shifting indexes, because Druid's
   * index of numbers can read only a stock dictionary.
   */
  private boolean areNumbersOurs(SegmentColumn column) {
    return encodings.get(EncodedType.DICTIONARY).dictionary().isShapeShifting()
        && (column.parts().rows().type() == EncodedType.INT || hasPostingLists(column.parts().index()));
  }

  /** Whether a dictionary shape-shifts after the conversion. */
  private boolean isOurs(DictionaryPart part) {
    return part.canShapeShift()
        && encodings.get(EncodedType.DICTIONARY).dictionary().isShapeShifting()
        && (part.isShapeShifting() || isInOrder(part.values().get()));
  }

  /**
   * Whether look-ups in a dictionary find its values. False if a text has an unpaired surrogate, even if Druid's
   * dictionary is marked as sorted.
   */
  private static boolean isInOrder(Indexed<ByteBuffer> texts) {
    @Nullable String previous = null;
    for (int id = 0; id < texts.size(); id++) {
      @Nullable final ByteBuffer text = texts.get(id);
      @Nullable final String value = text == null ? null : StringUtils.fromUtf8(text.duplicate());
      if (previous != null && (value == null || previous.compareTo(value) >= 0)) {
        return false;
      }
      previous = value;
    }
    return texts.isSorted();
  }

  /** Converts a dictionary. A stock dictionary that stays stock is unchanged. */
  @Nullable
  private EncodedDictionary encode(SegmentColumn column, DictionaryPart part) throws IOException {
    if (part.isShared() || (!isOurs(part) && !part.isShapeShifting())) {
      return null;
    }
    return encode(column, () -> {
      try {
        return encodings.get(EncodedType.DICTIONARY).dictionary()
            .encode(column.file(), part.values(), textIndex == null ? part.hasTextIndex() : textIndex);
      } catch (ColumnFormatException e) {
        throw e;
      } catch (RuntimeException e) {
        throw column.damaged("its dictionary cannot be read: " + e.getMessage(), e);
      }
    });
  }

  /** Whether an index has posting lists after the conversion. */
  private boolean hasPostingLists(IndexPart part) {
    return part.canShapeShift() && encodings.get(EncodedType.INDEX).hasPostingLists();
  }

  /** Converts an index. A stock index that stays stock is unchanged. */
  @Nullable
  private EncodedIndex encode(SegmentColumn column, IndexPart part) throws IOException {
    if (!hasPostingLists(part) && part.lists() == null) {
      return null;
    }
    final IndexValues values = read(column, () -> part.read(column.numRows()));
    return encode(column, () -> encodings.get(EncodedType.INDEX).encodeIndex(column.file(), values));
  }

  private RowEncoding encodingOf(SegmentColumn column, RowPart part) {
    final RowEncoding encoding = encodings.get(part.type());
    return column.parts().encodingOf(part, encoding, mayHaveHashIndex(column));
  }

  private EncodedRows encode(SegmentColumn column, RowPart part) throws IOException {
    final RowValues values = read(column, () -> part.read(column.numRows()));
    return encode(column, () -> encodingOf(column, part).encode(column.file(), values));
  }

  /** Creates the exception for a column that is too large or, where its dictionary is read as it is encoded, unread. */
  private static ToolException notEncoded(SegmentColumn column, ColumnFormatException e) {
    return ColumnFormatException.isMissingEncoding(e) || e.getMessage().contains("segment is damaged")
           ? column.damaged(e.getMessage(), e)
           : new ToolException(column.where(), e.getMessage(), TOO_LARGE, e);
  }

  private interface Encode<T> {
    T encode() throws IOException;
  }

  private static <T> T encode(SegmentColumn column, Encode<T> part) throws IOException {
    try {
      return part.encode();
    } catch (ColumnFormatException e) {
      throw notEncoded(column, e);
    } catch (OutOfMemoryError e) {
      throw ToolException.outOfMemory(column.where(), e);
    }
  }

  private static <T> T read(SegmentColumn column, Supplier<T> part) {
    try {
      return part.get();
    } catch (Damage e) {
      throw column.damaged(e.getMessage(), e);
    } catch (OutOfMemoryError e) {
      throw ToolException.outOfMemory(column.where(), e);
    }
  }

  private ColumnConversion summary(SegmentColumn column, RowPart part, EncodedRows rows) {
    final RowEncoding encoding = encodingOf(column, part);
    final String storedAs;
    if (encoding.isShapeShifting()) {
      storedAs = RowEncodings.SHAPE_SHIFTING;
    } else {
      storedAs = part.type() == EncodedType.INT
                 ? encoding.idCompression().toString()
                 : RowPart.numberEncoding(rows.bytes());
    }
    return ColumnConversion.ofRows(column, part, storedAs, rows.sizeInBytes(), rows.forms(), null);
  }

  /** Whether stock ids are compressed, or would be if the ids were stock. */
  private boolean isCompressed() {
    return encodings.get(EncodedType.INT).idCompression() != CompressionStrategy.UNCOMPRESSED;
  }


  /**
   * Descriptor of a column after the conversion.
   *
   * @param converted own file of the column; null if that is unchanged
   */
  JsonNode descriptor(SegmentColumn column, @Nullable Converted converted) {
    final ObjectNode descriptor = column.descriptor().deepCopy();
    final boolean hasHashIndex = converted != null
        && mayHaveHashIndex(column)
        && (converted.hashIndex() != null || column.parts().hashIndex() != null);
    descriptor.putArray("parts")
              .add(column.isAuto() ? autoPart(column) : inOrder(column, part(column, hasHashIndex)));
    return descriptor;
  }

  /** Part with only properties that Druid knows, in the order in which Druid writes them. */
  private static ObjectNode inOrder(SegmentColumn column, ObjectNode part) {
    try {
      return Druid.json().valueToTree(Druid.json().treeToValue(part, ColumnPartSerde.class));
    } catch (JsonProcessingException e) {
      throw column.damaged("its descriptor cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  private ObjectNode part(SegmentColumn column, boolean hasHashIndex) {
    final JsonNode old = column.part();
    final EncodedType type = column.parts().rows().type();
    final Set<StringColumnPart> ours = EnumSet.noneOf(StringColumnPart.class);
    @Nullable final IndexPart index = column.parts().index();
    if (index != null && hasPostingLists(index)) {
      ours.add(StringColumnPart.INDEXES);
    }
    @Nullable final DictionaryPart dictionary = column.parts().dictionary();
    if (dictionary != null && isOurs(dictionary)) {
      ours.add(StringColumnPart.DICTIONARY);
    }
    if (type == EncodedType.INT && encodings.get(type).isShapeShifting()) {
      ours.add(StringColumnPart.IDS);
    }
    final boolean shapeShifts = encodings.get(type).isShapeShifting() || !ours.isEmpty();
    final ObjectNode part = JsonNodeFactory.instance.objectNode();
    part.put("type", shapeShifts ? ourSerde(type) : stockSerde(type));
    if (shapeShifts) {
      part.put("columnName", column.file());
    }
    if (!ours.isEmpty()) {
      part.set("parts", Druid.json().valueToTree(ours));
    }
    part.set("bitmapSerdeFactory", column.bitmapKind());
    part.set("byteOrder", old.get("byteOrder"));
    if (hasHashIndex) {
      part.put("hashIndex", true);
    }
    return part;
  }

  private static String stockSerde(EncodedType type) {
    return switch (type) {
      case INT -> "stringDictionary";
      case LONG -> "longV2";
      case DOUBLE -> "doubleV2";
      case FLOAT -> "floatV2";
      default -> throw new IllegalArgumentException("no column is " + type + " alone");
    };
  }

  private static String ourSerde(EncodedType type) {
    return switch (type) {
      case INT -> ShapeShiftStringColumnPartSerde.TYPE;
      case LONG -> ShapeShiftNumberColumnPartSerde.Longs.TYPE;
      case DOUBLE -> ShapeShiftNumberColumnPartSerde.Doubles.TYPE;
      case FLOAT -> ShapeShiftNumberColumnPartSerde.Floats.TYPE;
      default -> throw new IllegalArgumentException("no column is " + type + " alone");
    };
  }

  private ObjectNode autoPart(SegmentColumn column) {
    final ObjectNode stock = column.part().deepCopy();
    if (stock.path("columnFormatSpec") instanceof ObjectNode spec) {
      putCompression(spec);
    }
    final ArrayNode files = JsonNodeFactory.instance.arrayNode();
    column.parts().files().forEach((file, part) -> {
      if (encodings.get(part.type()).isShapeShifting()) {
        files.add(file);
      }
    });
    column.parts().indexFiles().forEach((file, index) -> {
      if (hasPostingLists(index)) {
        files.add(file);
      }
    });
    @Nullable final DictionaryPart dictionary = column.parts().dictionary();
    if (dictionary != null && isOurs(dictionary)) {
      files.add(ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME);
    }
    if (areNumbersOurs(column)) {
      // As in the extension, a column of a projection also lists the dictionaries that it shares.
      final SegmentColumn owner = column.parent() == null ? column : column.parent();
      owner.parts().numbers().keySet().forEach(files::add);
    }
    if (files.isEmpty()) {
      return stock;
    }
    final ObjectNode part = JsonNodeFactory.instance.objectNode().put("type", ShapeShiftAutoColumnPartSerde.TYPE);
    part.set("files", files);
    part.set("stock", stock);
    final ObjectNode ordered = inOrder(column, part);
    // Copied unchanged. Written by this Druid, a part of an older or later release would have other properties.
    ordered.set("stock", stock);
    return ordered;
  }

  /**
   * Sets the compression of stock rows in a column's specification. For shape-shifting rows it is the compression that
   * stock rows would have.
   */
  private void putCompression(ObjectNode spec) {
    final RowEncoding ints = encodings.get(EncodedType.INT);
    if (!ints.isShapeShifting()) {
      spec.put("dictionaryEncodedColumnCompression", ints.idCompression().toString());
    }
    final RowEncoding longs = encodings.get(EncodedType.LONG);
    if (!longs.isShapeShifting()) {
      spec.put("longColumnEncoding", longs.longEncoding().toString());
      spec.put("longColumnCompression", longs.numberCompression().toString());
    }
    final RowEncoding doubles = encodings.get(EncodedType.DOUBLE);
    if (!doubles.isShapeShifting()) {
      spec.put("doubleColumnCompression", doubles.numberCompression().toString());
    }
  }
}
