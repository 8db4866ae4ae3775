// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.google.common.base.Throwables;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.Reason;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.verify.SegmentVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.impl.TimestampSpec;
import org.apache.druid.error.DruidException;
import org.apache.druid.math.expr.ExpressionProcessingException;
import org.apache.druid.segment.IndexSpec;

/** Builder of segments from a table. {@link BuildCommand} is its command line. */
public final class SegmentBuilder {
  private final InputTable table;
  @Nullable
  private final TimestampSpec time;
  private final SchemaSpec schemaSpec;
  private final IndexSpec indexSpec;
  private final int version;
  @Nullable
  private final Integer maxRows;
  private final int maxRowsInMemory;

  /**
   * Creates a builder. The parameters are those of the command's options.
   *
   * @param time            time column and its format, or null to use the row number
   * @param version         version of the segments, 9 or 10
   * @param maxRows         number of the table's rows per segment, or null for a single segment
   * @param maxRowsInMemory number of rows in memory before a spill
   */
  SegmentBuilder(
      InputTable table,
      @Nullable TimestampSpec time,
      SchemaSpec schemaSpec,
      IndexSpec indexSpec,
      int version,
      @Nullable Integer maxRows,
      int maxRowsInMemory
  ) {
    this.table = table;
    this.time = time;
    this.schemaSpec = schemaSpec;
    this.indexSpec = indexSpec;
    this.version = version;
    this.maxRows = maxRows;
    this.maxRowsInMemory = maxRowsInMemory;
  }

  /**
   * Builds one segment from JSON lines, with inferred types.
   *
   * @param file       file, compressed if its name ends in {@code .gz} or {@code .bz2}
   * @param timeColumn name of the time column
   * @param out        directory of the segment; must not exist, or must be empty
   * @throws ToolException if the file cannot be read, or the segment cannot be written; nothing is then left at
   *     {@code out}
   */
  public static void build(Path file, String timeColumn, IndexSpec indexSpec, Path out) {
    new SegmentBuilder(
        new InputTable(file, InputTable.Format.JSON, null, null),
        new TimestampSpec(timeColumn, null, null),
        SchemaSpec.INFERRED,
        indexSpec,
        SegmentWriter.VERSION,
        null,
        SegmentWriter.MAX_ROWS_IN_MEMORY
    ).build(out, warning -> {});
  }

  /**
   * Builds the segments.
   *
   * @param out      directory of the segment, or parent directory of several segments; must not exist, or must be empty
   * @param warnings receiver of warnings, called before anything is at {@code out} that could mislead queries
   * @throws ToolException if the table cannot be read, or the segments cannot be written; nothing is then left at
   *     {@code out}
   */
  BuildSummary build(Path out, Consumer<String> warnings) {
    requireUnused(out);
    TemporaryDirectory.requireReplaceable(out);
    final long size = table.sizeInBytes();
    final int passes = TableSchema.needsAllRows(table, schemaSpec) ? 2 : 1;
    try (Progress progress = new Progress(passes * size)) {
      final TableSchema schema = TableSchema.of(table, time, schemaSpec, version, progress);
      try (TemporaryDirectory work = TemporaryDirectory.beside(out)) {
        final Path segments = work.path().resolve("segments");
        final Written written = write(schema, segments, work.path(), out, progress, (passes - 1) * size);
        final BuildSummary summary = BuildSummary.of(table.file(), written.rows, written.names, out, segments);
        progress.clear();
        if (time != null) {
          TimeWarning.of(time, written.hasIsoTimes, summary).ifPresent(warnings);
        }
        written.names.forEach(name -> warnOfProjections(segments.resolve(name), warnings));
        publish(work, segments, out);
        return summary;
      }
    }
  }

  private static void warnOfProjections(Path directory, Consumer<String> warnings) {
    try (Segment segment = Segment.open(directory)) {
      SegmentVerifier.notesOnProjections(segment)
                     .forEach(column -> warnings.accept("column " + column.displayName() + ": " + column.message()));
    }
  }

  private static void requireUnused(Path out) {
    try {
      if (!TemporaryDirectory.isFree(out)) {
        throw new ToolException(
            out.toString(),
            "it exists already" + (Files.isDirectory(out) ? ", and is not empty" : ", as a file"),
            "Name a directory that does not exist yet"
        );
      }
    } catch (IOException e) {
      throw new ToolException(out.toString(), "it cannot be read: " + Reason.of(e), "Name another directory", e);
    }
  }

  private static void publish(TemporaryDirectory work, Path segments, Path out) {
    try {
      work.publish(segments, out);
    } catch (ToolException e) {
      // Another process may have created it meanwhile.
      requireUnused(out);
      throw e;
    }
  }

  /**
   * Number of rows in the file, names of the segments' directories, and the result of {@link InputRows#hasIsoTimes}.
   */
  private record Written(long rows, List<String> names, boolean hasIsoTimes) {}

  private Written write(
      TableSchema schema,
      Path segments,
      Path work,
      Path out,
      Progress progress,
      long done
  ) {
    try (InputRows rows = new InputRows(schema)) {
      @Nullable InputRow row = rows.next();
      if (row == null) {
        throw rows.malformed("there are no rows", "Druid has no segments without rows");
      }
      final List<String> names = new ArrayList<>();
      while (row != null) {
        final String name = maxRows == null ? "" : String.valueOf(names.size());
        names.add(name);
        final long end = maxRows == null ? Long.MAX_VALUE : rows.numRows() + maxRows;
        final Path spills = Files.createDirectory(work.resolve("spills" + name));
        try (SegmentWriter writer = newWriter(schema, spills)) {
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
      return new Written(rows.numRows(), names, rows.hasIsoTimes());
    } catch (ToolException e) {
      throw e;
    } catch (IOException e) {
      throw cannotWrite(out, e, e);
    } catch (RuntimeException e) {
      if (e instanceof DruidException wrong && wrong.getCategory() == DruidException.Category.INVALID_INPUT) {
        throw doesNotFit(schema, e);
      }
      for (Throwable cause : Throwables.getCausalChain(e)) {
        if (cause instanceof IOException io) {
          throw cannotWrite(out, io, e);
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

  private SegmentWriter newWriter(TableSchema schema, Path spills) {
    try {
      return new SegmentWriter(schema.toDruid(indexSpec), indexSpec, version, maxRowsInMemory, spills);
    } catch (DruidException | IllegalArgumentException e) {
      throw doesNotFit(schema, e);
    }
  }

  private static ToolException doesNotFit(TableSchema schema, Exception e) {
    return new ToolException(
        schema.table().file().toString(),
        "the options do not fit the table: " + e.getMessage(),
        "",
        e
    );
  }

  private static ToolException cannotWrite(Path out, IOException found, Exception cause) {
    return new ToolException(
        out.toString(),
        "the segment cannot be written: " + found.getMessage(),
        "Nothing of it is left; make room in " + out.toAbsolutePath().getParent(),
        cause
    );
  }
}
