// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.testing.RandomData;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunStatisticsTest {
  @ParameterizedTest
  @CsvSource({
    // values, runs, values in runs, words of one byte
    "1 1 2 2 3 3,       0, 0, 6",
    "9 9 9 1 9 9 9 9 2, 2, 7, 6",
    "5 5 5,             1, 3, 2",
    "5,                 0, 0, 1",
    "3 2147483647 0 0,  0, 0, 4"
  })
  void countsRunsOfThreeAndMore(String values, int numRuns, int numValues, int wordsOfOne) {
    final int[] ints = Arrays.stream(values.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
    assertEquals(new RunStatistics(numRuns, numValues, wordsOfOne), RunStatistics.of(ints, ints.length));
  }

  /** Words of one byte hold runs up to 127; one or two values that remain stand alone. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "127, 2", "128, 3", "129, 4", "130, 4", "254, 4", "255, 5", "257, 6", "381, 6"})
  void splitsLongRunsIntoWordsOfOneByte(int length, int expectedWords) {
    assertEquals(expectedWords, RunStatistics.of(RandomData.constant(length, 1), length).wordsOfOne());
  }
}
