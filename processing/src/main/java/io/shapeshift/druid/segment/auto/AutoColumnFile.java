// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shapeshift.druid.segment.spec.EncodedType;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/** The files of a column of type {@code auto} that can shape-shift; all others are Druid's own in any case. */
enum AutoColumnFile {
  /** The dictionary ids. */
  IDS(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME, EncodedType.INT),
  /** The values of a column of longs, beside their ids. */
  LONGS(ColumnSerializerUtils.LONG_VALUE_COLUMN_FILE_NAME, EncodedType.LONG),
  /** The values of a column of doubles, beside their ids. */
  DOUBLES(ColumnSerializerUtils.DOUBLE_VALUE_COLUMN_FILE_NAME, EncodedType.DOUBLE),
  /** The rows of each id. */
  INDEXES(ColumnSerializerUtils.BITMAP_INDEX_FILE_NAME, EncodedType.INDEX),
  /** The rows of each value that is an element of arrays. */
  ELEMENT_INDEXES(ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME, EncodedType.INDEX),
  /** The strings that ids stand for. A projection's column may share those of the base table's. */
  STRING_DICTIONARY(ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME, EncodedType.DICTIONARY),
  /** The longs that ids stand for. */
  LONG_DICTIONARY(ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME, EncodedType.DICTIONARY),
  /** The doubles that ids stand for. */
  DOUBLE_DICTIONARY(ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME, EncodedType.DICTIONARY);

  private final String suffix;
  private final EncodedType type;

  AutoColumnFile(String suffix, EncodedType type) {
    this.suffix = suffix;
    this.type = type;
  }

  /** What Druid puts behind the column's name to name the file. */
  @JsonValue
  String suffix() {
    return suffix;
  }

  /** What the file stores. */
  EncodedType type() {
    return type;
  }

  /** Name of the file in a segment. */
  String of(String column) {
    return ColumnSerializerUtils.getInternalFileName(column, suffix);
  }
}
