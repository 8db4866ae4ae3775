// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import io.shapeshift.druid.form.MalformedChunkException;

/** Zstd context that decompresses blocks; for one thread at a time. It stays usable after a damaged block. */
final class BlockContext implements AutoCloseable {
  /** Approximate native memory of a context in bytes. */
  static final long BYTES = 100_000;

  private ZstdDecompressCtx context = new ZstdDecompressCtx();

  /**
   * Decompresses a zstd frame.
   *
   * @return the number of bytes
   * @throws MalformedChunkException if the frame is damaged
   */
  int decompress(ZstdDictDecompress dictionary, byte[] frame, int length, byte[] out) {
    try {
      context.loadDict(dictionary);
      return context.decompressByteArray(out, 0, out.length, frame, 0, length);
    } catch (RuntimeException e) {
      final ZstdDecompressCtx failed = context;
      context = new ZstdDecompressCtx();
      failed.close();
      throw new MalformedChunkException("A block does not decompress: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
