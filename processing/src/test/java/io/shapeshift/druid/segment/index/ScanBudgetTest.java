// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ScanBudgetTest {
  @Test
  void afterTheFirstScansMoreRowsHaveToBeOpen() {
    final ScanBudget budget = new ScanBudget();
    final double nanos = 1000 * ScanBudget.NANOS_PER_READ;
    for (int i = 0; i < ScanBudget.FIRST; i++) {
      assertTrue(budget.isWorthIt(nanos, 1000));
      assertFalse(budget.isWorthIt(nanos, 999));
      budget.scanned();
    }
    assertFalse(budget.isWorthIt(nanos, 1000));
    assertTrue(budget.isWorthIt(1000 * ScanBudget.NANOS_PER_MATCH, 1000));
  }

  /** No more than the first scans may take longer than a matcher, whether Druid asks for them in any case or not. */
  @Test
  void fewScansArePromised() {
    final ScanBudget budget = new ScanBudget();
    for (int i = 0; i < ScanBudget.FIRST; i++) {
      assertTrue(budget.promise());
    }
    assertFalse(budget.promise());
    assertFalse(budget.isWorthIt(1000 * ScanBudget.NANOS_PER_READ, 1000));
  }
}
