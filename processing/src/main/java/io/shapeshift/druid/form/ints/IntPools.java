// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;

/**
 * Pools of the arrays that encoding and decoding of ints borrow. Decompressed payloads are in the pool of Druid's own
 * columns.
 */
public final class IntPools {
  /** Pool of arrays for the values of a chunk; keeps at most 16 MB of heap. */
  static final Pool<int[]> INTS = Pool.of("ints", 256, () -> new int[Limits.MAX_DIRECT_INTS]);
  /** Pool of arrays for packing a chunk, with 520 KB of heap each. */
  public static final Pool<PackingArrays> PACKING = Pool.forThreads("packing", PackingArrays::new);

  private IntPools() {}

  /** Arrays for the codes and words of a chunk while it is packed. */
  public static final class PackingArrays {
    public final int[] codes = new int[Limits.MAX_DIRECT_INTS];
    public final int[] positions = new int[Limits.MAX_DIRECT_INTS];
    /** Twice the values, because words of 32 lanes may be half empty. */
    public final int[] words = new int[2 * Limits.MAX_DIRECT_INTS];
    public final long[] longCodes = new long[Limits.MAX_DIRECT_INTS];
    public final long[] longWords = new long[Limits.MAX_DIRECT_INTS];
  }
}
