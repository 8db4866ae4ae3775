// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.tool.cli.ColumnNameConverter;
import io.shapeshift.druid.tool.cli.ToolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import javax.annotation.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options about the input format. */
final class InputOptions {
  @Option(
      names = "--input",
      required = true,
      paramLabel = "FILE",
      description = "the table, in UTF-8; compressed if its name ends in .gz or .bz2"
  )
  private Path input;

  @Nullable
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = {
          "csv, tsv or json (default: from the name: .csv, .tsv, .json, .jsonl or .ndjson)",
          "csv is that of RFC 4180: quoted values may hold commas, doubled quotes and line feeds. Nothing between "
              + "commas is null, \"\" is the empty string, and null in a column of numbers.",
          "tsv knows no quotes. json has one object on each line. Empty lines are skipped."
      }
  )
  private InputTable.Format format;

  @Nullable
  @Option(
      names = "--columns",
      split = ",",
      converter = ColumnNameConverter.class,
      paramLabel = "NAME",
      description = "names of the columns of a CSV or TSV file without a header, with commas between them; a name "
          + "with a comma is put in double quotes: '\"a,b\",c'"
  )
  private List<String> columns;

  @Nullable
  @Option(
      names = "--list-delimiter",
      converter = DelimiterConverter.class,
      paramLabel = "C",
      description = "the character between several values of one row in CSV and TSV. Druid sorts them within the row."
  )
  private Character listDelimiter;

  private static final class DelimiterConverter implements ITypeConverter<Character> {
    @Override
    public Character convert(String text) {
      if (text.length() != 1 || "\"\r\n".contains(text)) {
        throw new TypeConversionException("'" + text + "' must be one character, and no quote or line end");
      }
      return text.charAt(0);
    }
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /**
   * Table that the options specify.
   *
   * @throws ToolException if the path exists but is not a file
   */
  InputTable table() {
    if (input.toString().equals("-") || (Files.exists(input) && !Files.isRegularFile(input))) {
      throw new ToolException(
          input.toString(),
          Files.isDirectory(input) ? "it is a directory" : "it is no regular file",
          "Name a regular file: it may have to be read twice"
      );
    }
    final InputTable.Format known = format != null
        ? format
        : InputTable.Format.of(input).orElseThrow(
            () -> wrong("The name of '" + input + "' does not tell its format: give --format csv, tsv or json"));
    if (known == InputTable.Format.JSON && (columns != null || listDelimiter != null)) {
      throw wrong("--columns and --list-delimiter are for CSV and TSV: JSON names columns and has lists itself");
    }
    if (listDelimiter != null && listDelimiter == known.separator()) {
      throw wrong("--list-delimiter is what separates the columns of " + known + " already: take another character");
    }
    if (columns != null
        && (columns.stream().anyMatch(String::isBlank) || new HashSet<>(columns).size() < columns.size())) {
      throw wrong("--columns has an empty name, or one twice: " + String.join(",", columns));
    }
    return new InputTable(input, known, listDelimiter, columns);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
