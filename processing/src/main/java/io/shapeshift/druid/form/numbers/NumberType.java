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
}
