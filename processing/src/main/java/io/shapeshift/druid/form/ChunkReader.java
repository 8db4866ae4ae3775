// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.cost.CostModel;
import java.io.Closeable;

/** Reads the values of one chunk at a time, whatever its form, once a {@link FormDecoder} has transformed it. */
public interface ChunkReader extends Closeable {
  /**
   * End of the positions that are in one vector with the position at {@code from}.
   *
   * @param indexes positions in the column
   * @param to      end index, exclusive
   * @param base    position in the column of the vector's first value
   * @param length  values of the vector
   */
  static int endOfVector(int[] indexes, int from, int to, int base, int length) {
    int i = from + 1;
    while (i < to && Integer.compareUnsigned(indexes[i] - base, length) < 0) {
      i++;
    }
    return i;
  }

  /** Says how many values the next chunk has, before a decoder transforms this reader for it. */
  void startChunk(int numValues);

  /**
   * The distance in positions up to which two reads of one value each are near. All values of a vector are decoded when
   * reads are near each other, so this is large where a value alone takes as long as many values of a vector.
   */
  default int near() {
    return CostModel.Reads.NEAR;
  }

  /** How many chunks were decompressed or decoded whole before a value was read, since this was asked last. */
  default int takeDecodedWhole() {
    return 0;
  }

  /** Gives back what was borrowed. The reader may be used again, from {@link #startChunk} on. */
  @Override
  void close();
}
