// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.speed.Pollution;
import io.shapeshift.druid.tool.speed.Turns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.druid.java.util.common.io.Closer;

/**
 * Times to decode whole columns to vectors: of segments in several encodings, and of Parquet and ORC by their Java
 * libraries. All formats of a column take turns in one JVM.
 */
final class DecodePart implements EvaluationPart {
  /** Time for which a format is used before it is measured, for each round. */
  private static final long WARM_UP_NANOS = 20_000_000;
  private static final long POLLUTION_NANOS = 3_000_000_000L;

  private final Map<String, Path> segments;
  private final Turns turns;
  private final Pollution pollution = new Pollution();
  private final Table table = new Table("table", "column", "rows", "format", "plainBytes", "seconds");

  /**
   * Creates it, and warms the JVM up.
   *
   * @param rounds   rounds in which each format has its turn
   * @param segments folders with a segment of each table, by name of the format
   */
  DecodePart(int rounds, Map<String, Path> segments) {
    this.segments = segments;
    this.turns = new Turns(rounds, rounds * WARM_UP_NANOS);
    pollution.read(POLLUTION_NANOS);
  }

  /** Column in a format. */
  private record Stored(String format, LongSupplier decode) {}

  @Override
  public void measure(EvaluatedColumn column) {
    PlainColumn.read(column).ifPresent(plain -> measure(column, plain));
  }

  private void measure(EvaluatedColumn column, PlainColumn plain) {
    try (Closer closer = Closer.create()) {
      final List<Stored> stored = new ArrayList<>();
      for (FileFormat format : FileFormats.ALL) {
        final Path file = temporaryFile();
        closer.register(() -> Files.delete(file));
        format.write(plain, file);
        stored.add(stored(column, plain, format.name(), closer.register(format.open(file))));
      }
      for (Map.Entry<String, Path> each : segments.entrySet()) {
        final Path segment = each.getValue().resolve(column.table());
        stored.add(stored(
            column, plain, each.getKey(), closer.register(SegmentColumnScan.open(segment, column.name()))));
      }
      final double[] nanos = turns.medians(stored.stream().map(Stored::decode).toList());
      for (int i = 0; i < nanos.length; i++) {
        table.add(
            column.table(), column.name(), plain.rows(), stored.get(i).format, plain.plainBytes(), nanos[i] / 1e9);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Path of a file that does not exist, as ORC and Parquet make their own. */
  static Path temporaryFile() throws IOException {
    final Path file = Files.createTempFile("column", null);
    Files.delete(file);
    return file;
  }

  /** Checks that all values come back. */
  private static Stored stored(EvaluatedColumn column, PlainColumn plain, String format, OpenColumn open)
      throws IOException {
    final VectorCheck check = new VectorCheck(plain);
    open.decode(check);
    if (!check.hasAll()) {
      throw new ToolException(column.toString(), format + " gives back other values than were written", "");
    }
    return new Stored(format, () -> {
      final VectorCounter counter = new VectorCounter();
      try {
        open.decode(counter);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return counter.sum;
    });
  }

  /** Sink that uses what costs nothing. */
  private static final class VectorCounter implements VectorSink {
    private long sum;

    @Override
    public void longs(long[] values, boolean[] nulls, int length) {
      sum += values[length - 1];
    }

    @Override
    public void doubles(double[] values, boolean[] nulls, int length) {
      sum += Double.doubleToRawLongBits(values[length - 1]);
    }

    @Override
    public void texts(TextVector values, int length) {
      sum += length;
    }
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public void close() {
    pollution.close();
  }
}
