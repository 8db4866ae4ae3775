// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import io.shapeshift.druid.tool.encoding.EncodedIndex;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.NumberDictionaryPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * Result of converting a column's rows, index of values and dictionary.
 *
 * @param name             name of the column
 * @param projection       projection of the column; absent for the base table
 * @param type             Druid's name of the type
 * @param from             encoding of the rows before
 * @param to               encoding of the rows after
 * @param bytesBefore      size of the rows before, in bytes: ids, numbers, or both for a numeric {@code auto} column
 * @param bytesAfter       size of the rows after
 * @param forms            usage by form name after; empty unless the rows shape-shift
 * @param indexFrom        encoding of the index before; absent if the column has none
 * @param indexTo          encoding of the index after; absent if the column has none
 * @param indexBytesBefore size of the index before
 * @param indexBytesAfter  size of the index after
 * @param indexForms       usage by form name of posting lists after; empty unless the index has posting lists
 * @param dictionaryFrom        encoding of the string dictionary before; absent if the column has none of its own
 * @param dictionaryTo          encoding of the string dictionary after; absent if the column has none of its own
 * @param dictionaryBytesBefore size of the dictionaries of strings and numbers before
 * @param dictionaryBytesAfter  size of these dictionaries after
 * @param note             reason why the column is unchanged; absent if it changed
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ColumnConversion(
    String name,
    @Nullable String projection,
    String type,
    String from,
    String to,
    long bytesBefore,
    long bytesAfter,
    Map<String, FormUsage> forms,
    @Nullable String indexFrom,
    @Nullable String indexTo,
    long indexBytesBefore,
    long indexBytesAfter,
    Map<String, FormUsage> indexForms,
    @Nullable String dictionaryFrom,
    @Nullable String dictionaryTo,
    long dictionaryBytesBefore,
    long dictionaryBytesAfter,
    @Nullable String note
) {
  /** Creates the result for one row part of a column. */
  static ColumnConversion ofRows(
      SegmentColumn column,
      RowPart part,
      String to,
      long bytesAfter,
      Map<String, FormUsage> forms,
      @Nullable String note
  ) {
    return ofRows(column, part.encoding(), to, part.bytes().remaining(), bytesAfter, forms, note);
  }

  /** Creates the result for a column that was written anew as a whole. */
  static ColumnConversion ofWhole(SegmentColumn column, String to, long bytesAfter, Map<String, FormUsage> forms) {
    final String from = column.isShapeShifting() ? RowEncodings.SHAPE_SHIFTING : ComplexConverter.STOCK;
    return ofRows(column, from, to, column.sizeInBytes(), bytesAfter, forms, null);
  }

  private static ColumnConversion ofRows(
      SegmentColumn column,
      String from,
      String to,
      long bytesBefore,
      long bytesAfter,
      Map<String, FormUsage> forms,
      @Nullable String note
  ) {
    return new ColumnConversion(
        column.name(),
        column.projection() == null ? null : column.projection().name(),
        column.type(),
        from,
        to,
        bytesBefore,
        bytesAfter,
        forms,
        null,
        null,
        0,
        0,
        Map.of(),
        null,
        null,
        0,
        0,
        note
    );
  }

  /**
   * Creates the result for the index of a column.
   *
   * @param now new index; null if it is unchanged
   */
  static ColumnConversion ofIndex(SegmentColumn column, IndexPart part, @Nullable EncodedIndex now) {
    return new ColumnConversion(
        column.name(),
        column.projection() == null ? null : column.projection().name(),
        column.type(),
        "",
        "",
        0,
        0,
        Map.of(),
        part.encoding(),
        now == null ? part.encoding() : now.encoding(),
        part.bytes().remaining(),
        now == null ? part.bytes().remaining() : now.sizeInBytes(),
        now == null ? part.forms() : now.forms(),
        null,
        null,
        0,
        0,
        null
    );
  }

  /**
   * Creates the result for the dictionary of a column.
   *
   * @param now new dictionary; null if it is unchanged
   */
  static ColumnConversion ofDictionary(SegmentColumn column, DictionaryPart part, @Nullable EncodedDictionary now) {
    return ofDictionary(
        column,
        part.encoding(),
        now == null ? part.encoding() : now.encoding(),
        part.bytes().remaining(),
        now == null ? part.bytes().remaining() : now.sizeInBytes()
    );
  }

  /** Creates the result for a dictionary of numbers. */
  static ColumnConversion ofDictionary(SegmentColumn column, NumberDictionaryPart part, int bytesAfter) {
    return ofDictionary(column, null, null, part.bytes().remaining(), bytesAfter);
  }

  private static ColumnConversion ofDictionary(
      SegmentColumn column,
      @Nullable String from,
      @Nullable String to,
      int bytesBefore,
      int bytesAfter
  ) {
    return new ColumnConversion(
        column.name(),
        column.projection() == null ? null : column.projection().name(),
        column.type(),
        "",
        "",
        0,
        0,
        Map.of(),
        null,
        null,
        0,
        0,
        Map.of(),
        from,
        to,
        bytesBefore,
        bytesAfter,
        null
    );
  }

  /** Combines the results of two parts of a column. */
  ColumnConversion plus(ColumnConversion other) {
    return new ColumnConversion(
        name,
        projection,
        type,
        both(from, other.from),
        both(to, other.to),
        bytesBefore + other.bytesBefore,
        bytesAfter + other.bytesAfter,
        both(forms, other.forms),
        indexFrom == null ? other.indexFrom : indexFrom,
        indexTo == null ? other.indexTo : indexTo,
        indexBytesBefore + other.indexBytesBefore,
        indexBytesAfter + other.indexBytesAfter,
        both(indexForms, other.indexForms),
        dictionaryFrom == null ? other.dictionaryFrom : dictionaryFrom,
        dictionaryTo == null ? other.dictionaryTo : dictionaryTo,
        dictionaryBytesBefore + other.dictionaryBytesBefore,
        dictionaryBytesAfter + other.dictionaryBytesAfter,
        note == null ? other.note : note
    );
  }

  private static String both(String first, String second) {
    if (first.isEmpty() || second.isEmpty()) {
      return first + second;
    }
    return first.equals(second) ? first : first + ", " + second;
  }

  private static Map<String, FormUsage> both(Map<String, FormUsage> first, Map<String, FormUsage> second) {
    final Map<String, FormUsage> sum = new LinkedHashMap<>(first);
    second.forEach((form, usage) -> sum.merge(form, usage, FormUsage::plus));
    return sum;
  }
}
