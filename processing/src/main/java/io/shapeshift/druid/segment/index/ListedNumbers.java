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
 * Cache of the numbers in filters' lists. Druid passes the same list object to each segment of a query, so its numbers
 * are converted and sorted once. An entry lives as long as the list is referenced and memory is sufficient.
 */
final class ListedNumbers {
  private static final int MOST_LISTS = 64;
  private static final Map<NumberType, Cache<Collection<?>, Optional<FilterNumbers>>> LISTS =
      new EnumMap<>(NumberType.class);

  static {
    for (NumberType type : NumberType.values()) {
      // Weak keys compare lists by identity, not by content.
      LISTS.put(type, CacheBuilder.newBuilder().weakKeys().softValues().maximumSize(MOST_LISTS).build());
    }
  }

  private ListedNumbers() {}

  /**
   * Numbers of a list.
   *
   * @param values list that is not modified any more
   * @return empty if {@link FilterNumbers#in} returns null
   */
  static Optional<FilterNumbers> of(NumberType type, Collection<?> values) {
    return LISTS.get(type).asMap().computeIfAbsent(values, list -> Optional.ofNullable(FilterNumbers.in(type, list)));
  }
}
