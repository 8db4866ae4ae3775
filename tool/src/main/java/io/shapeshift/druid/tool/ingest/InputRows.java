// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.tool.cli.ToolException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.java.util.common.JodaUtils;
import org.apache.druid.java.util.common.parsers.ParserUtils;
import org.apache.druid.java.util.common.parsers.TimestampParser;
import org.joda.time.DateTime;

/** Rows of a table as Druid's input rows. */
final class InputRows implements Closeable {
  private static final int MAX_VALUE_IN_MESSAGE = 100;
  /** Druid's timestamp formats that accept integers. */
  private static final Set<String> NUMERIC_FORMATS = Set.of("auto", "millis", "posix", "micro", "nano");
  /** Those of these formats to which a user may have passed seconds. */
  private static final Set<String> FORMATS_OF_SECONDS = Set.of("auto", "posix");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?");

  static {
    loadTimeZones();
  }

  private final TableSchema schema;
  private final boolean typed;
  private final List<String> dimensions;
  private final RowReader rows;
  @Nullable
  private final Function<Object, DateTime> timeParser;
  private boolean hasIsoTimes;
  private long numRows;

  /**
   * Loads Druid's class that looks up all time zones of the JVM while its warnings are suppressed. From Java 25 on, the
   * JVM prints a warning for each zone with a three-letter name, although the table has none of them.
   */
  private static void loadTimeZones() {
    final PrintStream err = System.err;
    System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    try {
      ParserUtils.getDateTimeZone("UTC");
    } finally {
      System.setErr(err);
    }
  }

  /**
   * Opens the table before its first row.
   *
   * @throws ToolException if the table cannot be opened
   */
  InputRows(TableSchema schema) {
    this.schema = schema;
    this.typed = schema.table().format() == InputTable.Format.JSON;
    this.dimensions = schema.dimensionNames();
    // Not the parser of TimestampSpec, which caches the last value across all formats.
    this.timeParser = schema.time() == null
                      ? null
                      : TimestampParser.createObjectTimestampParser(schema.time().getTimestampFormat());
    this.rows = schema.table().open();
  }

  /**
   * Next row, or null after the last one.
   *
   * @throws ToolException if the row is malformed, or a value does not have the column's type
   */
  @Nullable
  InputRow next() {
    @Nullable final Map<String, Object> row = rows.next();
    if (row == null) {
      return null;
    }
    final long time = timeParser == null ? numRows : time(row);
    row.replaceAll((column, value) -> convert(column, schema.dimensions().get(column), value));
    numRows++;
    return new MapBasedInputRow(time, dimensions, row);
  }

  private long time(Map<String, Object> row) {
    final String column = schema.time().getTimestampColumn();
    final String format = schema.time().getTimestampFormat();
    @Nullable final Object value = row.get(column);
    if (value == null) {
      throw malformed(
          "there is no time in column '" + column + "'",
          "Druid has no rows without a time; --no-timestamp numbers them"
      );
    }
    final long time;
    try {
      time = timeParser.apply(numberOf(value, column, format)).getMillis();
    } catch (ToolException e) {
      throw e;
    } catch (RuntimeException e) {
      throw rows.malformed(
          "'" + shorten(value) + "' in column '" + column + "' is no time of format '" + format + "'",
          "Give its format with --timestamp-format",
          e
      );
    }
    if (time < JodaUtils.MIN_INSTANT || time >= JodaUtils.MAX_INSTANT) {
      throw beyondDruid(value, column);
    }
    return time;
  }

  /**
   * Number that a text represents, so that a text has the same meaning in CSV and in JSON. Druid would read a sign as
   * that of a year, and truncate fractions in JSON.
   */
  private Object numberOf(Object value, String column, String format) {
    if (!NUMERIC_FORMATS.contains(format.toLowerCase(Locale.ROOT))
        || value instanceof Integer
        || value instanceof Long) {
      return value;
    }
    if (!NUMBER.matcher(value.toString()).matches()) {
      hasIsoTimes = true;
      return value;
    }
    final BigDecimal number = new BigDecimal(value.toString());
    if (number.toBigInteger().bitLength() >= Long.SIZE) {
      throw beyondDruid(value, column);
    }
    if (FORMATS_OF_SECONDS.contains(format.toLowerCase(Locale.ROOT)) && number.stripTrailingZeros().scale() > 0) {
      throw malformed(
          "'" + shorten(number.toPlainString()) + "' in column '" + column + "' has a fraction, which format '" + format
              + "' does not know",
          "Give --timestamp-format ruby if these are seconds, or millis, which cuts fractions off"
      );
    }
    return number.longValue();
  }

  private ToolException beyondDruid(Object value, String column) {
    return malformed("'" + shorten(value) + "' in column '" + column + "' is beyond the times of Druid", "");
  }

  /** Converts a value for Druid. A column without a type is an input of metrics. */
  @Nullable
  private Object convert(String column, @Nullable FieldType type, @Nullable Object value) {
    if (type == null) {
      return FieldType.withoutBigIntegers(value);
    }
    try {
      return value == null ? null : type.parse(value, typed);
    } catch (IllegalArgumentException e) {
      throw rows.malformed(
          "'" + shorten(value) + "' in column '" + column + "' is no " + type.name().toLowerCase(Locale.ROOT),
          "Give the column another type with --type",
          e
      );
    }
  }

  private static String shorten(Object value) {
    final String text = value.toString();
    return text.length() <= MAX_VALUE_IN_MESSAGE ? text : text.substring(0, MAX_VALUE_IN_MESSAGE) + "...";
  }

  /** Creates an exception that names the last row read. */
  ToolException malformed(String found, String toDo) {
    return rows.malformed(found, toDo);
  }

  /** Creates an exception that names the last row read, with a cause. */
  ToolException malformed(String found, String toDo, Throwable cause) {
    return rows.malformed(found, toDo, cause);
  }

  /** Whether any time was in ISO 8601 although the format also accepts numbers. */
  boolean hasIsoTimes() {
    return hasIsoTimes;
  }

  /** Number of rows read. */
  long numRows() {
    return numRows;
  }

  /** Number of bytes read from the file as it is stored, that is, compressed. */
  long bytesRead() {
    return rows.bytesRead();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
