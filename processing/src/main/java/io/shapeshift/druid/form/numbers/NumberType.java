// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Limits;

/** Types of numbers in Druid. */
public enum NumberType {
  /** 64-bit integers. */
  LONG(Long.BYTES),
  /** 64-bit floating point numbers, stored as raw bits. */
  DOUBLE(Double.BYTES),
  /** 32-bit floating point numbers, stored as raw bits. */
  FLOAT(Float.BYTES);

  private final int bytes;

  NumberType(int bytes) {
    this.bytes = bytes;
  }

  /** Returns the size of a plain number in bytes. */
  public int bytes() {
    return bytes;
  }

  /** Returns the greatest number of numbers in a chunk, which is what Druid's own columns compress at a time. */
  public int maxValuesPerChunk() {
    return Limits.MAX_PAYLOAD_BYTES / bytes;
  }

  /**
   * Returns the sortable bits of a number: a long that sorts as Druid sorts the numbers, with -0 before 0. NaNs with
   * different bits have different sortable bits. They sort above infinity, or below negative infinity if their sign is
   * set, although Druid treats all of them as one number above infinity.
   *
   * @param bits raw bits; for a float, only the lowest 32 are used
   */
  public long sortable(long bits) {
    return switch (this) {
      case LONG -> bits;
      case DOUBLE -> bits ^ bits >> 63 >>> 1;
      case FLOAT -> (int) bits ^ (int) bits >> 31 >>> 1;
    };
  }

  /**
   * Returns the sortable bits of a double, or of the float nearest to it; not for longs. NaN has {@link #nanSortable}.
   */
  public long sortableOf(double number) {
    return sortable(this == FLOAT ? Float.floatToIntBits((float) number) : Double.doubleToLongBits(number));
  }

  /**
   * Returns the raw bits of sortable bits: the inverse of {@link #sortable}. For a float, only the lowest 32 bits are
   * used.
   */
  public long bits(long sortable) {
    // If the sign is set, all other bits are inverted, and inverting them again restores them.
    return sortable(sortable);
  }

  /** Returns the sortable bits of the NaN that represents all NaNs. */
  public long nanSortable() {
    return sortableOf(Double.NaN);
  }

  /** Returns the sortable bits of the least number, which is negative infinity except for longs. */
  public long leastSortable() {
    return switch (this) {
      case LONG -> Long.MIN_VALUE;
      case DOUBLE -> sortable(Double.doubleToLongBits(Double.NEGATIVE_INFINITY));
      case FLOAT -> sortable(Float.floatToIntBits(Float.NEGATIVE_INFINITY));
    };
  }

  /** Returns the sortable bits of the greatest number. */
  public long greatestSortable() {
    return switch (this) {
      case LONG -> Long.MAX_VALUE;
      case DOUBLE -> sortable(Double.doubleToLongBits(Double.POSITIVE_INFINITY));
      case FLOAT -> sortable(Float.floatToIntBits(Float.POSITIVE_INFINITY));
    };
  }
}
