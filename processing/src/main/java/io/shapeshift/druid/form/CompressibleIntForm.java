// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;

/**
 * A form whose chunk is its id, a byte of metadata (the bytes per word) and a payload of words, which
 * {@link CompressedForm} may store compressed.
 */
abstract class CompressibleIntForm implements IntForm {
  /** Bytes per word of this chunk: 1 to 4. */
  abstract int numBytes(IntChunkMetrics metrics);

  /** Words of the payload. */
  abstract int numWords(IntChunkMetrics metrics);

  /** Appends the payload. */
  abstract void encodePayload(IntChunk chunk, ByteBuffer out);

  /**
   * Transforms the reader so that it reads this payload.
   *
   * @param numBytes bytes per word, 1 to 4
   * @throws MalformedChunkException if the payload is not one of so many values
   */
  abstract void transformPayload(int numBytes, ByteBuffer payload, int offset, int length, IntChunkReader reader);

  /** Bytes of the payload. */
  final int payloadSize(IntChunkMetrics metrics) {
    return numBytes(metrics) * numWords(metrics);
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    return Estimate.exact(1 + 1 + payloadSize(chunk.metrics()));
  }

  @Override
  public final void encode(IntChunk chunk, ByteBuffer out) {
    out.put(id()).put((byte) numBytes(chunk.metrics()));
    encodePayload(chunk, out);
  }

  @Override
  public final void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Layouts.checkLengthAtLeast(this, length, 2);
    transformPayload(readNumBytes(chunk, offset + 1), chunk, offset + 2, length - 2, reader);
  }

  /** Reads the byte of metadata. */
  final int readNumBytes(ByteBuffer chunk, int offset) {
    final int numBytes = chunk.get(offset);
    if (numBytes < 1 || numBytes > Integer.BYTES) {
      throw new MalformedChunkException(name() + " has words of " + numBytes + " bytes, expected 1 to 4");
    }
    return numBytes;
  }
}
