// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

/** Consumer of vectors of numbers of any type; a vector is valid until the reader's next read. */
public interface VectorConsumer {
  /** Accepts the first {@code length} longs of an array. */
  void accept(long[] longs, int length);

  /** Accepts the first {@code length} doubles of an array. */
  void accept(double[] doubles, int length);

  /** Accepts the first {@code length} floats of an array. */
  void accept(float[] floats, int length);
}
