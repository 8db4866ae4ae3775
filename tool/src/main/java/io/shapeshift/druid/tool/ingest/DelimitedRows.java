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
 * Reader of CSV or TSV rows. In CSV (RFC 4180), quoted values may contain commas, doubled quotes and line feeds. In
 * TSV, a quote is an ordinary character, as in Druid. An empty value is null; a quoted empty value is the empty string.
 */
final class DelimitedRows extends RowReader {
  private static final char QUOTE = '"';
  private static final int MAX_VALUE_CHARS = 1 << 24;
  private static final String CONVERT_LINE_ENDS =
      "If lines end in those, convert them, with tr '\\r' '\\n' for example";

  private final char separator;
  private final boolean quotes;
  @Nullable
  private final Character listDelimiter;
  private final List<String> columns;

  /**
   * Opens a file and reads its header.
   *
   * @param separator     separator of values
   * @param quotes        whether values may be quoted
   * @param listDelimiter separator of the values of a multi-value, or null if there are no multi-values
   * @param columns       names of the columns of a file without a header; null to take them from its first line
   * @throws ToolException if the file cannot be opened, or its header is invalid
   */
  DelimitedRows(
      Lines lines,
      char separator,
      boolean quotes,
      @Nullable Character listDelimiter,
      @Nullable List<String> columns
  ) {
    super(lines);
    this.separator = separator;
    this.quotes = quotes;
    this.listDelimiter = listDelimiter;
    this.columns = columns == null ? readHeader() : columns;
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
      } else if (!quoted && each == separator) {
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
    if (values.size() != columns.size()) {
      requireNoLoneReturn(text);
      throw malformed(
          "found " + count(values.size(), "field") + " where there are " + count(columns.size(), "column"),
          quotes && values.size() > columns.size()
          ? "A value that holds a comma or a line feed must be in quotes"
          : ""
      );
    }
    final Map<String, Object> row = Maps.newHashMapWithExpectedSize(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i), splitList(values.get(i)));
    }
    return row;
  }

  private static String count(int n, String what) {
    return n + " " + what + (n == 1 ? "" : "s");
  }

  /** Values of a multi-value, or the value itself if it is single. */
  @Nullable
  private Object splitList(@Nullable String value) {
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
        final int next = rest.indexOf(separator, start);
        end = next < 0 ? lengthOf(rest) : next;
        values.add(end == start ? null : rest.substring(start, end));
      }
      if (end >= lengthOf(rest)) {
        return values;
      }
      start = end + 1;
    }
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
      if (behind >= lengthOf(rest) || rest.charAt(behind) == separator) {
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
