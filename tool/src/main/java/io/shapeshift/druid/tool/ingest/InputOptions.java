// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.tool.cli.ColumnNameConverter;
import io.shapeshift.druid.tool.cli.ToolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
      description = "the table, in UTF-8; compressed if its name ends in gz or bz2"
  )
  private Path input;

  @Nullable
  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = {
          "csv, tsv, text or json (default: text with --schema, else by the ending of the name: csv, tsv, tbl for "
              + "text, json, jsonl or ndjson)",
          "csv is RFC 4180: quoted values may hold commas, doubled quotes and line feeds. Nothing between commas is "
              + "null; \"\" is the empty string, or null in a column of numbers.",
          "tsv has no quotes. text is the bulk format of databases: | between values, no quotes, and a \\ before a "
              + "| or \\ within a value; a | may end the line. json has one object on each line. Empty lines are "
              + "skipped."
      }
  )
  private InputTable.Format format;

  @Nullable
  @Option(
      names = "--delimiter",
      converter = DelimiterConverter.class,
      paramLabel = "C",
      description = "character between the columns (default: a comma in CSV, a tab in TSV, | in text)"
  )
  private Character delimiter;

  @Option(
      names = "--null",
      defaultValue = "",
      paramLabel = "TEXT",
      description = "value that means null in CSV, TSV and text, unless it is quoted (default: nothing). With this "
          + "option, nothing is the empty string, or null in a column of numbers."
  )
  private String nullText;

  @Nullable
  @Option(
      names = "--columns",
      split = ",",
      converter = ColumnNameConverter.class,
      paramLabel = "NAME",
      description = "names of the columns of a file without a header, separated by commas; not for JSON. Quote a name "
          + "with a comma: '\"a,b\",c'"
  )
  private List<String> columns;

  @Nullable
  @Option(
      names = "--list-delimiter",
      converter = DelimiterConverter.class,
      paramLabel = "C",
      description = "character between several values of one row in CSV, TSV and text. Druid sorts the values of a row."
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
   * @param declared columns that a SQL schema declares; empty without one
   * @throws ToolException if the path exists but is not a file
   */
  InputTable table(Set<String> declared) {
    if (input.toString().equals("-") || (Files.exists(input) && !Files.isRegularFile(input))) {
      throw new ToolException(
          input.toString(),
          Files.isDirectory(input) ? "it is a directory" : "it is no regular file",
          "Name a regular file: it may have to be read twice"
      );
    }
    final InputTable.Format known = format(!declared.isEmpty());
    final char between = delimiter != null ? delimiter : known.delimiter();
    if (known == InputTable.Format.JSON) {
      requireNoOptionOfColumns(declared);
    } else {
      requireDistinct(known, between);
    }
    if (columns != null && !declared.isEmpty()) {
      throw wrong("--schema names the columns: leave out --columns");
    }
    if (columns != null
        && (columns.stream().anyMatch(String::isBlank) || new HashSet<>(columns).size() < columns.size())) {
      throw wrong("--columns has an empty name, or one twice: " + String.join(",", columns));
    }
    return new InputTable(
        input, known, between, nullText, listDelimiter, declared.isEmpty() ? columns : List.copyOf(declared));
  }

  private InputTable.Format format(boolean hasSchema) {
    if (format != null) {
      return format;
    }
    return hasSchema
           ? InputTable.Format.TEXT
           : InputTable.Format.of(input).orElseThrow(() -> wrong(
               "The name of '" + input + "' does not tell its format: give --format csv, tsv, text or json"));
  }

  private void requireNoOptionOfColumns(Set<String> declared) {
    if (columns != null || delimiter != null || listDelimiter != null || !nullText.isEmpty() || !declared.isEmpty()) {
      throw wrong("--columns, --delimiter, --list-delimiter, --null and --schema are for CSV, TSV and text: JSON names "
          + "columns, and has lists and nulls itself");
    }
  }

  private void requireDistinct(InputTable.Format known, char between) {
    if (listDelimiter != null && listDelimiter == between) {
      throw wrong("--list-delimiter is what separates the columns of " + known + " already: take another character");
    }
    if (known == InputTable.Format.TEXT && between == DelimitedRows.ESCAPE) {
      throw wrong("--delimiter is what keeps a delimiter within a value of TEXT: take another character");
    }
    if (nullText.indexOf(between) >= 0 || nullText.indexOf('\n') >= 0) {
      throw wrong("--null has what ends a value, so that no value can be it: take another text");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
