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
   * A key by which numbers are ordered as Druid orders them: -0 before 0. Bits that are not a number, of which there
   * are many, have keys above infinity, or below negative infinity if their sign is set, though Druid takes all of them
   * for one number above infinity.
   *
   * @param bits of a float the lowest 32 count
   */
  public long key(long bits) {
    return switch (this) {
      case LONG -> bits;
      case DOUBLE -> bits ^ bits >> 63 >>> 1;
      case FLOAT -> (int) bits ^ (int) bits >> 31 >>> 1;
    };
  }

  /**
   * The key of a number, not of a long: of a float that of the one that is nearest. What is not a number has
   * {@link #nanKey}.
   */
  public long keyOf(double number) {
    return key(this == FLOAT ? Float.floatToIntBits((float) number) : Double.doubleToLongBits(number));
  }

  /** The bits of a key; of a float the lowest 32 count. */
  public long bits(long key) {
    // Where the sign is set, all other bits were inverted.
    return key(key);
  }

  /** Key of the number that Druid takes all bits for that are not a number. */
  public long nanKey() {
    return keyOf(Double.NaN);
  }

  /** Key of the least number, which is infinite in types that have infinity. */
  public long leastKey() {
    return switch (this) {
      case LONG -> Long.MIN_VALUE;
      case DOUBLE -> key(Double.doubleToLongBits(Double.NEGATIVE_INFINITY));
      case FLOAT -> key(Float.floatToIntBits(Float.NEGATIVE_INFINITY));
    };
  }

  /** Key of the greatest number. */
  public long greatestKey() {
    return switch (this) {
      case LONG -> Long.MAX_VALUE;
      case DOUBLE -> key(Double.doubleToLongBits(Double.POSITIVE_INFINITY));
      case FLOAT -> key(Float.floatToIntBits(Float.POSITIVE_INFINITY));
    };
  }
}
