// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import io.shapeshift.druid.tool.encoding.EncodedIndex;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.segment.DictionaryPart;
import io.shapeshift.druid.tool.segment.IndexPart;
import io.shapeshift.druid.tool.segment.NumberDictionaryPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * What became of a column's rows, of its index of values and of its dictionary.
 *
 * @param name             the column
 * @param projection       the projection that it is of; absent for the base table
 * @param type             as Druid names it
 * @param from             how the rows were stored
 * @param to               how they are stored now
 * @param bytesBefore      size of the rows before: ids or numbers, or both where a numeric {@code auto} column has both
 * @param bytesAfter       size of the rows now
 * @param forms            by name of the form, what it holds now; empty unless the rows shape-shift
 * @param indexFrom        how the index of values was stored; absent where there is none
 * @param indexTo          how it is stored now; absent where there is none
 * @param indexBytesBefore its size before
 * @param indexBytesAfter  its size now
 * @param indexForms       by name of the form, what posting lists it holds now; empty unless there are any
 * @param dictionaryFrom        how the dictionary of strings was stored; absent where there is none of its own
 * @param dictionaryTo          how it is stored now; absent where there is none
 * @param dictionaryBytesBefore size of the dictionaries of strings and numbers before
 * @param dictionaryBytesAfter  their size now
 * @param note             why they are as they were; absent if they are not
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
  /** What became of one row part of a column. */
  static ColumnConversion ofRows(
      SegmentColumn column,
      RowPart part,
      String to,
      long bytesAfter,
      Map<String, FormUsage> forms,
      @Nullable String note
  ) {
    return new ColumnConversion(
        column.name(),
        column.projection() == null ? null : column.projection().name(),
        column.type(),
        part.encoding(),
        to,
        part.bytes().remaining(),
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
   * What became of the index of a column.
   *
   * @param now what it is now; null if it stays as it was
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
   * What became of the dictionary of a column.
   *
   * @param now what it is now; null if it stays as it was
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

  /** What became of a dictionary of numbers. */
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

  /** What became of two parts of a column. */
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
