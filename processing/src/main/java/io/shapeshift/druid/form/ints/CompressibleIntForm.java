// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;

/**
 * Form whose chunk is its id, a byte of metadata (the size of a word or of a value) and a payload.
 * {@code CompressedForm} can compress the payload.
 */
public abstract class CompressibleIntForm implements IntForm {
  /**
   * Returns whether compressed chunks store the byte of metadata. If they do not, readers compute it as payload bytes
   * per value.
   */
  public boolean tellsMetadata() {
    return true;
  }

  /** Returns the byte of metadata for a chunk. */
  public abstract int metadata(IntChunk chunk);

  /** Returns the size of the payload in bytes. */
  public abstract int payloadSize(IntChunk chunk);

  /** Appends the payload. */
  public abstract void encodePayload(IntChunk chunk, ByteBuffer out);

  /**
   * Transforms the reader to a payload.
   *
   * @param metadata the stored byte, unchecked
   * @throws MalformedChunkException if the payload has another number of values, or the metadata is invalid
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
