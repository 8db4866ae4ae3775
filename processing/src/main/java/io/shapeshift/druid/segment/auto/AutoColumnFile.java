// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.fasterxml.jackson.annotation.JsonValue;
import io.shapeshift.druid.segment.spec.EncodedType;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/** Files of an {@code auto} column that can shape-shift. All other files are stock. */
enum AutoColumnFile {
  /** Dictionary ids. */
  IDS(ColumnSerializerUtils.ENCODED_VALUE_COLUMN_FILE_NAME, EncodedType.INT),
  /** Values of a long column, stored in addition to their ids. */
  LONGS(ColumnSerializerUtils.LONG_VALUE_COLUMN_FILE_NAME, EncodedType.LONG),
  /** Values of a double column, stored in addition to their ids. */
  DOUBLES(ColumnSerializerUtils.DOUBLE_VALUE_COLUMN_FILE_NAME, EncodedType.DOUBLE),
  /** Rows of each id. */
  INDEXES(ColumnSerializerUtils.BITMAP_INDEX_FILE_NAME, EncodedType.INDEX),
  /** Rows of each array element. */
  ELEMENT_INDEXES(ColumnSerializerUtils.ARRAY_ELEMENT_BITMAP_INDEX_FILE_NAME, EncodedType.INDEX),
  /** Distinct strings. A projection's column may share the dictionary of its base table's column. */
  STRING_DICTIONARY(ColumnSerializerUtils.STRING_DICTIONARY_FILE_NAME, EncodedType.DICTIONARY),
  /** Distinct longs. */
  LONG_DICTIONARY(ColumnSerializerUtils.LONG_DICTIONARY_FILE_NAME, EncodedType.DICTIONARY),
  /** Distinct doubles. */
  DOUBLE_DICTIONARY(ColumnSerializerUtils.DOUBLE_DICTIONARY_FILE_NAME, EncodedType.DICTIONARY);

  private final String suffix;
  private final EncodedType type;

  AutoColumnFile(String suffix, EncodedType type) {
    this.suffix = suffix;
    this.type = type;
  }

  /** Suffix that Druid appends to the column's name. */
  @JsonValue
  String suffix() {
    return suffix;
  }

  /** Kind of data in the file. */
  EncodedType type() {
    return type;
  }

  /** Name of the file in a segment. */
  String of(String column) {
    return ColumnSerializerUtils.getInternalFileName(column, suffix);
  }
}
