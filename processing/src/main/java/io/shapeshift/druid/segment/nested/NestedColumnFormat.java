// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import javax.annotation.Nullable;
import org.apache.druid.segment.column.BitmapIndexType;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.nested.FieldTypeInfo;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.serde.ColumnSerializerUtils;

/**
 * Layout of a nested column, in the column's file.
 *
 * <pre>
 * | bytes      | field                                                                                        |
 * |------------|----------------------------------------------------------------------------------------------|
 * | 1          | version, 1                                                                                   |
 * | 1 to 5     | number of files of kept objects (VByte)                                                      |
 * | 1 to 5 for | number of distinct strings of all fields, with null; of longs; of doubles; of arrays;        |
 * | each       | number of fields (VBytes)                                                                    |
 * | 1 for each | types of the field, as Druid's {@link FieldTypeInfo}                                         |
 * | field      |                                                                                              |
 * | 1 to 5     | number of files of fields (VByte)                                                            |
 * | 1 to 5 for | number of fields in the file (VByte)                                                         |
 * | each file  |                                                                                              |
 * | 1 to 5 for | size of the field in bytes (VByte)                                                           |
 * | each field |                                                                                              |
 * |            | names of the fields: their normalized paths, a                                               |
 * |            | {@link io.shapeshift.druid.column.strings.StringDictionary}                                  |
 * |            | {@link io.shapeshift.druid.column.structures.Structures structures} of the objects           |
 * </pre>
 * The files {@code __fields}, {@code __fields_1} and so on have the {@link NestedFieldFormat fields}, one behind the
 * other. The files {@code __kept}, {@code __kept_1} and so on have the objects that cannot be rebuilt, in Druid's SMILE
 * bytes: {@link io.shapeshift.druid.column.blobs.Blobs} of consecutive rows, null where an object is rebuilt.
 */
final class NestedColumnFormat {
  static final byte VERSION = 1;

  private static final String FIELDS_FILE = "__fields";
  private static final String KEPT_FILE = "__kept";
  private static final String STRINGS_FILE = "__strings_";

  private NestedColumnFormat() {}

  /** Returns the suffix of a file of fields. */
  static String fieldsFile(int file) {
    return numbered(FIELDS_FILE, file);
  }

  /** Returns the suffix of a file of kept objects. */
  static String keptFile(int file) {
    return numbered(KEPT_FILE, file);
  }

  private static String numbered(String name, int file) {
    return file == 0 ? name : name + "_" + file;
  }

  /** Returns the start of the names of the files of a field's strings, if they are too many for the field's file. */
  static String stringsFiles(String column, int field) {
    return ColumnSerializerUtils.getInternalFileName(column, STRINGS_FILE + field);
  }

  /** Returns whether a field has an index of its values, and not only of null, as the column's format asks. */
  static boolean isListed(FieldTypeInfo.TypeSet types, NestedCommonFormatColumnFormatSpec format) {
    @Nullable final ColumnType type = types.getSingleType();
    @Nullable BitmapIndexType index = null;
    if (type != null && type.is(ValueType.LONG)) {
      index = format.getLongFieldBitmapIndexType();
    } else if (type != null && type.is(ValueType.DOUBLE)) {
      index = format.getDoubleFieldBitmapIndexType();
    }
    return !(index instanceof BitmapIndexType.NullValueIndex);
  }
}
