// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Pool;
import java.util.Arrays;
import org.apache.druid.collections.ResourceHolder;

/** A set of the distinct values of one chunk, that tells the position of each in their order. */
public final class DistinctInts {
  /** Lends such sets, of 390 KB of heap each. */
  public static final Pool<DistinctInts> POOL = Pool.forThreads("distinct", DistinctInts::new);

  /** At least twice the values of any chunk that is asked for. */
  private static final int LOG_SLOTS = 15;
  private static final int SLOTS = 1 << LOG_SLOTS;
  /** 2^32 divided by the golden ratio: spreads neighbouring values over all slots. */
  private static final int SPREAD = 0x9E3779B9;

  private final int[] values = new int[SLOTS];
  /** For each slot the number of the chunk that last used it. */
  private final int[] usedBy = new int[SLOTS];
  private final int[] codes = new int[SLOTS];
  private int chunk;
  private int size;

  /**
   * Counts the distinct values.
   *
   * @param most the most that are of interest, up to {@link Limits#MAX_DIRECT_INTS}
   * @return their number, or a larger one than the most of interest
   */
  static int count(int[] values, int numValues, int most) {
    try (ResourceHolder<DistinctInts> holder = POOL.take()) {
      final DistinctInts distinct = holder.get();
      distinct.clear();
      for (int i = 0; i < numValues && distinct.size <= most; i++) {
        distinct.add(values[i]);
      }
      return distinct.size;
    }
  }

  private void clear() {
    size = 0;
    if (++chunk == 0) {
      Arrays.fill(usedBy, 0);
      chunk = 1;
    }
  }

  private void add(int value) {
    final int slot = slot(value);
    if (usedBy[slot] != chunk) {
      usedBy[slot] = chunk;
      values[slot] = value;
      size++;
    }
  }

  private int slot(int value) {
    int slot = (value * SPREAD) >>> (Integer.SIZE - LOG_SLOTS);
    while (usedBy[slot] == chunk && values[slot] != value) {
      slot = (slot + 1) & (SLOTS - 1);
    }
    return slot;
  }

  /**
   * Takes the distinct values of a chunk, at most {@link Limits#MAX_DIRECT_INTS}.
   *
   * @return them in ascending order
   */
  public int[] collect(int[] source, int numValues) {
    clear();
    for (int i = 0; i < numValues; i++) {
      add(source[i]);
    }
    final int[] sorted = new int[size];
    int found = 0;
    for (int slot = 0; found < size; slot++) {
      if (usedBy[slot] == chunk) {
        sorted[found++] = values[slot];
      }
    }
    Arrays.sort(sorted);
    for (int code = 0; code < size; code++) {
      codes[slot(sorted[code])] = code;
    }
    return sorted;
  }

  /** The place of a value that was collected in their order. */
  public int code(int value) {
    return codes[slot(value)];
  }
}
