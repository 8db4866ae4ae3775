// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import java.util.Random;
import java.util.stream.IntStream;

/** Positions in a chunk, the same for all chunks of one size. */
final class Positions {
  /** Values that Druid reads at a time. */
  static final int VECTOR = 512;
  /** Gap between the positions of a sparse read. */
  static final int SPARSE = 100;
  /** Number of reads of single values. */
  private static final int ALONE = 1024;
  private static final int SEED = 43;
  /** Relative difference to a gap that is just not sparse. */
  static final double SHORTER = 0.1;

  private Positions() {}

  /**
   * Ascending positions, just dense enough for readers to decode whole vectors.
   *
   * @param gap of the sparsest that are
   */
  static int[] denser(int gap, int size) {
    return IntStream.range(0, (int) (size / (gap - SHORTER))).map(i -> (int) (i * (gap - SHORTER))).toArray();
  }

  /**
   * Ascending positions, one of every {@code gap}. No vector of them is so dense that readers would decode it whole.
   */
  static int[] everyAbout(int gap, int size) {
    final Random random = new Random(SEED);
    final int[] positions = new int[Math.max(1, size / gap)];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = Math.min(size - 1, i * gap + (i % VECTOR == 0 ? 0 : random.nextInt(gap)));
    }
    return positions;
  }

  /** Positions in random order. */
  static int[] anywhere(int size) {
    return new Random(SEED).ints(ALONE, 0, size).toArray();
  }
}
