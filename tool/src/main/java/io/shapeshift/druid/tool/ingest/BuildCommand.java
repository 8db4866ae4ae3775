// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.Version;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.segment.IndexSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Command that builds segments from a table, as Druid's ingestion would. */
@Command(
    name = "build",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description =
        "Builds a segment, or several, from a table in CSV, TSV, text or JSON lines, as Druid's ingestion would."
)
public final class BuildCommand implements Callable<Integer> {
  @Mixin
  private InputOptions input;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "directory of the segment; must not exist, or must be empty"
  )
  private Path out;

  @Mixin
  private TimeOptions time;

  @Mixin
  private SchemaOptions schemaOptions;

  @Mixin
  private IndexSpecOptions indexSpecOptions;

  @Option(
      names = "--segment-version",
      defaultValue = "" + SegmentWriter.VERSION,
      paramLabel = "VERSION",
      description = "version of the segment's format, 9 or 10 (default: 9)"
  )
  private int version;

  @Nullable
  @Option(
      names = "--max-rows",
      paramLabel = "N",
      description = "write segments DIR/0, DIR/1, ... of N rows of the file each (default: one segment, DIR)"
  )
  private Integer maxRows;

  @Option(
      names = "--max-rows-in-memory",
      defaultValue = "" + SegmentWriter.MAX_ROWS_IN_MEMORY,
      paramLabel = "N",
      description = "rows kept in memory before they are written to temporary files (default: 100000)"
  )
  private int maxRowsInMemory;

  @Mixin
  private OutputFormat format;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    @Nullable final TimestampSpec timestampSpec = time.spec();
    check();
    final SchemaSpec schema = schemaOptions.spec(timestampSpec == null, version);
    final InputTable table = input.table(schema.declared().keySet());
    final IndexSpec indexSpec = indexSpecOptions.indexSpec();
    final BuildSummary summary =
        new SegmentBuilder(table, timestampSpec, schema, indexSpec, version, maxRows, maxRowsInMemory)
            .build(out, warning -> command.commandLine().getErr().println("shapeshift: " + warning));
    command.commandLine().getOut().print(format.format(summary::text, () -> summary, summary::csv));
    command.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  private void check() {
    if (version != 9 && version != 10) {
      throw wrong("--segment-version is " + version + ": it must be 9 or 10");
    }
    if (maxRows != null && maxRows < 1) {
      throw wrong("--max-rows is " + maxRows + ": it must be 1 or more");
    }
    if (maxRowsInMemory < 1) {
      throw wrong("--max-rows-in-memory is " + maxRowsInMemory + ": it must be 1 or more");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
