// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import java.util.Random;
import java.util.stream.IntStream;

/** Positions in a chunk, the same for all chunks of a size. */
final class Positions {
  /** Values that Druid asks for at once. */
  static final int VECTOR = 512;
  /** Distance of positions in a sparse read. */
  static final int SPARSE = 100;
  /** Reads of single values. */
  private static final int ALONE = 1024;
  private static final int SEED = 43;
  /** How much smaller a gap is that is just not sparse. */
  static final double SHORTER = 0.1;

  private Positions() {}

  /**
   * Positions that ascend, and are so dense that readers decode whole vectors.
   *
   * @param gap of the sparsest that are
   */
  static int[] denser(int gap, int size) {
    return IntStream.range(0, (int) (size / (gap - SHORTER))).map(i -> (int) (i * (gap - SHORTER))).toArray();
  }

  /** Positions that ascend, one of every {@code gap}. No vector of them is denser, which readers would decode whole. */
  static int[] everyAbout(int gap, int size) {
    final Random random = new Random(SEED);
    final int[] positions = new int[Math.max(1, size / gap)];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = Math.min(size - 1, i * gap + (i % VECTOR == 0 ? 0 : random.nextInt(gap)));
    }
    return positions;
  }

  /** Positions in any order. */
  static int[] anywhere(int size) {
    return new Random(SEED).ints(ALONE, 0, size).toArray();
  }
}
