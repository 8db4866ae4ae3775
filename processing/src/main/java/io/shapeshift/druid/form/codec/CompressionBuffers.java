// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import java.nio.ByteBuffer;
import org.apache.druid.java.util.common.ByteBufferUtils;

/** Buffers for a payload and its compressed bytes. */
public final class CompressionBuffers {
  /** Pool of buffers, whose holders' buffers must not be used after they are closed: their memory may be freed. */
  public static final Pool<CompressionBuffers> POOL = Pools.ofProcess().direct(
      "compression",
      Limits.MAX_PAYLOAD_BYTES + Limits.MAX_CHUNK_BYTES,
      CompressionBuffers::new,
      CompressionBuffers::free
  );

  /** Payload to compress; direct. */
  public final ByteBuffer payload = ByteBuffer.allocateDirect(Limits.MAX_PAYLOAD_BYTES);
  /** Compressed bytes; direct, with room for incompressible data. */
  public final ByteBuffer compressed = ByteBuffer.allocateDirect(Limits.MAX_CHUNK_BYTES);

  private CompressionBuffers() {}

  private void free() {
    ByteBufferUtils.free(payload);
    ByteBufferUtils.free(compressed);
  }
}
