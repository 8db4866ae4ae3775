// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.form.Chunk;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.FormSelector;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * The values of a piece of a row part, by their positions, to be tried in all forms.
 *
 * @param <C> the chunks of such values
 */
public final class PieceValues<C extends Chunk> {
  /** What counts as a run. */
  private static final int LEAST_RUN = 3;

  private final FormSelector<C> selector;
  private final Chunks<C> chunks;
  private final IntFunction<Number> value;
  private final Comparator<Number> order;
  private final IntToLongFunction bits;

  private PieceValues(
      FormSelector<C> selector,
      Chunks<C> chunks,
      IntFunction<Number> value,
      Comparator<Number> order,
      IntToLongFunction bits
  ) {
    this.selector = selector;
    this.chunks = chunks;
    this.value = value;
    this.order = order;
    this.bits = bits;
  }

  private interface Chunks<C extends Chunk> {
    C fill(int first, int count);
  }

  /**
   * The values of one piece.
   *
   * @param piece  its name
   * @param target under which forms are tried
   */
  public static PieceValues<?> of(RowValues values, String piece, OptimizationTarget target) {
    if (values instanceof RowValues.Ids single) {
      return ints(single.ids(), target);
    }
    if (values instanceof RowValues.MultiIds multi) {
      return ints(piece.equals("offsets") ? multi.offsets() : multi.ids(), target);
    }
    if (values instanceof RowValues.Longs longs) {
      final long[] written = RowValues.UnderNulls.REPEATED.in(longs.values(), longs.nulls());
      return numbers(NumberType.LONG, target, i -> written[i], Comparator.comparingLong(Number::longValue),
          i -> written[i]);
    }
    final Comparator<Number> order = Comparator.comparingDouble(Number::doubleValue);
    if (values instanceof RowValues.Floats floats) {
      final float[] written = RowValues.UnderNulls.REPEATED.in(floats.values(), floats.nulls());
      return numbers(NumberType.FLOAT, target, i -> written[i], order,
          i -> Float.floatToRawIntBits(written[i]) & 0xFFFF_FFFFL);
    }
    final RowValues.Doubles doubles = (RowValues.Doubles) values;
    final double[] written = RowValues.UnderNulls.REPEATED.in(doubles.values(), doubles.nulls());
    return numbers(NumberType.DOUBLE, target, i -> written[i], order, i -> Double.doubleToRawLongBits(written[i]));
  }

  private static PieceValues<IntChunk> ints(int[] ints, OptimizationTarget target) {
    return new PieceValues<>(
        FormSelector.forInts(target),
        (first, count) -> {
          final IntChunk chunk = new IntChunk(count);
          IntStream.range(first, first + count).forEach(i -> chunk.add(ints[i]));
          return chunk;
        },
        i -> ints[i],
        Comparator.comparingInt(Number::intValue),
        i -> ints[i]
    );
  }

  private static PieceValues<NumberChunk> numbers(
      NumberType type,
      OptimizationTarget target,
      IntFunction<Number> value,
      Comparator<Number> order,
      IntToLongFunction bits
  ) {
    return new PieceValues<>(
        FormSelector.forNumbers(type, target),
        (first, count) -> {
          final NumberChunk chunk = new NumberChunk(type);
          IntStream.range(first, first + count).forEach(i -> chunk.add(bits.applyAsLong(i)));
          return chunk;
        },
        value,
        order,
        bits
    );
  }

  /**
   * What each form would make of a chunk of some of the values.
   *
   * @param first position of its first value
   * @param count as many as a chunk may have, at least 1
   */
  public List<FormSelector.Trial> tryAll(int first, int count) {
    return selector.tryAll(chunks.fill(first, count));
  }

  /** The smallest of some values. */
  public Number min(int first, int count) {
    return IntStream.range(first, first + count).mapToObj(value).min(order).orElseThrow();
  }

  /** The largest of some values. */
  public Number max(int first, int count) {
    return IntStream.range(first, first + count).mapToObj(value).max(order).orElseThrow();
  }

  /** How often among some values one stands at least three times in a row. */
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
