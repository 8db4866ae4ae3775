// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import io.shapeshift.druid.cost.CostModel;
import java.io.Closeable;

/** Reader of the values of one chunk at a time, in any form. A {@link FormDecoder} transforms it to each chunk. */
public interface ChunkReader extends Closeable {
  /**
   * Returns the end index of the positions that are in the same vector as the position at {@code from}.
   *
   * @param indexes positions in the column
   * @param to      end of the indexes, exclusive
   * @param base    position in the column of the vector's first value
   * @param length  number of values in the vector
   */
  static int endOfVector(int[] indexes, int from, int to, int base, int length) {
    int i = from + 1;
    while (i < to && Integer.compareUnsigned(indexes[i] - base, length) < 0) {
      i++;
    }
    return i;
  }

  /** Sets the number of values in the next chunk, before a decoder transforms this reader to it. */
  void startChunk(int numValues);

  /** Sets the names of the encodings of other jars in the column of the chunk; none after {@link #startChunk}. */
  default void useAdded(AddedNames names) {}

  /**
   * Returns the distance of two single reads up to which they are near each other. If reads are near, whole vectors are
   * decoded. The distance is therefore large if a single read takes as long as many values of a vector.
   */
  default int near() {
    return CostModel.Reads.NEAR;
  }

  /** Returns and resets the number of chunks that were decompressed or decoded completely before a read. */
  default int takeDecodedWhole() {
    return 0;
  }

  /** Returns borrowed buffers and arrays to their pools. The reader may be used again, from {@link #startChunk}. */
  @Override
  void close();
}
