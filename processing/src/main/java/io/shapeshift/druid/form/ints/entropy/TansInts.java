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
  // An entry of the table has, from the lowest bit: the least value of the bin, in 32 bits; the bits of a value, and
  // those of the next state among them, in six each, to which Java masks the distance of a shift; and what follows of
  // the next state, in the highest bits. A value's bits are turned so that those of the state become the highest, and
  // those of the offset the lowest. Then one addition gives the next state and the value.
  private static final int VALUE_SHIFT = Integer.SIZE;
  private static final int STATE_SHIFT = VALUE_SHIFT + 6;
  private static final int NEXT_SHIFT = Long.SIZE - States.LOG_SIZE;

  private final RawBytes bytes = new RawBytes();
  private final long[] table = new long[States.SIZE];
  private final short[] binOf = new short[States.SIZE];
  private final int[] lowers = new int[Bins.MAX];
  private final int[] offsetBits = new int[Bins.MAX];
  private final int[] weights = new int[Bins.MAX];
  /** Where each block starts, and where the last one ends. */
  private int[] starts = new int[1];
  private final int[] block = new int[TansForm.BLOCK];
  /** Number of the block in {@link #block}; -1 if there is none. */
  private int decoded;
  private long least;
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
    final int numBins = 1 + (chunk.get(offset + 1) & 0xFF);
    final int width = chunk.get(offset + 2);
    if (width < 0 || width >= Integer.SIZE) {
      throw new MalformedChunkException("tans has bins of " + width + " bits, expected 0 to 31");
    }
    final int bins = offset + TansForm.HEADER_SIZE;
    final int blockBytes = bins + TansForm.binBytes(numBins, width);
    final int numBlocks = TansForm.numBlocks(numValues);
    final int blocks = blockBytes + Short.BYTES * numBlocks;
    final int end = offset + length - TansForm.SLACK;
    if (blocks > end) {
      throw new MalformedChunkException(
          "tans has " + length + " bytes, expected at least " + (blocks - offset + TansForm.SLACK));
    }
    bytes.wrap(chunk);
    readBins(chunk.getInt(offset + 3), bins, numBins, width);
    readStarts(blockBytes, numBlocks, blocks, end);
    fillTable(numBins);
  }

  private void readBins(int min, int position, int numBins, int width) {
    long bit = 0;
    long sum = 0;
    least = Integer.MAX_VALUE;
    greatest = 0;
    for (int bin = 0; bin < numBins; bin++) {
      weights[bin] = 1 + (int) bits(position, bit, States.LOG_SIZE);
      bit += States.LOG_SIZE;
      offsetBits[bin] = (int) bits(position, bit, TansForm.OFFSET_WIDTH);
      bit += TansForm.OFFSET_WIDTH;
      if (offsetBits[bin] > Bins.MAX_OFFSET_BITS) {
        throw new MalformedChunkException(
            "tans has offsets of " + offsetBits[bin] + " bits, expected 0 to " + Bins.MAX_OFFSET_BITS);
      }
      final long lower = min + bits(position, bit, width);
      bit += width;
      if (lower < 0 || lower > Integer.MAX_VALUE) {
        throw new MalformedChunkException("tans has a bin from " + lower + ", expected 0 to 2^31 - 1");
      }
      lowers[bin] = (int) lower;
      least = Math.min(least, lower);
      greatest = Math.max(greatest, lower + (1L << offsetBits[bin]) - 1);
      sum += weights[bin];
    }
    if (sum != States.SIZE) {
      throw new MalformedChunkException("tans has weights of " + sum + " in all, expected " + States.SIZE);
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
    States.assign(weights, numBins, binOf);
    for (int place = 0; place < States.SIZE; place++) {
      final int state = States.reverse(place);
      final int bin = binOf[state];
      final int x = weights[bin]++;
      final int numBits = States.bits(x);
      final int next = States.reverse((x << numBits) - States.SIZE);
      table[state] = (long) next << NEXT_SHIFT
          | (long) numBits << STATE_SHIFT
          | (long) (numBits + offsetBits[bin]) << VALUE_SHIFT
          | lowers[bin];
    }
  }

  @Override
  public long least() {
    return least;
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
  protected void release() {
    bytes.release();
    decoded = -1;
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
      if (from == 0 && count == lengthOf(number) && count == TansForm.padded(count) && number != decoded) {
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

  /** Decodes a block, and the values that complete its last turn. */
  private void decode(int number, int[] out, int offset) {
    final long end = (long) starts[number + 1] * Byte.SIZE;
    long bit = (long) starts[number] * Byte.SIZE;
    final long low = bitsAt(bit);
    final long high = bitsAt(bit + LANES / 2 * States.LOG_SIZE);
    // The next state of a coder, in the highest bits, and its last value, in the lowest.
    long coder0 = low << NEXT_SHIFT;
    long coder1 = low >>> States.LOG_SIZE << NEXT_SHIFT;
    long coder2 = low >>> (2 * States.LOG_SIZE) << NEXT_SHIFT;
    long coder3 = low >>> (3 * States.LOG_SIZE) << NEXT_SHIFT;
    long coder4 = high << NEXT_SHIFT;
    long coder5 = high >>> States.LOG_SIZE << NEXT_SHIFT;
    long coder6 = high >>> (2 * States.LOG_SIZE) << NEXT_SHIFT;
    long coder7 = high >>> (3 * States.LOG_SIZE) << NEXT_SHIFT;
    bit += LANES * States.LOG_SIZE;
    final int length = TansForm.padded(lengthOf(number));
    // Each check covers two loads: the second starts at most 56 bits behind the end, and so reads 15 bytes beyond it.
    for (int i = 0; i < length && bit <= end; i += LANES) {
      final long entry0 = entry(coder0);
      final long entry1 = entry(coder1);
      final long bits0 = bitsAt(bit);
      final long bits1 = bits0 >>> (entry0 >>> VALUE_SHIFT);
      bit += width(entry0) + width(entry1);
      coder0 = next(entry0, bits0);
      coder1 = next(entry1, bits1);
      out[offset + i] = (int) coder0;
      out[offset + i + 1] = (int) coder1;
      final long entry2 = entry(coder2);
      final long entry3 = entry(coder3);
      final long bits2 = bitsAt(bit);
      final long bits3 = bits2 >>> (entry2 >>> VALUE_SHIFT);
      bit += width(entry2) + width(entry3);
      coder2 = next(entry2, bits2);
      coder3 = next(entry3, bits3);
      out[offset + i + 2] = (int) coder2;
      out[offset + i + 3] = (int) coder3;
      if (bit > end) {
        break;
      }
      final long entry4 = entry(coder4);
      final long entry5 = entry(coder5);
      final long bits4 = bitsAt(bit);
      final long bits5 = bits4 >>> (entry4 >>> VALUE_SHIFT);
      bit += width(entry4) + width(entry5);
      coder4 = next(entry4, bits4);
      coder5 = next(entry5, bits5);
      out[offset + i + 4] = (int) coder4;
      out[offset + i + 5] = (int) coder5;
      final long entry6 = entry(coder6);
      final long entry7 = entry(coder7);
      final long bits6 = bitsAt(bit);
      final long bits7 = bits6 >>> (entry6 >>> VALUE_SHIFT);
      bit += width(entry6) + width(entry7);
      coder6 = next(entry6, bits6);
      coder7 = next(entry7, bits7);
      out[offset + i + 6] = (int) coder6;
      out[offset + i + 7] = (int) coder7;
    }
    if (bit > end) {
      throw new MalformedChunkException("tans has too few bytes in block " + number);
    }
    if (end - bit >= Byte.SIZE) {
      throw new MalformedChunkException("tans has " + (end - bit) + " bits behind the values of block " + number);
    }
  }

  private long bitsAt(long bit) {
    return bytes.getLowFirst((int) (bit >>> 3)) >>> (bit & 7);
  }

  private long entry(long coder) {
    // Ten bits are less than the length of the table.
    return RawBytes.getLong(table, (int) (coder >>> NEXT_SHIFT));
  }

  /** The bits of a value. */
  private static long width(long entry) {
    return (entry >>> VALUE_SHIFT) & 63;
  }

  /** The next state of a coder, in the highest bits, and the value, in the lowest. */
  private static long next(long entry, long bits) {
    return entry + Long.rotateRight(bits & ~(-1L << (entry >>> VALUE_SHIFT)), (int) (entry >>> STATE_SHIFT));
  }
}
