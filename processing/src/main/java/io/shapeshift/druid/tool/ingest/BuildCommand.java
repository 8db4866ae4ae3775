// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.base.Throwables;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.error.DruidException;
import org.apache.druid.math.expr.ExpressionProcessingException;
import org.apache.druid.segment.IndexSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes segments of a table, as Druid's ingestion would. */
@Command(
    name = "build",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Makes a segment, or several, of a table in CSV, TSV or JSON lines, as Druid's ingestion would."
)
public final class BuildCommand implements Callable<Integer> {
  @Mixin
  private InputOptions input;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "the directory of the segment; it must not exist, or be empty"
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
      defaultValue = "9",
      paramLabel = "VERSION",
      description = "version of the segment's format, 9 or 10 (default: 9)"
  )
  private int version;

  @Nullable
  @Option(
      names = "--max-rows",
      paramLabel = "N",
      description = "make segments DIR/0, DIR/1, ... of N rows of the file each, one behind the other; "
          + "without it, DIR is the only segment"
  )
  private Integer maxRows;

  @Option(
      names = "--max-rows-in-memory",
      defaultValue = "100000",
      paramLabel = "N",
      description = "rows that are collected before they go to the disk for the time being (default: 100000)"
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
    schemaOptions.check(timestampSpec == null, version);
    final InputTable table = input.table();
    final IndexSpec indexSpec = indexSpecOptions.indexSpec();
    requireUnused();

    final BuildSummary summary;
    final long size = table.sizeInBytes();
    final int passes = TableSchema.needsAllRows(table, schemaOptions) ? 2 : 1;
    try (Progress progress = new Progress(passes * size)) {
      final TableSchema schema = TableSchema.of(table, timestampSpec, schemaOptions, version, progress);
      try (TemporaryDirectory work = TemporaryDirectory.beside(out)) {
        final Path segments = work.path().resolve("segments");
        final Written written = write(schema, indexSpec, segments, work.path(), progress, (passes - 1) * size);
        summary = BuildSummary.of(table.file(), written.rows, written.names, out, segments);
        publish(work, segments);
      }
    }
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

  private void requireUnused() {
    try {
      if (!TemporaryDirectory.isFree(out)) {
        throw new ToolException(
            out.toString(),
            "it exists already" + (Files.isDirectory(out) ? ", and is not empty" : ", as a file"),
            "Name a directory that does not exist yet"
        );
      }
    } catch (IOException e) {
      throw new ToolException(out.toString(), "it cannot be read: " + e, "Name another directory", e);
    }
  }

  private void publish(TemporaryDirectory work, Path segments) {
    try {
      work.publish(segments, out);
    } catch (ToolException e) {
      // Another process may have made it meanwhile.
      requireUnused();
      throw e;
    }
  }

  /** Rows of the file, and the names of the segments' directories. */
  private record Written(long rows, List<String> names) {}

  private Written write(
      TableSchema schema,
      IndexSpec indexSpec,
      Path segments,
      Path work,
      Progress progress,
      long done
  ) {
    try (InputRows rows = new InputRows(schema)) {
      @Nullable InputRow row = rows.next();
      if (row == null) {
        throw rows.malformed("there is no row behind the header", "Druid has no segments without rows");
      }
      final List<String> names = new ArrayList<>();
      while (row != null) {
        final String name = maxRows == null ? "" : String.valueOf(names.size());
        names.add(name);
        final long end = maxRows == null ? Long.MAX_VALUE : rows.numRows() + maxRows;
        final Path spills = Files.createDirectory(work.resolve("spills" + name));
        try (SegmentWriter writer = newWriter(schema, indexSpec, spills)) {
          for (; row != null && rows.numRows() < end; row = rows.next()) {
            add(row, rows, writer);
            if (rows.numRows() % TableSchema.PROGRESS_ROWS == 0) {
              progress.at(done + rows.bytesRead(), "reading rows");
            }
          }
          progress.at(done + rows.bytesRead(), "writing the segment");
          writer.finish(segments.resolve(name));
        }
      }
      return new Written(rows.numRows(), names);
    } catch (ToolException e) {
      throw e;
    } catch (IOException e) {
      throw cannotWrite(e, e);
    } catch (RuntimeException e) {
      for (Throwable cause : Throwables.getCausalChain(e)) {
        if (cause instanceof IOException io) {
          throw cannotWrite(io, e);
        }
      }
      throw e;
    }
  }

  private static void add(InputRow row, InputRows rows, SegmentWriter writer) throws IOException {
    @Nullable final String unread;
    try {
      unread = writer.add(row);
    } catch (ExpressionProcessingException e) {
      throw rows.malformed("an expression cannot take the row: " + e.getMessage(), "", e);
    }
    if (unread != null) {
      throw rows.malformed(unread, "");
    }
  }

  private SegmentWriter newWriter(TableSchema schema, IndexSpec indexSpec, Path spills) {
    try {
      return new SegmentWriter(schema.toDruid(indexSpec), indexSpec, version, maxRowsInMemory, spills);
    } catch (DruidException | IllegalArgumentException e) {
      throw new ToolException(
          schema.table().file().toString(),
          "the options do not fit the table: " + e.getMessage(),
          "",
          e
      );
    }
  }

  private ToolException cannotWrite(IOException found, Exception cause) {
    return new ToolException(
        out.toString(),
        "the segment cannot be written: " + found.getMessage(),
        "Nothing of it is left; make room in " + out.toAbsolutePath().getParent(),
        cause
    );
  }
}
