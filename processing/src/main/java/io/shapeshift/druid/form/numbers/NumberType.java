// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Limits;

/** The types of numbers that Druid stores. */
public enum NumberType {
  /** 64-bit integers. */
  LONG(Long.BYTES),
  /** 64-bit floating point numbers, taken by their raw bits. */
  DOUBLE(Double.BYTES),
  /** 32-bit floating point numbers, taken by their raw bits. */
  FLOAT(Float.BYTES);

  private final int bytes;

  NumberType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of a number as it is. */
  public int bytes() {
    return bytes;
  }

  /** The most numbers of a chunk: as many as Druid's own columns compress at once. */
  public int maxValuesPerChunk() {
    return Limits.MAX_PAYLOAD_BYTES / bytes;
  }

  /**
   * Sortable bits of a number: longs that are ordered as Druid orders the numbers, -0 before 0. Bits that are not a
   * number, of which there are many, come above infinity, or below negative infinity if their sign is set, though Druid
   * takes all of them for one number above infinity.
   *
   * @param bits of a float the lowest 32 count
   */
  public long sortable(long bits) {
    return switch (this) {
      case LONG -> bits;
      case DOUBLE -> bits ^ bits >> 63 >>> 1;
      case FLOAT -> (int) bits ^ (int) bits >> 31 >>> 1;
    };
  }

  /**
   * Sortable bits of a double, or of the float nearest to it; not for longs. What is not a number has
   * {@link #nanSortable}.
   */
  public long sortableOf(double number) {
    return sortable(this == FLOAT ? Float.floatToIntBits((float) number) : Double.doubleToLongBits(number));
  }

  /** The inverse of {@link #sortable}; of a float the lowest 32 bits count. */
  public long bits(long sortable) {
    // Where the sign is set, all other bits were inverted.
    return sortable(sortable);
  }

  /** Sortable bits of the number that Druid takes all bits for that are not a number. */
  public long nanSortable() {
    return sortableOf(Double.NaN);
  }

  /** Sortable bits of the least number, which is infinite in types that have infinity. */
  public long leastSortable() {
    return switch (this) {
      case LONG -> Long.MIN_VALUE;
      case DOUBLE -> sortable(Double.doubleToLongBits(Double.NEGATIVE_INFINITY));
      case FLOAT -> sortable(Float.floatToIntBits(Float.NEGATIVE_INFINITY));
    };
  }

  /** Sortable bits of the greatest number. */
  public long greatestSortable() {
    return switch (this) {
      case LONG -> Long.MAX_VALUE;
      case DOUBLE -> sortable(Double.doubleToLongBits(Double.POSITIVE_INFINITY));
      case FLOAT -> sortable(Float.floatToIntBits(Float.POSITIVE_INFINITY));
    };
  }
}
