// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analysis;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.analysis.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analysis.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analysis.Analysis.Totals;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.nested.NestedPart;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.ObjectPart;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Analyzer of segments: encodes their columns in each encoding, and measures sizes and speeds. */
public final class Analyzer {
  /** Default encoding of the extension. */
  public static final String DEFAULT_ENCODING = RowEncodings.shapeShiftName(OptimizationTarget.FASTBUTSMALLISH);

  private final Options options;
  private final List<RowEncoding> encodings;
  private final List<ToolException> unopened = new ArrayList<>();
  @Nullable
  private SpeedTest speedTest;
  private long done;

  /**
   * Options of an analysis.
   *
   * @param columns   columns to analyze
   * @param blockSize block size of shape-shifting columns
   * @param speed     whether to measure the read speed of each encoding
   * @param fields    whether to list the fields of nested columns
   * @param advise    whether to encode also what only a column's own entry in the indexSpec can request
   * @param explain   target under which to explain the choice of forms; null for no explanation
   */
  public record Options(
      ColumnOption columns,
      BlockSize blockSize,
      boolean speed,
      boolean fields,
      boolean advise,
      @Nullable OptimizationTarget explain
  ) {
    private boolean includes(SegmentColumn column) {
      return columns.includes(column.name(), column.displayName());
    }
  }

  /** Creates an analyzer. */
  public Analyzer(Options options) {
    this.options = options;
    this.encodings = RowEncodings.all(options.blockSize);
  }

  /**
   * Analyzes segments one after another.
   *
   * @throws ToolException if the only segment cannot be opened, no column has a name in the options, or the temporary
   *     directory is full
   */
  public Analysis analyze(List<SegmentLocation> locations) {
    final List<SegmentAnalysis> segments = new ArrayList<>();
    final List<SegmentLocation> opened = new ArrayList<>();
    long steps = 0;
    for (SegmentLocation location : locations) {
      try (Segment segment = location.open()) {
        steps += segment.columns().stream().filter(options::includes).count();
        opened.add(location);
      } catch (ToolException e) {
        // If there are other segments, they are still worth analyzing.
        if (locations.size() == 1) {
          throw e;
        }
        unopened.add(e);
      }
    }
    if (unopened.isEmpty()) {
      options.columns.checkAllFound(locations.get(0).path().toString());
    }
    try (Progress progress = new Progress(steps)) {
      for (SegmentLocation location : opened) {
        try (Segment segment = location.open()) {
          segments.add(analyze(segment, progress));
        }
      }
    } finally {
      if (speedTest != null) {
        speedTest.close();
      }
    }
    return new Analysis(jvm(), segments, totals(segments), options.speed ? SpeedTest.MIN_ROWS : null, null);
  }

  /** Created when the first column is measured, because its warm-up takes seconds. */
  private SpeedTest speedTest() {
    if (speedTest == null) {
      try {
        speedTest = new SpeedTest();
      } catch (UncheckedIOException e) {
        throw cannotWrite("what the speed of reading is measured with", e);
      }
    }
    return speedTest;
  }

  /** Failures of segments that could not be opened, and so are not in the analysis. */
  public List<ToolException> unopened() {
    return unopened;
  }

  private static String jvm() {
    return String.join(
        " ",
        System.getProperty("java.vm.name"),
        System.getProperty("java.vm.version") + ",",
        System.getProperty("os.name"),
        System.getProperty("os.arch") + ",",
        Runtime.getRuntime().availableProcessors() + " processors"
    );
  }

  private SegmentAnalysis analyze(Segment segment, Progress progress) {
    final List<ColumnAnalysis> columns = new ArrayList<>();
    for (SegmentColumn column : segment.columns()) {
      if (options.includes(column)) {
        progress.at(done++, column.displayName());
        columns.add(analyzeOrFail(column));
      }
    }
    columns.sort(Comparator.comparingLong(Analyzer::saved).reversed().thenComparing(ColumnAnalysis::name));
    final long bytes = segment.sizeInBytes();
    return new SegmentAnalysis(
        segment.path().toString(),
        segment.version(),
        segment.knownRows().orElse(0),
        segment.interval().toString(),
        bytes,
        columns,
        totals(columns.stream().filter(ColumnAnalysis::isEncoded).toList(), bytes)
    );
  }

  /** Bytes saved by the extension's default compared with Druid's; negative if unknown. */
  private static long saved(ColumnAnalysis column) {
    @Nullable final EncodingAnalysis ours = column.encodings().get(DEFAULT_ENCODING);
    return ours == null
           ? Long.MIN_VALUE / 2
           : column.encodings().get(RowEncodings.DRUID_LZ4.name()).totalBytes() - ours.totalBytes();
  }

  /** Analyzes a column. A failure that is not caused by the column would affect others too, and ends the analysis. */
  private ColumnAnalysis analyzeOrFail(SegmentColumn column) {
    try {
      return analyze(column);
    } catch (IOException | UncheckedIOException e) {
      throw cannotWrite(column.where(), e);
    } catch (OutOfMemoryError e) {
      throw ToolException.outOfMemory(column.where(), e);
    }
  }

  private static ToolException cannotWrite(String what, Exception e) {
    return new ToolException(
        what,
        "it cannot be written to " + System.getProperty("java.io.tmpdir") + ": " + e.getMessage(),
        "Make room there, or choose another folder with SHAPESHIFT_JAVA_OPTS=-Djava.io.tmpdir=FOLDER",
        e
    );
  }

  private ColumnAnalysis analyze(SegmentColumn column) throws IOException {
    try {
      final ColumnParts parts = column.parts();
      final ColumnBytes bytes = bytes(column);
      final ColumnAnalysis.Builder analysis = ColumnAnalysis.builder(column, bytes);
      @Nullable final ObjectPart objects = ObjectPart.of(column);
      if (objects != null) {
        final ObjectSizes sizes = ObjectSizes.of(column, objects, encodings);
        return analysis.encoding(objects.encoding()).encodings(sizes.analyses()).objects(sizes.objects()).build();
      }
      @Nullable final NestedPart nested = NestedPart.of(column);
      if (nested != null) {
        final NestedSizes sizes = NestedSizes.of(column, nested, encodings);
        return analysis
            .auto(column.isAuto() || column.isNested())
            .encoding(nested.encoding())
            .encodings(sizes.analyses())
            .fields(options.fields ? sizes.fields() : null)
            .textIndex(sizes.textIndex())
            .build();
      }
      analysis
          .multiValue(parts.multiValue())
          .cardinality(parts.cardinality())
          .notCounted(ObjectPart.whyNone(column));
      @Nullable final RowPart rows = parts.rows();
      if (rows != null) {
        analysis.encoding(rows.encoding());
        try (ColumnEncoder encoder = new ColumnEncoder(column, rows, options, encodings)) {
          encoder.encode();
          encoder.addTo(analysis, bytes, this::speedTest);
        }
      }
      return analysis.build();
    } catch (ToolException e) {
      // A damaged column does not prevent the analysis of the others.
      return ColumnAnalysis.builder(column, new ColumnBytes(column.sizeInBytes(), 0, 0, 0, column.sizeInBytes()))
          .problem(e.getMessage())
          .build();
    }
  }

  /** Present sizes of a column's parts. */
  public static ColumnBytes bytes(SegmentColumn column) {
    if (ObjectPart.of(column) != null) {
      return new ColumnBytes(column.sizeInBytes(), 0, column.sizeInBytes(), 0, 0);
    }
    @Nullable final NestedPart nested = NestedPart.of(column);
    if (nested != null) {
      return new ColumnBytes(
          column.sizeInBytes(),
          nested.dictionaryBytes(),
          nested.valueBytes(),
          nested.indexBytes(),
          column.sizeInBytes() - nested.dictionaryBytes() - nested.valueBytes() - nested.indexBytes()
      );
    }
    final ColumnParts parts = column.parts();
    final int values = parts.rows() == null ? 0 : parts.rows().bytes().remaining();
    return new ColumnBytes(
        column.sizeInBytes(),
        parts.dictionaryBytes(),
        values,
        parts.indexBytes(),
        // Includes versions and flags.
        column.sizeInBytes() - parts.dictionaryBytes() - parts.indexBytes() - values
    );
  }

  private Totals totals(List<SegmentAnalysis> segments) {
    final List<ColumnAnalysis> counted = segments.stream()
        .flatMap(segment -> segment.columns().stream())
        .filter(ColumnAnalysis::isEncoded)
        .toList();
    final long bytes = segments.stream().mapToLong(SegmentAnalysis::bytes).sum();
    return new Totals(bytes, counted.size(), totals(counted, bytes));
  }

  private Map<String, EncodingTotal> totals(List<ColumnAnalysis> columns, long segmentBytes) {
    final Map<String, EncodingTotal> totals = new LinkedHashMap<>();
    for (RowEncoding encoding : encodings) {
      totals.put(encoding.name(), EncodingTotal.of(encoding.name(), columns, segmentBytes));
    }
    return totals;
  }
}
