// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.InterleavedLongs;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntPools;
import java.nio.ByteBuffer;

/** Packing of a chunk's codes in words of 64 bits if readers convert them to longs, else of 32 bits. */
public final class Packing {
  private Packing() {}

  /** Returns the size of the words in bytes. */
  public static int numBytes(IntChunk chunk, int width) {
    return chunk.isOfLongs()
           ? Long.BYTES * InterleavedLongs.numWords(chunk.size(), width)
           : Integer.BYTES * InterleavedPacking.numWords(chunk.size(), width);
  }

  /**
   * Appends one code per value of the chunk.
   *
   * @param width  width of a code in bits
   * @param arrays contain the codes
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
