// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.index;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.shapeshift.druid.form.numbers.NumberType;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of lists that filters look for. Druid asks each segment of a query for the same list, of which numbers
 * are made and sorted once, for as long as somebody has the list and there is memory.
 */
final class ListedNumbers {
  private static final int MOST_LISTS = 64;
  private static final Map<NumberType, Cache<Collection<?>, Optional<FilterNumbers>>> LISTS =
      new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      // By identity: lists are not compared.
      LISTS.put(type, CacheBuilder.newBuilder().weakKeys().softValues().maximumSize(MOST_LISTS).build());
    }
  }

  private ListedNumbers() {}

  /**
   * The numbers of a list.
   *
   * @param values not to be changed any more
   * @return nothing if {@link FilterNumbers#in} does not tell
   */
  static Optional<FilterNumbers> of(NumberType type, Collection<?> values) {
    return LISTS.get(type).asMap().computeIfAbsent(values, list -> Optional.ofNullable(FilterNumbers.in(type, list)));
  }
}
