// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import io.shapeshift.druid.form.Limits;
import java.util.Arrays;

/** Encoder of the blocks of a chunk, with its work arrays. */
final class Encoder {
  /** A value takes at most {@code MAX_LOG_STATES + 31} bits. */
  private final byte[] bytes = new byte[Limits.MAX_DIRECT_INTS * 6];
  private final LowFirstBits out = new LowFirstBits(bytes);
  private final short[] binOf = new short[1 << TansForm.MAX_LOG_STATES];
  /** States of all bins, ascending in each. */
  private final int[] states = new int[1 << TansForm.MAX_LOG_STATES];
  /** Index in {@link #states} of the first state of each bin. */
  private final int[] firsts = new int[Bins.MAX + 1];
  private final int[] weights = new int[Bins.MAX];
  private final long[] bits = new long[TansForm.BLOCK];
  private final int[] widths = new int[TansForm.BLOCK];
  private final int[] coders = new int[TansForm.LANES];

  /**
   * Encodes values.
   *
   * @param blockBytes receives the bytes of each block
   * @return the blocks
   */
  byte[] encode(int[] values, int numValues, Bins bins, short[] blockBytes) {
    prepare(bins);
    out.clear();
    int end = 0;
    for (int block = 0; block < blockBytes.length; block++) {
      final int start = block * TansForm.BLOCK;
      encodeBlock(values, start, Math.min(TansForm.BLOCK, numValues - start), bins);
      blockBytes[block] = (short) (out.finish() - end);
      end = out.finish();
    }
    return Arrays.copyOf(bytes, end);
  }

  private void prepare(Bins bins) {
    for (int bin = 0; bin < bins.size(); bin++) {
      weights[bin] = bins.weight(bin);
      firsts[bin + 1] = firsts[bin] + weights[bin];
    }
    States.spread(weights, bins.size(), bins.logStates(), binOf);
    final int[] next = firsts.clone();
    for (int state = 0; state < 1 << bins.logStates(); state++) {
      states[next[binOf[state]]++] = state;
    }
  }

  /** Encodes a block from its last value to its first, as readers go the other way. */
  private void encodeBlock(int[] values, int start, int length, Bins bins) {
    final int logStates = bins.logStates();
    Arrays.fill(coders, 0);
    for (int i = length - 1; i >= 0; i--) {
      final int value = values[start + i];
      final int bin = bins.find(value);
      final int state = coders[i % TansForm.LANES] + (1 << logStates);
      final int weight = weights[bin];
      int numBits = States.bits(weight, logStates);
      if ((state >>> numBits) < weight) {
        numBits--;
      }
      coders[i % TansForm.LANES] = states[firsts[bin] + (state >>> numBits) - weight];
      final int offset = value - bins.lower(bin);
      bits[i] = (long) offset << numBits | (state & ((1 << numBits) - 1));
      widths[i] = numBits + bins.offsetBits(bin);
    }
    for (int coder : coders) {
      out.put(coder, logStates);
    }
    for (int i = 0; i < length; i++) {
      out.put(bits[i], widths[i]);
    }
  }
}
