// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;

/** Writer of {@link SortedPositions}, which chooses the layout. */
public final class PositionsWriter {
  private PositionsWriter() {}

  /** Returns the layout with the fewest bytes for {@code count} positions in {@code numValues} values. */
  public static int layout(int numValues, int count) {
    int best = SortedPositions.SHORTS;
    for (int layout = SortedPositions.BYTES; layout <= SortedPositions.BITMAP; layout++) {
      best = size(layout, numValues, count) < size(best, numValues, count) ? layout : best;
    }
    return best;
  }

  /** Returns the size of a layout in bytes. */
  public static int size(int layout, int numValues, int count) {
    final int numSegments = SortedPositions.numSegments(numValues);
    return switch (layout) {
      case SortedPositions.SHORTS -> Short.BYTES * count;
      case SortedPositions.BYTES -> Short.BYTES * numSegments + count;
      default -> (Short.BYTES + SortedPositions.LONGS_PER_SEGMENT * Long.BYTES) * numSegments;
    };
  }

  /** Appends ascending positions in the layout with the fewest bytes. */
  public static void encode(int[] positions, int count, int numValues, ByteBuffer out) {
    final int layout = layout(numValues, count);
    if (layout == SortedPositions.SHORTS) {
      for (int i = 0; i < count; i++) {
        out.putShort((short) positions[i]);
      }
      return;
    }
    int before = 0;
    for (int segment = 0; segment < SortedPositions.numSegments(numValues); segment++) {
      while (before < count && positions[before] >> SortedPositions.LOG_SEGMENT < segment) {
        before++;
      }
      out.putShort((short) before);
    }
    if (layout == SortedPositions.BYTES) {
      for (int i = 0; i < count; i++) {
        out.put((byte) positions[i]);
      }
      return;
    }
    final int numWords = SortedPositions.LONGS_PER_SEGMENT * SortedPositions.numSegments(numValues);
    int next = 0;
    for (int word = 0; word < numWords; word++) {
      long bits = 0;
      while (next < count && positions[next] >> 6 == word) {
        bits |= 1L << positions[next++];
      }
      out.putLong(bits);
    }
  }
}
