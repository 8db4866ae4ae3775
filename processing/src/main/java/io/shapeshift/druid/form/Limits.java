// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** Limits on the size of chunks, for all types and forms. */
public final class Limits {
  /** Greatest size of a payload in bytes, which is what Druid's own columns decompress at a time. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 16;
  /** Greatest number of values in an int chunk, if they are compressed from one byte each. */
  public static final int MAX_INTS_PER_CHUNK = MAX_PAYLOAD_BYTES;
  /** Greatest number of values in an int chunk that is read in place, or decoded to ints. */
  public static final int MAX_DIRECT_INTS = MAX_PAYLOAD_BYTES / Integer.BYTES;
  /** Upper bound of the size of a chunk in any form, including compressed data that has grown. */
  public static final int MAX_CHUNK_BYTES = MAX_PAYLOAD_BYTES + (1 << 13);

  /** Upper bound of the bytes before the payload of a codec. */
  public static final int MAX_CODEC_HEADER = 4;

  private Limits() {}
}
