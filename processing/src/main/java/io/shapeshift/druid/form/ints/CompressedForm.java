// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.CodecForm;
import io.shapeshift.druid.form.DecodeCost;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.CompressionBuffers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.druid.collections.ResourceHolder;

/**
 * The payload of another form, compressed. Each codec is a form with an id of its own.
 *
 * <pre>
 * | bytes | content                                                                                         |
 * |-------|-------------------------------------------------------------------------------------------------|
 * | 1     | form id: 5 for LZ4 (block format), 7 for Zstandard                                              |
 * | 1     | form id of the inner form: 3 (bytepack), 4 (rle), 13 (shuffle), 14 (bytedictionary), 15 (bits)  |
 * | 1     | metadata of the inner form: its second byte, numBytes or width                                  |
 * | rest  | payload of the inner form, all that follows these two, compressed to one block                  |
 * </pre>
 * Example, little-endian: 32 values 1 200 1 200 ... as bytepack under LZ4 are
 * {@code 05 03 01 2f 01 c8 02 00 06 50 c8 01 c8 01 c8}, and under Zstandard
 * {@code 07 03 01 28 b5 2f fd 20 20 4d 00 00 18 01 c8 01 01 00 dd 6e 08}.
 *
 * <p>Reading decompresses the chunk once, into a pooled buffer, and then reads the inner form there.
 */
public final class CompressedForm implements CodecForm<IntChunk, IntChunkReader>, IntForm {
  static final byte LZ4_ID = 5;
  static final byte ZSTD_ID = 7;
  private static final int HEADER_SIZE = 3;
  /** Columns of both byte orders choose alike. */
  private static final ByteOrder JUDGED_ORDER = ByteOrder.LITTLE_ENDIAN;

  private final byte id;
  private final Codec codec;
  /** Those that are tried; the first is that of Druid's own columns. */
  private final List<CompressibleIntForm> innerForms;
  private final Codec.Effort effort;

  CompressedForm(
      byte id,
      Codec codec,
      List<CompressibleIntForm> innerForms,
      Codec.Effort effort
  ) {
    this.id = id;
    this.codec = codec;
    this.innerForms = innerForms;
    this.effort = effort;
  }

  /** The same form for those who have less time to store chunks. */
  public CompressedForm with(Codec.Effort newEffort) {
    return new CompressedForm(id, codec, innerForms, newEffort);
  }

  @Override
  public byte id() {
    return id;
  }

  @Override
  public String name() {
    return codec.toString();
  }

  @Override
  public DecodeCost cost() {
    return codec.cost();
  }

  @Override
  public double scanNanos(IntChunk chunk) {
    return 0.7;
  }

  @Override
  public double allowedOverDruid(OptimizationTarget target) {
    return codec.allowedOverDruid(target);
  }

  private CompressibleIntForm plain() {
    return innerForms.get(0);
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    return plain().estimate(chunk).kind() == Estimate.Kind.SKIP ? Estimate.SKIP : Estimate.TRY;
  }

  @Override
  public Trial tryQuickly(IntChunk chunk) {
    final Choice choice = choose(chunk);
    return new Trial(HEADER_SIZE + choice.bytes, HEADER_SIZE + choice.plainBytes);
  }

  @Override
  public int bestSize(IntChunk chunk) {
    return thoroughSize(choose(chunk).inner, chunk);
  }

  @Override
  public int plainSize(IntChunk chunk) {
    return thoroughSize(plain(), chunk);
  }

  private int thoroughSize(CompressibleIntForm inner, IntChunk chunk) {
    try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
      return HEADER_SIZE + compress(inner, chunk, JUDGED_ORDER, effort, holder.get());
    }
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final Choice choice = choose(chunk);
    final int start = out.position();
    try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
      final CompressionBuffers buffers = holder.get();
      final int bytes = compress(choice.inner, chunk, out.order(), effort, buffers);
      put(choice.inner, chunk, buffers, out);
      // The quick variant may have chosen wrongly: the thorough one finds more repetitions in Druid's own form.
      if (choice.inner != plain()
          && compress(plain(), chunk, out.order(), effort, buffers) < bytes) {
        put(plain(), chunk, buffers, out.position(start));
      }
    }
  }

  private void put(CompressibleIntForm inner, IntChunk chunk, CompressionBuffers buffers, ByteBuffer out) {
    out.put(id).put(inner.id()).put((byte) inner.metadata(chunk)).put(buffers.compressed);
  }

  /** The inner form that is the smallest by the codec's quickest variant; the same for both byte orders. */
  private record Choice(CompressibleIntForm inner, int bytes, int plainBytes) {}

  private Choice choose(IntChunk chunk) {
    return chunk.metrics().once(this, Choice.class, () -> {
      CompressibleIntForm best = plain();
      int bestBytes = Integer.MAX_VALUE;
      int plainBytes = 0;
      try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
        for (CompressibleIntForm inner : innerForms) {
          if (!isWorthTrying(inner, chunk)) {
            continue;
          }
          final int bytes = compress(inner, chunk, JUDGED_ORDER, Codec.Effort.QUICK, holder.get());
          if (inner == plain()) {
            plainBytes = bytes;
          }
          if (bytes < bestBytes) {
            best = inner;
            bestBytes = bytes;
          }
        }
      }
      return new Choice(best, bestBytes, plainBytes);
    });
  }

  /** Leaves the compressed payload in the buffers. */
  private int compress(
      CompressibleIntForm inner,
      IntChunk chunk,
      ByteOrder order,
      Codec.Effort effort,
      CompressionBuffers buffers
  ) {
    final ByteBuffer payload = buffers.payload.clear().order(order);
    inner.encodePayload(chunk, payload);
    codec.compress(payload.flip(), buffers.compressed.clear(), effort);
    return buffers.compressed.flip().remaining();
  }

  /** Whether an inner form has anything to say of the chunk, and in no more bytes than the first, always tried. */
  private boolean isWorthTrying(CompressibleIntForm inner, IntChunk chunk) {
    return inner == plain()
        || (inner.estimate(chunk).kind() != Estimate.Kind.SKIP
            && inner.payloadSize(chunk) <= plain().payloadSize(chunk));
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE + 1);
    final CompressibleIntForm inner = innerForm(chunk.get(offset + 1));
    final int metadata = chunk.get(offset + 2);
    final ByteBuffer payload = reader.decompress(codec, name(), chunk, offset + HEADER_SIZE, length - HEADER_SIZE);
    inner.transformPayload(metadata, payload, 0, payload.limit(), reader);
  }

  @Override
  public String compressedName(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE + 1);
    return innerForm(chunk.get(offset + 1)).name();
  }

  private CompressibleIntForm innerForm(byte innerId) {
    for (CompressibleIntForm inner : innerForms) {
      if (inner.id() == innerId) {
        return inner;
      }
    }
    throw new MalformedChunkException(name() + " holds form " + innerId + ", which cannot be compressed");
  }
}
