// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.InterleavedLongs;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntPools;
import java.nio.ByteBuffer;

/** Packs the codes of a chunk as suits its readers: in words of 64 bits if they make longs of them, else of 32. */
public final class Packing {
  private Packing() {}

  /** The bytes that the words take. */
  public static int numBytes(IntChunk chunk, int width) {
    return chunk.isOfLongs()
           ? Long.BYTES * InterleavedLongs.numWords(chunk.size(), width)
           : Integer.BYTES * InterleavedPacking.numWords(chunk.size(), width);
  }

  /**
   * Appends codes, one for each value of the chunk.
   *
   * @param width  of each code
   * @param arrays which have the codes
   */
  public static void pack(IntChunk chunk, int width, IntPools.PackingArrays arrays, ByteBuffer out) {
    final int numValues = chunk.size();
    if (chunk.isOfLongs()) {
      for (int i = 0; i < numValues; i++) {
        arrays.longCodes[i] = arrays.codes[i];
      }
      InterleavedLongs.pack(arrays.longCodes, numValues, width, arrays.longWords, out);
    } else {
      InterleavedPacking.pack(arrays.codes, numValues, width, arrays.words, out);
    }
  }
}
