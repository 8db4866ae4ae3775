// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.PositionsWriter;
import io.shapeshift.druid.form.SortedPositions;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Frame of integers, each a base plus an int times a multiplier: frame of reference with a common divisor. Subclasses
 * map integers to numbers. A number that does not fit is an <em>exception</em>: its int is that of the number before
 * it, and its bits are stored separately.
 *
 * <pre>
 * | bytes                       | content                                                         |
 * |-----------------------------|-----------------------------------------------------------------|
 * | 1                           | flags: 1 for a base, 2 for a multiplier, 4 for exceptions       |
 * | 1, only for decimals        | exponent: see {@link DecimalFrame}                              |
 * | 8, with flag 1              | base; 0 without it                                              |
 * | 8, with flag 2              | multiplier, written only if it is at least 2; 1 without it      |
 * | 2, with flag 4              | numExceptions (unsigned short), at least 1                      |
 * | 1, with flag 4              | layout of their positions, 0 to 2                               |
 * | see {@link SortedPositions} | positions of the exceptions, with flag 4                        |
 * | numExceptions * 8           | bits of each exception, with flag 4; four bytes each for floats |
 * </pre>
 */
abstract class ScaledFrame extends Frame {
  /** Exponent of frames whose numbers are the integers themselves. */
  static final int NO_EXPONENT = -1;
  private static final int HAS_BASE = 1;
  private static final int HAS_MULTIPLIER = 2;
  private static final int HAS_EXCEPTIONS = 4;

  @Override
  public final boolean isProportional() {
    return true;
  }

  /** Returns the greatest number of exceptions in a chunk of {@code size} values. */
  static int mostExceptions(int size) {
    return size / CostModel.Numbers.VALUES_PER_EXCEPTION;
  }

  /**
   * Maps integers to ints.
   *
   * @param exponent      exponent of decimals; {@link #NO_EXPONENT} for others
   * @param values        the integers, with exceptions replaced
   * @param positions     positions of the exceptions; null if there are none
   * @param numExceptions number of exceptions
   */
  final Framed framed(
      NumberChunk chunk,
      Linear linear,
      int exponent,
      long[] values,
      @Nullable int[] positions,
      int numExceptions
  ) {
    final int size = chunk.size();
    final IntChunk ints = chunk.intsOf(this, chunk.type() != NumberType.FLOAT);
    linear.toInts(values, size, ints.startFilling(size));
    final int[] exceptions = numExceptions == 0 ? new int[0] : Arrays.copyOf(positions, numExceptions);
    final int headerSize = 1
        + (exponent == NO_EXPONENT ? 0 : 1)
        + (linear.base() == 0 ? 0 : Long.BYTES)
        + (linear.multiplier() == 1 ? 0 : Long.BYTES)
        + exceptionsSize(chunk.type(), size, numExceptions);
    return new Framed(ints, headerSize, out -> {
      out.put((byte) ((linear.base() == 0 ? 0 : HAS_BASE)
          | (linear.multiplier() == 1 ? 0 : HAS_MULTIPLIER)
          | (numExceptions == 0 ? 0 : HAS_EXCEPTIONS)));
      if (exponent != NO_EXPONENT) {
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
        out.put((byte) PositionsWriter.layout(size, numExceptions));
        PositionsWriter.encode(exceptions, numExceptions, size, out);
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
               + PositionsWriter.size(PositionsWriter.layout(size, numExceptions), size, numExceptions)
               + type.bytes() * numExceptions;
  }

  /** Returns whether the header has an exponent. */
  abstract boolean hasExponent();

  /**
   * Transforms the reader to the chunk.
   *
   * @param exponent {@link #NO_EXPONENT} if the header has none
   * @throws MalformedChunkException if the exponent is out of range
   */
  abstract void transform(NumberChunkReader reader, long base, long multiplier, int exponent);

  @Override
  final int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    check(length, hasExponent() ? 2 : 1);
    final int flags = chunk.get(offset);
    if ((flags & ~(HAS_BASE | HAS_MULTIPLIER | HAS_EXCEPTIONS)) != 0) {
      throw new MalformedChunkException("the frame has the flags " + flags + ", expected 0 to 7");
    }
    int at = 1;
    int exponent = NO_EXPONENT;
    if (hasExponent()) {
      exponent = chunk.get(offset + at++);
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
    transform(reader, base, multiplier, exponent);
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
    final int bits = header + PositionsWriter.size(layout, reader.numValues(), numExceptions);
    final int end = bits + reader.type().bytes() * numExceptions;
    check(length, end);
    reader.exceptions().read(chunk, offset + header, layout, offset + bits, numExceptions);
    return end;
  }
}
