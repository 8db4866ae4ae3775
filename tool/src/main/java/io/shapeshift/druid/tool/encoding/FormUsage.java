// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ChunkInfo;
import io.shapeshift.druid.column.blobs.Blobs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Usage of one form in a column.
 *
 * @param chunks number of chunks, or of sections of byte strings, in this form
 * @param bytes  size of these chunks, including the form's id byte
 */
public record FormUsage(int chunks, long bytes) {
  /**
   * Forms of a column by name, sorted by id. A form of numbers is listed with its child's form. For a multi-value
   * column, offsets and values are added up. Empty unless the column shape-shifts.
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

  /** Forms of the sections of a column of byte strings by name, sorted. */
  public static Map<String, FormUsage> ofSections(List<Blobs.Section> sections) {
    final Map<String, FormUsage> forms = new TreeMap<>();
    sections.forEach(each -> forms.merge(each.form(), new FormUsage(1, each.bytes()), FormUsage::plus));
    return forms;
  }

  /** Sum of both. */
  public FormUsage plus(FormUsage other) {
    return new FormUsage(chunks + other.chunks, bytes + other.bytes);
  }
}
