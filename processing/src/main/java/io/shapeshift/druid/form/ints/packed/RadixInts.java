// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntShape;
import io.shapeshift.druid.form.ints.Scratch;
import java.nio.ByteBuffer;

/**
 * Reads the chunks of {@link RadixForm} where they lie.
 *
 * <p>A value's row, and the row of its fraction, are found by products with the inverses of the lanes and of the
 * digits, rounded up: exact, as a position is less than 2^14 and the inverse, times 2^32, too large by less than 2^16.
 */
final class RadixInts extends IntShape {
  private final Scratch scratch;
  private final RawBytes words = new RawBytes();
  private final int[] powers = new int[Integer.SIZE];
  private int wordsOffset;
  private int lanes;
  private long inverseOfLanes;
  private int numDigits;
  private long inverseOfDigits;
  private int width;
  private int mask;
  private int radix;
  private int base;

  RadixInts(Scratch scratch) {
    this.scratch = scratch;
  }

  /**
   * Reads other values from now on.
   *
   * @param chunk  in its byte order
   * @param offset index in the buffer of the first word
   * @param length bytes of the words, all within the buffer's capacity
   * @param layout already checked, for at most {@link io.shapeshift.druid.form.Limits#MAX_DIRECT_INTS} values
   * @throws MalformedChunkException if values in this layout take another number of bytes
   */
  void read(ByteBuffer chunk, int offset, int length, int numValues, RadixLayout layout, int base) {
    final int expected = layout.numWords(numValues) * Integer.BYTES;
    if (length != expected) {
      throw new MalformedChunkException(
          numValues + " values of radix " + layout.radix() + " take " + length + " bytes, expected " + expected);
    }
    this.numValues = numValues;
    this.words.wrap(chunk);
    this.wordsOffset = offset;
    this.lanes = layout.lanes();
    this.inverseOfLanes = inverse(lanes);
    this.numDigits = layout.numDigits();
    this.inverseOfDigits = inverse(numDigits);
    this.width = layout.width();
    this.mask = InterleavedPacking.mask(width);
    this.radix = layout.radix();
    this.base = base;
    int power = 1;
    for (int digit = 0; digit < numDigits; digit++) {
      powers[digit] = power;
      power *= radix;
    }
  }

  @Override
  public int density() {
    return CostModel.Radix.DENSITY;
  }

  @Override
  public long least() {
    return base;
  }

  @Override
  public long greatest() {
    return (long) base + radix - 1;
  }

  private static long inverse(int divisor) {
    return ((1L << Integer.SIZE) + divisor - 1) / divisor;
  }

  private static int divide(int dividend, long inverse) {
    return (int) ((dividend * inverse) >>> Integer.SIZE);
  }

  @Override
  public int get(int index) {
    final int row = divide(index, inverseOfLanes);
    final int fractionRow = divide(row, inverseOfDigits);
    final int bit = fractionRow * width;
    final int shift = bit & 31;
    final int low = firstWord(bit) + Integer.BYTES * (index - row * lanes);
    final int fraction = words.getInt(low) >>> shift | words.getInt(low + toHighWord(shift)) << -shift;
    return (((fraction * powers[row - fractionRow * numDigits] & mask) * radix) >>> width) + base;
  }

  /** Where the row of words starts that a bit of each lane is in. */
  private int firstWord(int bit) {
    return wordsOffset + Integer.BYTES * (bit >>> 5) * lanes;
  }

  /**
   * From the word with the lower bits of a fraction to the one with the upper: none if it lies in one word. What that
   * one adds then is masked out, and no branch is taken that no processor could predict.
   */
  private int toHighWord(int shift) {
    return shift + width <= Integer.SIZE ? 0 : Integer.BYTES * lanes;
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int start) {
    if (from == to) {
      return;
    }
    if ((long) (to - from) * lanes > indexes[to - 1] - indexes[from]) {
      gatherByRow(out, indexes, from, to, start);
    } else {
      for (int i = from; i < to; i++) {
        out[i] = get(indexes[i] - start);
      }
    }
  }

  /** Finds each row only once for all positions in it that follow each other. */
  private void gatherByRow(int[] out, int[] indexes, int from, int to, int start) {
    for (int i = from; i < to; ) {
      final int row = divide(indexes[i] - start, inverseOfLanes);
      final int fractionRow = divide(row, inverseOfDigits);
      final int bit = fractionRow * width;
      final int low = firstWord(bit);
      final int shift = bit & 31;
      i = gatherRow(
          words, low, low + toHighWord(shift), lanes, shift, powers[row - fractionRow * numDigits], mask, radix, width,
          base, out, indexes, i, to, start + row * lanes);
    }
  }

  /** Reads up to the first position that is not in the row, and says which that is. */
  private static int gatherRow(
      RawBytes words,
      int low,
      int high,
      int lanes,
      int shift,
      int power,
      int mask,
      int radix,
      int width,
      int base,
      int[] out,
      int[] indexes,
      int from,
      int to,
      int rowStart
  ) {
    int i = from;
    while (i < to) {
      final int lane = indexes[i] - rowStart;
      if (Integer.compareUnsigned(lane, lanes) >= 0) {
        break;
      }
      final int at = Integer.BYTES * lane;
      final int fraction = words.getInt(low + at) >>> shift | words.getInt(high + at) << -shift;
      out[i++] = (((fraction * power & mask) * radix) >>> width) + base;
    }
    return i;
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    if (offset + length <= Scratch.LENGTH) {
      unpack(out, offset, start, length);
      return;
    }
    final int[] vector = scratch.runs();
    for (int done = 0; done < length; done += Scratch.LENGTH) {
      final int count = Math.min(length - done, Scratch.LENGTH);
      unpack(vector, 0, start + done, count);
      System.arraycopy(vector, 0, out, offset + done, count);
    }
  }

  /** Reads at most a vector: row by row what is left of the fractions from the digit on, then all digits at once. */
  private void unpack(int[] out, int offset, int start, int length) {
    final int end = offset + length;
    final int row = divide(start, inverseOfLanes);
    final int fractionRow = divide(row, inverseOfDigits);
    int lane = start - row * lanes;
    int digit = row - fractionRow * numDigits;
    int bit = fractionRow * width;
    for (int at = offset; at < end; ) {
      final int count = Math.min(end - at, lanes - lane);
      final int low = firstWord(bit) + Integer.BYTES * lane;
      final int shift = bit & 31;
      words.getInts(low, out, at, count);
      if (shift + width <= Integer.SIZE) {
        multiply(out, at, at + count, shift, powers[digit]);
      } else {
        // At the same indexes as in the output, as only so the loop is vectorised.
        final int[] high = scratch.words();
        words.getInts(low + toHighWord(shift), high, at, count);
        multiplyStraddling(out, high, at, at + count, shift, powers[digit]);
      }
      at += count;
      lane = 0;
      digit++;
      if (digit == numDigits) {
        digit = 0;
        bit += width;
      }
    }
    if (offset == 0 && length == Scratch.LENGTH) {
      digitsOfVector(out, mask, radix, width, base);
    } else {
      digits(out, offset, end, mask, radix, width, base);
    }
  }

  // Each loop is a method of its own, small enough for C2 to see nothing else in it.

  private static void multiply(int[] out, int from, int to, int shift, int power) {
    for (int i = from; i < to; i++) {
      out[i] = (out[i] >>> shift) * power;
    }
  }

  private static void multiplyStraddling(int[] out, int[] high, int from, int to, int shift, int power) {
    for (int i = from; i < to; i++) {
      out[i] = (out[i] >>> shift | high[i] << -shift) * power;
    }
  }

  private static void digitsOfVector(int[] out, int mask, int radix, int width, int base) {
    for (int i = 0; i < Scratch.LENGTH; i++) {
      out[i] = (((out[i] & mask) * radix) >>> width) + base;
    }
  }

  private static void digits(int[] out, int from, int to, int mask, int radix, int width, int base) {
    for (int i = from; i < to; i++) {
      out[i] = (((out[i] & mask) * radix) >>> width) + base;
    }
  }
}
