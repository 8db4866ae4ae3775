// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What decides between a hash index and a scan. */
class KeyCostTest {
  private static final int ROWS = 3_000_000;
  private static final KeyCost DIRECT = new KeyCost(ROWS, 1, 0, 0);
  /** In Druid's blocks of 8,192 longs. */
  private static final KeyCost WHOLE = new KeyCost(ROWS, 1, ROWS / 8192 + 1, ROWS);

  private static boolean isLookedUp(KeyCost cost, int numKeys) {
    return cost.lookUpNanos(numKeys) < cost.scanNanos(numKeys);
  }

  @Test
  void fewKeysAreLookedUpAndManyAreScannedFor() {
    assertTrue(isLookedUp(DIRECT, 1));
    assertTrue(isLookedUp(DIRECT, 1000));
    assertTrue(!isLookedUp(DIRECT, ROWS / 4));
    assertTrue(!isLookedUp(new KeyCost(100, 1, 0, 0), 10));
  }

  /** A scan decodes everything once, and so does a batch of keys that are all over the column, but not each key. */
  @Test
  void whatIsDecodedWholeIsDearToLookUp() {
    assertTrue(isLookedUp(WHOLE, 1));
    assertTrue(WHOLE.lookUpNanos(1) > 20 * DIRECT.lookUpNanos(1));
    assertTrue(!isLookedUp(WHOLE, 10_000));
    final double ofOneBatch = WHOLE.lookUpNanos(4096) - DIRECT.lookUpNanos(4096);
    assertEquals(2 * ofOneBatch, WHOLE.lookUpNanos(8192) - DIRECT.lookUpNanos(8192), 1);
  }

  @Test
  void keysOfManyRowsTakeLonger() {
    assertTrue(new KeyCost(ROWS, 60, 0, 0).lookUpNanos(1) > 10 * DIRECT.lookUpNanos(1));
  }
}
