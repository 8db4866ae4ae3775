// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.cli.Version;
import io.shapeshift.druid.tool.inspect.Inspection.ChunkInspection;
import io.shapeshift.druid.tool.inspect.Inspection.ColumnInspection;
import io.shapeshift.druid.tool.inspect.Inspection.FieldInspection;
import io.shapeshift.druid.tool.inspect.Inspection.PartInspection;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code inspect} command: contents of columns, down to their chunks. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
        "Lists the parts of each column: header, forms, and chunks, or the compressed blocks of Druid's own columns.",
        "Reads headers only. --csv prints one row per chunk, --json everything."
    }
)
public final class InspectCommand implements Callable<Integer> {
  private static final int BAR_WIDTH = 30;
  /** Fields of a nested column that are listed if no column is named. */
  private static final int LARGEST_FIELDS = 20;

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "segments, or folders of segments")
  private List<Path> paths;

  @Mixin
  private ColumnOption columns;

  @Option(
      names = "--chunks",
      description = "print the chunks of all columns (default: of those that --columns names)"
  )
  private boolean chunks;

  @Mixin
  private OutputFormat format;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    final List<SegmentLocation> locations = SegmentLocation.find(paths);
    final List<Inspection> inspections = new ArrayList<>();
    final List<ToolException> unopened = new ArrayList<>();
    for (SegmentLocation location : locations) {
      try {
        inspections.add(inspect(location));
      } catch (ToolException e) {
        // If there are other segments, they are still worth inspecting.
        if (locations.size() == 1) {
          throw e;
        }
        unopened.add(e);
      }
    }
    if (unopened.isEmpty()) {
      columns.checkAllFound(paths.get(0).toString());
    }
    command.commandLine().getOut().print(
        format.format(() -> text(inspections), () -> inspections, () -> chunkTable(inspections))
    );
    command.commandLine().getOut().flush();
    if (ToolException.print(unopened, command.commandLine().getErr())) {
      return ExitCode.FAILED;
    }
    return inspections.stream().flatMap(each -> each.columns().stream()).anyMatch(each -> each.problem() != null)
           ? ExitCode.DIFFERENT
           : ExitCode.OK;
  }

  /**
   * Inspects a segment. If there are many segments, their chunks are dropped, because they would use most of the memory
   * until the output is printed.
   */
  Inspection inspect(SegmentLocation location) {
    try (Segment segment = location.open()) {
      final Inspection inspection =
          Inspector.inspect(segment, column -> columns.includes(column.name(), column.displayName()));
      return format.isText() && !listsChunks() ? inspection.withoutChunks() : inspection;
    }
  }

  /** Whether the text lists chunks. */
  private boolean listsChunks() {
    return chunks || columns.isGiven();
  }

  private String text(List<Inspection> inspections) {
    final StringBuilder text = new StringBuilder();
    for (Inspection segment : inspections) {
      text.append(text.isEmpty() ? "" : "\n").append(segment.path()).append(": version ").append(segment.version())
          .append(", ").append(Numbers.count(segment.rows(), "row")).append(", ").append(segment.interval())
          .append(", ").append(Numbers.text(segment.bytes())).append(" bytes, ")
          .append(segment.checksums() ? "with checksums\n" : "no checksums\n");
      for (ColumnInspection column : segment.columns()) {
        text.append('\n').append(text(column));
      }
    }
    return text.toString();
  }

  private String text(ColumnInspection column) {
    final StringBuilder text = new StringBuilder()
        .append(column.name()).append(": ").append(column.type())
        .append(column.auto() ? " (auto)" : "")
        .append(column.multiValue() ? " (multi-value)" : "")
        .append(" as ").append(column.encoding() == null ? column.partType() : column.encoding())
        .append(column.cardinality() == null ? "" : ", cardinality " + Numbers.text(column.cardinality()))
        .append(", ").append(Numbers.text(column.bytes())).append(" bytes")
        .append(
            column.encoding() == null
            ? ""
            : ": dictionary " + Numbers.text(column.dictionaryBytes()) + ", rows " + Numbers.text(column.rowBytes())
                + ", index " + Numbers.text(column.indexBytes())
        )
        .append('\n');
    if (column.problem() != null) {
      text.append("  ").append(column.problem()).append('\n');
    }
    for (PartInspection part : column.parts()) {
      text.append("  ").append(part.name()).append(": ")
          .append(part.header().entrySet().stream()
                      .map(field -> field.getKey() + " " + field.getValue())
                      .collect(Collectors.joining(", ")))
          .append('\n')
          .append(indent(histogram(part)));
      if (listsChunks()) {
        final Table table = new Table("chunk", "offset", "first", "values", "form", "of", "bytes", "bits/value");
        part.chunks().forEach(chunk -> table.add(cells(chunk)));
        text.append(indent(table));
      }
    }
    return text.append(fields(column)).toString();
  }

  private String fields(ColumnInspection column) {
    if (column.fields() == null) {
      return "";
    }
    final Table table = new Table("field", "type", "rows", "values", "bytes", "dictionary", "ids, numbers", "index");
    final int listed = listsChunks() ? column.fields().size() : Math.min(LARGEST_FIELDS, column.fields().size());
    for (FieldInspection field : column.fields().subList(0, listed)) {
      table.add(
          field.name(),
          field.types(),
          field.rows(),
          field.values(),
          field.bytes(),
          field.dictionaryBytes(),
          field.rowBytes(),
          field.indexBytes()
      );
    }
    final List<FieldInspection> others = column.fields().subList(listed, column.fields().size());
    return "  fields:\n" + indent(table) + (others.isEmpty() ? "" : "    "
        + Numbers.count(others.size(), "smaller field") + " of "
        + Numbers.text(others.stream().mapToLong(FieldInspection::bytes).sum())
        + " bytes: --columns or --chunks lists them\n");
  }

  private static String indent(Table table) {
    return table.toText().indent(4);
  }

  private static Table histogram(PartInspection part) {
    final Table table = new Table("form", "chunks", "values", "bytes", "bits/value", "share of chunks");
    part.forms().entrySet().stream()
        .sorted((a, b) -> Integer.compare(b.getValue().chunks(), a.getValue().chunks()))
        .forEach(form -> table.add(
            form.getKey(),
            form.getValue().chunks(),
            form.getValue().values(),
            form.getValue().bytes(),
            8.0 * form.getValue().bytes() / Math.max(1, form.getValue().values()),
            "#".repeat(Math.max(1, Math.round((float) BAR_WIDTH * form.getValue().chunks() / part.numChunks())))
        ));
    return table;
  }

  private static Object[] cells(ChunkInspection chunk) {
    return new Object[]{
        chunk.number(),
        chunk.offset(),
        chunk.firstValue(),
        chunk.numValues(),
        chunk.form(),
        chunk.innerForm(),
        chunk.bytes(),
        chunk.bitsPerValue()
    };
  }

  private static Table chunkTable(List<Inspection> inspections) {
    final Table table = new Table(
        "segment", "column", "part", "chunk", "offset", "firstValue", "numValues", "form", "innerForm", "bytes",
        "bitsPerValue"
    );
    for (Inspection segment : inspections) {
      for (ColumnInspection column : segment.columns()) {
        for (PartInspection part : column.parts()) {
          for (ChunkInspection chunk : part.chunks()) {
            final List<Object> row = new ArrayList<>(List.of(segment.path(), column.name(), part.name()));
            row.addAll(Arrays.asList(cells(chunk)));
            table.add(row.toArray());
          }
        }
      }
    }
    return table;
  }
}
