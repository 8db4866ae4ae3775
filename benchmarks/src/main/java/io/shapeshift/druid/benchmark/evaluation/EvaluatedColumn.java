// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import com.google.common.base.Ascii;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Column of a table. Of strings only the dictionary ids are read.
 *
 * @param segment directory of the table's segment, whose last name is the table's
 * @param name    name of the column
 * @param type    type of its rows
 */
record EvaluatedColumn(Path segment, String name, EncodedType type) {
  /**
   * Columns of all segments in some directories.
   *
   * @throws ToolException if there is no segment, or one cannot be read
   */
  static List<EvaluatedColumn> of(List<Path> directories) {
    return SegmentLocation.find(directories).stream()
        .map(SegmentLocation::path)
        .flatMap(segment -> Stream.of(EncodedType.INT, EncodedType.LONG, EncodedType.FLOAT, EncodedType.DOUBLE)
            .flatMap(type -> SegmentColumns.names(segment.toString(), type).stream()
                .map(name -> new EvaluatedColumn(segment, name, type))))
        .toList();
  }

  /** Name of the table. */
  String table() {
    return segment.getFileName().toString();
  }

  /** Name of the type in results. */
  String typeName() {
    return type == EncodedType.INT ? "ids" : Ascii.toLowerCase(type.name());
  }

  /** Reads the first rows. */
  RowValues values(int most) {
    return SegmentColumns.read(segment.toString(), name, type).first(most);
  }

  @Override
  public String toString() {
    return table() + "/" + name;
  }
}
