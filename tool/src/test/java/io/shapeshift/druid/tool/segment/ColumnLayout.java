// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.tool.encoding.FormUsage;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.annotation.Nullable;

/**
 * What a column of a segment consists of, kept after the segment is closed.
 *
 * @param type          as Druid names it
 * @param cardinality   distinct values; null where there is no dictionary
 * @param encoding      how the dictionary ids or numbers are stored
 * @param valueBytes    size of the dictionary ids or numbers
 * @param indexBytes    size of what finds rows
 * @param forms         of the dictionary ids or numbers
 * @param indexEncoding how the index of values is stored; null where there is none
 * @param indexForms    of posting lists
 * @param dictionaryEncoding how the dictionary of strings is stored; null where there is none
 */
public record ColumnLayout(
    String name,
    String type,
    boolean multiValue,
    int rows,
    @Nullable Integer cardinality,
    String encoding,
    long dictionaryBytes,
    long valueBytes,
    long indexBytes,
    Map<String, FormUsage> forms,
    @Nullable String indexEncoding,
    Map<String, FormUsage> indexForms,
    @Nullable String dictionaryEncoding
) {
  /** The columns of strings and numbers of the base table, in the segment's order. */
  public static List<ColumnLayout> readAll(File directory) {
    return read(directory, parts -> parts.rows() != null);
  }

  /** The string columns of the base table, in the segment's order. */
  public static List<ColumnLayout> read(File directory) {
    return read(directory, ColumnParts::isString);
  }

  private static List<ColumnLayout> read(File directory, Predicate<ColumnParts> filter) {
    try (Segment segment = Segment.open(directory.toPath())) {
      return segment.columns().stream()
          .filter(column -> column.projection() == null && filter.test(column.parts()))
          .map(ColumnLayout::of)
          .toList();
    }
  }

  private static ColumnLayout of(SegmentColumn column) {
    @Nullable final IndexPart index = column.parts().index();
    return new ColumnLayout(
        column.name(),
        column.type(),
        column.parts().multiValue(),
        column.numRows(),
        column.parts().cardinality(),
        column.parts().rows().encoding(),
        column.parts().dictionaryBytes(),
        column.parts().rows().bytes().remaining(),
        column.parts().indexBytes(),
        column.parts().rows().forms(),
        index == null ? null : index.encoding(),
        index == null ? Map.of() : index.forms(),
        column.parts().dictionary() == null ? null : column.parts().dictionary().encoding()
    );
  }
}
