// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shapeshift.druid.segment.serde.UnknownProperties;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.NestedCommonFormatColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;

/**
 * Serde of {@code auto} columns with shape-shifting files, named in a segment's column descriptor. The bytes of the
 * part and of all files are those of Druid's {@link NestedCommonFormatColumnPartSerde}, except for the {@link #files}:
 * each of these is one shape-shifting column, posting lists instead of bitmaps, or a shape-shifting dictionary. The
 * number that is stored in a null row has no meaning; writers repeat another number of the column, or write 0. A column
 * and the projection columns that share its dictionaries either all have this type, or none has it.
 */
public final class ShapeShiftAutoColumnPartSerde implements ColumnPartSerde {
  /** The {@code type} in a column descriptor; never changes. */
  public static final String TYPE = "shapeshift.nestedCommonFormat";

  private final EnumSet<AutoColumnFile> files;
  private final NestedCommonFormatColumnPartSerde stock;
  @Nullable
  private final Serializer serializer;
  private final UnknownProperties unknown = new UnknownProperties();

  ShapeShiftAutoColumnPartSerde(
      Set<AutoColumnFile> files,
      NestedCommonFormatColumnPartSerde stock,
      @Nullable Serializer serializer
  ) {
    this.files = EnumSet.noneOf(AutoColumnFile.class);
    this.files.addAll(files);
    this.stock = stock;
    this.serializer = serializer;
  }

  /** Creates a serde for reading. */
  @JsonCreator
  static ShapeShiftAutoColumnPartSerde forReading(
      @JsonProperty("files") @Nullable Set<String> files,
      @JsonProperty("stock") @Nullable NestedCommonFormatColumnPartSerde stock
  ) {
    final EnumSet<AutoColumnFile> known = EnumSet.noneOf(AutoColumnFile.class);
    final Set<String> unknown = new TreeSet<>(files == null ? Set.of() : files);
    for (AutoColumnFile file : AutoColumnFile.values()) {
      if (unknown.remove(file.suffix())) {
        known.add(file);
      }
    }
    final ShapeShiftAutoColumnPartSerde serde = new ShapeShiftAutoColumnPartSerde(known, stock, null);
    unknown.forEach(file -> serde.unknown.add("the file " + file));
    return serde;
  }

  /** Collects properties that only a later release knows. */
  @JsonAnySetter
  void setUnknown(String name, @Nullable Object value) {
    unknown.add(name);
  }

  /** Files that can shape-shift in the kind of column that a stock part describes. */
  static Set<AutoColumnFile> filesOf(NestedCommonFormatColumnPartSerde stock) {
    if (stock.isVariantType() || stock.getLogicalType().isArray()) {
      return EnumSet.of(
          AutoColumnFile.IDS,
          AutoColumnFile.INDEXES,
          AutoColumnFile.ELEMENT_INDEXES,
          AutoColumnFile.STRING_DICTIONARY,
          AutoColumnFile.LONG_DICTIONARY,
          AutoColumnFile.DOUBLE_DICTIONARY
      );
    }
    if (stock.getLogicalType().is(ValueType.STRING)) {
      return EnumSet.of(AutoColumnFile.IDS, AutoColumnFile.INDEXES, AutoColumnFile.STRING_DICTIONARY);
    }
    if (stock.getLogicalType().is(ValueType.LONG)) {
      return EnumSet.of(
          AutoColumnFile.IDS, AutoColumnFile.LONGS, AutoColumnFile.INDEXES, AutoColumnFile.LONG_DICTIONARY);
    }
    if (stock.getLogicalType().is(ValueType.DOUBLE)) {
      return EnumSet.of(
          AutoColumnFile.IDS, AutoColumnFile.DOUBLES, AutoColumnFile.INDEXES, AutoColumnFile.DOUBLE_DICTIONARY);
    }
    // Nested data.
    return EnumSet.noneOf(AutoColumnFile.class);
  }

  /**
   * Files that shape-shift in a column. A dictionary of numbers shape-shifts only together with the index, because
   * Druid's index of numbers can read only a stock dictionary.
   *
   * @param asked files that shape-shift if the column has them
   */
  static Set<AutoColumnFile> filesOf(NestedCommonFormatColumnPartSerde stock, Set<AutoColumnFile> asked) {
    final Set<AutoColumnFile> files = filesOf(stock);
    files.retainAll(asked);
    if (!stock.isVariantType() && stock.getLogicalType().isNumeric() && !files.contains(AutoColumnFile.INDEXES)) {
      files.remove(AutoColumnFile.LONG_DICTIONARY);
      files.remove(AutoColumnFile.DOUBLE_DICTIONARY);
    }
    return files;
  }

  /** Type of the bitmaps in the indexes of a column. */
  static BitmapSerdeFactory bitmapsOf(NestedCommonFormatColumnPartSerde stock) {
    return stock.getColumnFormatSpec() == null
           ? stock.getBitmapSerdeFactory()
           : stock.getColumnFormatSpec().getBitmapEncoding();
  }

  /** The files that shape-shift. */
  @JsonProperty
  Set<AutoColumnFile> getFiles() {
    return files;
  }

  /** Stock part that describes all other files. */
  @JsonProperty
  NestedCommonFormatColumnPartSerde getStock() {
    return stock;
  }

  @JsonIgnore
  @Nullable
  @Override
  public Serializer getSerializer() {
    return serializer;
  }

  @Override
  public Deserializer getDeserializer() {
    return new AutoColumnReader(files, stock, unknown);
  }
}
