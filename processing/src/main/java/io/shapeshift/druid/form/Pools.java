// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import com.google.common.base.Supplier;
import java.nio.ByteBuffer;
import me.lemire.integercompression.FastPFOR;
import me.lemire.integercompression.SkippableComposition;
import me.lemire.integercompression.VariableByte;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.collections.StupidPool;

/**
 * The arrays and buffers that encoding and decoding borrow. The pools keep a bounded number of each, shared by all
 * columns of the process; what is taken beyond that is left to the garbage collector when it is given back.
 */
final class Pools {
  /** Keeps at most 16 MB each of arrays and buffers for decoded chunks. */
  private static final int MAX_KEPT_CHUNKS = 256;
  /** Keeps what as many threads as there are processors use at once: about 1.5 MB each. */
  private static final int MAX_KEPT_WORKSPACES = Math.max(4, Runtime.getRuntime().availableProcessors());

  private static final StupidPool<int[]> INTS =
      pool("ints", () -> new int[Forms.MAX_INTS_PER_CHUNK], MAX_KEPT_CHUNKS);
  private static final StupidPool<ByteBuffer> BYTES =
      pool("bytes", () -> ByteBuffer.allocateDirect(Forms.MAX_PAYLOAD_BYTES), MAX_KEPT_CHUNKS);
  private static final StupidPool<FastPfor> FAST_PFOR = pool("FastPFOR", FastPfor::new, MAX_KEPT_WORKSPACES);
  private static final StupidPool<CompressionBuffers> COMPRESSION =
      pool("compression", CompressionBuffers::new, MAX_KEPT_WORKSPACES);

  private Pools() {}

  private static <T> StupidPool<T> pool(String name, Supplier<T> generator, int maxKept) {
    return new StupidPool<>("shapeshift " + name, generator, 0, maxKept);
  }

  /** An array for the values of a chunk. */
  static ResourceHolder<int[]> takeInts() {
    return INTS.take();
  }

  /** A direct buffer for the payload of a compressed chunk, of unknown byte order, position and limit. */
  static ResourceHolder<ByteBuffer> takeBytes() {
    return BYTES.take();
  }

  /** A FastPFOR codec with its arrays. */
  static ResourceHolder<FastPfor> takeFastPfor() {
    return FAST_PFOR.take();
  }

  /** Buffers for compressing a chunk. */
  static ResourceHolder<CompressionBuffers> takeCompressionBuffers() {
    return COMPRESSION.take();
  }

  /** JavaFastPFOR's codec, which is stateful and large, and room for the words of an encoded chunk. */
  static final class FastPfor {
    /** JavaFastPFOR wants its output to have 1024 ints to spare. */
    final int[] words = new int[Forms.MAX_INTS_PER_CHUNK + 2 * 1024];
    // Both would allocate direct buffers, which are slow to free; VariableByte for each chunk anew.
    final SkippableComposition codec = new SkippableComposition(
        new FastPFOR() {
          @Override
          protected ByteBuffer makeBuffer(int sizeInBytes) {
            return ByteBuffer.allocate(sizeInBytes);
          }
        },
        new VariableByte() {
          @Override
          protected ByteBuffer makeBuffer(int sizeInBytes) {
            return ByteBuffer.allocate(sizeInBytes);
          }
        }
    );
  }

  /** Room for a payload, for what a compressor makes of it, and for the best that any payload came to. */
  static final class CompressionBuffers {
    final ByteBuffer payload = ByteBuffer.allocateDirect(Forms.MAX_PAYLOAD_BYTES);
    ByteBuffer compressed = ByteBuffer.allocateDirect(Forms.MAX_CHUNK_BYTES);
    ByteBuffer best = ByteBuffer.allocateDirect(Forms.MAX_CHUNK_BYTES);

    void keepCompressed() {
      final ByteBuffer kept = compressed;
      compressed = best;
      best = kept;
    }
  }
}
