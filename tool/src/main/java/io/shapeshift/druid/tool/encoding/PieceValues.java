// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import java.util.Comparator;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/** Values of a {@link Piece} of a row part by position, as shape-shifting columns store them. */
public final class PieceValues {
  /** Minimum length of a run. */
  private static final int LEAST_RUN = 3;

  private final IntFunction<Number> value;
  private final Comparator<Number> order;
  private final IntToLongFunction bits;

  private PieceValues(IntFunction<Number> value, Comparator<Number> order, IntToLongFunction bits) {
    this.value = value;
    this.order = order;
    this.bits = bits;
  }

  /**
   * Values of one piece.
   *
   * @param values values of the rows
   * @param rows   the same values, as shape-shifting columns
   * @param piece  name of the piece
   */
  public static PieceValues of(RowValues values, EncodedRows rows, String piece) {
    if (values instanceof RowValues.Ids single) {
      return ints(single.ids());
    }
    if (values instanceof RowValues.MultiIds multi) {
      return ints(piece.equals("offsets") ? multi.offsets() : multi.ids());
    }
    if (values instanceof RowValues.Longs longs) {
      final long[] written = longs.values().clone();
      final long underNulls = numberUnderNulls(longs, rows).longValue();
      longs.nulls().stream().forEach(row -> written[row] = underNulls);
      return new PieceValues(i -> written[i], Comparator.comparingLong(Number::longValue), i -> written[i]);
    }
    final Comparator<Number> order = Comparator.comparingDouble(Number::doubleValue);
    if (values instanceof RowValues.Floats floats) {
      final float[] written = floats.values().clone();
      final float underNulls = numberUnderNulls(floats, rows).floatValue();
      floats.nulls().stream().forEach(row -> written[row] = underNulls);
      return new PieceValues(i -> written[i], order, i -> Float.floatToRawIntBits(written[i]) & 0xFFFF_FFFFL);
    }
    final RowValues.Doubles doubles = (RowValues.Doubles) values;
    final double[] written = doubles.values().clone();
    final double underNulls = numberUnderNulls(doubles, rows).doubleValue();
    doubles.nulls().stream().forEach(row -> written[row] = underNulls);
    return new PieceValues(i -> written[i], order, i -> Double.doubleToRawLongBits(written[i]));
  }

  /** Number that is stored in all null rows; 0 if there are none. */
  private static Number numberUnderNulls(RowValues.Numbers values, EncodedRows rows) {
    final int row = values.nulls().nextSetBit(0);
    return row < 0 ? 0 : rows.number(row);
  }

  private static PieceValues ints(int[] ints) {
    return new PieceValues(i -> ints[i], Comparator.comparingInt(Number::intValue), i -> ints[i]);
  }

  /** Minimum of consecutive values. */
  public Number min(int first, int count) {
    return IntStream.range(first, first + count).mapToObj(value).min(order).orElseThrow();
  }

  /** Maximum of consecutive values. */
  public Number max(int first, int count) {
    return IntStream.range(first, first + count).mapToObj(value).max(order).orElseThrow();
  }

  /** Number of runs of at least three equal values among consecutive values. */
  public int runs(int first, int count) {
    final int end = first + count;
    int runs = 0;
    for (int i = first; i < end; ) {
      int next = i + 1;
      while (next < end && bits.applyAsLong(next) == bits.applyAsLong(i)) {
        next++;
      }
      runs += next - i >= LEAST_RUN ? 1 : 0;
      i = next;
    }
    return runs;
  }
}
