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
 * Shape for {@link RadixForm}, which is read in place.
 *
 * <p>The row of a value, and of its fraction, is computed by multiplication with the inverses of the lanes and of the
 * digits, times 2^32 and rounded up. The result is exact, because a position is less than 2^14 and the inverse too
 * large by less than 2^16.
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
   * Starts a chunk.
   *
   * @param chunk  in the column's byte order
   * @param offset index in the buffer of the first word
   * @param length bytes of the words, all within the buffer's capacity
   * @param layout a checked layout, for at most {@link io.shapeshift.druid.form.Limits#MAX_DIRECT_INTS} values
   * @throws MalformedChunkException if the number of bytes does not match the layout
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

  /** Returns the start of the row of words that contains a bit of each lane. */
  private int firstWord(int bit) {
    return wordsOffset + Integer.BYTES * (bit >>> 5) * lanes;
  }

  /**
   * Returns the distance from the word with the lower bits of a fraction to the word with the upper bits; 0 if there is
   * only one. The second word is then masked out, which avoids an unpredictable branch.
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

  /** Reads values at positions. Consecutive positions in the same row share the work of locating the row. */
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

  /** Reads values until a position is outside the row, and returns the index of that position. */
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

  /** Reads at most a vector: row by row the fractions shifted to the wanted digit, then all digits at once. */
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
        // Uses the output's indexes, because C2 vectorises the loop only if the indexes are the same.
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

  // Each loop is a method of its own, so that C2 compiles it alone.

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
