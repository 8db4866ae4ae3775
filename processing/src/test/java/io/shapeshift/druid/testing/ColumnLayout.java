// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.File;
import java.util.List;
import java.util.Map;

/**
 * What a string column of a segment consists of, kept after the segment is closed.
 *
 * @param encoding   how the dictionary ids are stored
 * @param valueBytes size of the dictionary ids
 */
public record ColumnLayout(
    String name,
    boolean multiValue,
    int rows,
    int cardinality,
    String encoding,
    long dictionaryBytes,
    long valueBytes,
    long indexBytes,
    Map<String, FormUsage> forms
) {
  /** The string columns of the base table, in the segment's order. */
  public static List<ColumnLayout> read(File directory) {
    try (Segment segment = Segment.open(directory.toPath())) {
      return segment.columns().stream()
          .filter(column -> column.projection() == null && column.parts().string() != null)
          .map(ColumnLayout::of)
          .toList();
    }
  }

  private static ColumnLayout of(SegmentColumn column) {
    return new ColumnLayout(
        column.name(),
        column.parts().multiValue(),
        column.numRows(),
        column.parts().cardinality(),
        column.parts().rows().encoding(),
        column.parts().dictionaryBytes(),
        column.parts().rows().bytes().remaining(),
        column.parts().indexBytes(),
        column.parts().rows().forms()
    );
  }
}
