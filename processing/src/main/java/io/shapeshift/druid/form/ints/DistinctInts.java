// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import java.util.Arrays;
import org.apache.druid.collections.ResourceHolder;

/** Set of the distinct values of one chunk, which maps each value to its rank. */
public final class DistinctInts {
  /** Base 2 logarithm of the hash table's slots: at least twice the values of the largest chunk. */
  private static final int LOG_SLOTS = 15;
  private static final int SLOTS = 1 << LOG_SLOTS;
  /** Pool of sets. */
  public static final Pool<DistinctInts> POOL =
      Pools.ofProcess().heap("distinct", 3L * Integer.BYTES * SLOTS, DistinctInts::new);

  /** 2^32 divided by the golden ratio; spreads neighbouring values over the table. */
  private static final int SPREAD = 0x9E3779B9;

  private final int[] values = new int[SLOTS];
  /** Number of the chunk that last used each slot. */
  private final int[] usedBy = new int[SLOTS];
  private final int[] codes = new int[SLOTS];
  private int chunk;
  private int size;

  /**
   * Counts distinct values up to a limit.
   *
   * @param most limit, at most {@link io.shapeshift.druid.form.Limits#MAX_DIRECT_INTS}
   * @return number of distinct values, or some number greater than {@code most}
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
   * Collects the distinct values of a chunk of at most {@link io.shapeshift.druid.form.Limits#MAX_DIRECT_INTS} values.
   *
   * @return the distinct values, ascending
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

  /** Returns the rank of a collected value. */
  public int code(int value) {
    return codes[slot(value)];
  }
}
