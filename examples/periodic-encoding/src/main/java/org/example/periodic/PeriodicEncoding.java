// SPDX-License-Identifier: Apache-2.0
package org.example.periodic;

import io.shapeshift.druid.api.DamagedChunkException;
import io.shapeshift.druid.api.IntEncoding;
import io.shapeshift.druid.api.IntReader;
import io.shapeshift.druid.api.IntUse;
import io.shapeshift.druid.api.IntValues;
import io.shapeshift.druid.api.ReadCost;
import io.shapeshift.druid.api.SizeEstimate;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Ints that repeat with a period, such as the ids of hosts that report in turn: rows of a metrics table are sorted by
 * time, and at each time every host has one row, with the same region, rack, and number of cores as before. Only the
 * first period is stored.
 *
 * <pre>
 * | bytes | content                                                                              |
 * |-------|--------------------------------------------------------------------------------------|
 * | 1     | width: bits of a value, 1 to 31                                                      |
 * | 2     | period: number of values that repeat (short)                                         |
 * | rest  | the first values in width bits each, the first in the lowest bits of the first byte; |
 * |       | unused bits are 0                                                                    |
 * </pre>
 * Example, little-endian: 5 7 9 5 7 9 5 7 9 5 7 9 is {@code 04 03 00 75 09}.
 */
public final class PeriodicEncoding implements IntEncoding {
  private static final int HEADER = 1 + Short.BYTES;
  /** Most values of a period; they are decoded when a chunk is opened. */
  private static final int MOST = 2048;
  /** Least number of periods in a chunk. */
  private static final int LEAST_PERIODS = 2;
  /** Time to decode a value when a chunk is opened, in nanoseconds. */
  private static final double DECODE_NANOS = 1;

  @Override
  public String name() {
    return "example.periodic";
  }

  @Override
  public ReadCost cost() {
    return ReadCost.NONE;
  }

  @Override
  public Set<IntUse> uses() {
    return EnumSet.allOf(IntUse.class);
  }

  @Override
  public SizeEstimate estimate(IntValues values) {
    final int period = period(values);
    return period == 0 ? SizeEstimate.skip() : SizeEstimate.exact(HEADER + packedBytes(width(values.max()), period));
  }

  @Override
  public double scanNanos(IntValues values) {
    return 0.15;
  }

  /** A read is a remainder and an array access, but the period is decoded first. */
  @Override
  public double sparseNanos(IntValues values) {
    return DECODE_NANOS * period(values) / values.size();
  }

  @Override
  public void encode(IntValues values, ByteBuffer out) {
    final int period = period(values);
    final int width = width(values.max());
    out.put((byte) width).putShort((short) period);
    long bits = 0;
    int count = 0;
    for (int i = 0; i < period; i++) {
      bits |= (long) values.get(i) << count;
      count += width;
      while (count >= Byte.SIZE || (i == period - 1 && count > 0)) {
        out.put((byte) bits);
        bits >>>= Byte.SIZE;
        count -= Byte.SIZE;
      }
    }
  }

  /**
   * Finds the shortest period by the failure function of Knuth, Morris and Pratt: the length of the values, less their
   * longest prefix that is also their end.
   *
   * @return 0 if values do not repeat, or are better off in another form
   */
  private static int period(IntValues values) {
    final int size = values.size();
    if (values.min() == values.max() || size < 2 * LEAST_PERIODS) {
      return 0;
    }
    final int[] all = new int[size];
    values.copy(0, all, 0, size);
    final int[] prefixes = new int[size];
    for (int i = 1, length = 0; i < size; i++) {
      while (length > 0 && all[i] != all[length]) {
        length = prefixes[length - 1];
      }
      length = all[i] == all[length] ? length + 1 : 0;
      prefixes[i] = length;
      // Before this value the period was longer than what a chunk may have, and it never gets shorter.
      if (i + 1 - length > MOST) {
        return 0;
      }
    }
    final int period = size - prefixes[size - 1];
    return period * LEAST_PERIODS <= size ? period : 0;
  }

  private static int width(int max) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(max);
  }

  private static int packedBytes(int width, int period) {
    return (width * period + Byte.SIZE - 1) / Byte.SIZE;
  }

  @Override
  public IntReader open(ByteBuffer chunk, int numValues) {
    if (chunk.remaining() < HEADER) {
      throw new DamagedChunkException(chunk.remaining() + " bytes, expected at least " + HEADER);
    }
    final int width = chunk.get();
    final int period = chunk.getShort();
    if (width < 1 || width > 31 || period < 1 || period > Math.min(MOST, numValues)) {
      throw new DamagedChunkException("width " + width + " and period " + period + ", expected widths of 1 to 31 and"
          + " periods of 1 to " + Math.min(MOST, numValues));
    }
    if (chunk.remaining() != packedBytes(width, period)) {
      throw new DamagedChunkException(
          chunk.remaining() + " bytes of values, expected " + packedBytes(width, period));
    }
    final int[] values = new int[period];
    final int mask = (1 << width) - 1;
    long bits = 0;
    int count = 0;
    for (int i = 0; i < period; i++) {
      while (count < width) {
        bits |= (chunk.get() & 0xFFL) << count;
        count += Byte.SIZE;
      }
      values[i] = (int) bits & mask;
      bits >>>= width;
      count -= width;
    }
    return new Reader(values);
  }

  private static final class Reader implements IntReader {
    private final int[] values;

    Reader(int[] values) {
      this.values = values;
    }

    @Override
    public int get(int index) {
      return values[index % values.length];
    }

    @Override
    public void get(int start, int[] out, int offset, int length) {
      int at = start % values.length;
      for (int done = 0; done < length; ) {
        final int count = Math.min(length - done, values.length - at);
        System.arraycopy(values, at, out, offset + done, count);
        done += count;
        at = 0;
      }
    }

    @Override
    public int least() {
      return Arrays.stream(values).min().orElse(0);
    }

    @Override
    public int greatest() {
      return Arrays.stream(values).max().orElse(0);
    }
  }
}
