// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.collect.ImmutableList;
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
 * @param delimiter     separator of columns; has no meaning for JSON
 * @param nullText      text that stands for null, unless it is quoted; has no meaning for JSON
 * @param listDelimiter separator of the values of a multi-value, or null if there are no multi-values or for JSON
 * @param columns       names of the columns of a file without a header; null if the file has a header, and for JSON
 */
record InputTable(
    Path file,
    Format format,
    char delimiter,
    String nullText,
    @Nullable Character listDelimiter,
    @Nullable List<String> columns
) {
  /** Creates a table with the format's own delimiter, in which an empty value is null. */
  InputTable(Path file, Format format, @Nullable Character listDelimiter, @Nullable List<String> columns) {
    this(file, format, format.delimiter, "", listDelimiter, columns);
  }

  /** Text formats. */
  enum Format {
    CSV(',', "csv"), TSV('\t', "tsv"), TEXT('|', "tbl"), JSON('\0', "json", "jsonl", "ndjson");

    private final char delimiter;
    private final ImmutableList<String> suffixes;

    Format(char delimiter, String... suffixes) {
      this.delimiter = delimiter;
      this.suffixes = ImmutableList.copyOf(suffixes);
    }

    /** Separator of columns, unless another one is given. Has no meaning for JSON. */
    char delimiter() {
      return delimiter;
    }

    /** Format according to the file's name, ignoring its compression; empty if the name has no known suffix. */
    static Optional<Format> of(Path file) {
      final String name = Lines.uncompressedName(file);
      final String suffix = name.substring(name.lastIndexOf('.') + 1);
      return Arrays.stream(values()).filter(format -> format.suffixes.contains(suffix)).findFirst();
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
      return format == Format.JSON ? new JsonRows(lines) : new DelimitedRows(lines, this);
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
