// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.codec.Codec;
import io.shapeshift.druid.form.codec.CompressedBlocks;
import io.shapeshift.druid.form.codec.CompressionBuffers;
import io.shapeshift.druid.form.codec.Lz4Sequences;
import io.shapeshift.druid.form.codec.StockCodecForm;
import io.shapeshift.druid.form.ints.CompressibleIntForm;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.druid.collections.ResourceHolder;

/**
 * Compressed payload of another form. Each codec is a form with its own id.
 *
 * <pre>
 * | bytes | content                                                                                      |
 * |-------|----------------------------------------------------------------------------------------------|
 * | 1     | form id: 5 for LZ4 (block format), 7 for Zstandard                                           |
 * | 1     | form id of the inner form: 3 (bytepack), 13 (shuffle), 14 (bytedictionary), 15 (bits);       |
 * |       | for Zstandard also 4 (rle)                                                                   |
 * | 0, 1  | metadata of the inner form: its second byte, numBytes or width; absent for bytepack, because |
 * |       | the length of the payload determines it                                                      |
 * | rest  | payload of the inner form, everything after these two, compressed to one block               |
 * </pre>
 * Example, little-endian: 32 values 1 200 1 200 ... as bytepack under LZ4 are
 * {@code 05 03 2f 01 c8 02 00 06 50 c8 01 c8 01 c8}, and under Zstandard
 * {@code 07 03 28 b5 2f fd 20 20 4d 00 00 18 01 c8 01 01 00 dd 6e 08}.
 *
 * <p>A reader decompresses the chunk once, into a pooled buffer, and then reads the inner form there.
 */
public final class CompressedForm implements StockCodecForm<IntChunk, IntChunkReader>, IntForm {
  public static final byte LZ4_ID = 5;
  public static final byte ZSTD_ID = 7;
  private static final int MIN_HEADER_SIZE = 2;
  /** Byte order of all trials, so that columns of both byte orders make the same choice. */
  private static final ByteOrder JUDGED_ORDER = ByteOrder.LITTLE_ENDIAN;

  private final byte id;
  private final Codec codec;
  /** Inner forms to try; the first is that of Druid's own columns. */
  private final List<CompressibleIntForm> innerForms;
  private final Codec.Effort effort;
  /** Whether an inner form must decompress as fast as the plain one under every target. */
  private final boolean keepsPace;
  /** Compressed blocks by the index of the inner form. */
  private final CompressedBlocks blocks;

  public CompressedForm(
      byte id,
      Codec codec,
      List<CompressibleIntForm> innerForms,
      Codec.Effort effort,
      boolean keepsPace
  ) {
    this.id = id;
    this.codec = codec;
    this.innerForms = innerForms;
    this.effort = effort;
    this.keepsPace = keepsPace;
    this.blocks = new CompressedBlocks(innerForms.size());
  }

  /** Returns the same form for the ints of numbers, with a lower compression effort and no speed limit of its own. */
  public CompressedForm forNumbers() {
    return new CompressedForm(id, codec, innerForms, Codec.Effort.MODERATE, false);
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
    return CostModel.Codecs.SCAN_NANOS;
  }

  @Override
  public double allowedOverDruid(OptimizationTarget target) {
    return codec.allowedOverDruid(target);
  }

  /**
   * Returns whether Druid's own LZ4 block decompresses in less than {@code nanos} per value, judged by the quick level
   * of LZ4.
   */
  public boolean isDecompressedFasterThan(double nanos, IntChunk chunk) {
    return nanos > 0 && nanosOfPlain(chunk) < nanos * chunk.size();
  }

  private double nanosOfPlain(IntChunk chunk) {
    return chunk.statistics().findings().once(plain(), Double.class, () -> {
      try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
        compress(plain(), chunk, JUDGED_ORDER, Codec.Effort.QUICK, holder.get());
        return nanos(plain(), chunk, holder.get());
      }
    });
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
    return new Trial(headerSize(choice.inner) + choice.bytes, headerSize(plain()) + choice.plainBytes);
  }

  @Override
  public int bestSize(IntChunk chunk) {
    final CompressibleIntForm inner = choose(chunk).inner;
    return headerSize(inner) + block(inner, chunk, JUDGED_ORDER).length;
  }

  /** Returns the block, compressed with this form's effort. */
  private byte[] block(CompressibleIntForm inner, IntChunk chunk, ByteOrder order) {
    return blocks.get(
        chunk.statistics().findings(),
        innerForms.indexOf(inner),
        order,
        buffers -> compress(inner, chunk, order, effort, buffers)
    );
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final Choice choice = choose(chunk);
    out.put(id).put(choice.inner.id());
    if (choice.inner.tellsMetadata()) {
      out.put((byte) choice.inner.metadata(chunk));
    }
    out.put(block(choice.inner, chunk, out.order()));
  }

  @Override
  public Codec codec() {
    return codec;
  }

  @Override
  public boolean prefersPlain(IntChunk chunk) {
    return choose(chunk).inner == plain();
  }

  @Override
  public byte[] stockBlock(IntChunk chunk, ByteOrder order) {
    return block(plain(), chunk, order);
  }

  @Override
  public boolean knowsStockBlock(IntChunk chunk, ByteOrder order) {
    return blocks.has(chunk.statistics().findings(), 0, order);
  }

  @Override
  public void encodeStock(byte[] block, ByteBuffer out) {
    out.put(id).put(plain().id()).put(block);
  }

  private static int headerSize(CompressibleIntForm inner) {
    return inner.tellsMetadata() ? MIN_HEADER_SIZE + 1 : MIN_HEADER_SIZE;
  }

  /**
   * Choice of an inner form: the smallest under the codec's quick level, the first on a tie, among those that
   * decompress as fast as the plain one. It does not depend on the byte order.
   */
  private record Choice(CompressibleIntForm inner, int bytes, int plainBytes) {}

  private Choice choose(IntChunk chunk) {
    return chunk.statistics().findings().once(this, Choice.class, () -> {
      CompressibleIntForm best = plain();
      int bestBytes = Integer.MAX_VALUE;
      int plainBytes = 0;
      double plainNanos = 0;
      try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
        for (CompressibleIntForm inner : innerForms) {
          if (!isWorthTrying(inner, chunk)) {
            continue;
          }
          final int bytes = compress(inner, chunk, JUDGED_ORDER, Codec.Effort.QUICK, holder.get());
          if (inner == plain()) {
            plainBytes = bytes;
            plainNanos = keepsPace ? nanos(inner, chunk, holder.get()) : 0;
          }
          if (bytes < bestBytes
              && (!keepsPace || nanos(inner, chunk, holder.get()) <= CostModel.Codecs.PACE * plainNanos)) {
            best = inner;
            bestBytes = bytes;
          }
        }
      }
      return new Choice(best, bestBytes, plainBytes);
    });
  }

  /** Returns the estimated decompression time of an LZ4 block in nanoseconds. */
  private static double nanos(CompressibleIntForm inner, IntChunk chunk, CompressionBuffers buffers) {
    return Lz4Sequences.of(buffers.compressed).nanos() + CostModel.Codecs.LZ4_BYTE_NANOS * inner.payloadSize(chunk);
  }

  /** Compresses a payload into the buffers, and returns the size. */
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

  /**
   * Returns whether an inner form applies to the chunk, and its payload is not larger than that of the first form,
   * which is always tried.
   */
  private boolean isWorthTrying(CompressibleIntForm inner, IntChunk chunk) {
    return inner == plain()
        || (inner.estimate(chunk).kind() != Estimate.Kind.SKIP
            && inner.payloadSize(chunk) <= plain().payloadSize(chunk));
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, MIN_HEADER_SIZE + 1);
    final CompressibleIntForm inner = innerForm(chunk.get(offset + 1));
    final int headerSize = headerSize(inner);
    Checks.checkLengthAtLeast(this, length, headerSize + 1);
    final ByteBuffer payload = reader.decompress(codec, name(), chunk, offset + headerSize, length - headerSize);
    final int metadata = inner.tellsMetadata() ? chunk.get(offset + 2) : payload.limit() / reader.numValues();
    inner.transformPayload(metadata, payload, 0, payload.limit(), reader);
  }

  @Override
  public String compressedName(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, MIN_HEADER_SIZE + 1);
    return innerForm(chunk.get(offset + 1)).name();
  }

  private CompressibleIntForm innerForm(byte innerId) {
    for (CompressibleIntForm inner : innerForms) {
      if (inner.id() == innerId) {
        return inner;
      }
    }
    throw MalformedChunkException.newer(name() + " holds form " + innerId + ", which cannot be compressed");
  }
}
