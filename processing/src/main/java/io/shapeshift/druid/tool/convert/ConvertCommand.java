// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import io.shapeshift.druid.segment.EncodingStrategy;
import io.shapeshift.druid.tool.cli.EncodingOptions;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.Version;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.segment.data.CompressionStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Stores the dictionary ids of segments in another way, and back. */
@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
        "Stores the dictionary ids of string columns in another way: shape-shifting, or in Druid's own columns.",
        "Everything else is copied byte for byte: dictionaries, indexes, numbers, complex and nested columns, "
            + "aggregators, projections, metadata. It takes no extension of Druid's to do so, and no ingestion.",
        "What was written is read back and compared with the source before it is moved to where it shall be. "
            + "Nothing is left behind if anything is wrong."
    },
    footer = {
        "",
        "A segment does not say with which indexSpec it was written; Druid's metadata store does. Auto-compaction "
            + "does not know of a conversion: where its indexSpec is another one, it compacts by what the store says."
    }
)
public final class ConvertCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PATH", description = "a segment, its index.zip, or a folder of segments")
  private Path path;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "OUT",
      description = "where to write: a directory that does not exist or is empty, or, for one segment, a file that "
          + "ends in .zip. For a folder the same tree is made below"
  )
  private Path out;

  @Mixin
  private EncodingOptions encoding;

  /** What Druid can compress dictionary ids with. */
  private enum Compression { LZ4, ZSTD, LZF, UNCOMPRESSED }

  @Nullable
  @Option(
      names = "--compression",
      paramLabel = "COMPRESSION",
      description = "of Druid's own columns: ${COMPLETION-CANDIDATES} (default: LZ4)"
  )
  private Compression compression;

  @Option(names = "--zip", description = "write an index.zip for each segment, as in deep storage")
  private boolean zip;

  @Mixin
  private OutputFormat format;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    final EncodingStrategy strategy = encoding.strategy();
    if (strategy.isShapeShift() && compression != null) {
      throw new ParameterException(
          command.commandLine(),
          "--compression has an effect with --strategy compression only: leave it out"
      );
    }
    final Conversion conversion = new Conversion(
        RowEncoding.of(
            strategy,
            CompressionStrategy.valueOf(Objects.requireNonNullElse(compression, Compression.LZ4).name())
        ),
        zip
    );
    final List<SegmentLocation> locations = SegmentLocation.find(List.of(path));
    if (locations.size() > 1 && Conversion.isZip(out)) {
      throw new ParameterException(
          command.commandLine(),
          "--out " + out + " is one zip file, but there are " + locations.size() + " segments below " + path
              + ": name a directory, and --zip for an index.zip of each in it"
      );
    }
    final List<SegmentConversion> segments = conversion.run(path, locations, out);
    command.commandLine().getOut().print(format.format(() -> text(segments), () -> segments, () -> csv(segments)));
    command.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  private static String text(List<SegmentConversion> segments) {
    return segments.stream().map(ConvertCommand::text).collect(Collectors.joining(System.lineSeparator()));
  }

  private static String text(SegmentConversion segment) {
    final Table columns =
        new Table("column", "from", "to", "bytes of ids", "now", "ratio", "forms, and chunks in each");
    for (ColumnConversion column : segment.columns()) {
      columns.add(
          column.projection() == null ? column.name() : column.projection() + "/" + column.name(),
          column.from(),
          column.to(),
          column.bytesBefore(),
          column.bytesAfter(),
          ratio(column.bytesBefore(), column.bytesAfter()),
          column.note() == null ? forms(column.forms()) : column.note()
      );
    }
    return segment.from() + " -> " + segment.to() + System.lineSeparator()
        + columns.toText()
        + String.format(
            Locale.ROOT,
            "The whole segment: %,d bytes before, %,d now (%.3f)%n",
            segment.bytesBefore(),
            segment.bytesAfter(),
            ratio(segment.bytesBefore(), segment.bytesAfter())
        );
  }

  private static String forms(Map<String, FormUsage> forms) {
    return forms.entrySet().stream()
                .map(form -> form.getKey() + " " + form.getValue().chunks())
                .collect(Collectors.joining(", "));
  }

  private static double ratio(long before, long after) {
    return (double) after / before;
  }

  private static Table csv(List<SegmentConversion> segments) {
    final Table table = new Table(
        "segment", "out", "projection", "column", "from", "to", "bytesBefore", "bytesAfter", "ratio", "forms", "note");
    for (SegmentConversion segment : segments) {
      for (ColumnConversion column : segment.columns()) {
        table.add(
            segment.from(), segment.to(), column.projection(), column.name(), column.from(), column.to(),
            column.bytesBefore(), column.bytesAfter(), ratio(column.bytesBefore(), column.bytesAfter()),
            forms(column.forms()), column.note()
        );
      }
      table.add(
          segment.from(), segment.to(), null, null, null, null,
          segment.bytesBefore(), segment.bytesAfter(), ratio(segment.bytesBefore(), segment.bytesAfter()), null, null
      );
    }
    return table;
  }
}
