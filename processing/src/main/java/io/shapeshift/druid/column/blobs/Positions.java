// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Position of each value in a stream, computed from the values' sizes. The position of every
 * {@value #VALUES_PER_BASE}th value is stored:
 *
 * <pre>
 * | bytes        | field                                                            |
 * |--------------|------------------------------------------------------------------|
 * | 1            | width of a base in bits, 1 to {@value BitStream#MAX_LONG_WIDTH}  |
 * | by the width | bases, bit-packed                                                |
 * </pre>
 */
abstract class Positions {
  static final int LOG_VALUES_PER_BASE = 6;
  static final int VALUES_PER_BASE = 1 << LOG_VALUES_PER_BASE;

  private final Bases bases;
  private final int numValues;
  private final long end;
  /** Positions of the values of one block, and the end of the last. */
  private final long[] starts = new long[VALUES_PER_BASE + 1];
  /** First value of the block in {@link #starts}; beyond all values if there is none. */
  private int first = Integer.MAX_VALUE;

  /**
   * Creates a reader, for one thread.
   *
   * @param end position after the last value
   */
  Positions(Bases bases, int numValues, long end) {
    this.bases = bases;
    this.numValues = numValues;
    this.end = end;
  }

  /**
   * Computes the size of each value of a block.
   *
   * @param sizes receives the sizes, from index 1
   */
  abstract void sizes(int first, int count, long[] sizes);

  /**
   * Makes the block with a value the current block.
   *
   * @return index of the value in its block
   */
  final int seek(int index) {
    final int inBlock = index & VALUES_PER_BASE - 1;
    if (index - inBlock != first) {
      load(index - inBlock);
    }
    return inBlock;
  }

  private void load(int block) {
    first = Integer.MAX_VALUE;
    final int count = Math.min(VALUES_PER_BASE, numValues - block);
    sizes(block, count, starts);
    starts[0] = bases.get(block >>> LOG_VALUES_PER_BASE);
    for (int i = 1; i <= count; i++) {
      starts[i] += starts[i - 1];
    }
    final long next = block + count == numValues ? end : bases.get((block >>> LOG_VALUES_PER_BASE) + 1);
    if (starts[count] != next || starts[0] < 0 || next > end) {
      throw new MalformedChunkException("values " + block + " to " + (block + count) + " go from " + starts[0] + " to "
          + starts[count] + ", expected to " + next + " of " + end);
    }
    first = block;
  }

  /** Returns the position of a value of the current block, or its end for the number of values. */
  final long start(int inBlock) {
    return starts[inBlock];
  }

  /** Stored positions in a segment. Thread-safe. */
  static final class Bases {
    private final RawBytes in = new RawBytes();
    private final int offset;
    private final int width;

    /**
     * Reads the bases, and advances the buffer past them.
     *
     * @param in little-endian, with at least {@value BitStream#SLACK} bytes after the bases
     */
    Bases(ByteBuffer in, int numValues) {
      this.width = in.get();
      if (width < 1 || width > BitStream.MAX_LONG_WIDTH) {
        throw new MalformedChunkException("positions have " + width + " bits");
      }
      this.in.wrap(in);
      this.offset = in.position();
      Sections.skip(in, Sections.numBytes(numBases(numValues), width));
    }

    private long get(int base) {
      return BitStream.getLong(in, offset, width, base);
    }

    private static int numBases(int numValues) {
      return (int) (((long) numValues + VALUES_PER_BASE - 1) >>> LOG_VALUES_PER_BASE);
    }
  }

  /** Collects positions. */
  static final class Writer {
    private final LongArrayList bases = new LongArrayList();
    private int numValues;
    private long position;

    /** Adds the size of the next value. */
    void add(long size) {
      if ((numValues & VALUES_PER_BASE - 1) == 0) {
        bases.add(position);
      }
      numValues++;
      position += size;
    }

    private int width() {
      final long last = bases.isEmpty() ? 0 : bases.getLong(bases.size() - 1);
      return Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(last));
    }

    long sizeInBytes() {
      return 1 + Sections.numBytes(bases.size(), width());
    }

    /** Returns the bytes of the bases. */
    ByteBuffer toBytes() {
      final ByteBuffer out =
          ByteBuffer.allocate(Math.toIntExact(sizeInBytes())).order(ByteOrder.LITTLE_ENDIAN).put((byte) width());
      BitStream.pack(bases.elements(), bases.size(), 0, width(), out);
      return out.flip();
    }
  }
}
