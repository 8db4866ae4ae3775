// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.row;

import java.util.BitSet;
import java.util.List;
import org.apache.druid.error.DruidException;

/**
 * Byte layout of a row. A row begins with its timestamp (8 bytes) and the number of its layout (2 bytes). Metrics and
 * dimensions share the rest of the fixed part, and lists of values follow it. A new dimension needs a new layout,
 * because existing rows do not change.
 *
 * <p>A metric ends at the end of an 8-byte word. So its value is within one word, and no reader sees half of it. Druid
 * stores a null byte before the value. Smaller fields fill the bytes before such a metric. The layout of a count, a
 * nullable sum of longs, a string dimension and a long dimension, with a byte for null:
 *
 * <pre>
 *  0  timestamp                                        (8)
 *  8  number of the layout (2), null of the long (1), -, string dimension (4)
 * 16  count                                            (8)
 * 24  - (7), null of the sum (1)
 * 32  value of the sum                                 (8)
 * 40  long dimension                                   (8)
 * </pre>
 */
public final class RowLayout {
  public static final int TIMESTAMP = 0;
  public static final int NUMBER = 8;
  private static final int HEADER_BYTES = 10;
  /** Heap bytes of the object and its arrays, without their elements. */
  private static final int HEAP_BYTES = 80;

  private final int[] slots;
  private final int[] tags;
  private final int[] metrics;
  private final int bytes;

  /**
   * Lays out a row.
   *
   * @param dimensions the slots of all dimensions, in their order
   * @param metricBytes the size of each metric in the row
   */
  public RowLayout(List<Slot> dimensions, int[] metricBytes) {
    final Space space = new Space();
    space.take(1, HEADER_BYTES, 0);
    metrics = new int[metricBytes.length];
    for (int i = 0; i < metricBytes.length; i++) {
      final int words = (metricBytes[i] + 7) / 8;
      metrics[i] = space.take(8, metricBytes[i], 8 * words - metricBytes[i]);
    }
    slots = new int[dimensions.size()];
    tags = new int[dimensions.size()];
    // Slots are placed from the widest to the narrowest, so that narrow slots can fill every gap that wide ones leave.
    for (int width = 8; width >= 4; width /= 2) {
      int last = 0;
      for (int i = 0; i < slots.length; i++) {
        if (dimensions.get(i).bytes() == width) {
          slots[i] = last = space.take(width, width, last);
        }
      }
    }
    int last = 0;
    for (int i = 0; i < tags.length; i++) {
      if (dimensions.get(i).isTagged()) {
        tags[i] = last = space.take(1, 1, last);
      }
    }
    bytes = (space.end() + 7) / 8 * 8;
  }

  /** Whether a layout number fits into its two bytes. */
  public static boolean isPossible(int number) {
    return number <= Character.MAX_VALUE;
  }

  /** Checks that a layout number fits into its two bytes. */
  public static void checkNumber(int number) {
    if (!isPossible(number)) {
      throw DruidException.forPersona(DruidException.Persona.USER)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build("New dimensions came up in more than [%,d] rows: name dimensions in the dimensionsSpec", number);
    }
  }

  /** Number of dimensions that a row of this layout has. */
  public int dimensions() {
    return slots.length;
  }

  /** Offset in the row of the slot of a dimension. */
  int slot(int dimension) {
    return slots[dimension];
  }

  /** Offset in the row of the tag of a dimension. */
  int tag(int dimension) {
    return tags[dimension];
  }

  /** Offset in the row of a metric, the same in all layouts of an index. */
  public int metric(int metric) {
    return metrics[metric];
  }

  /** Estimated size of the layout on the heap in bytes. */
  public long heapBytes() {
    return HEAP_BYTES + (long) Integer.BYTES * (slots.length + tags.length + metrics.length);
  }

  /** Size of the fixed part in bytes, a multiple of 8. */
  public int bytes() {
    return bytes;
  }

  /** Set of the occupied bytes of a row. */
  private static final class Space {
    private final BitSet taken = new BitSet();

    /** Occupies the first free bytes at {@code from}, or at any multiple of {@code alignment} behind it. */
    int take(int alignment, int size, int from) {
      int place = from;
      while (isTaken(place, size)) {
        place += alignment;
      }
      taken.set(place, place + size);
      return place;
    }

    private boolean isTaken(int place, int size) {
      final int next = taken.nextSetBit(place);
      return next >= 0 && next < place + size;
    }

    int end() {
      return taken.length();
    }
  }
}
