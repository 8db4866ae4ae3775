// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.RandomData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntChunkMetricsTest {
  @Test
  void countsRunsOfThreeAndMore() {
    assertEquals(new IntChunkMetrics(6, 1, 3, 0, 0, 0, 6), of(1, 1, 2, 2, 3, 3));
    assertEquals(new IntChunkMetrics(9, 1, 9, 2, 4, 7, 6), of(9, 9, 9, 1, 9, 9, 9, 9, 2));
    assertEquals(new IntChunkMetrics(3, 5, 5, 1, 3, 3, 2), of(5, 5, 5));
    assertEquals(new IntChunkMetrics(1, 5, 5, 0, 0, 0, 1), of(5));
  }

  @Test
  void looksAtTheFirstValuesOnly() {
    assertEquals(of(4, 2, 3), IntChunkMetrics.of(new int[] {4, 2, 3, 0, 99}, 3));
  }

  @Test
  void tellsConstantAndZero() {
    assertTrue(of(0, 0).isZero());
    assertTrue(of(0, 0).isConstant());
    assertTrue(of(7, 7).isConstant());
    assertFalse(of(7, 7).isZero());
    assertFalse(of(7, 8).isConstant());
    assertFalse(of(0, 8).isZero());
  }

  /** Words of one byte hold runs up to 127; one or two values that remain stand alone. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "127, 2", "128, 3", "129, 4", "130, 4", "254, 4", "255, 5", "257, 6", "381, 6"})
  void splitsLongRunsIntoWordsOfOneByte(int length, int expectedWords) {
    assertEquals(expectedWords, of(RandomData.constant(length, 1)).wordsOfOne());
  }

  private static IntChunkMetrics of(int... values) {
    return IntChunkMetrics.of(values, values.length);
  }
}
