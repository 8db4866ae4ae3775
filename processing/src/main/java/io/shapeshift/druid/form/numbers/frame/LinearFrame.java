// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.SortedPositions;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.numbers.NumberArrays;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Numbers whose bits are a base plus an int times a multiplier: frame of reference with a common divisor. A number that
 * does not fit is an <em>exception</em>: its int is that of the number before it, and its bits are stored aside.
 *
 * <pre>
 * | bytes                       | content                                                                             |
 * |-----------------------------|-------------------------------------------------------------------------------------|
 * | 1                           | flags: 1 there is a base, 2 there is a multiplier, 4 there are exceptions           |
 * | 1, of decimals only         | exponent: see {@link DecimalFrame}                                                  |
 * | 8, with flag 1              | base; 0 without it                                                                  |
 * | 8, with flag 2              | multiplier, written only where it is at least 2; 1 without it                       |
 * | 2, with flag 4              | numExceptions (unsigned short), at least 1                                          |
 * | 1, with flag 4              | layout of their positions, 0 to 2                                                   |
 * | see {@link SortedPositions} | positions of the exceptions, with flag 4                                            |
 * | numExceptions * 8           | the bits of each exception, with flag 4; four bytes each for floats                 |
 * </pre>
 * The bits of a float count as an integer from 0 to 2^32 - 1.
 *
 * <p>Example, little-endian: the longs 5 6 fifteen times, -2^63 and 5 are {@code 01 04 01 00 00 1e 00 00 00 00 00 00 00
 * 00 80 03 01 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 05 06 06 05} with
 * bytepack: no base, no multiplier, and one exception, at 30, whose int is the 6 before it.
 */
public final class LinearFrame extends Frame {
  static final byte ID = 1;
  private static final int HAS_BASE = 1;
  private static final int HAS_MULTIPLIER = 2;
  private static final int HAS_EXCEPTIONS = 4;
  /** Chunks with more exceptions than one in so many values are left to other forms. */
  private static final int VALUES_PER_EXCEPTION = 16;
  private static final int SAMPLE = 64;
  /** A value is an exception if it is further than this from the median of a sample; twice this fits into an int. */
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
    return type == NumberType.DOUBLE ? 0.42 : 0.2;
  }

  @Override
  DecodeCost cost() {
    return DecodeCost.NONE;
  }

  @Override
  public boolean isProportional() {
    return true;
  }

  @Nullable
  @Override
  Framed fit(NumberChunk chunk) {
    final long[] bits = chunk.bits();
    final int size = chunk.size();
    @Nullable final Linear linear = Linear.of(bits, size);
    if (linear != null) {
      return framed(this, chunk, linear, -1, bits, null, 0);
    }
    try (ResourceHolder<NumberArrays> holder = NumberArrays.POOL.take()) {
      final NumberArrays arrays = holder.get();
      final int numExceptions = replaceOutliers(bits, size, arrays);
      @Nullable final Linear others = numExceptions < 0 ? null : Linear.of(arrays.values, size);
      return others == null
             ? null
             : framed(this, chunk, others, -1, arrays.values, arrays.positions, numExceptions);
    }
  }

  /** Copies the values, with outliers replaced; returns the number of outliers, or -1 if there are too many. */
  private static int replaceOutliers(long[] bits, int size, NumberArrays arrays) {
    final int step = Math.max(1, size / SAMPLE);
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

  /** The most exceptions of a chunk of so many values. */
  static int mostExceptions(int size) {
    return size / VALUES_PER_EXCEPTION;
  }

  /**
   * Makes ints of integers.
   *
   * @param exponent      of decimals; -1 for others
   * @param values        the integers, exceptions replaced
   * @param positions     of the exceptions; null without any
   * @param numExceptions their number
   */
  static Framed framed(
      Frame frame,
      NumberChunk chunk,
      Linear linear,
      int exponent,
      long[] values,
      @Nullable int[] positions,
      int numExceptions
  ) {
    final int size = chunk.size();
    final IntChunk ints = chunk.intsOf(frame, chunk.type() != NumberType.FLOAT);
    linear.toInts(values, size, ints.startFilling(size));
    final int[] exceptions = numExceptions == 0 ? new int[0] : Arrays.copyOf(positions, numExceptions);
    final int headerSize = 1
        + (exponent < 0 ? 0 : 1)
        + (linear.base() == 0 ? 0 : Long.BYTES)
        + (linear.multiplier() == 1 ? 0 : Long.BYTES)
        + exceptionsSize(chunk.type(), size, numExceptions);
    return new Framed(ints, headerSize, out -> {
      out.put((byte) ((linear.base() == 0 ? 0 : HAS_BASE)
          | (linear.multiplier() == 1 ? 0 : HAS_MULTIPLIER)
          | (numExceptions == 0 ? 0 : HAS_EXCEPTIONS)));
      if (exponent >= 0) {
        out.put((byte) exponent);
      }
      if (linear.base() != 0) {
        out.putLong(linear.base());
      }
      if (linear.multiplier() != 1) {
        out.putLong(linear.multiplier());
      }
      if (numExceptions > 0) {
        out.putShort((short) numExceptions);
        out.put((byte) SortedPositions.layout(size, numExceptions));
        SortedPositions.encode(exceptions, numExceptions, size, out);
        for (int position : exceptions) {
          putBits(chunk.type(), chunk.bits()[position], out);
        }
      }
    });
  }

  private static int exceptionsSize(NumberType type, int size, int numExceptions) {
    return numExceptions == 0
           ? 0
           : Short.BYTES + 1
               + SortedPositions.size(SortedPositions.layout(size, numExceptions), size, numExceptions)
               + type.bytes() * numExceptions;
  }

  /** Appends the bits of a number, in as many bytes as its type has. */
  public static void putBits(NumberType type, long bits, ByteBuffer out) {
    if (type == NumberType.FLOAT) {
      out.putInt((int) bits);
    } else {
      out.putLong(bits);
    }
  }

  @Override
  int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    return read(chunk, offset, length, reader, false);
  }

  /** Reads the frame of integers, or of decimals, which also have an exponent. */
  static int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader, boolean decimal) {
    check(length, 1 + (decimal ? 1 : 0));
    final int flags = chunk.get(offset);
    if ((flags & ~(HAS_BASE | HAS_MULTIPLIER | HAS_EXCEPTIONS)) != 0) {
      throw new MalformedChunkException("the frame has the flags " + flags + ", expected 0 to 7");
    }
    int at = 1;
    int exponent = -1;
    if (decimal) {
      exponent = chunk.get(offset + at++);
      DecimalFrame.checkExponent(exponent, reader.type());
    }
    long base = 0;
    if ((flags & HAS_BASE) != 0) {
      check(length, at + Long.BYTES);
      base = chunk.getLong(offset + at);
      at += Long.BYTES;
    }
    long multiplier = 1;
    if ((flags & HAS_MULTIPLIER) != 0) {
      check(length, at + Long.BYTES);
      multiplier = chunk.getLong(offset + at);
      at += Long.BYTES;
    }
    reader.readLinear(base, multiplier, exponent);
    if ((flags & HAS_EXCEPTIONS) != 0) {
      at += readExceptions(chunk, offset + at, length - at, reader);
    }
    return at;
  }

  private static int readExceptions(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int header = Short.BYTES + 1;
    check(length, header);
    final int numExceptions = chunk.getShort(offset) & 0xFFFF;
    final int layout = chunk.get(offset + Short.BYTES);
    SortedPositions.checkLayout(layout);
    if (numExceptions < 1 || numExceptions > reader.numValues()) {
      throw new MalformedChunkException(
          "the frame has " + numExceptions + " exceptions among " + reader.numValues() + " values");
    }
    final int bits = header + SortedPositions.size(layout, reader.numValues(), numExceptions);
    final int end = bits + reader.type().bytes() * numExceptions;
    check(length, end);
    reader.readExceptions(chunk, offset + header, layout, offset + bits, numExceptions);
    return end;
  }

  /** Checks that a frame has at least so many bytes. */
  static void check(int length, int least) {
    if (length < least) {
      throw new MalformedChunkException("the frame has " + length + " bytes, expected at least " + least);
    }
  }
}
