// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ColumnReadTest {
  @Test
  void eachNthRowHasAnN() {
    assertArrayEquals(new int[] {0, 2, 4}, ColumnRead.positions("every-2", 5));
    for (String name : new String[] {"every-0", "every--1", "every-", "some"}) {
      assertThrows(NumberFormatException.class, () -> ColumnRead.positions(name, 5), name);
    }
  }
}
