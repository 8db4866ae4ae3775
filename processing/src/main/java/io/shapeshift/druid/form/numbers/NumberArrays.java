// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;

/** Room for the integers that a chunk's numbers are taken for, and for the positions of those that are none. */
final class NumberArrays {
  /** Lends such arrays, of 200 KB of heap each. */
  static final Pool<NumberArrays> POOL = Pool.forThreads("numbers", NumberArrays::new);

  final long[] values = new long[Limits.MAX_DIRECT_INTS];
  final int[] positions = new int[Limits.MAX_DIRECT_INTS];
}
