// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.form.strings.Utf8;

/**
 * Finder of separators: for each bucket except the first, the shortest prefix of its first text that is greater than
 * the last text of the bucket before.
 */
final class SeparatorFinder {
  private byte[] last = new byte[64];
  private int lastLength;

  /**
   * Returns the length of the prefix of the next bucket's first text that separates it from the bucket before; of no
   * use for the first bucket.
   */
  int next(TextSpill.Buckets buckets) {
    final int separator = 1 + Utf8.commonPrefix(last, lastLength, buckets.texts()[0], buckets.lengths()[0]);
    final int index = buckets.count() - 1;
    lastLength = buckets.lengths()[index];
    if (last.length < lastLength) {
      last = new byte[buckets.texts()[index].length];
    }
    System.arraycopy(buckets.texts()[index], 0, last, 0, lastLength);
    return separator;
  }
}
