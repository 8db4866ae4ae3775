// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * What became of a column's rows.
 *
 * @param name        the column
 * @param projection  the projection that it is of; absent for the base table
 * @param type        as Druid names it
 * @param from        how the rows were stored
 * @param to          how they are stored now
 * @param bytesBefore size of the rows before: ids or numbers, or both where a numeric {@code auto} column has both
 * @param bytesAfter  size of the rows now
 * @param forms       by name of the form, what it holds now; empty unless the rows shape-shift
 * @param note        why they are as they were; absent if they are not
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
    @Nullable String note
) {
  /** What became of one row part of a column. */
  static ColumnConversion of(
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
        note
    );
  }

  /** What became of two row parts of a column. */
  ColumnConversion plus(ColumnConversion other) {
    final Map<String, FormUsage> sum = new LinkedHashMap<>(forms);
    other.forms.forEach((form, usage) -> sum.merge(form, usage, FormUsage::plus));
    return new ColumnConversion(
        name,
        projection,
        type,
        both(from, other.from),
        both(to, other.to),
        bytesBefore + other.bytesBefore,
        bytesAfter + other.bytesAfter,
        sum,
        note
    );
  }

  private static String both(String first, String second) {
    return first.equals(second) ? first : first + ", " + second;
  }
}
