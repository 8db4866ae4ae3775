// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.cost.CostModel;
import org.junit.jupiter.api.Test;

class ScanBudgetTest {
  @Test
  void afterTheFirstScansMoreRowsHaveToBeOpen() {
    final ScanBudget budget = new ScanBudget();
    final double nanos = 1000 * CostModel.Indexes.READ_NANOS;
    for (int i = 0; i < CostModel.Indexes.FIRST_SCANS; i++) {
      assertTrue(budget.isWorthIt(nanos, 1000));
      assertFalse(budget.isWorthIt(nanos, 999));
      budget.scanned();
    }
    assertFalse(budget.isWorthIt(nanos, 1000));
    assertTrue(budget.isWorthIt(1000 * CostModel.Indexes.MATCH_NANOS, 1000));
  }

  /** No more than the first scans may take longer than a matcher, whether Druid asks for them in any case or not. */
  @Test
  void fewScansArePromised() {
    final ScanBudget budget = new ScanBudget();
    for (int i = 0; i < CostModel.Indexes.FIRST_SCANS; i++) {
      assertTrue(budget.promise());
    }
    assertFalse(budget.promise());
    assertFalse(budget.isWorthIt(1000 * CostModel.Indexes.READ_NANOS, 1000));
  }
}
