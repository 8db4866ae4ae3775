// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Reads a table from a file, row by row. */
abstract class RowReader implements Closeable {
  private final Lines lines;
  private long line;

  RowReader(Lines lines) {
    this.lines = lines;
  }

  /** The columns that are known before the rows are read; empty if the rows themselves name them. */
  abstract List<String> columns();

  /**
   * The next row by the names of its columns, or null behind the last one. Values are what they are in the file: a
   * string, a number or a boolean of JSON, a list, a map, null.
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

  /** The line that the next row starts on, or null behind the last one. */
  @Nullable
  abstract String nextRow();

  abstract Map<String, Object> parse(String text);

  final Lines lines() {
    return lines;
  }

  /** Bytes of the file, as it lies there, that were read. */
  final long bytesRead() {
    return lines.bytesRead();
  }

  /** An exception that names the row that was read last. */
  final ToolException malformed(String found, String toDo) {
    return malformed(found, toDo, null);
  }

  /** An exception that names the row that was read last, with the one that told of the matter. */
  final ToolException malformed(String found, String toDo, @Nullable Throwable cause) {
    return new ToolException(lines.where(line == 0 ? 1 : line), found, toDo, cause);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
