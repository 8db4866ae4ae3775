// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;
import java.nio.ByteBuffer;
import me.lemire.integercompression.FastPFOR;
import me.lemire.integercompression.SkippableComposition;
import me.lemire.integercompression.VariableByte;

/**
 * The arrays that encoding and decoding ints borrow. Decompressed payloads are not among them: they come from the pool
 * of Druid's own columns.
 */
final class IntPools {
  /** Arrays for the values of a chunk: at most 16 MB of heap. */
  static final Pool<int[]> INTS = Pool.of("ints", 256, () -> new int[Limits.MAX_DIRECT_INTS]);
  /** FastPFOR codecs with their arrays, of 1.2 MB of heap each. */
  static final Pool<FastPfor> FAST_PFOR = Pool.forThreads("FastPFOR", FastPfor::new);
  /** Arrays for packing a chunk, of 520 KB of heap each. */
  static final Pool<PackingArrays> PACKING = Pool.forThreads("packing", PackingArrays::new);
  /** Sets for the distinct values of a chunk, of 390 KB of heap each. */
  static final Pool<DistinctInts> DISTINCT = Pool.forThreads("distinct", DistinctInts::new);

  private IntPools() {}

  /** JavaFastPFOR's codec, which is stateful and large, and room for the words of an encoded chunk. */
  static final class FastPfor {
    /** JavaFastPFOR wants its output to have 1024 ints to spare. */
    final int[] words = new int[Limits.MAX_DIRECT_INTS + 2 * 1024];
    // Both would allocate direct buffers, which are slow to free; VariableByte for each chunk anew.
    final SkippableComposition codec = new SkippableComposition(
        new FastPFOR() {
          @Override
          protected ByteBuffer makeBuffer(int sizeInBytes) {
            return ByteBuffer.allocate(sizeInBytes);
          }
        },
        new VariableByte() {
          @Override
          protected ByteBuffer makeBuffer(int sizeInBytes) {
            return ByteBuffer.allocate(sizeInBytes);
          }
        }
    );
  }

  /** Room for what a direct form makes of a chunk's values before it packs them. */
  static final class PackingArrays {
    final int[] codes = new int[Limits.MAX_DIRECT_INTS];
    final int[] positions = new int[Limits.MAX_DIRECT_INTS];
    /** Words of 32 lanes may be half empty. */
    final int[] words = new int[2 * Limits.MAX_DIRECT_INTS];
    final long[] longCodes = new long[Limits.MAX_DIRECT_INTS];
    final long[] longWords = new long[Limits.MAX_DIRECT_INTS];
  }
}
