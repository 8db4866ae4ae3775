// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

/** Takes vectors of numbers of any type from a reader; each is valid until the reader reads again. */
public interface VectorConsumer {
  /** Takes the first {@code length} longs of an array. */
  void accept(long[] longs, int length);

  /** Takes doubles. */
  void accept(double[] doubles, int length);

  /** Takes floats. */
  void accept(float[] floats, int length);
}
