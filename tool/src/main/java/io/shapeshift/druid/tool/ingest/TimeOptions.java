// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.TimestampSpec;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Options about {@code __time}: a column, or the row number. */
final class TimeOptions {
  @Nullable
  @Option(
      names = "--timestamp",
      paramLabel = "COLUMN",
      description = "column of the time. Druid sorts rows of the same time by their values."
  )
  private String column;

  @Nullable
  @Option(
      names = "--timestamp-format",
      converter = FormatConverter.class,
      paramLabel = "FORMAT",
      description = "as in Druid's timestampSpec: auto (ISO 8601, also with a blank for the T, or milliseconds), iso, "
          + "millis, posix, micro, nano, ruby, or a Joda pattern (default: auto). auto takes all numbers for "
          + "milliseconds: seconds since 1970 need posix, or ruby if they have fractions."
  )
  private String format;

  @Option(
      names = "--no-timestamp",
      description = "instead of --timestamp: the number of the row, from 0, becomes __time, in milliseconds since "
          + "1970, so that rows keep the order of the file"
  )
  private boolean noTimestamp;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Rejects an invalid format at once. */
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

  /** Column and format of the time, or null to use the row number. */
  @Nullable
  TimestampSpec spec() {
    if (noTimestamp == (column != null)) {
      throw wrong("Either --timestamp COLUMN or --no-timestamp must be given"
          + (noTimestamp ? ", not both" : ""));
    }
    if (noTimestamp && format != null) {
      throw wrong("--timestamp-format has no effect with --no-timestamp: leave it out");
    }
    return noTimestamp ? null : new TimestampSpec(column, format, null);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
