// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * A table in a file.
 *
 * @param file          gzipped if its name says so
 * @param format        of the text
 * @param listDelimiter between the values of a multi-value in CSV and TSV, or null if there are none
 * @param columns       names of the columns of a CSV or TSV file without a header; null if it has one
 */
record InputTable(
    Path file,
    Format format,
    @Nullable Character listDelimiter,
    @Nullable List<String> columns
) {
  /** Formats of text. */
  enum Format {
    CSV(','), TSV('\t'), JSON('\0');

    private final char separator;

    Format(char separator) {
      this.separator = separator;
    }

    /** The character between two columns; that of JSON stands for none. */
    char separator() {
      return separator;
    }

    /** The format that the name of a file tells, without {@code .gz}; empty if it tells none. */
    static Optional<Format> of(Path file) {
      final String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
      final String plain = name.endsWith(Lines.GZIP) ? name.substring(0, name.length() - Lines.GZIP.length()) : name;
      final String extension = plain.substring(plain.lastIndexOf('.') + 1);
      return extension.equals("jsonl") || extension.equals("ndjson")
             ? Optional.of(JSON)
             : Arrays.stream(values()).filter(format -> extension.equalsIgnoreCase(format.name())).findFirst();
    }
  }

  /**
   * Opens the file at its first row.
   *
   * @throws ToolException if it cannot be opened, or its header is no header
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

  /** Bytes of the file, as it lies there; 0 if there is none, which {@link #open} tells. */
  long sizeInBytes() {
    return file.toFile().length();
  }
}
