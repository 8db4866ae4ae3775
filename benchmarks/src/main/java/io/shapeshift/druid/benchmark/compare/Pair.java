// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.util.List;
import java.util.Objects;

/**
 * A benchmark that both sides measured.
 *
 * @param key     what was measured
 * @param before  by the old
 * @param after   by the new
 * @param old     how long the old took
 * @param now     how long the new takes
 * @param ratio   of the two
 * @param verdict what can be said of it
 */
record Pair(
    BenchmarkKey key,
    Measurement before,
    Measurement after,
    Sample old,
    Sample now,
    Ratio ratio,
    Verdict verdict
) {
  /** Whether it may have become slower, which another measurement would settle. */
  boolean isSuspect() {
    return verdict == Verdict.SLOWER || verdict == Verdict.PERHAPS_SLOWER;
  }

  /** Whether both sides tell a size, and not the same. */
  boolean hasOtherSize() {
    return before.sizeInBytes() != null && after.sizeInBytes() != null
        && !Objects.equals(before.sizeInBytes(), after.sizeInBytes());
  }

  /** Whether it takes more bytes. */
  boolean isLarger() {
    return hasOtherSize() && after.sizeInBytes() > before.sizeInBytes();
  }

  /** Whether the sides were not measured alike. */
  boolean hasOtherSettings() {
    return !before.settings().isMeasuredLike(after.settings());
  }

  /** Whether a side has but one fork. */
  boolean hasOneFork() {
    return List.of(before, after).stream().anyMatch(side -> side.forks().size() == 1);
  }
}
