// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.bits.RowMatches;

/** Comparison of a chunk's numbers with the wanted ranges, vector by vector. */
final class RangeComparison implements VectorConsumer {
  private final RowMatches matches = new RowMatches();
  private final long[] doubleBits = new long[RowMatches.LENGTH];
  private final int[] floatBits = new int[RowMatches.LENGTH];
  private WantedNumbers wanted;
  private int row;

  /** Starts a chunk. */
  void start(WantedNumbers newWanted) {
    wanted = newWanted;
    row = 0;
    matches.start();
  }

  @Override
  public void accept(long[] longs, int length) {
    for (int i = 0; i < wanted.numRanges(); i++) {
      matches.addLongs(longs, row, wanted.start(i), wanted.end(i));
    }
    row++;
  }

  @Override
  public void accept(double[] doubles, int length) {
    RawBytes.toLongs(doubles, doubleBits, length);
    for (int i = 0; i < wanted.numRanges(); i++) {
      matches.addDoubles(doubleBits, row, wanted.start(i), wanted.end(i));
    }
    row++;
  }

  @Override
  public void accept(float[] floats, int length) {
    RawBytes.toInts(floats, floatBits, length);
    for (int i = 0; i < wanted.numRanges(); i++) {
      matches.addFloats(floatBits, row, (int) wanted.start(i), (int) wanted.end(i));
    }
    row++;
  }

  /** Sets the bit of each number of the chunk that is in a range. */
  void finish(int numValues, long[] out) {
    matches.finish(numValues, out);
  }
}
