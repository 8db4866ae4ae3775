// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;

/**
 * Pools of the arrays that encoding and decoding of ints borrow. Decompressed payloads are in the pool of Druid's own
 * columns.
 */
public final class IntPools {
  /** Pool of arrays for the values of a chunk. */
  static final Pool<int[]> INTS =
      Pools.ofProcess().heap("ints", Limits.MAX_PAYLOAD_BYTES, () -> new int[Limits.MAX_DIRECT_INTS]);
  /** Pool of arrays for packing a chunk. */
  public static final Pool<PackingArrays> PACKING =
      Pools.ofProcess().heap("packing", PackingArrays.BYTES, PackingArrays::new);

  private IntPools() {}

  /** Arrays for the codes and words of a chunk while it is packed. */
  public static final class PackingArrays {
    private static final long BYTES = (4L * Integer.BYTES + 2 * Long.BYTES) * Limits.MAX_DIRECT_INTS;

    public final int[] codes = new int[Limits.MAX_DIRECT_INTS];
    public final int[] positions = new int[Limits.MAX_DIRECT_INTS];
    /** Twice the values, because words of 32 lanes may be half empty. */
    public final int[] words = new int[2 * Limits.MAX_DIRECT_INTS];
    public final long[] longCodes = new long[Limits.MAX_DIRECT_INTS];
    public final long[] longWords = new long[Limits.MAX_DIRECT_INTS];
  }
}
