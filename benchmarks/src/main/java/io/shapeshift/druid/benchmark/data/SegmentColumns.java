// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import com.google.common.collect.ImmutableList;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.ColumnarMultiInts;

/** The columns of anybody's segment as the benchmarks see them: rows of one of four kinds, by name. */
public final class SegmentColumns {
  private SegmentColumns() {}

  /** What the rows of a column are. */
  public enum Kind {
    /** Dictionary ids, one or several in a row. */
    INTS(ColumnarInts.class, ColumnarMultiInts.class),
    /** Longs, the time among them. */
    LONGS(ColumnarLongs.class),
    /** Floats. */
    FLOATS(ColumnarFloats.class),
    /** Doubles. */
    DOUBLES(ColumnarDoubles.class);

    private final ImmutableList<Class<?>> classes;

    Kind(Class<?>... classes) {
      this.classes = ImmutableList.copyOf(classes);
    }

    private boolean matches(RowPart rows) throws IOException {
      try (Closeable column = rows.column().get()) {
        return classes.stream().anyMatch(each -> each.isInstance(column));
      }
    }
  }

  /**
   * The names of the columns of a kind, those of projections as {@code PROJECTION/NAME}.
   *
   * @throws ToolException if there is no segment or it cannot be read
   */
  public static List<String> names(String segmentPath, Kind kind) {
    try (Segment segment = open(segmentPath)) {
      return segment.columns().stream()
          .filter(column -> column.numRows() > 0 && isOf(column, kind))
          .map(SegmentColumn::displayName)
          .toList();
    }
  }

  /**
   * The rows of a column. It is read once, in the encoding that it has: in a fresh JVM the readers of that encoding
   * have then seen these rows and no others.
   *
   * @throws ToolException if there is no such column or segment, or it cannot be read
   */
  public static RowValues read(String segmentPath, String columnName, Kind kind) {
    try (Segment segment = open(segmentPath)) {
      final SegmentColumn column = segment.columns().stream()
          .filter(each -> each.displayName().equals(columnName) && isOf(each, kind))
          .findFirst()
          .orElseThrow(() -> new ToolException(
              segmentPath,
              "it has no column " + columnName + " of " + kind,
              "Its columns of " + kind + ": " + String.join(", ", names(segmentPath, kind))
          ));
      return column.parts().rows().read(column.numRows());
    }
  }

  private static Segment open(String segmentPath) {
    if (segmentPath.isEmpty()) {
      throw new ToolException("-p segmentPath", "no segment is named", "Name the directory or the index.zip of one");
    }
    return SegmentLocation.one(Path.of(segmentPath)).open();
  }

  private static boolean isOf(SegmentColumn column, Kind kind) {
    @Nullable final RowPart rows = column.parts().rows();
    try {
      return rows != null && kind.matches(rows);
    } catch (IOException e) {
      throw new ToolException(column.segment().path() + ", column " + column.displayName(), e.toString(), "", e);
    }
  }
}
