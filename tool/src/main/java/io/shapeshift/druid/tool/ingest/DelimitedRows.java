// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.collect.Maps;
import io.shapeshift.druid.tool.cli.ToolException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;

/**
 * Reader of CSV, TSV or text rows. In CSV (RFC 4180), quoted values may contain delimiters, doubled quotes and line
 * feeds. In TSV and text, a quote is an ordinary character. In text, which databases load in bulk, a backslash before a
 * delimiter or a backslash makes that an ordinary character, and is one itself everywhere else; a row may end in a
 * delimiter. The table's null text is null, unless it is quoted.
 */
final class DelimitedRows extends RowReader {
  /** Character that makes a delimiter, or itself, part of a value in text. */
  static final char ESCAPE = '\\';
  private static final char QUOTE = '"';
  private static final int MAX_VALUE_CHARS = 1 << 24;
  private static final String CONVERT_LINE_ENDS =
      "If lines end in those, convert them, with tr '\\r' '\\n' for example";

  private final InputTable table;
  private final char delimiter;
  private final boolean quotes;
  private final boolean escapes;
  private final List<String> columns;

  /**
   * Opens a file and reads its header, if it has one.
   *
   * @throws ToolException if the file cannot be opened, or its header is invalid
   */
  DelimitedRows(Lines lines, InputTable table) {
    super(lines);
    this.table = table;
    this.delimiter = table.delimiter();
    this.quotes = table.format() == InputTable.Format.CSV;
    this.escapes = table.format() == InputTable.Format.TEXT;
    this.columns = table.columns() == null ? readHeader() : table.columns();
  }

  private List<String> readHeader() {
    @Nullable final String header = lines().next();
    if (header == null) {
      throw malformed("the file is empty", "It needs a header and at least one row");
    }
    requireNoLoneReturn(header);
    final List<String> names = split(header);
    final Set<String> seen = new HashSet<>();
    for (int i = 0; i < names.size(); i++) {
      @Nullable final String name = names.get(i);
      if (name == null || name.isBlank()) {
        throw malformed(
            "column " + (i + 1) + " of the header has no name",
            "Give it one, or name all columns with --columns if the first line is no header"
        );
      }
      if (!seen.add(name)) {
        throw malformed("the header has the column '" + name + "' twice", "Rename one of them");
      }
    }
    return names;
  }

  /**
   * Rejects a carriage return that is outside of quotes and has no line feed. A file with the line ends of old Macs
   * would otherwise be read as a single line.
   */
  private void requireNoLoneReturn(String line) {
    final int end = lengthOf(line);
    int field = 0;
    boolean quoted = false;
    for (int i = 0; i < end; i++) {
      final char each = line.charAt(i);
      if (quotes && each == QUOTE && line.charAt(field) == QUOTE) {
        // A doubled quote ends the quoted part and starts the next one.
        quoted = !quoted;
      } else if (!quoted && each == delimiter) {
        field = i + 1;
      } else if (!quoted && each == '\r') {
        throw malformed(
            "character " + (i + 1) + " of the line is a carriage return without a line feed", CONVERT_LINE_ENDS);
      }
    }
  }

  @Override
  List<String> columns() {
    return columns;
  }

  /** Skips empty lines, except in a table of one column, where an empty line is a null. */
  @Override
  @Nullable
  String nextRow() {
    @Nullable String line = lines().next();
    while (line != null && lengthOf(line) == 0 && columns.size() > 1) {
      line = lines().next();
    }
    return line;
  }

  @Override
  Map<String, Object> parse(String text) {
    final List<String> values = split(text);
    if (escapes && values.size() == columns.size() + 1 && isNothing(values.get(columns.size()))) {
      values.remove(columns.size());
    }
    if (values.size() != columns.size()) {
      requireNoLoneReturn(text);
      throw malformed(
          "found " + count(values.size(), "field") + " where there are " + count(columns.size(), "column"),
          advice(values.size())
      );
    }
    final Map<String, Object> row = Maps.newHashMapWithExpectedSize(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i), splitList(values.get(i)));
    }
    return row;
  }

  /** Whether a value is what nothing between two delimiters is read as. */
  private boolean isNothing(@Nullable String value) {
    return value == null ? table.nullText().isEmpty() : value.isEmpty();
  }

  private String advice(int fields) {
    if (fields == 1) {
      return "If another character than '" + delimiter + "' is between values, name it with --delimiter";
    }
    if (fields < columns.size() || !(quotes || escapes)) {
      return "";
    }
    return quotes
           ? "A value that holds a '" + delimiter + "' or a line feed must be in quotes"
           : "A '" + delimiter + "' in a value must have a " + ESCAPE + " before it";
  }

  private static String count(int n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }

  /** Values of a multi-value, or the value itself if it is single. */
  @Nullable
  private Object splitList(@Nullable String value) {
    @Nullable final Character listDelimiter = table.listDelimiter();
    if (listDelimiter == null || value == null || value.indexOf(listDelimiter) < 0) {
      return value;
    }
    final List<String> values = new ArrayList<>();
    int start = 0;
    for (int end = value.indexOf(listDelimiter); end >= 0; end = value.indexOf(listDelimiter, start)) {
      values.add(value.substring(start, end));
      start = end + 1;
    }
    values.add(value.substring(start));
    return values;
  }

  private List<String> split(String text) {
    final List<String> values = new ArrayList<>();
    String rest = text;
    int start = 0;
    while (true) {
      final int end;
      if (quotes && start < rest.length() && rest.charAt(start) == QUOTE) {
        final StringBuilder value = new StringBuilder();
        final Continued behind = unquote(rest, start + 1, value, values.size() + 1);
        rest = behind.text;
        end = behind.position;
        values.add(value.toString());
      } else {
        end = endOfValue(rest, start);
        final String value = rest.substring(start, end);
        values.add(value.equals(table.nullText()) ? null : escapes ? unescape(value) : value);
      }
      if (end >= lengthOf(rest)) {
        return values;
      }
      start = end + 1;
    }
  }

  private int endOfValue(String line, int start) {
    final int length = lengthOf(line);
    if (!escapes) {
      final int end = line.indexOf(delimiter, start);
      return end < 0 ? length : end;
    }
    int end = start;
    while (end < length && line.charAt(end) != delimiter) {
      end += isEscape(line, end) ? 2 : 1;
    }
    return end;
  }

  private boolean isEscape(String text, int i) {
    return text.charAt(i) == ESCAPE
        && i + 1 < text.length()
        && (text.charAt(i + 1) == delimiter || text.charAt(i + 1) == ESCAPE);
  }

  private String unescape(String value) {
    if (value.indexOf(ESCAPE) < 0) {
      return value;
    }
    final StringBuilder text = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      if (isEscape(value, i)) {
        i++;
      }
      text.append(value.charAt(i));
    }
    return text.toString();
  }

  /** Position at which reading continues: a line, and an index in it. */
  private record Continued(String text, int position) {}

  /**
   * Reads a quoted value, which may extend over several lines.
   *
   * @param start index behind the opening quote
   * @param value receives the value
   * @param field number of the field, for messages
   */
  private Continued unquote(String text, int start, StringBuilder value, int field) {
    final long opened = lines().number();
    String rest = text;
    int from = start;
    while (true) {
      final int quote = rest.indexOf(QUOTE, from);
      if (quote < 0) {
        value.append(rest, from, rest.length());
        if (value.length() > MAX_VALUE_CHARS) {
          throw new ToolException(
              lines().where(opened),
              StringUtils.format(
                  "the quoted value of field %d goes on over more than %,d characters", field, MAX_VALUE_CHARS),
              "Shorten it, unless its closing quote is missing"
          );
        }
        @Nullable final String next = lines().next();
        if (next == null) {
          throw new ToolException(
              lines().where(opened),
              "the quote that opens field " + field + " is never closed",
              "Close it, or double it if it belongs to the value"
          );
        }
        rest = next;
        from = 0;
        continue;
      }
      value.append(rest, from, quote);
      final int behind = quote + 1;
      if (behind >= lengthOf(rest) || rest.charAt(behind) == delimiter) {
        return new Continued(rest, behind);
      }
      if (rest.charAt(behind) == '\r') {
        throw new ToolException(
            lines().where(lines().number()),
            "behind field " + field + " there is a carriage return without a line feed",
            CONVERT_LINE_ENDS
        );
      }
      if (rest.charAt(behind) != QUOTE) {
        throw new ToolException(
            lines().where(lines().number()),
            "field " + field + " goes on behind the quote that closes it",
            "A quote within quotes must be doubled"
        );
      }
      value.append(QUOTE);
      from = behind + 1;
    }
  }

  /** Length of a line without its line end. */
  private static int lengthOf(String line) {
    int length = line.length();
    if (length > 0 && line.charAt(length - 1) == '\n') {
      length--;
      if (length > 0 && line.charAt(length - 1) == '\r') {
        length--;
      }
    }
    return length;
  }
}
