// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.Composition;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.form.Forms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The share of one form in a column.
 *
 * @param chunks how many chunks are in this form
 * @param bytes  their size, with the byte that names the form
 */
public record FormUsage(int chunks, long bytes) {
  /**
   * The forms of a column, by name, in the order of their ids: those of offsets and values together, where rows have
   * several values; none where the column does not shape-shift.
   */
  public static Map<String, FormUsage> of(Supplier<?> column) {
    if (column instanceof ShapeShiftingColumnarMultiIntsSupplier multi) {
      return of(List.of(multi.offsets(), multi.values()));
    }
    return column instanceof ShapeShiftingColumnarIntsSupplier single ? of(List.of(single)) : Map.of();
  }

  private static Map<String, FormUsage> of(List<ShapeShiftingColumnarIntsSupplier> columns) {
    final Map<String, FormUsage> forms = new LinkedHashMap<>();
    columns.stream()
           .flatMap(column -> column.data().header().composition().entries().stream())
           .sorted((a, b) -> Byte.compare(a.formId(), b.formId()))
           .forEach(entry -> forms.merge(Forms.intForm(entry.formId()).name(), of(entry), FormUsage::plus));
    return forms;
  }

  private static FormUsage of(Composition.Entry entry) {
    return new FormUsage(entry.chunks(), entry.bytes());
  }

  /** Both together. */
  public FormUsage plus(FormUsage other) {
    return new FormUsage(chunks + other.chunks, bytes + other.bytes);
  }
}
