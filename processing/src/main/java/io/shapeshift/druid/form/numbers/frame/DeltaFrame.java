// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.delta.DeltaForm;
import io.shapeshift.druid.form.ints.delta.DeltaInts;
import io.shapeshift.druid.form.numbers.NumberArrays;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Frame of ordered longs: the difference of each long from the one before it is minDelta plus an int times a
 * multiplier. Unlike in {@link DeltaForm}, the differences can be in any form of ints. Each 128th long is stored itself
 * as a base, and its int has no meaning.
 *
 * <pre>
 * | bytes                 | content                                                                      |
 * |-----------------------|------------------------------------------------------------------------------|
 * | 8                     | minDelta: the difference for int 0                                           |
 * | 8                     | multiplier, at least 1                                                       |
 * | 8                     | base                                                                         |
 * | 1                     | baseWidth, 0 to 31 bits, or 64; plus 32 if no long is less than the one      |
 * |                       | before it                                                                    |
 * | ceil(numValues / 128) | the longs 0, 128, 256, ... less the base: see {@link BitStream}; longs for a |
 * | * baseWidth bits      | width of 64, whose base is 0                                                 |
 * | 7                     | zero                                                                         |
 * </pre>
 * Example, little-endian: 1000000000000 1000000001000 1000000003000 1000000004000 are {@code 04 00 00 00 00 00 00 00 00
 * e8 03 00 00 00 00 00 00 00 10 a5 d4 e8 00 00 00 20 00 00 00 00 00 00 00 03 01 01 01 02 01} with bytepack: the id,
 * differences of multiples of 1000 above 0, the base, which is the first long itself and takes no bit more, that longs
 * ascend, and the ints 1 1 2 1 as a chunk in form 3, a byte each.
 */
public final class DeltaFrame extends Frame {
  static final byte ID = 4;
  private static final int ASCENDS = 32;
  private static final int HEADER_SIZE = 3 * Long.BYTES + 1;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "delta";
  }

  @Override
  double scanNanos(NumberType type) {
    return CostModel.Numbers.DELTA_NANOS;
  }

  @Override
  DecodeCost cost() {
    return CostModel.Numbers.DELTA_COST;
  }

  @Override
  public boolean suits(NumberType type) {
    return type == NumberType.LONG;
  }

  @Nullable
  @Override
  Framed fit(NumberChunk chunk) {
    final long[] values = chunk.bits();
    final int size = chunk.size();
    if (size < 2) {
      return null;
    }
    try (ResourceHolder<NumberArrays> holder = NumberArrays.POOL.take()) {
      final long[] deltas = holder.get().values;
      // If a long is a base, the next difference is used instead of its own, which changes neither minDelta nor
      // multiplier.
      for (int i = 0; i < size; i++) {
        if ((i & DeltaInts.VALUES_PER_BASE - 1) != 0) {
          deltas[i] = values[i] - values[i - 1];
          if (((values[i] ^ values[i - 1]) & (values[i] ^ deltas[i])) < 0) {
            return null;
          }
        }
      }
      for (int i = 0; i < size; i += DeltaInts.VALUES_PER_BASE) {
        deltas[i] = i + 1 < size ? deltas[i + 1] : deltas[i - 1];
      }
      @Nullable final Linear linear = Linear.of(deltas, size);
      if (linear == null) {
        return null;
      }
      final IntChunk ints = chunk.intsOf(this, false);
      linear.toInts(deltas, size, ints.startFilling(size));
      return new Framed(ints, HEADER_SIZE + basesSize(bases(chunk)), out -> putHeader(chunk, linear, out));
    }
  }

  /** The longs that are stored themselves, as ints above their base if they fit. */
  private static final class Bases {
    static final int LONGS = 64;

    final long base;
    final int width;
    final int[] above;

    Bases(long base, int width, int[] above) {
      this.base = base;
      this.width = width;
      this.above = above;
    }
  }

  private static Bases bases(NumberChunk chunk) {
    final long[] values = chunk.bits();
    final int numBases = numBases(chunk.size());
    long min = values[0];
    long max = values[0];
    for (int i = 0; i < chunk.size(); i += DeltaInts.VALUES_PER_BASE) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    if (max - min < 0 || max - min > Integer.MAX_VALUE) {
      return new Bases(0, Bases.LONGS, new int[numBases]);
    }
    final int[] above = new int[numBases];
    for (int i = 0; i < numBases; i++) {
      above[i] = (int) (values[i << DeltaInts.LOG_VALUES_PER_BASE] - min);
    }
    return new Bases(min, InterleavedPacking.width((int) (max - min)), above);
  }

  private static int numBases(int numValues) {
    return (numValues + DeltaInts.VALUES_PER_BASE - 1) >> DeltaInts.LOG_VALUES_PER_BASE;
  }

  private static int basesSize(Bases bases) {
    return BitStream.numBytes(bases.above.length, bases.width) + BitStream.SLACK;
  }

  private static boolean ascends(NumberChunk chunk) {
    final long[] values = chunk.bits();
    for (int i = 1; i < chunk.size(); i++) {
      if (values[i] < values[i - 1]) {
        return false;
      }
    }
    return true;
  }

  private static void putHeader(NumberChunk chunk, Linear linear, ByteBuffer out) {
    final Bases bases = bases(chunk);
    final int head = ascends(chunk) ? bases.width | ASCENDS : bases.width;
    out.putLong(linear.base()).putLong(linear.multiplier()).putLong(bases.base).put((byte) head);
    if (bases.width == Bases.LONGS) {
      for (int i = 0; i < chunk.size(); i += DeltaInts.VALUES_PER_BASE) {
        out.putLong(chunk.bits()[i]);
      }
    } else {
      BitStream.pack(bases.above, bases.above.length, 0, bases.width, out);
    }
    out.put(new byte[BitStream.SLACK]);
  }

  @Override
  int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    check(length, HEADER_SIZE);
    final long minDelta = chunk.getLong(offset);
    final long multiplier = chunk.getLong(offset + Long.BYTES);
    final long base = chunk.getLong(offset + 2 * Long.BYTES);
    final byte head = chunk.get(offset + 3 * Long.BYTES);
    final int width = head & ~ASCENDS;
    if (width < 0 || (width > 31 && width != Bases.LONGS)) {
      throw new MalformedChunkException("the bases have " + width + " bits, expected 0 to 31, or " + Bases.LONGS);
    }
    final int end = HEADER_SIZE + BitStream.numBytes(numBases(reader.numValues()), width) + BitStream.SLACK;
    check(length, end);
    final DeltaNumbers numbers = reader.shape(DeltaNumbers.class, DeltaNumbers::new);
    numbers.read(
        new DeltaNumbers.Header(minDelta, multiplier, base, width, (head & ASCENDS) != 0), chunk, offset + HEADER_SIZE);
    reader.transformTo(numbers);
    return end;
  }
}
