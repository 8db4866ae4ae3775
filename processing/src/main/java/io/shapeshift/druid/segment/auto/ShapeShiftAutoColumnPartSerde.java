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
 * A column of type {@code auto} of which files shape-shift, in a segment's column descriptor. The part's bytes and
 * those of all files are what Druid's {@link NestedCommonFormatColumnPartSerde} has, but for the {@link #files}: each
 * of these is one shape-shifting column, posting lists in the place of bitmaps, or a dictionary of ours. What a column
 * of numbers has in the row of a null means nothing; writers repeat one of its numbers, or 0. The column and those of
 * projections that share its dictionaries are of this type, or none of them is.
 */
public final class ShapeShiftAutoColumnPartSerde implements ColumnPartSerde {
  /** The {@code type} in a column descriptor; for ever, as the formats are. */
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

  /** Makes a serde that reads. */
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

  /** Takes what only a later release knows. */
  @JsonAnySetter
  void setUnknown(String name, @Nullable Object value) {
    unknown.add(name);
  }

  /** The files that can shape-shift of the kind of column that a part of Druid's writes. */
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
    // Of nested data.
    return EnumSet.noneOf(AutoColumnFile.class);
  }

  /**
   * Those of some files that shape-shift in a column. Druid's own index of numbers reads Druid's own dictionary only.
   *
   * @param asked files that are to shape-shift, where the column has them
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

  /** The kind of bitmaps in the indexes of the column that a part of Druid's writes. */
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

  /** Druid's own part, to which these files are the only difference. */
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
