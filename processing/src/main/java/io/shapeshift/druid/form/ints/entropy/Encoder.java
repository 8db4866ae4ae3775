// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import io.shapeshift.druid.form.Limits;
import java.util.Arrays;

/** Encoder of the blocks of a chunk, with its work arrays. */
final class Encoder {
  /** Memory of the arrays, without the smallest. */
  static final long BYTES = (long) Integer.BYTES * Limits.MAX_DIRECT_INTS
      + (Short.BYTES + Integer.BYTES) * States.SIZE
      + 2 * Integer.BYTES * TansForm.BLOCK;

  /** A value takes at most 28 bits and each of 16 blocks 11 bytes more: 57,520 bytes of 65,536. */
  private final byte[] bytes = new byte[Limits.MAX_DIRECT_INTS * Integer.BYTES];
  private final LowFirstBits out = new LowFirstBits(bytes);
  private final short[] binOf = new short[States.SIZE];
  /** Places of the states of all bins, ascending in each. */
  private final int[] places = new int[States.SIZE];
  /** Index in {@link #places} of the first state of each bin. */
  private final int[] firsts = new int[Bins.MAX + 1];
  private final int[] weights = new int[Bins.MAX];
  private final int[] bits = new int[TansForm.BLOCK];
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
    States.assign(weights, bins.size(), binOf);
    final int[] next = firsts.clone();
    for (int place = 0; place < States.SIZE; place++) {
      places[next[binOf[States.reverse(place)]]++] = place;
    }
  }

  /**
   * Encodes a block from its last value to its first, as readers go the other way. The last turn of the coders is
   * complete: the last value fills it up.
   */
  private void encodeBlock(int[] values, int start, int length, Bins bins) {
    final int padded = TansForm.padded(length);
    Arrays.fill(coders, 0);
    for (int i = padded - 1; i >= 0; i--) {
      final int index = start + Math.min(i, length - 1);
      final int bin = bins.binOf(index);
      final int state = coders[i % TansForm.LANES] + States.SIZE;
      final int weight = weights[bin];
      int numBits = States.bits(weight);
      if ((state >>> numBits) < weight) {
        numBits--;
      }
      coders[i % TansForm.LANES] = places[firsts[bin] + (state >>> numBits) - weight];
      bits[i] = (values[index] - bins.lower(bin)) << numBits | States.reverse(state, numBits);
      widths[i] = numBits + bins.offsetBits(bin);
    }
    for (int coder : coders) {
      out.put(States.reverse(coder), States.LOG_SIZE);
    }
    for (int i = 0; i < padded; i++) {
      out.put(bits[i], widths[i]);
    }
  }
}
