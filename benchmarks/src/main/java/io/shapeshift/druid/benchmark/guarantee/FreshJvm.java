// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.tool.encoding.EncodedRows;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.encoding.RowValues;
import io.shapeshift.druid.tool.speed.ColumnRead;
import io.shapeshift.druid.tool.speed.RowReads;
import io.shapeshift.druid.tool.speed.Turns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Measures reads of one column in a JVM that {@link FreshJvms} has started: it has encoded nothing, and reads no other
 * column.
 */
final class FreshJvm {
  /**
   * Warm-up of each read. It is longer than in a JVM that has read for seconds, because the compiler still has to
   * compile the reader. All reads warm up before any is measured, and then take turns, so that late compilations
   * disturb few rounds.
   */
  private static final long WARM_UP_NANOS = 60_000_000;
  private static final int FIRST_READ = 5;

  private FreshJvm() {}

  /** Name of a type of values on the command line. */
  static String kind(RowValues values) {
    return values.getClass().getSimpleName();
  }

  /**
   * Prints a line for each read: its name, and the nanoseconds per row that is read.
   *
   * @param args name of the encoding, kind of the values, file of the encoded rows, their number, rounds, and the names
   *     of the reads
   */
  public static void main(String[] args) throws IOException {
    final int numRows = Integer.parseInt(args[3]);
    final Turns turns = new Turns(Integer.parseInt(args[4]), WARM_UP_NANOS);
    final RowReads.Vectors vectors = new RowReads.Vectors();
    try (EncodedRows rows = RowEncodings.parse(args[0]).open("column", any(args[1]), Path.of(args[2]))) {
      final List<ColumnRead> reads =
          Stream.of(args).skip(FIRST_READ).map(name -> ColumnRead.of(name, numRows)).toList();
      final double[] nanos =
          turns.medians(reads.stream().<LongSupplier>map(read -> () -> read.run(rows, vectors)).toList());
      for (int i = 0; i < nanos.length; i++) {
        System.out.println(reads.get(i).name() + " " + nanos[i] / reads.get(i).rows());
      }
    }
  }

  private static RowValues any(String kind) {
    return switch (kind) {
      case "Ids" -> new RowValues.Ids(new int[0], 0);
      case "MultiIds" -> new RowValues.MultiIds(new int[1], new int[0], 0);
      case "Longs" -> new RowValues.Longs(new long[0]);
      case "Floats" -> new RowValues.Floats(new float[0]);
      case "Doubles" -> new RowValues.Doubles(new double[0]);
      default -> throw new IllegalArgumentException(kind);
    };
  }
}
