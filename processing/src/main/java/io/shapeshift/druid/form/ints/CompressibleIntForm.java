// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;

/**
 * A form whose chunk is its id, a byte of metadata (the size of a word or of a value) and a payload, which
 * {@code CompressedForm} may store compressed.
 */
public abstract class CompressibleIntForm implements IntForm {
  /** Whether compressed chunks have the byte of metadata; without it, it is the bytes of payload for each value. */
  public boolean tellsMetadata() {
    return true;
  }

  /** The byte of metadata for this chunk. */
  public abstract int metadata(IntChunk chunk);

  /** Bytes of the payload. */
  public abstract int payloadSize(IntChunk chunk);

  /** Appends the payload. */
  public abstract void encodePayload(IntChunk chunk, ByteBuffer out);

  /**
   * Transforms the reader so that it reads this payload.
   *
   * @param metadata whatever byte stands there
   * @throws MalformedChunkException if the payload has another number of values, or the metadata is not the form's
   */
  public abstract void transformPayload(
      int metadata, ByteBuffer payload, int offset, int length, IntChunkReader reader);

  @Override
  public Estimate estimate(IntChunk chunk) {
    return payloadSize(chunk) > Limits.MAX_PAYLOAD_BYTES
           ? Estimate.SKIP
           : Estimate.exact(1 + 1 + payloadSize(chunk));
  }

  @Override
  public final void encode(IntChunk chunk, ByteBuffer out) {
    out.put(id()).put((byte) metadata(chunk));
    encodePayload(chunk, out);
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, 2);
    transformPayload(chunk.get(offset + 1), chunk, offset + 2, length - 2, reader);
  }
}
