// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.DictionaryEncodedColumn;

/** Reads columns of any segment, by name, as rows of one of the encoded types. */
public final class SegmentColumns {
  private SegmentColumns() {}

  /**
   * Names of the columns of a type; those of projections are {@code PROJECTION/NAME}.
   *
   * @throws ToolException if there is no segment or it cannot be read
   */
  public static List<String> names(String segmentPath, EncodedType type) {
    try (Segment segment = open(segmentPath)) {
      return segment.columns().stream()
          .filter(column -> column.numRows() > 0 && isOf(column, type))
          .map(SegmentColumn::displayName)
          .toList();
    }
  }

  /**
   * Reads the rows of a column. They are read once, in their stored encoding, so that in a fresh JVM the readers of
   * that encoding have seen only these rows.
   *
   * @throws ToolException if there is no such column or segment, or it cannot be read
   */
  public static RowValues read(String segmentPath, String columnName, EncodedType type) {
    try (Segment segment = open(segmentPath)) {
      final SegmentColumn column = find(segment, segmentPath, columnName, type);
      return column.parts().rows().read(column.numRows());
    }
  }

  /**
   * Distinct values of a column of strings except null, sorted.
   *
   * @throws ToolException if there is no such column or segment, or it cannot be read
   */
  public static List<String> texts(String segmentPath, String columnName) {
    try (Segment segment = open(segmentPath)) {
      final SegmentColumn column = find(segment, segmentPath, columnName, EncodedType.INT);
      try (BaseColumn values = column.holder().getColumn()) {
        if (!(values instanceof DictionaryEncodedColumn<?> dictionary)) {
          throw new ToolException(segmentPath, columnName + " is no column of strings", "Name another column");
        }
        return IntStream.range(0, dictionary.getCardinality())
            .mapToObj(dictionary::lookupName)
            .filter(Objects::nonNull)
            .map(Object::toString)
            .toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static SegmentColumn find(Segment segment, String segmentPath, String columnName, EncodedType type) {
    return segment.columns().stream()
        .filter(each -> each.displayName().equals(columnName) && isOf(each, type))
        .findFirst()
        .orElseThrow(() -> new ToolException(
            segmentPath,
            "it has no column " + columnName + " of type " + type,
            "Its columns of type " + type + ": " + String.join(", ", names(segmentPath, type))
        ));
  }

  private static Segment open(String segmentPath) {
    if (segmentPath.isEmpty()) {
      throw new ToolException("-p segmentPath", "no segment is named", "Name the directory or the index.zip of one");
    }
    return SegmentLocation.one(Path.of(segmentPath)).open();
  }

  private static boolean isOf(SegmentColumn column, EncodedType type) {
    @Nullable final RowPart rows = column.parts().rows();
    return rows != null && rows.type() == type;
  }
}
