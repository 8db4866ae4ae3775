// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.numbers.NumberArrays;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.form.numbers.PowersOfTen;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Frame of doubles or floats that are decimals with few digits, such as prices and measures. Each is an integer divided
 * by a power of ten. Both operands are exact, so the quotient is, bit for bit, the number nearest to the decimal. The
 * integers are in a {@link ScaledFrame}, which specifies the layout and stores the exponent of the power. Numbers that
 * are no such quotient are exceptions: negative zero, infinities, NaNs, and numbers with too many digits. Integers of
 * doubles are from -2^51 to 2^51. Integers of floats are from -2^24 to 2^24, and at most 2^24 apart.
 *
 * <p>Example, little-endian: the doubles 0.1 0.2 0.5 are {@code 02 00 01 03 01 01 02 05} with bytepack: the id, a frame
 * without a base, the exponent 1, and the ints 1 2 5 as a chunk in form 3, a byte each.
 *
 * @see <a href="https://doi.org/10.1145/3626717">Afroozeh, Kuffo and Boncz, ALP: adaptive lossless floating-point
 *     compression</a>, which multiplies by powers of ten instead
 */
public final class DecimalFrame extends ScaledFrame {
  static final byte ID = 2;
  private static final int MAX_FLOAT_EXPONENT = 10;
  private static final long MAX_INTEGER = 1L << 51;
  private static final long MAX_FLOAT_INTEGER = 1L << 24;
  /** Placeholder for a number that is not such a quotient. */
  private static final long NONE = Long.MIN_VALUE;

  private static int maxExponent(NumberType type) {
    return type == NumberType.FLOAT ? MAX_FLOAT_EXPONENT : PowersOfTen.MAX_EXPONENT;
  }

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "decimal";
  }

  @Override
  double scanNanos(NumberType type) {
    return type == NumberType.FLOAT ? CostModel.Numbers.DECIMAL_FLOAT_NANOS : CostModel.Numbers.DECIMAL_NANOS;
  }

  @Override
  DecodeCost cost() {
    return DecodeCost.NONE;
  }

  @Override
  public boolean suits(NumberType type) {
    return type != NumberType.LONG;
  }

  @Nullable
  @Override
  Framed fit(NumberChunk chunk) {
    final int exponent = exponent(chunk);
    if (exponent < 0) {
      return null;
    }
    final int size = chunk.size();
    try (ResourceHolder<NumberArrays> holder = NumberArrays.POOL.take()) {
      final NumberArrays arrays = holder.get();
      final int numExceptions = toIntegers(chunk, exponent, arrays);
      @Nullable final Linear linear = numExceptions < 0 ? null : Linear.of(arrays.values, size);
      // Floats represent integers exactly up to this limit.
      if (linear == null
          || (chunk.type() == NumberType.FLOAT && range(arrays.values, size) > MAX_FLOAT_INTEGER)) {
        return null;
      }
      return framed(chunk, linear, exponent, arrays.values, arrays.positions, numExceptions);
    }
  }

  private static long range(long[] values, int size) {
    long min = values[0];
    long max = values[0];
    for (int i = 1; i < size; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    return max - min;
  }

  /**
   * Computes the integers of all numbers; an exception gets that of the number before it. Returns the number of
   * exceptions, or -1 if there are too many.
   */
  private static int toIntegers(NumberChunk chunk, int exponent, NumberArrays arrays) {
    final long[] bits = chunk.bits();
    final int size = chunk.size();
    final int most = mostExceptions(size);
    int numExceptions = 0;
    int firstRegular = -1;
    long previous = 0;
    for (int i = 0; i < size; i++) {
      final long integer = integer(chunk.type(), bits[i], exponent);
      if (integer == NONE) {
        if (numExceptions == most) {
          return -1;
        }
        arrays.positions[numExceptions++] = i;
      } else {
        previous = integer;
        firstRegular = firstRegular < 0 ? i : firstRegular;
      }
      arrays.values[i] = previous;
    }
    // Exceptions before the first regular number would otherwise be 0.
    for (int i = 0; i < firstRegular; i++) {
      arrays.values[i] = arrays.values[firstRegular];
    }
    return numExceptions;
  }

  /** Returns the integer whose quotient is the number, or {@link #NONE}. */
  private static long integer(NumberType type, long bits, int exponent) {
    if (type == NumberType.FLOAT) {
      final float value = Float.intBitsToFloat((int) bits);
      final double scaled = Math.rint(value * PowersOfTen.of(exponent));
      // The comparison is false for NaN too.
      if (Math.abs(scaled) <= MAX_FLOAT_INTEGER
          && Float.floatToRawIntBits((float) scaled / (float) PowersOfTen.of(exponent)) == (int) bits) {
        return negativeZeroless(scaled, bits);
      }
      return NONE;
    }
    final double value = Double.longBitsToDouble(bits);
    final double scaled = Math.rint(value * PowersOfTen.of(exponent));
    if (Math.abs(scaled) <= MAX_INTEGER && Double.doubleToRawLongBits(scaled / PowersOfTen.of(exponent)) == bits) {
      return negativeZeroless(scaled, bits);
    }
    return NONE;
  }

  /** Excludes negative zero, which no integer represents. */
  private static long negativeZeroless(double scaled, long bits) {
    return scaled == 0 && bits != 0 ? NONE : (long) scaled;
  }

  /** Returns the exponent with which a sample of the chunk needs the fewest bits, or -1 if none is worthwhile. */
  private static int exponent(NumberChunk chunk) {
    final int step = Math.max(1, chunk.size() / CostModel.Numbers.SAMPLE);
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int exponent = 0; exponent <= maxExponent(chunk.type()); exponent++) {
      int asked = 0;
      int exceptions = 0;
      long min = Long.MAX_VALUE;
      long max = Long.MIN_VALUE;
      for (int i = 0; i < chunk.size(); i += step) {
        final long integer = integer(chunk.type(), chunk.bits()[i], exponent);
        asked++;
        if (integer == NONE) {
          exceptions++;
        } else {
          min = Math.min(min, integer);
          max = Math.max(max, integer);
        }
      }
      if (exceptions <= mostExceptions(asked)) {
        final int width = min > max ? 0 : Long.SIZE - Long.numberOfLeadingZeros(max - min);
        final double bits =
            (double) exceptions * CostModel.Numbers.EXCEPTION_BITS + (double) (asked - exceptions) * width;
        if (bits < least) {
          least = bits;
          best = exponent;
        }
        if (exceptions == 0) {
          // Greater exponents only append zeros.
          break;
        }
      }
    }
    return best;
  }

  @Override
  boolean hasExponent() {
    return true;
  }

  @Override
  void transform(NumberChunkReader reader, long base, long multiplier, int exponent) {
    final int most = maxExponent(reader.type());
    if (exponent < 0 || exponent > most) {
      throw new MalformedChunkException("decimals have the exponent " + exponent + ", expected 0 to " + most);
    }
    final DecimalNumbers numbers = reader.shape(DecimalNumbers.class, DecimalNumbers::new);
    numbers.read(base, multiplier, exponent);
    reader.transformTo(numbers);
  }
}
