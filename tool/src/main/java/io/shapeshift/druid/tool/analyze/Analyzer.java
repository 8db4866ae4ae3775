// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.analyze;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.tool.analyze.Analysis.ColumnAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.ColumnBytes;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.EncodingTotal;
import io.shapeshift.druid.tool.analyze.Analysis.SegmentAnalysis;
import io.shapeshift.druid.tool.analyze.Analysis.Totals;
import io.shapeshift.druid.tool.cli.ColumnOption;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Progress;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.FormUsage;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.Damage;
import io.shapeshift.druid.tool.segment.RowPart;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.speed.SpeedTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Finds out what each encoding would make of the columns of segments. */
public final class Analyzer {
  /** The encoding that the extension uses unless it is told otherwise. */
  static final String DEFAULT_ENCODING = RowEncodings.shapeShiftName(OptimizationTarget.FASTBUTSMALLISH);

  private final Options options;
  private final List<RowEncoding> encodings;
  @Nullable
  private SpeedTest speedTest;
  private long done;

  /**
   * What to find out.
   *
   * @param columns   which columns
   * @param blockSize of shape-shifting columns
   * @param speed     whether to measure how fast each encoding is read
   * @param explain   the target under which to explain the choice of forms; null for no explanation
   */
  public record Options(
      ColumnOption columns,
      BlockSize blockSize,
      boolean speed,
      @Nullable OptimizationTarget explain
  ) {
    private boolean includes(SegmentColumn column) {
      return columns.includes(column.name(), column.displayName());
    }
  }

  /** Makes an analyzer. */
  public Analyzer(Options options) {
    this.options = options;
    this.encodings = RowEncodings.all(options.blockSize);
  }

  /**
   * Analyzes segments, one after the other.
   *
   * @throws ToolException if one cannot be opened, or there is no column of a name that the options have
   */
  public Analysis analyze(List<SegmentLocation> locations) {
    final List<SegmentAnalysis> segments = new ArrayList<>();
    long steps = 0;
    for (SegmentLocation location : locations) {
      try (Segment segment = location.open()) {
        steps += segment.columns().stream().filter(options::includes).count();
      }
    }
    options.columns.checkAllFound(locations.get(0).path().toString());
    try (Progress progress = new Progress(steps)) {
      if (options.speed) {
        progress.at(0, "warming up");
        speedTest = new SpeedTest();
      }
      for (SegmentLocation location : locations) {
        try (Segment segment = location.open()) {
          segments.add(analyze(segment, progress));
        }
      }
    } finally {
      if (speedTest != null) {
        speedTest.close();
      }
    }
    return new Analysis(jvm(), segments, totals(segments));
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
        columns.add(analyze(column));
      }
    }
    columns.sort(Comparator.comparingLong(Analyzer::saved).reversed().thenComparing(ColumnAnalysis::name));
    return new SegmentAnalysis(
        segment.path().toString(),
        segment.version(),
        segment.numRows(),
        segment.interval().toString(),
        segment.sizeInBytes(),
        columns
    );
  }

  /** How many bytes the default of the extension would save over Druid's; unknown is less than nothing. */
  private static long saved(ColumnAnalysis column) {
    @Nullable final EncodingAnalysis ours = column.encodings().get(DEFAULT_ENCODING);
    return ours == null
           ? Long.MIN_VALUE / 2
           : column.encodings().get(RowEncodings.DRUID_LZ4.name()).bytes() - ours.bytes();
  }

  private ColumnAnalysis analyze(SegmentColumn column) {
    try {
      final ColumnParts parts = column.parts();
      @Nullable final RowPart rows = parts.rows();
      final Encoded encoded = rows == null ? new Encoded(Map.of(), null) : encode(column, readRows(column, rows));
      return new ColumnAnalysis(
          column.name(),
          column.projection() == null ? null : column.projection().name(),
          column.type(),
          column.isAuto(),
          parts.multiValue(),
          column.numRows(),
          parts.cardinality(),
          rows == null ? null : rows.encoding(),
          new ColumnBytes(
              column.sizeInBytes(),
              parts.dictionaryBytes(),
              rows == null ? 0 : rows.bytes().remaining(),
              parts.indexBytes(),
              // Versions and flags among it.
              column.sizeInBytes() - parts.dictionaryBytes() - parts.indexBytes()
                  - (rows == null ? 0 : rows.bytes().remaining())
          ),
          encoded.analyses,
          encoded.explanation,
          null
      );
    } catch (ToolException e) {
      // One damaged column is no reason to know nothing of the others.
      return new ColumnAnalysis(
          column.name(),
          column.projection() == null ? null : column.projection().name(),
          column.type(),
          column.isAuto(),
          false,
          column.numRows(),
          null,
          null,
          new ColumnBytes(column.sizeInBytes(), 0, 0, 0, column.sizeInBytes()),
          Map.of(),
          null,
          e.getMessage()
      );
    }
  }

  private static RowValues readRows(SegmentColumn column, RowPart rows) {
    try {
      return rows.read(column.numRows());
    } catch (Damage e) {
      throw column.damaged("its rows cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * What the encodings made of a row part.
   *
   * @param analyses    by name of the encoding
   * @param explanation why our own looks so; null unless asked for
   */
  private record Encoded(Map<String, EncodingAnalysis> analyses, @Nullable Explanation explanation) {}

  private Encoded encode(SegmentColumn column, RowValues values) {
    final Map<String, EncodedRows> encoded = new LinkedHashMap<>();
    try {
      for (RowEncoding encoding : encodings) {
        if (encoding.supports(values)) {
          encoded.put(encoding.name(), encoding.encode(column.displayName(), values));
        }
      }
      final Map<String, SpeedTest.Speed> speeds =
          speedTest == null || values.rows() == 0 ? Map.of() : speedTest.measure(encoded, values.rows());
      final Map<String, EncodingAnalysis> analyses = new LinkedHashMap<>();
      encoded.forEach((name, rows) -> analyses.put(name, analysis(rows, speeds.get(name))));
      return new Encoded(
          analyses,
          options.explain == null
          ? null
          : Explanation.of(
              column.displayName(),
              values,
              encoded.get(RowEncodings.shapeShiftName(options.explain)),
              RowEncodings.shapeShifting(options.explain, options.blockSize),
              options.explain
          )
      );
    } catch (IOException e) {
      throw new ToolException(
          column.where(),
          "its rows cannot be written to " + System.getProperty("java.io.tmpdir") + ": " + e.getMessage(),
          "Make room there, or choose another folder with SHAPESHIFT_JAVA_OPTS=-Djava.io.tmpdir=FOLDER",
          e
      );
    } finally {
      encoded.values().forEach(EncodedRows::close);
    }
  }

  private static EncodingAnalysis analysis(EncodedRows rows, @Nullable SpeedTest.Speed speed) {
    final Map<String, FormUsage> forms = rows.forms();
    @Nullable Map<String, Double> select = null;
    if (speed != null) {
      select = new LinkedHashMap<>(speed.select());
      select.replaceAll((share, nanos) -> Numbers.rounded(nanos));
    }
    return new EncodingAnalysis(
        rows.sizeInBytes(),
        speed == null ? null : Numbers.rounded(speed.scan()),
        select,
        forms.isEmpty() ? null : forms
    );
  }

  private Totals totals(List<SegmentAnalysis> segments) {
    final List<ColumnAnalysis> counted = segments.stream()
        .flatMap(segment -> segment.columns().stream())
        .filter(ColumnAnalysis::isEncoded)
        .toList();
    final Map<String, EncodingTotal> totals = new LinkedHashMap<>();
    for (RowEncoding encoding : encodings) {
      final long bytes =
          counted.stream().mapToLong(column -> column.encodingOrDefault(encoding.name()).bytes()).sum();
      totals.put(encoding.name(), new EncodingTotal(bytes));
    }
    return new Totals(segments.stream().mapToLong(SegmentAnalysis::bytes).sum(), counted.size(), totals);
  }
}
