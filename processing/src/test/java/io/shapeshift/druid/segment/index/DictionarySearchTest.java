// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.shapeshift.druid.testing.RandomData;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.druid.segment.data.GenericIndexed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Against a search of each value, with as many values for a dictionary as each way of searching takes. */
@ExtendWith(RandomData.Seeded.class)
class DictionarySearchTest {
  @Test
  void findsWhatASearchOfEachValueFinds(RandomData random) {
    for (int size : new int[] {0, 1, 2, 5, 31, 32, 33, 1000, 5000}) {
      // Every second number, so that others are found between them.
      final GenericIndexed<String> dictionary = GenericIndexed.fromIterable(
          IntStream.range(0, size).mapToObj(i -> text(2 * i + 1)).toList(), GenericIndexed.STRING_STRATEGY);
      for (int gap : new int[] {1, 3, 4, 5, 10, 31, 32, 100}) {
        for (int i = 0; i < 20; i++) {
          final int start = random.nextInt(2 * size + 2);
          final int range = random.oneOf(List.of(2 * size + 3 - start, (2 * size + 3 - start) / 10 + 1));
          // Sorted, and some of them several times.
          final List<String> values = IntStream.range(0, size / gap)
              .map(j -> start + random.nextInt(range))
              .sorted()
              .mapToObj(DictionarySearchTest::text)
              .toList();
          final int[] expected =
              values.stream().mapToInt(dictionary::indexOf).filter(id -> id >= 0).distinct().toArray();
          final IntArrayList ids = new IntArrayList();
          DictionarySearch.find(dictionary, Comparator.<String>naturalOrder(), values, ids);
          assertArrayEquals(expected, ids.toIntArray(), () -> values + " of " + dictionary.size());
        }
      }
    }
  }

  private static String text(int number) {
    return Integer.toString(10_000_000 + number);
  }
}
