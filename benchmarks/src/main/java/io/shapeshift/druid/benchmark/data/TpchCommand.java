// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.data;

import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import javax.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Makes segments of tables of TPC-H. */
@Command(
    name = "tpch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Makes segments of tables of TPC-H: DIR/lineitem and so on, with the rows of dbgen, ordered by their "
        + "first date, which is the time, in Druid's own columns."
)
public final class TpchCommand implements Callable<Integer> {
  @Option(
      names = "--scale",
      required = true,
      paramLabel = "FACTOR",
      description = "the scale factor: at 1, lineitem has six million rows"
  )
  private double scale;

  @Option(
      names = "--tables",
      split = ",",
      defaultValue = "lineitem,orders",
      paramLabel = "TABLE",
      description = "customer, orders, lineitem, part, partsupp, supplier, nation or region, with commas between them "
          + "(default: lineitem,orders)"
  )
  private List<String> tables;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "where the segments' directories are made; those of the tables must not exist, or be empty"
  )
  private Path out;

  @Nullable
  @Option(
      names = "--rows-per-segment",
      paramLabel = "N",
      description = "make segments DIR/TABLE/0, DIR/TABLE/1, ... of up to N rows each, one behind the other in time, "
          + "and each of whole days; without it, DIR/TABLE is the only segment"
  )
  private Integer rowsPerSegment;

  @Option(
      names = "--strings",
      description = "make all columns of TPC-H strings, the first date among them, which is also the time; what has "
          + "digits after the point is there once more as a number without the table's prefix: quantity beside "
          + "l_quantity; and shipinstruct beside l_shipinstruct, null where that says NONE"
  )
  private boolean strings;

  @Option(
      names = "--csv",
      description = "write DIR/TABLE.csv.gz beside each segment as well, with the same rows and columns, for other "
          + "programs to read: __time in milliseconds, null as nothing between two commas, rows in the order of dbgen"
  )
  private boolean csv;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    final Map<Path, TpchSegments<?>> segments = new LinkedHashMap<>();
    try {
      for (String table : tables) {
        final TpchSegments<?> numbers = TpchSegments.of(table, scale);
        segments.put(out.resolve(table), strings ? numbers.withStrings() : numbers);
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    if (rowsPerSegment != null && rowsPerSegment < 1) {
      throw new ParameterException(
          command.commandLine(),
          "--rows-per-segment is " + rowsPerSegment + ": it must be 1 or more"
      );
    }
    segments.keySet().forEach(TpchCommand::requireUnused);
    if (csv) {
      segments.keySet().stream().map(TpchCommand::csvBeside).forEach(TpchCommand::requireUnused);
    }

    final OptionalInt rows = rowsPerSegment == null ? OptionalInt.empty() : OptionalInt.of(rowsPerSegment);
    final List<Path> written = new ArrayList<>();
    segments.forEach((directory, table) -> {
      written.addAll(table.write(rows, directory));
      if (csv) {
        table.writeCsv(csvBeside(directory));
      }
    });
    command.commandLine().getOut().print(summary(written));
    command.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  private static Path csvBeside(Path segment) {
    return segment.resolveSibling(segment.getFileName() + ".csv.gz");
  }

  private static void requireUnused(Path path) {
    try {
      if (!TemporaryDirectory.isFree(path)) {
        throw new ToolException(path.toString(), "it exists already", "Name another directory with --out");
      }
    } catch (IOException e) {
      throw new ToolException(path.toString(), "it cannot be read: " + e, "Name another directory with --out", e);
    }
  }

  private static String summary(List<Path> segments) {
    final Table table = new Table("segment", "rows", "bytes", "interval");
    for (Path path : segments) {
      try (Segment segment = Segment.open(path)) {
        table.add(path.toString(), segment.numRows(), segment.sizeInBytes(), segment.interval().toString());
      }
    }
    return table.toText();
  }
}
