// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.druidtests;

import com.google.common.base.Splitter;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.util.List;
import java.util.Locale;
import javax.annotation.Nullable;

/**
 * Encoding of the segments that Druid's tests write.
 *
 * @param name as the agent is given it
 * @param target null where all columns are Druid's own, to see which tests fail without us
 * @param isV10 whether segments are V10
 * @param logBlockBytes base 2 logarithm of the size of blocks, which may be smaller than any that an operator can
 *     choose, so that small segments have many chunks
 * @param hasHashIndexes whether each column of numbers has a hash index
 * @param isOffHeap whether rows are off the heap while they are in memory
 */
record Encoding(
    String name,
    @Nullable OptimizationTarget target,
    boolean isV10,
    int logBlockBytes,
    boolean hasHashIndexes,
    boolean isOffHeap
) {
  /**
   * Parses the agent's argument: a target or {@code stock}, {@code v9} or {@code v10}, the logarithm of the size of
   * blocks, {@code hash} or {@code nohash}, and optionally {@code offheap}, separated by commas.
   *
   * @throws IllegalArgumentException for anything else
   */
  static Encoding parse(String text) {
    final List<String> parts = Splitter.on(',').splitToList(text.toUpperCase(Locale.ROOT));
    final boolean isOffHeap = parts.size() == 5 && parts.get(4).equals("OFFHEAP");
    if (parts.size() != (isOffHeap ? 5 : 4)
        || !List.of("V9", "V10").contains(parts.get(1))
        || !List.of("HASH", "NOHASH").contains(parts.get(3))) {
      throw new IllegalArgumentException("Not an encoding as smaller,v9,9,hash,offheap is: " + text);
    }
    return new Encoding(
        text,
        parts.get(0).equals("STOCK") ? null : OptimizationTarget.valueOf(parts.get(0)),
        parts.get(1).equals("V10"),
        Integer.parseInt(parts.get(2)),
        parts.get(3).equals("HASH"),
        isOffHeap
    );
  }
}
