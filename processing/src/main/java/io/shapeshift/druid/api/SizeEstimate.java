// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

/** Answer of an encoding to the question how many bytes a chunk would take. */
public final class SizeEstimate {
  private static final SizeEstimate SKIP = new SizeEstimate(-1);
  private static final SizeEstimate UNKNOWN = new SizeEstimate(0);

  private final int bytes;

  private SizeEstimate(int bytes) {
    this.bytes = bytes;
  }

  /** Returns the answer that the encoding cannot store the values, or should not. */
  public static SizeEstimate skip() {
    return SKIP;
  }

  /**
   * Returns the exact size.
   *
   * @param bytes what {@code encode} writes, at least 1
   * @throws IllegalArgumentException if there are no bytes
   */
  public static SizeEstimate exact(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes[" + bytes + "] must be at least 1");
    }
    return new SizeEstimate(bytes);
  }

  /**
   * Returns the answer that only encoding tells the size. Values are then encoded twice if the encoding is chosen. For
   * posting lists it is a {@link #skip}.
   */
  public static SizeEstimate unknown() {
    return UNKNOWN;
  }

  /** Returns whether the encoding is not used for the values. */
  public boolean isSkip() {
    return bytes < 0;
  }

  /** Returns whether {@link #bytes} is the exact size. */
  public boolean isExact() {
    return bytes > 0;
  }

  /** Returns the size in bytes; 0 or less unless it {@link #isExact}. */
  public int bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return isSkip() ? "skip" : isExact() ? "exact(" + bytes + ")" : "unknown";
  }
}
