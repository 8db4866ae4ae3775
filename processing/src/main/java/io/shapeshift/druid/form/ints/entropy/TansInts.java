// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntShape;
import java.nio.ByteBuffer;

/** Shape for {@link TansForm}: decodes blocks, and keeps the one that was read last. */
final class TansInts extends IntShape {
  private static final int LANES = TansForm.LANES;
  // An entry of the table has, from the lowest bit: the bits of a value, those of the next state among them, the least
  // value of the bin, and what is added to the bits of the next state. The first two have six bits, as many as a shift
  // looks at, and the third has 32, so that they need not be masked.
  private static final int STATE_SHIFT = 6;
  private static final int LOWER_SHIFT = 12;
  private static final int NEXT_SHIFT = LOWER_SHIFT + Integer.SIZE;

  private final RawBytes bytes = new RawBytes();
  private final long[] table = new long[1 << TansForm.MAX_LOG_STATES];
  private final short[] binOf = new short[1 << TansForm.MAX_LOG_STATES];
  private final int[] lowers = new int[Bins.MAX];
  private final int[] offsetBits = new int[Bins.MAX];
  private final int[] weights = new int[Bins.MAX];
  /** Where each block starts, and where the last one ends. */
  private int[] starts = new int[1];
  private final int[] block = new int[TansForm.BLOCK];
  /** Number of the block in {@link #block}; -1 if there is none. */
  private int decoded;
  private int logStates;
  private long greatest;

  /**
   * Starts a chunk.
   *
   * @param length bytes of the chunk, at least those of its head and of {@link TansForm#SLACK}
   * @throws MalformedChunkException if the head cannot be of such a chunk
   */
  void read(ByteBuffer chunk, int offset, int length, int numValues) {
    this.numValues = numValues;
    this.decoded = -1;
    logStates = chunk.get(offset + 1);
    final int numBins = 1 + (chunk.get(offset + 2) & 0xFF);
    final int width = chunk.get(offset + 3);
    if (logStates != 0 && (logStates < TansForm.MIN_LOG_STATES || logStates > TansForm.MAX_LOG_STATES)) {
      throw new MalformedChunkException("tans has 2^" + logStates + " states, expected 2^0 or 2^8 to 2^11");
    }
    if (width < 0 || width >= Integer.SIZE) {
      throw new MalformedChunkException("tans has bins of " + width + " bits, expected 0 to 31");
    }
    final int bins = offset + TansForm.HEADER_SIZE;
    final int blockBytes = bins + TansForm.binBytes(numBins, logStates, width);
    final int numBlocks = TansForm.numBlocks(numValues);
    final int blocks = blockBytes + Short.BYTES * numBlocks;
    final int end = offset + length - TansForm.SLACK;
    if (blocks > end) {
      throw new MalformedChunkException(
          "tans has " + length + " bytes, expected at least " + (blocks - offset + TansForm.SLACK));
    }
    bytes.wrap(chunk);
    readBins(chunk.getInt(offset + 4), bins, numBins, width);
    readStarts(blockBytes, numBlocks, blocks, end);
    fillTable(numBins);
  }

  private void readBins(int min, int position, int numBins, int width) {
    long bit = 0;
    long sum = 0;
    greatest = 0;
    for (int bin = 0; bin < numBins; bin++) {
      weights[bin] = 1 + (int) bits(position, bit, logStates);
      bit += logStates;
      offsetBits[bin] = (int) bits(position, bit, TansForm.OFFSET_WIDTH);
      bit += TansForm.OFFSET_WIDTH;
      final long lower = min + bits(position, bit, width);
      bit += width;
      if (lower < 0 || lower > Integer.MAX_VALUE) {
        throw new MalformedChunkException("tans has a bin from " + lower + ", expected 0 to 2^31 - 1");
      }
      lowers[bin] = (int) lower;
      greatest = Math.max(greatest, lower + (1L << offsetBits[bin]) - 1);
      sum += weights[bin];
    }
    if (sum != 1L << logStates) {
      throw new MalformedChunkException("tans has weights of " + sum + " in all, expected " + (1L << logStates));
    }
  }

  private long bits(int position, long bit, int width) {
    return (bytes.getLowFirst(position + (int) (bit >>> 3)) >>> (bit & 7)) & ((1L << width) - 1);
  }

  private void readStarts(int position, int numBlocks, int first, int end) {
    if (starts.length <= numBlocks) {
      starts = new int[numBlocks + 1];
    }
    starts[0] = first;
    for (int i = 0; i < numBlocks; i++) {
      starts[i + 1] = starts[i] + bytes.getShort(position + Short.BYTES * i);
    }
    if (starts[numBlocks] != end) {
      throw new MalformedChunkException(
          "tans has blocks of " + (starts[numBlocks] - first) + " bytes, expected " + (end - first));
    }
  }

  private void fillTable(int numBins) {
    States.spread(weights, numBins, logStates, binOf);
    for (int state = 0; state < 1 << logStates; state++) {
      final int bin = binOf[state];
      final int x = weights[bin]++;
      final int numBits = States.bits(x, logStates);
      final long next = ((long) x << numBits) - (1L << logStates);
      table[state] = next << NEXT_SHIFT
          | (long) lowers[bin] << LOWER_SHIFT
          | (long) numBits << STATE_SHIFT
          | numBits + offsetBits[bin];
    }
  }

  @Override
  public long least() {
    return lowers[0];
  }

  @Override
  public long greatest() {
    return greatest;
  }

  /** Returns false if a bin has room for more than ints, as a damaged chunk may have such values. */
  @Override
  public boolean hasCertainBounds() {
    return greatest <= Integer.MAX_VALUE;
  }

  @Override
  public int density() {
    return CostModel.Entropy.DENSITY;
  }

  @Override
  public int near() {
    return CostModel.Entropy.NEAR;
  }

  @Override
  public int get(int index) {
    return block(index / TansForm.BLOCK)[index % TansForm.BLOCK];
  }

  private int[] block(int number) {
    if (number != decoded) {
      decoded = -1;
      decode(number, block, 0);
      decoded = number;
    }
    return block;
  }

  @Override
  public void get(int[] out, int offset, int start, int length) {
    int done = 0;
    while (done < length) {
      final int number = (start + done) / TansForm.BLOCK;
      final int from = (start + done) % TansForm.BLOCK;
      final int count = Math.min(length - done, TansForm.BLOCK - from);
      if (from == 0 && count == lengthOf(number) && number != decoded) {
        decode(number, out, offset + done);
      } else {
        System.arraycopy(block(number), from, out, offset + done, count);
      }
      done += count;
    }
  }

  @Override
  public void get(int[] out, int[] indexes, int from, int to, int base) {
    for (int i = from; i < to; i++) {
      out[i] = get(indexes[i] - base);
    }
  }

  private int lengthOf(int number) {
    return Math.min(TansForm.BLOCK, numValues - number * TansForm.BLOCK);
  }

  private void decode(int number, int[] out, int offset) {
    final int length = lengthOf(number);
    final int stateMask = (1 << logStates) - 1;
    final long end = (long) starts[number + 1] * Byte.SIZE;
    long bit = (long) starts[number] * Byte.SIZE;
    long head = bytes.getLowFirst(starts[number]);
    int state0 = (int) head & stateMask;
    int state1 = (int) (head >>> logStates) & stateMask;
    int state2 = (int) (head >>> (2 * logStates)) & stateMask;
    int state3 = (int) (head >>> (3 * logStates)) & stateMask;
    bit += (long) LANES * logStates;
    checkEnd(bit, end, number);
    int i = 0;
    for (; i + LANES <= length; i += LANES) {
      final long entry0 = RawBytes.getLong(table, state0);
      final long bits0 = bitsAt(bit);
      bit += width(entry0);
      state0 = next(entry0, bits0);
      out[offset + i] = value(entry0, bits0);
      final long entry1 = RawBytes.getLong(table, state1);
      final long bits1 = bitsAt(bit);
      bit += width(entry1);
      state1 = next(entry1, bits1);
      out[offset + i + 1] = value(entry1, bits1);
      final long entry2 = RawBytes.getLong(table, state2);
      final long bits2 = bitsAt(bit);
      bit += width(entry2);
      state2 = next(entry2, bits2);
      out[offset + i + 2] = value(entry2, bits2);
      final long entry3 = RawBytes.getLong(table, state3);
      final long bits3 = bitsAt(bit);
      bit += width(entry3);
      state3 = next(entry3, bits3);
      out[offset + i + 3] = value(entry3, bits3);
      if (bit > end) {
        break;
      }
    }
    checkEnd(bit, end, number);
    if (i < length) {
      final int[] states = {state0, state1, state2};
      for (int lane = 0; i < length; i++, lane++) {
        final long entry = table[states[lane]];
        out[offset + i] = value(entry, bitsAt(bit));
        bit += width(entry);
      }
    }
    checkEnd(bit, end, number);
    if (end - bit >= Byte.SIZE) {
      throw new MalformedChunkException("tans has " + (end - bit) + " bits behind the values of block " + number);
    }
  }

  /** Checks that no more has been read than a block has, so that no read leaves the chunk. */
  private static void checkEnd(long bit, long end, int number) {
    if (bit > end) {
      throw new MalformedChunkException("tans has too few bytes in block " + number);
    }
  }

  private long bitsAt(long bit) {
    return bytes.getLowFirst((int) (bit >>> 3)) >>> (bit & 7);
  }

  /** The bits of a value. */
  private static long width(long entry) {
    return entry & 63;
  }

  /** The next state of the coder, from the lowest bits. */
  private static int next(long entry, long bits) {
    return (int) (entry >>> NEXT_SHIFT) + (int) (bits & ~(-1L << (entry >>> STATE_SHIFT)));
  }

  /** The value, from the bits above those. */
  private static int value(long entry, long bits) {
    return (int) (entry >>> LOWER_SHIFT) + (int) ((bits & ~(-1L << entry)) >>> (entry >>> STATE_SHIFT));
  }
}
