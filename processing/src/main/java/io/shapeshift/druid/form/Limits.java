// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

/** How large chunks can be, of any type and in any form. */
public final class Limits {
  /** Bytes of the largest payload of a form: as many as Druid's own columns decompress at once. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 16;
  /** Values of the largest int chunk, if they are compressed from a byte each. */
  public static final int MAX_INTS_PER_CHUNK = MAX_PAYLOAD_BYTES;
  /** Values of the largest int chunk that is read where it lies, or decoded to ints. */
  public static final int MAX_DIRECT_INTS = MAX_PAYLOAD_BYTES / Integer.BYTES;
  /** Bytes that suffice for a chunk in any form, compressed data that grew included. */
  public static final int MAX_CHUNK_BYTES = MAX_PAYLOAD_BYTES + (1 << 13);

  /** Bytes that suffice for what stands before the payload of a codec. */
  public static final int MAX_CODEC_HEADER = 4;

  private Limits() {}
}
