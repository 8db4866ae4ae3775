// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;
import java.nio.ByteBuffer;

/** Buffers for a payload and its compressed bytes. */
public final class CompressionBuffers {
  /**
   * Greatest number of buffers kept, of 140 KB each. It exceeds the number of threads that write segments at a time,
   * because direct memory is freed slowly.
   */
  private static final int MAX_KEPT = 256;
  /** Pool of buffers. */
  public static final Pool<CompressionBuffers> POOL = Pool.of("compression", MAX_KEPT, CompressionBuffers::new);

  /** Payload to compress; direct. */
  public final ByteBuffer payload = ByteBuffer.allocateDirect(Limits.MAX_PAYLOAD_BYTES);
  /** Compressed bytes; direct, with room for incompressible data. */
  public final ByteBuffer compressed = ByteBuffer.allocateDirect(Limits.MAX_CHUNK_BYTES);

  private CompressionBuffers() {}
}
