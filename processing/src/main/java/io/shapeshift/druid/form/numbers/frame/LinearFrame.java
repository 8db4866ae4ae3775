// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.numbers.NumberArrays;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Frame of numbers whose bits, as integers, are in a {@link ScaledFrame}, which specifies the layout. The bits of a
 * float are an integer from 0 to 2^32 - 1.
 *
 * <p>Example, little-endian: the longs 5 6 fifteen times, -2^63 and 5 are {@code 01 04 01 00 00 1e 00 00 00 00 00 00 00
 * 00 80 03 01 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 06 05} with
 * bytepack: no base, no multiplier, and one exception, at 30, whose int is the 6 before it.
 */
public final class LinearFrame extends ScaledFrame {
  static final byte ID = 1;
  /** Distance from the median of a sample beyond which a value is an exception; twice the distance fits an int. */
  private static final long NEAR = (1L << 30) - 1;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "linear";
  }

  @Override
  double scanNanos(NumberType type) {
    return type == NumberType.DOUBLE ? CostModel.Numbers.LINEAR_DOUBLE_NANOS : CostModel.Numbers.LINEAR_NANOS;
  }

  @Override
  DecodeCost cost() {
    return DecodeCost.NONE;
  }

  @Nullable
  @Override
  Framed fit(NumberChunk chunk) {
    final long[] bits = chunk.bits();
    final int size = chunk.size();
    @Nullable final Linear linear = Linear.of(bits, size);
    if (linear != null) {
      return framed(chunk, linear, NO_EXPONENT, bits, null, 0);
    }
    try (ResourceHolder<NumberArrays> holder = NumberArrays.POOL.take()) {
      final NumberArrays arrays = holder.get();
      final int numExceptions = replaceOutliers(bits, size, arrays);
      @Nullable final Linear others = numExceptions < 0 ? null : Linear.of(arrays.values, size);
      return others == null
             ? null
             : framed(chunk, others, NO_EXPONENT, arrays.values, arrays.positions, numExceptions);
    }
  }

  /** Copies the values, with outliers replaced; returns the number of outliers, or -1 if there are too many. */
  private static int replaceOutliers(long[] bits, int size, NumberArrays arrays) {
    final int step = Math.max(1, size / CostModel.Numbers.SAMPLE);
    final long[] sample = new long[(size + step - 1) / step];
    for (int i = 0; i < sample.length; i++) {
      sample[i] = bits[i * step];
    }
    Arrays.sort(sample);
    final long middle = sample[sample.length / 2];
    final long least = Math.max(middle, Long.MIN_VALUE + NEAR) - NEAR;
    final long greatest = Math.min(middle, Long.MAX_VALUE - NEAR) + NEAR;
    final int most = mostExceptions(size);
    int numExceptions = 0;
    long previous = middle;
    for (int i = 0; i < size; i++) {
      if (bits[i] < least || bits[i] > greatest) {
        if (numExceptions == most) {
          return -1;
        }
        arrays.positions[numExceptions++] = i;
      } else {
        previous = bits[i];
      }
      arrays.values[i] = previous;
    }
    return numExceptions;
  }

  @Override
  boolean hasExponent() {
    return false;
  }

  @Override
  void transform(NumberChunkReader reader, long base, long multiplier, int exponent) {
    final LinearNumbers numbers = reader.shape(LinearNumbers.class, LinearNumbers::new);
    numbers.read(base, multiplier);
    reader.transformTo(numbers);
  }
}
