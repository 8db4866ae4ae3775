// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.encoding.EncodedColumn;
import io.shapeshift.druid.tool.encoding.EncodedDictionary;
import io.shapeshift.druid.tool.encoding.IndexValues;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.segment.ColumnParts;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import io.shapeshift.druid.tool.speed.Turns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Times to encode whole columns. Parquet and ORC get the values of each row. Druid's encodings and ours get what
 * Druid's mergers have: numbers, or of strings the sorted distinct values, the id of each row, and the rows of each id;
 * they write the index of values as well.
 */
final class EncodePart implements EvaluationPart {
  /** Time for which a format is used before it is measured, for each round. */
  private static final long WARM_UP_NANOS = 20_000_000;

  private final Turns turns;
  private final List<RowEncoding> encodings = Stream.concat(
      Stream.of("druid-lz4", "druid-zstd"),
      Stream.of(OptimizationTarget.values()).map(RowEncodings::shapeShiftName)
  ).map(RowEncodings::parse).toList();
  private final Table table = new Table("table", "column", "rows", "format", "plainBytes", "seconds");

  /**
   * Creates it.
   *
   * @param rounds rounds in which each format has its turn
   */
  EncodePart(int rounds) {
    this.turns = new Turns(rounds, rounds * WARM_UP_NANOS);
  }

  private interface Writing {
    long run() throws IOException;
  }

  @Override
  public void measure(EvaluatedColumn column) {
    PlainColumn.read(column).ifPresent(plain -> measure(column, plain));
  }

  private void measure(EvaluatedColumn column, PlainColumn plain) {
    final List<String> formats = new ArrayList<>();
    final List<LongSupplier> writings = new ArrayList<>();
    for (FileFormat format : FileFormats.ALL) {
      formats.add(format.name());
      writings.add(unchecked(() -> {
        final Path file = DecodePart.temporaryFile();
        format.write(plain, file);
        final long bytes = Files.size(file);
        Files.delete(file);
        return bytes;
      }));
    }
    try (Segment segment = SegmentLocation.one(column.segment()).open()) {
      final SegmentColumn stored = segment.columns().stream()
          .filter(each -> each.displayName().equals(column.name()))
          .findFirst()
          .orElseThrow();
      final ColumnParts parts = stored.parts();
      final RowValues rows = parts.rows().read(stored.numRows());
      final IndexValues index = parts.index() == null ? null : parts.index().read(rows.rows());
      for (RowEncoding encoding : encodings) {
        formats.add(encoding.name());
        writings.add(unchecked(() -> encode(column.name(), encoding, rows, index, parts)));
      }
      final double[] nanos = turns.medians(writings);
      for (int i = 0; i < nanos.length; i++) {
        table.add(
            column.table(), column.name(), plain.rows(), formats.get(i), plain.plainBytes(), nanos[i] / 1e9);
      }
    }
  }

  private static long encode(
      String column,
      RowEncoding encoding,
      RowValues rows,
      IndexValues index,
      ColumnParts parts
  ) throws IOException {
    if (index == null) {
      try (var encoded = encoding.encode(column, rows)) {
        return encoded.sizeInBytes();
      }
    }
    try (EncodedColumn encoded = EncodedColumn.encode(column, encoding, rows, encoding, index);
        EncodedDictionary dictionary = encoding.dictionary().encode(column, parts.dictionary().values())) {
      return (long) encoded.rows().sizeInBytes() + dictionary.sizeInBytes();
    }
  }

  private static LongSupplier unchecked(Writing writing) {
    return () -> {
      try {
        return writing.run();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public void close() {}
}
