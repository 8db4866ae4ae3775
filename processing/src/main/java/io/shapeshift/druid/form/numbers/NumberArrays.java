// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;

/** Work arrays for a chunk's numbers as integers, and for the positions of exceptions. */
public final class NumberArrays {
  /** Pool of arrays, with 330 KB of heap each. */
  public static final Pool<NumberArrays> POOL = Pool.forThreads("numbers", NumberArrays::new);

  public final long[] values = new long[Limits.MAX_DIRECT_INTS];
  public final long[] words = new long[Limits.MAX_DIRECT_INTS];
  public final int[] positions = new int[Limits.MAX_DIRECT_INTS];
}
