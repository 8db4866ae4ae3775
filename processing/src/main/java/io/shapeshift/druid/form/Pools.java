// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import com.google.common.annotations.VisibleForTesting;
import com.google.common.base.Supplier;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import me.lemire.integercompression.FastPFOR;
import me.lemire.integercompression.SkippableComposition;
import me.lemire.integercompression.VariableByte;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.collections.StupidPool;

/**
 * The arrays and buffers that encoding and decoding borrow, shared by all columns of the process. The pools keep a
 * bounded number of each; what is taken beyond that is left to the garbage collector when it is given back.
 * Decompressed payloads are not among them: they come from the pool of Druid's own columns.
 */
final class Pools {
  /** At most 16 MB of heap. */
  private static final int MAX_KEPT_INTS = 256;
  /** One for each thread that decodes at the time, of 1.2 MB of heap each. */
  private static final int MAX_KEPT_CODECS = Math.max(4, Runtime.getRuntime().availableProcessors());
  /** One for each thread that encodes at the time, of 260 KB of heap each, and as many sets, of 390 KB each. */
  private static final int MAX_KEPT_ARRAYS = Math.max(4, Runtime.getRuntime().availableProcessors());
  /** More than threads that write segments at the time, as direct memory is slow to be freed; 140 KB each. */
  private static final int MAX_KEPT_COMPRESSION = 256;

  private static final StupidPool<int[]> INTS =
      pool("ints", () -> new int[Forms.MAX_DIRECT_INTS], MAX_KEPT_INTS);
  private static final StupidPool<FastPfor> FAST_PFOR = pool("FastPFOR", FastPfor::new, MAX_KEPT_CODECS);
  private static final StupidPool<PackingArrays> PACKING = pool("packing", PackingArrays::new, MAX_KEPT_ARRAYS);
  private static final StupidPool<DistinctInts> DISTINCT = pool("distinct", DistinctInts::new, MAX_KEPT_ARRAYS);
  private static final StupidPool<CompressionBuffers> COMPRESSION =
      pool("compression", CompressionBuffers::new, MAX_KEPT_COMPRESSION);

  private static final StupidPool<NumberArrays> NUMBERS = pool("numbers", NumberArrays::new, MAX_KEPT_ARRAYS);

  private Pools() {}

  private static <T> StupidPool<T> pool(String name, Supplier<T> generator, int maxKept) {
    return new StupidPool<>("shapeshift " + name, generator, 0, maxKept);
  }

  /** An array for the values of a chunk. */
  static ResourceHolder<int[]> takeInts() {
    return INTS.take();
  }

  /** A FastPFOR codec with its arrays. */
  static ResourceHolder<FastPfor> takeFastPfor() {
    return FAST_PFOR.take();
  }

  /** Arrays for packing a chunk. */
  static ResourceHolder<PackingArrays> takePackingArrays() {
    return PACKING.take();
  }

  /** Arrays for putting a chunk's numbers into a frame. */
  static ResourceHolder<NumberArrays> takeNumberArrays() {
    return NUMBERS.take();
  }

  /** A set for the distinct values of a chunk. */
  static ResourceHolder<DistinctInts> takeDistinctInts() {
    return DISTINCT.take();
  }

  /** Buffers for compressing a chunk. */
  static ResourceHolder<CompressionBuffers> takeCompressionBuffers() {
    return COMPRESSION.take();
  }

  /** How many arrays and buffers are borrowed now, as long as none was left to the garbage collector. */
  @VisibleForTesting
  static long borrowed() {
    return Stream.of(INTS, FAST_PFOR, PACKING, DISTINCT, NUMBERS, COMPRESSION)
        .mapToLong(pool -> pool.objectsCreatedCount() - pool.poolSize())
        .sum();
  }

  /** JavaFastPFOR's codec, which is stateful and large, and room for the words of an encoded chunk. */
  static final class FastPfor {
    /** JavaFastPFOR wants its output to have 1024 ints to spare. */
    final int[] words = new int[Forms.MAX_DIRECT_INTS + 2 * 1024];
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

  /** Room for what a direct form makes of a chunk's values before it packs them. */
  static final class PackingArrays {
    final int[] codes = new int[Forms.MAX_DIRECT_INTS];
    final int[] positions = new int[Forms.MAX_DIRECT_INTS];
    /** Words of 32 lanes may be half empty. */
    final int[] words = new int[2 * Forms.MAX_DIRECT_INTS];
  }

  /** Room for the integers that a chunk's numbers are taken for, and for the positions of those that are none. */
  static final class NumberArrays {
    final long[] values = new long[Forms.MAX_DIRECT_INTS];
    final int[] positions = new int[Forms.MAX_DIRECT_INTS];
  }

  /** Room for a payload, and for what a compressor makes of it. */
  static final class CompressionBuffers {
    final ByteBuffer payload = ByteBuffer.allocateDirect(Forms.MAX_PAYLOAD_BYTES);
    final ByteBuffer compressed = ByteBuffer.allocateDirect(Forms.MAX_CHUNK_BYTES);
  }
}
