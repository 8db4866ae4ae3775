// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Reader of a table in a file, row by row. */
abstract class RowReader implements Closeable {
  private final Lines lines;
  private long line;

  RowReader(Lines lines) {
    this.lines = lines;
  }

  /** Columns known before the rows are read; empty if the rows themselves name them. */
  abstract List<String> columns();

  /**
   * Next row by column name, or null after the last row. Values have the type they have in the file: a string, a JSON
   * number or boolean, a list, a map, or null.
   *
   * @throws ToolException if the row is malformed
   */
  @Nullable
  final Map<String, Object> next() {
    @Nullable final String text = nextRow();
    if (text == null) {
      return null;
    }
    line = lines.number();
    return parse(text);
  }

  /** First line of the next row, or null after the last row. */
  @Nullable
  abstract String nextRow();

  abstract Map<String, Object> parse(String text);

  final Lines lines() {
    return lines;
  }

  /** Number of bytes of the stored (compressed) file read. */
  final long bytesRead() {
    return lines.bytesRead();
  }

  /** Creates an exception that names the last row read. */
  final ToolException malformed(String found, String toDo) {
    return malformed(found, toDo, null);
  }

  /** Creates an exception that names the last row read, with a cause. */
  final ToolException malformed(String found, String toDo, @Nullable Throwable cause) {
    return new ToolException(lines.where(line == 0 ? 1 : line), found, toDo, cause);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
