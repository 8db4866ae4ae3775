// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.segment.spec.EncodedType;

/**
 * A column under a target, and the same in Druid's encoding.
 *
 * @param shape       name of the shape
 * @param rows        number of rows
 * @param sizeInBytes of the shape-shifting rows
 * @param druidBytes  of Druid's
 * @param forms       the forms of its chunks, and how many chunks are in each
 */
record StoredColumn(
    EncodedType type,
    String shape,
    Promise promise,
    int rows,
    long sizeInBytes,
    long druidBytes,
    String forms
) {
  /** Smaller columns may be of any size: headers are most of them. */
  private static final int MIN_BYTES = 2048;

  /** Bytes by Druid's. */
  double size() {
    return (double) sizeInBytes / druidBytes;
  }

  /** Whether something is promised of its size. */
  boolean counts() {
    return sizeInBytes > MIN_BYTES;
  }

  /** Whether it is larger than promised. */
  boolean isTooLarge() {
    return counts() && size() > promise.greatestSize();
  }
}
