// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;

/** Work arrays for a chunk's numbers as integers, and for the positions of exceptions. */
public final class NumberArrays {
  /** Pool of arrays. */
  public static final Pool<NumberArrays> POOL = Pools.ofProcess().heap(
      "numbers", (2L * Long.BYTES + Integer.BYTES) * Limits.MAX_DIRECT_INTS, NumberArrays::new);

  public final long[] values = new long[Limits.MAX_DIRECT_INTS];
  public final long[] words = new long[Limits.MAX_DIRECT_INTS];
  public final int[] positions = new int[Limits.MAX_DIRECT_INTS];
}
