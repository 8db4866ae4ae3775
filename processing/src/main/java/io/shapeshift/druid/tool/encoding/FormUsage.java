// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.Composition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
    final List<Piece> pieces = Piece.of(column);
    final Map<Byte, FormUsage> byId = new TreeMap<>();
    for (Piece piece : pieces) {
      for (Composition.Entry entry : piece.data().header().composition().entries()) {
        byId.merge(entry.formId(), new FormUsage(entry.chunks(), entry.bytes()), FormUsage::plus);
      }
    }
    final Map<String, FormUsage> byName = new LinkedHashMap<>();
    // All pieces of a column are of one type.
    byId.forEach((id, usage) -> byName.put(pieces.get(0).form(id).name(), usage));
    return byName;
  }

  /** Both together. */
  public FormUsage plus(FormUsage other) {
    return new FormUsage(chunks + other.chunks, bytes + other.bytes);
  }
}
