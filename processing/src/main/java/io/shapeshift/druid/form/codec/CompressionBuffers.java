// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.Pool;
import java.nio.ByteBuffer;

/** Room for a payload, and for what a compressor makes of it. */
public final class CompressionBuffers {
  /** More than threads that write segments at the time, as direct memory is slow to be freed; 140 KB each. */
  private static final int MAX_KEPT = 256;
  /** Lends such buffers. */
  public static final Pool<CompressionBuffers> POOL = Pool.of("compression", MAX_KEPT, CompressionBuffers::new);

  /** What is to be compressed; direct. */
  public final ByteBuffer payload = ByteBuffer.allocateDirect(Limits.MAX_PAYLOAD_BYTES);
  /** What the compressor makes of it; direct, with room for data that does not compress. */
  public final ByteBuffer compressed = ByteBuffer.allocateDirect(Limits.MAX_CHUNK_BYTES);

  private CompressionBuffers() {}
}
