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
import java.util.EnumSet;
import java.util.Set;

/**
 * Ints that repeat with a period, such as the ids of hosts that report in turn: rows of a metrics table are sorted by
 * time, and at each time every host has one row, with the same region, rack, and number of cores as before. Only the
 * first period is stored.
 *
 * <pre>
 * | bytes              | content                                              |
 * |--------------------|------------------------------------------------------|
 * | 1                  | width: bytes of a value, 1 to 4                      |
 * | 2                  | period: number of values that repeat (short)         |
 * | 4                  | greatest of the values (int)                         |
 * | width * period     | the first values, each with its lowest byte first    |
 * </pre>
 * Example, little-endian: 5 7 9 5 7 9 5 7 9 5 7 9 is {@code 01 03 00 09 00 00 00 05 07 09}.
 */
public final class PeriodicEncoding implements IntEncoding {
  private static final int HEADER = 1 + Short.BYTES + Integer.BYTES;
  /** Most values of a period; they are decoded when a chunk is opened. */
  private static final int MOST = 2048;
  /** Least number of periods in a chunk. */
  private static final int LEAST_PERIODS = 2;

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
    return period == 0 ? SizeEstimate.skip() : SizeEstimate.exact(HEADER + width(values.max()) * period);
  }

  @Override
  public double scanNanos(IntValues values) {
    return 0.15;
  }

  /** Each read is a remainder and an array access, but the period is decoded first. */
  @Override
  public double sparseNanos(IntValues values) {
    return 1.0 / LEAST_PERIODS;
  }

  @Override
  public void encode(IntValues values, ByteBuffer out) {
    final int period = period(values);
    final int width = width(values.max());
    out.put((byte) width).putShort((short) period).putInt(values.max());
    for (int i = 0; i < period; i++) {
      for (int shift = 0; shift < Byte.SIZE * width; shift += Byte.SIZE) {
        out.put((byte) (values.get(i) >>> shift));
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
    return Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(max) + Byte.SIZE - 1) / Byte.SIZE);
  }

  @Override
  public IntReader open(ByteBuffer chunk, int numValues) {
    final int width = chunk.get();
    final int period = chunk.getShort();
    final int greatest = chunk.getInt();
    if (width < 1 || width > Integer.BYTES || period < 1 || period > Math.min(MOST, numValues)) {
      throw new DamagedChunkException("width " + width + " and period " + period + ", expected widths of 1 to 4 and"
          + " periods of 1 to " + Math.min(MOST, numValues));
    }
    if (chunk.remaining() != width * period) {
      throw new DamagedChunkException(chunk.remaining() + " bytes of values, expected " + width * period);
    }
    final int[] values = new int[period];
    for (int i = 0; i < period; i++) {
      for (int shift = 0; shift < Byte.SIZE * width; shift += Byte.SIZE) {
        values[i] |= (chunk.get() & 0xFF) << shift;
      }
    }
    return new Reader(values, greatest);
  }

  private static final class Reader implements IntReader {
    private final int[] values;
    private final int greatest;

    Reader(int[] values, int greatest) {
      this.values = values;
      this.greatest = greatest;
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
    public int greatest() {
      return greatest;
    }
  }
}
