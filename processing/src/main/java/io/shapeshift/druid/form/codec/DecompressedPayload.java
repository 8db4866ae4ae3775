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
 * Decompressed payload of a reader's current chunk. The direct buffer has {@link Limits#MAX_PAYLOAD_BYTES}, and is
 * borrowed at first use from the pool of Druid's own columns.
 */
public final class DecompressedPayload {
  @Nullable
  private ResourceHolder<ByteBuffer> holder;

  /** Creates an object without a buffer. */
  public DecompressedPayload() {}

  /**
   * Decompresses a part of a chunk.
   *
   * @param codec  codec of the part
   * @param name   name of the form, for messages
   * @param chunk  in the column's byte order; position and limit may be changed
   * @param offset index in the buffer of the part's first byte
   * @param length bytes of the part, all within the buffer's capacity
   * @return a buffer in the chunk's byte order, with the payload from 0 to its limit; valid until {@link #release} or
   *     the next call
   * @throws MalformedChunkException if the codec reports damage, or the payload exceeds the buffer
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

  /** Returns the buffer to the pool. */
  public void release() {
    if (holder != null) {
      // The next user may be a stock column, which expects a cleared buffer.
      holder.get().clear();
      holder.close();
      holder = null;
    }
  }
}
