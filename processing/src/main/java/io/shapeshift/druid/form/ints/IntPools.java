// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;

/**
 * The arrays that encoding and decoding ints borrow. Decompressed payloads are not among them: they come from the pool
 * of Druid's own columns.
 */
public final class IntPools {
  /** Arrays for the values of a chunk: at most 16 MB of heap. */
  static final Pool<int[]> INTS = Pool.of("ints", 256, () -> new int[Limits.MAX_DIRECT_INTS]);
  /** Arrays for packing a chunk, of 520 KB of heap each. */
  public static final Pool<PackingArrays> PACKING = Pool.forThreads("packing", PackingArrays::new);

  private IntPools() {}

  /** Room for what a direct form makes of a chunk's values before it packs them. */
  public static final class PackingArrays {
    public final int[] codes = new int[Limits.MAX_DIRECT_INTS];
    public final int[] positions = new int[Limits.MAX_DIRECT_INTS];
    /** Words of 32 lanes may be half empty. */
    public final int[] words = new int[2 * Limits.MAX_DIRECT_INTS];
    public final long[] longCodes = new long[Limits.MAX_DIRECT_INTS];
    public final long[] longWords = new long[Limits.MAX_DIRECT_INTS];
  }
}
