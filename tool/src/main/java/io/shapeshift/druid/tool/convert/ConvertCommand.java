// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import com.google.common.collect.Sets;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.Version;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.ingest.IndexSpecOptions;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command that stores the rows, indexes and dictionaries of segments in another encoding, and back. */
@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
        "Stores segments in another encoding: shape-shifting, or Druid's own.",
        "Converts dictionary ids, numbers, indexes of values, dictionaries of strings, nested columns and complex "
            + "metrics. Copies all else byte for byte: spatial indexes, columns of other types, metadata. Needs no "
            + "ingestion, and none of Druid's extensions.",
        "Reads the result back and compares it with the source before it is moved to OUT. If anything is wrong, "
            + "nothing is left behind."
    },
    footer = {
        "",
        "Druid's metadata store, not the segment, holds the indexSpec with which a segment was written. "
            + "Auto-compaction reads it there, so it ignores conversions."
    }
)
public final class ConvertCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PATH", description = "a segment, its index.zip, or a folder of segments")
  private Path path;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "OUT",
      description = "a directory that does not exist or is empty; for one segment also a zip file. For a folder, "
          + "OUT gets the same tree, with a directory for each segment; a zip file that is not called index.zip gives "
          + "a directory of its name"
  )
  private Path out;

  @Mixin
  private IndexSpecOptions indexSpec;

  /** Druid's compression codecs for dictionary ids. */
  private enum Compression { LZ4, ZSTD, LZF, UNCOMPRESSED }

  /** Druid's compression codecs for numbers. */
  private enum MetricCompression { LZ4, ZSTD, LZF, UNCOMPRESSED, NONE }

  /** Druid's encodings of longs before compression. */
  private enum LongEncoding { LONGS, AUTO }

  /** Properties of an indexSpec that a conversion applies. */
  private static final Set<String> CONVERTED = Sets.union(
      EncodingStrategies.PROPERTIES, Set.of("dimensionCompression", "metricCompression", "longEncoding"));

  @Nullable
  @Option(
      names = "--compression",
      paramLabel = "COMPRESSION",
      description = "codec of Druid's own columns (dimensionCompression): ${COMPLETION-CANDIDATES} (default: LZ4)"
  )
  private Compression compression;

  @Nullable
  @Option(
      names = "--metric-compression",
      paramLabel = "COMPRESSION",
      description = "codec of numbers in Druid's own columns (default: that of --compression): ${COMPLETION-CANDIDATES}"
  )
  private MetricCompression metricCompression;

  @Nullable
  @Option(
      names = "--long-encoding",
      paramLabel = "ENCODING",
      description = "encoding of longs in Druid's own columns: ${COMPLETION-CANDIDATES} (default: LONGS)"
  )
  private LongEncoding longEncoding;

  @Option(
      names = "--zip",
      description = "write a zip file for each segment, as in deep storage: index.zip, or named as the source's "
          + "zip file"
  )
  private boolean zip;

  @Mixin
  private OutputFormat format;

  @Spec
  private CommandSpec command;

  @Override
  public Integer call() {
    final Conversion conversion = new Conversion(encodings(), zip);
    final List<SegmentLocation> locations = SegmentLocation.find(List.of(path));
    if (locations.size() > 1 && Conversion.isZip(out)) {
      throw new ParameterException(
          command.commandLine(),
          "--out " + out + " is one zip file, but there are " + locations.size() + " segments below " + path
              + ": name a directory, and --zip for an index.zip of each in it"
      );
    }
    final List<SegmentConversion> segments = conversion.run(path, locations, out);
    conversion.entriesWithoutColumn().forEach(name -> command.commandLine().getErr().println(
        "shapeshift: --index-spec has an entry for '" + name + "', but no segment has such a column"));
    command.commandLine().getOut().print(format.format(() -> text(segments), () -> segments, () -> csv(segments)));
    command.commandLine().getOut().flush();
    return ExitCode.OK;
  }

  private TargetEncodings encodings() {
    final IndexSpec spec = indexSpec.indexSpec();
    if (indexSpec.isJson()) {
      requireConvertible();
      return TargetEncodings.of(spec);
    }
    final EncodingStrategies strategies = ShapeShiftIndexSpec.strategiesOf(spec);
    final String ofIds = compression == null ? Compression.LZ4.name() : compression.name();
    final CompressionStrategy ofNumbers =
        CompressionStrategy.valueOf(metricCompression == null ? ofIds : metricCompression.name());
    final Map<EncodedType, RowEncoding> encodings = new EnumMap<>(EncodedType.class);
    for (EncodedType type : EncodedType.values()) {
      encodings.put(
          type,
          RowEncodings.of(
              strategies.ofTable().get(type),
              CompressionStrategy.valueOf(ofIds),
              ofNumbers,
              LongEncodingStrategy.valueOf(longEncoding == null ? LongEncoding.LONGS.name() : longEncoding.name())
          )
      );
    }
    if (compression != null
        && EncodedType.OF_ROWS.stream().allMatch(type -> encodings.get(type).isShapeShifting())) {
      throw noEffect("--compression has an effect with --strategy compression only: leave it out");
    }
    if (metricCompression != null
        && Stream.of(EncodedType.LONG, EncodedType.DOUBLE, EncodedType.FLOAT)
                 .allMatch(type -> encodings.get(type).isShapeShifting())) {
      throw noEffect("--metric-compression has an effect on numbers in Druid's own columns only: leave it out");
    }
    if (longEncoding != null && encodings.get(EncodedType.LONG).isShapeShifting()) {
      throw noEffect("--long-encoding has an effect on longs in Druid's own columns only: leave it out");
    }
    return TargetEncodings.of(encodings);
  }

  /** Rejects what a conversion cannot do: to write other bitmaps or objects, for example. */
  private void requireConvertible() {
    if (compression != null || metricCompression != null || longEncoding != null) {
      throw noEffect("--compression, --metric-compression and --long-encoding are dimensionCompression, "
          + "metricCompression and longEncoding in --index-spec: name them there");
    }
    indexSpec.properties().stream().filter(property -> !CONVERTED.contains(property)).findFirst()
        .ifPresent(property -> {
          throw noEffect("--index-spec has '" + property + "', which a conversion leaves as it is: leave it out");
        });
  }

  private ParameterException noEffect(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  private static String text(List<SegmentConversion> segments) {
    return segments.stream().map(ConvertCommand::text).collect(Collectors.joining(System.lineSeparator()));
  }

  private static String text(SegmentConversion segment) {
    final Table columns =
        new Table(
            "column", "type", "from", "to", "bytes of rows", "now", "ratio", "of index", "now", "ratio",
            "of dictionary", "now", "ratio", "as",
            "forms, and chunks in each", "of the index"
        );
    for (ColumnConversion column : segment.columns()) {
      columns.add(
          column.projection() == null ? column.name() : column.projection() + "/" + column.name(),
          column.type(),
          column.from(),
          column.to(),
          column.bytesBefore(),
          column.bytesAfter(),
          ratio(column.bytesBefore(), column.bytesAfter()),
          column.indexFrom() == null ? null : column.indexBytesBefore(),
          column.indexFrom() == null ? null : column.indexBytesAfter(),
          column.indexFrom() == null ? null : ratio(column.indexBytesBefore(), column.indexBytesAfter()),
          column.dictionaryBytesBefore() == 0 ? null : column.dictionaryBytesBefore(),
          column.dictionaryBytesBefore() == 0 ? null : column.dictionaryBytesAfter(),
          column.dictionaryBytesBefore() == 0
          ? null
          : ratio(column.dictionaryBytesBefore(), column.dictionaryBytesAfter()),
          column.dictionaryTo(),
          column.note() == null ? forms(column.forms()) : column.note(),
          forms(column.indexForms())
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
        "segment", "out", "projection", "column", "from", "to", "bytesBefore", "bytesAfter", "ratio", "forms", "note",
        "type", "indexFrom", "indexTo", "indexBytesBefore", "indexBytesAfter", "indexForms",
        "dictionaryFrom", "dictionaryTo", "dictionaryBytesBefore", "dictionaryBytesAfter"
    );
    for (SegmentConversion segment : segments) {
      for (ColumnConversion column : segment.columns()) {
        table.add(
            segment.from(), segment.to(), column.projection(), column.name(), column.from(), column.to(),
            column.bytesBefore(), column.bytesAfter(), ratio(column.bytesBefore(), column.bytesAfter()),
            forms(column.forms()), column.note(), column.type(), column.indexFrom(), column.indexTo(),
            column.indexBytesBefore(), column.indexBytesAfter(), forms(column.indexForms()),
            column.dictionaryFrom(), column.dictionaryTo(), column.dictionaryBytesBefore(),
            column.dictionaryBytesAfter()
        );
      }
      table.add(
          segment.from(), segment.to(), null, null, null, null,
          segment.bytesBefore(), segment.bytesAfter(), ratio(segment.bytesBefore(), segment.bytesAfter()), null, null,
          null, null, null, null, null, null, null, null, null, null
      );
    }
    return table;
  }
}
