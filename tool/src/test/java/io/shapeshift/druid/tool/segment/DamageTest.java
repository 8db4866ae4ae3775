// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** What damaged bytes make of readers is damage, and what intact ones may is not. */
class DamageTest {
  private static long[] array(int length) {
    return Damage.reading("the row part", () -> new long[length]);
  }

  @Test
  void tooLittleMemoryIsNoDamage() {
    final OutOfMemoryError e = new OutOfMemoryError("Java heap space");
    assertSame(e, assertThrows(OutOfMemoryError.class, () -> Damage.reading("the row part", () -> {
      throw e;
    })));
  }

  @Test
  void whatNoMemoryIsEnoughForIsDamage() {
    assertEquals(
        "the row part: it takes more memory than Java can give it",
        assertThrows(Damage.class, () -> array(Integer.MAX_VALUE)).getMessage()
    );
    assertEquals(
        "the row part: NegativeArraySizeException: -1",
        assertThrows(Damage.class, () -> array(-1)).getMessage()
    );
  }
}
