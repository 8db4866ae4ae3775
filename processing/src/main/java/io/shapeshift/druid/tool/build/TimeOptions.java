// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.build;

import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.TimestampSpec;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that tell what becomes {@code __time}: a column, or the number of the row. */
final class TimeOptions {
  @Nullable
  @ArgGroup(exclusive = false)
  private Column column;

  @SuppressWarnings("unused") // What has no column is numbered.
  @Option(
      names = "--no-timestamp",
      description = "no column is the time: the number of the row, from 0, becomes __time, in milliseconds since 1970. "
          + "So rows keep the order of the file; with --timestamp, Druid sorts those of the same time by their values."
  )
  private boolean noTimestamp;

  private static final class Column {
    @Option(names = "--timestamp", required = true, paramLabel = "COLUMN", description = "the column of the time")
    private String name;

    @Option(
        names = "--timestamp-format",
        defaultValue = "auto",
        converter = FormatConverter.class,
        paramLabel = "FORMAT",
        description = "as in Druid's timestampSpec: auto (ISO 8601, also with a blank for the T, or milliseconds), "
            + "iso, millis, posix, micro, nano, ruby, or a pattern of Joda's (default: auto)"
    )
    private String format;
  }

  /** Refuses what is no format at once. */
  private static final class FormatConverter implements ITypeConverter<String> {
    @Override
    public String convert(String format) {
      try {
        return new TimestampSpec(null, format, null).getTimestampFormat();
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + format + "' is no format of Druid's timestampSpec, and no pattern");
      }
    }
  }

  /** How the time is read, or null for the number of the row. */
  @Nullable
  TimestampSpec spec() {
    return column == null ? null : new TimestampSpec(column.name, column.format, null);
  }
}
