// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import io.shapeshift.druid.segment.spec.EncodedType;

/**
 * Column under a target, and the same column in Druid's encoding.
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
  /** Size in bytes below which no column size is promised, because most bytes of such small columns are headers. */
  private static final int MIN_BYTES = 2048;

  /** Our bytes divided by Druid's. */
  double size() {
    return (double) sizeInBytes / druidBytes;
  }

  /** Returns whether the size of the column is promised. */
  boolean counts() {
    return sizeInBytes > MIN_BYTES;
  }

  /** Returns whether the column is larger than promised. */
  boolean isTooLarge() {
    return counts() && size() > promise.greatestSize();
  }
}
