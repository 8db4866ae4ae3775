// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import io.shapeshift.druid.form.Findings;
import java.nio.ByteOrder;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.druid.collections.ResourceHolder;

/**
 * Cache of compressed blocks of a form's chunks. Each block is compressed only once, because compression is most of the
 * encoding time.
 */
public final class CompressedBlocks {
  private final Object[] owners;

  /**
   * Creates a cache.
   *
   * @param variants number of payloads that the form may compress for a chunk
   */
  public CompressedBlocks(int variants) {
    owners = Stream.generate(Object::new).limit(2L * variants).toArray();
  }

  /**
   * Returns the block of a chunk, compressing it if necessary.
   *
   * @param variant  number of the payload
   * @param order    byte order of the payload
   * @param compress leaves the block in the buffers and returns its length
   */
  public byte[] get(Findings findings, int variant, ByteOrder order, ToIntFunction<CompressionBuffers> compress) {
    return findings.once(owner(variant, order), byte[].class, () -> {
      try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
        final byte[] block = new byte[compress.applyAsInt(holder.get())];
        holder.get().compressed.get(block);
        return block;
      }
    });
  }

  /** Returns whether the block of a chunk is in the cache. */
  public boolean has(Findings findings, int variant, ByteOrder order) {
    return findings.has(owner(variant, order));
  }

  private Object owner(int variant, ByteOrder order) {
    return owners[2 * variant + (order == ByteOrder.LITTLE_ENDIAN ? 0 : 1)];
  }
}
