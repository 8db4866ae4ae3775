// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * Table in a file.
 *
 * @param file          file, compressed if its name ends in {@code .gz} or {@code .bz2}
 * @param format        text format
 * @param listDelimiter separator of the values of a multi-value in CSV and TSV, or null if there are no multi-values
 * @param columns       names of the columns of a CSV or TSV file without a header; null if the file has a header
 */
record InputTable(
    Path file,
    Format format,
    @Nullable Character listDelimiter,
    @Nullable List<String> columns
) {
  /** Text formats. */
  enum Format {
    CSV(','), TSV('\t'), JSON('\0');

    private final char separator;

    Format(char separator) {
      this.separator = separator;
    }

    /** Separator of columns. Has no meaning for JSON. */
    char separator() {
      return separator;
    }

    /** Format according to the file's name, ignoring its compression; empty if the name has no known suffix. */
    static Optional<Format> of(Path file) {
      final String name = Lines.uncompressedName(file);
      final String extension = name.substring(name.lastIndexOf('.') + 1);
      return extension.equals("jsonl") || extension.equals("ndjson")
             ? Optional.of(JSON)
             : Arrays.stream(values()).filter(format -> extension.equalsIgnoreCase(format.name())).findFirst();
    }
  }

  /**
   * Opens the file before its first row.
   *
   * @throws ToolException if the file cannot be opened, or its header is invalid
   */
  RowReader open() {
    final Lines lines = new Lines(file);
    try {
      return switch (format) {
        case CSV -> new DelimitedRows(lines, format.separator, true, listDelimiter, columns);
        case TSV -> new DelimitedRows(lines, format.separator, false, listDelimiter, columns);
        case JSON -> new JsonRows(lines);
      };
    } catch (ToolException e) {
      try {
        lines.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** Size of the stored (compressed) file in bytes; 0 if it does not exist, which {@link #open} reports. */
  long sizeInBytes() {
    return file.toFile().length();
  }
}
