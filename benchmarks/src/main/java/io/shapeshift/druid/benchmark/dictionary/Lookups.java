// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.druid.java.util.common.StringUtils;

/** Ids and values to look up in a dictionary, the same for all encodings. */
final class Lookups {
  private static final int COUNT = 1 << 14;
  private static final String END = "~";

  private final int[] random;
  private final int[] sorted;
  private final ByteBuffer[] hits;
  private final ByteBuffer[] misses;

  private Lookups(List<String> values, Random random) {
    this.random = random.ints(COUNT, 0, values.size()).toArray();
    this.sorted = this.random.clone();
    Arrays.sort(sorted);
    this.hits = random.ints(COUNT, 0, values.size())
        .mapToObj(id -> StringUtils.toUtf8ByteBuffer(values.get(id)))
        .toArray(ByteBuffer[]::new);
    this.misses = IntStream.range(0, COUNT).mapToObj(i -> miss(values, random)).toArray(ByteBuffer[]::new);
  }

  /** Chooses some of the sorted values. */
  static Lookups of(List<String> values, long seed) {
    return new Lookups(values, new Random(seed));
  }

  private static ByteBuffer miss(List<String> values, Random random) {
    String value = values.get(random.nextInt(values.size()));
    final int end = random.nextInt(value.length() + 1);
    value = value.substring(0, end > 0 && Character.isHighSurrogate(value.charAt(end - 1)) ? end - 1 : end) + END;
    while (Collections.binarySearch(values, value) >= 0) {
      value += END;
    }
    return StringUtils.toUtf8ByteBuffer(value);
  }

  /** Ids in random order. */
  int[] random() {
    return random;
  }

  /** The same ids, sorted. */
  int[] sorted() {
    return sorted;
  }

  /** Values that the dictionary has. */
  ByteBuffer[] hits() {
    return hits;
  }

  /** Values that the dictionary does not have: existing ones, cut at a random place, and another character. */
  ByteBuffer[] misses() {
    return misses;
  }
}
