// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ChunkInfo;
import java.util.LinkedHashMap;
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
   * The forms of a column, by name, in the order of their ids, those of numbers with their children: those of offsets
   * and values together, where rows have several values; none where the column does not shape-shift.
   */
  public static Map<String, FormUsage> of(Supplier<?> column) {
    final Map<Byte, Map<String, FormUsage>> byId = new TreeMap<>();
    for (Piece<?> piece : Piece.of(column)) {
      for (ChunkInfo chunk : piece.data().chunks()) {
        byId.computeIfAbsent(chunk.formId(), id -> new TreeMap<>())
            .merge(piece.form(chunk), new FormUsage(1, chunk.bytes()), FormUsage::plus);
      }
    }
    final Map<String, FormUsage> byName = new LinkedHashMap<>();
    byId.values().forEach(byName::putAll);
    return byName;
  }

  /** Both together. */
  public FormUsage plus(FormUsage other) {
    return new FormUsage(chunks + other.chunks, bytes + other.bytes);
  }
}
