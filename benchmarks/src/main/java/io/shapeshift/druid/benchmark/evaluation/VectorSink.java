// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import javax.annotation.Nullable;

/** Receiver of decoded vectors. The arrays are used again for the next vector. */
interface VectorSink {
  /**
   * Receives longs.
   *
   * @param nulls marks of rows without a value; null if there are none
   */
  void longs(long[] values, @Nullable boolean[] nulls, int length);

  /**
   * Receives doubles.
   *
   * @param nulls marks of rows without a value; null if there are none
   */
  void doubles(double[] values, @Nullable boolean[] nulls, int length);

  /** Receives texts. */
  void texts(TextVector values, int length);

  /** Vector of references to UTF-8. */
  @FunctionalInterface
  interface TextVector {
    /** Copies a text; null for a row without a value. */
    @Nullable
    byte[] copy(int i);
  }
}
