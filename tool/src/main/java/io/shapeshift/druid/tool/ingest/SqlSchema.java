// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.collect.ImmutableMap;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.annotation.Nullable;

/**
 * Parser of a {@code CREATE TABLE} statement in SQL, of which the names and types of columns are read.
 *
 * <pre>{@code
 * CREATE TABLE "orders"(
 *   "id" bigint NOT NULL,       -- long
 *   "price" decimal(15, 2),     -- double
 *   "comment" varchar(79)       -- string
 * );
 * }</pre>
 */
final class SqlSchema {
  /** Precision and scale of a decimal whose values are integers of at most 18 digits, which fit into a long. */
  private static final Pattern WHOLE_NUMBER = Pattern.compile("\\(([1-9]|1[0-8])(,0)?\\)");
  private static final ImmutableMap<String, FieldType> TYPES = ImmutableMap.<String, FieldType>builder()
      .put("tinyint", FieldType.LONG)
      .put("smallint", FieldType.LONG)
      .put("int", FieldType.LONG)
      .put("integer", FieldType.LONG)
      .put("bigint", FieldType.LONG)
      .put("decimal", FieldType.DOUBLE)
      .put("numeric", FieldType.DOUBLE)
      .put("double", FieldType.DOUBLE)
      .put("float", FieldType.DOUBLE)
      .put("real", FieldType.FLOAT)
      .put("char", FieldType.STRING)
      .put("character", FieldType.STRING)
      .put("varchar", FieldType.STRING)
      .put("text", FieldType.STRING)
      .put("boolean", FieldType.STRING)
      .put("date", FieldType.STRING)
      .put("time", FieldType.STRING)
      .put("timestamp", FieldType.STRING)
      .build();
  /** Blanks and comments, and a token: a quoted name or text, a word, any other character, or the end. */
  private static final Pattern TOKEN = Pattern.compile(
      "(?:\\s++|--[^\n]*+|/\\*(?s:.)*?\\*/)*+(\"(?:[^\"]++|\"\")++\"|'[^']*+'|[\\p{L}\\p{N}_]++|(?s:.)|\\z)");
  private static final Pattern NAME = Pattern.compile("\"(?s:.)+\"|[\\p{L}_].*");
  private static final String ONE_TABLE = "The file must have one statement: CREATE TABLE name (column type, ...)";

  private final Path file;
  private final String text;
  private final Matcher token;

  private SqlSchema(Path file, String text) {
    this.file = file;
    this.text = text;
    this.token = TOKEN.matcher(text);
    token.find();
  }

  /**
   * Reads the types of columns by their names, in the order of the columns.
   *
   * @throws ToolException if the file cannot be read, or is not one statement that creates a table
   */
  static Map<String, FieldType> read(Path file) {
    final StringBuilder text = new StringBuilder();
    try (Lines lines = new Lines(file)) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        text.append(line);
      }
    } catch (IOException e) {
      throw new ToolException(file.toString(), "it cannot be closed: " + e.getMessage(), "", e);
    }
    return new SqlSchema(file, text.toString()).table();
  }

  private Map<String, FieldType> table() {
    require("create");
    skipTo("table");
    require("table");
    skipTo("(");
    require("(");
    final Map<String, FieldType> columns = new LinkedHashMap<>();
    do {
      column(columns);
    } while (take(","));
    require(")");
    skipTo(";");
    take(";");
    if (!isAtEnd()) {
      throw unexpected("the end of the file");
    }
    return columns;
  }

  private void column(Map<String, FieldType> columns) {
    if (!NAME.matcher(token()).matches()) {
      throw unexpected("the name of a column");
    }
    final String name = token().startsWith("\"")
                        ? token().substring(1, token().length() - 1).replace("\"\"", "\"")
                        : token();
    if (columns.containsKey(name)) {
      throw wrong("the table has the column '" + name + "' twice", "Rename one of them");
    }
    advance();
    columns.put(name, type(name));
  }

  private FieldType type(String column) {
    @Nullable final FieldType type = TYPES.get(token().toLowerCase(Locale.ROOT));
    if (type == null) {
      throw wrong(
          "'" + token() + "' of column '" + column + "' is no known type",
          "Known are " + String.join(", ", TYPES.keySet()) + "; varchar keeps any text"
      );
    }
    final boolean isDecimal = is("decimal") || is("numeric");
    advance();
    final String rest = restOfColumn();
    return isDecimal && WHOLE_NUMBER.matcher(rest).lookingAt() ? FieldType.LONG : type;
  }

  /** Skips the length or precision of the type, and constraints; returns their tokens. A quoted name is none. */
  private String restOfColumn() {
    final StringBuilder rest = new StringBuilder();
    for (int depth = 0; !isAtEnd() && (depth > 0 || !(is(",") || is(")"))); advance()) {
      if (token().startsWith("\"")) {
        throw unexpected("',' or ')'");
      }
      depth += is("(") ? 1 : is(")") ? -1 : 0;
      rest.append(token());
    }
    return rest.toString();
  }

  private void skipTo(String wanted) {
    while (!isAtEnd() && !is(wanted)) {
      advance();
    }
  }

  private void require(String wanted) {
    if (!take(wanted)) {
      throw unexpected("'" + wanted.toUpperCase(Locale.ROOT) + "'");
    }
  }

  private boolean take(String wanted) {
    final boolean is = is(wanted);
    if (is) {
      advance();
    }
    return is;
  }

  private boolean is(String wanted) {
    return token().equalsIgnoreCase(wanted);
  }

  private boolean isAtEnd() {
    return token().isEmpty();
  }

  private String token() {
    return token.group(1);
  }

  private void advance() {
    if (!isAtEnd()) {
      token.find();
    }
  }

  private ToolException unexpected(String wanted) {
    final String found = isAtEnd() ? "the end" : "'" + token() + "'";
    return wrong("found " + found + " where there must be " + wanted, ONE_TABLE);
  }

  /** Creates an exception that names the line of the current token. */
  private ToolException wrong(String found, String toDo) {
    final long line = 1 + text.substring(0, token.start(1)).chars().filter(c -> c == '\n').count();
    return new ToolException(file + ":" + line, found, toDo);
  }
}
