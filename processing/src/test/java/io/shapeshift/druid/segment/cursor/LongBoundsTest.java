// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.cursor;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import javax.annotation.Nullable;
import org.apache.druid.query.filter.BoundDimFilter;
import org.apache.druid.query.ordering.StringComparators;
import org.apache.druid.segment.filter.BoundFilter;
import org.junit.jupiter.api.Test;

class LongBoundsTest {
  private static boolean agree(@Nullable String lower, @Nullable String upper) {
    return LongBounds.agree(new BoundFilter(
        new BoundDimFilter("l", lower, upper, false, true, null, null, StringComparators.NUMERIC)));
  }

  @Test
  void tellsBoundsThatIndexAndMatchersReadOtherwise() {
    assertTrue(agree("5", "7.5"));
    assertFalse(agree("5.00000000000000000001", null));
    assertFalse(agree(null, "9007199254740993"));
  }

  /** A matcher of such a bound writes out all of its digits, which takes minutes. */
  @Test
  void makesNoMatcherOfABoundThatIsInexact() {
    assertFalse(agree("1e999999999", null));
  }
}
