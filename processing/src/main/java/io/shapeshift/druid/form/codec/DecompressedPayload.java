// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.segment.CompressedPools;

/**
 * The decompressed payload of the chunk that a reader reads: a direct buffer of {@link Limits#MAX_PAYLOAD_BYTES}, which
 * is borrowed from the pool of Druid's own columns when it is first needed.
 */
public final class DecompressedPayload {
  @Nullable
  private ResourceHolder<ByteBuffer> holder;

  /** Makes one that has borrowed nothing. */
  public DecompressedPayload() {}

  /**
   * Decompresses a part of a chunk.
   *
   * @param codec  that the part is compressed with
   * @param name   of the form, for messages
   * @param chunk  in the column's byte order; position and limit may be changed
   * @param offset index in the buffer of the part's first byte
   * @param length bytes of the part, all within the buffer's capacity
   * @return a buffer in the chunk's byte order with the payload from 0 to its limit, until {@link #release} or the next
   *     payload
   * @throws MalformedChunkException if the codec finds the part damaged, or the payload has no room
   */
  public ByteBuffer decompress(Codec codec, String name, ByteBuffer chunk, int offset, int length) {
    final ByteBuffer payload = buffer(chunk.order());
    try {
      chunk.limit(offset + length).position(offset);
      codec.decompress(chunk, length, payload);
    } catch (RuntimeException e) {
      throw new MalformedChunkException(name + " cannot be decompressed: " + e.getMessage(), e);
    }
    return payload;
  }

  private ByteBuffer buffer(ByteOrder order) {
    if (holder != null && holder.get().order() != order) {
      release();
    }
    if (holder == null) {
      holder = CompressedPools.getByteBuf(order);
    }
    return holder.get().clear();
  }

  /** Gives the buffer back, if there is one. */
  public void release() {
    if (holder != null) {
      // Its next user may be a column of Druid's, which expects it so.
      holder.get().clear();
      holder.close();
      holder = null;
    }
  }
}
