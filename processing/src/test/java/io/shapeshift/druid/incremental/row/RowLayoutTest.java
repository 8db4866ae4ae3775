// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shapeshift.druid.testing.RandomData;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Slots, tags and metrics do not overlap, are aligned, and metrics end where a word ends. */
@ExtendWith(RandomData.Seeded.class)
class RowLayoutTest {
  /** The example in the Javadoc of {@link RowLayout}. */
  @Test
  void example() {
    final RowLayout layout = new RowLayout(
        List.of(Slot.INT, Slot.TAGGED_LONG),
        new int[] {8, 9}
    );
    assertEquals(12, layout.slot(0));
    assertEquals(40, layout.slot(1));
    assertEquals(10, layout.tag(1));
    assertEquals(16, layout.metric(0));
    assertEquals(31, layout.metric(1));
    assertEquals(48, layout.bytes());
  }

  @Test
  void nothingOverlaps(RandomData random) {
    for (int round = 0; round < 300; round++) {
      final List<Slot> dimensions = new ArrayList<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        dimensions.add(random.nextInt(3) == 0 ? Slot.INT : Slot.TAGGED_LONG);
      }
      final int[] metrics = new int[random.nextInt(10)];
      for (int i = 0; i < metrics.length; i++) {
        metrics[i] = random.between(1, 16);
      }
      check(new RowLayout(dimensions, metrics), dimensions, metrics);
    }
  }

  private static void check(RowLayout layout, List<Slot> dimensions, int[] metrics) {
    final BitSet taken = new BitSet();
    take(taken, RowLayout.TIMESTAMP, Long.BYTES);
    take(taken, RowLayout.NUMBER, Character.BYTES);
    for (int i = 0; i < metrics.length; i++) {
      take(taken, layout.metric(i), metrics[i]);
      assertEquals(0, (layout.metric(i) + metrics[i]) % 8);
    }
    for (int i = 0; i < dimensions.size(); i++) {
      final Slot slot = dimensions.get(i);
      take(taken, layout.slot(i), slot.bytes());
      assertEquals(0, layout.slot(i) % slot.bytes());
      if (slot.isTagged()) {
        take(taken, layout.tag(i), 1);
      }
    }
    assertEquals((taken.length() + 7) / 8 * 8, layout.bytes());
  }

  private static void take(BitSet taken, int from, int bytes) {
    for (int i = from; i < from + bytes; i++) {
      assertFalse(taken.get(i));
      taken.set(i);
    }
  }
}
