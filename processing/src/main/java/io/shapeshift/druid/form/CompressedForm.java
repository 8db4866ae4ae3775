// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.druid.collections.ResourceHolder;
import org.apache.druid.segment.data.CompressionStrategy;

/**
 * The payload of another form, compressed. Each codec is a form with an id of its own.
 *
 * <pre>
 * | bytes | content                                                    |
 * |-------|------------------------------------------------------------|
 * | 1     | form id: 5 for LZ4 (block format), 7 for Zstandard         |
 * | 1     | form id of the inner form: 3 (bytepack) or 4 (rle)         |
 * | 1     | metadata of the inner form: numBytes                       |
 * | rest  | payload of the inner form, compressed to one block         |
 * </pre>
 * Example, little-endian: 32 values 1 2 1 2 ... as bytepack under LZ4 are
 * {@code 05 03 01 2f 01 02 02 00 06 50 02 01 02 01 02}, and under Zstandard
 * {@code 07 03 01 28 b5 2f fd 20 20 4d 00 00 18 01 02 01 01 00 dd 6e 08}.
 *
 * <p>Reading decompresses the chunk once, into a pooled buffer, and then reads the inner form there.
 */
final class CompressedForm implements IntForm {
  static final byte LZ4_ID = 5;
  static final byte ZSTD_ID = 7;
  private static final int HEADER_SIZE = 3;

  private final byte id;
  private final CompressionStrategy codec;
  private final List<CompressibleIntForm> innerForms;

  CompressedForm(byte id, CompressionStrategy codec, CompressibleIntForm... innerForms) {
    this.id = id;
    this.codec = codec;
    this.innerForms = List.of(innerForms);
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
  public Estimate estimate(IntChunk chunk) {
    return Estimate.TRY;
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final CompressionStrategy.Compressor compressor = codec.getCompressor();
    try (ResourceHolder<Pools.CompressionBuffers> holder = Pools.takeCompressionBuffers()) {
      final Pools.CompressionBuffers buffers = holder.get();
      CompressibleIntForm best = null;
      for (CompressibleIntForm inner : innerForms) {
        if (!isWorthTrying(inner, chunk)) {
          continue;
        }
        final ByteBuffer payload = buffers.payload.clear().order(out.order());
        inner.encodePayload(chunk, payload);
        final ByteBuffer compressed = compressor.compress(payload.flip(), buffers.compressed.clear());
        if (best == null || compressed.remaining() < buffers.best.remaining()) {
          best = inner;
          buffers.keepCompressed();
        }
      }
      out.put(id).put(best.id()).put((byte) best.numBytes(chunk.metrics())).put(buffers.best);
    }
  }

  /** Whether an inner form has anything to say of the chunk, and in no more bytes than the first, always tried. */
  private boolean isWorthTrying(CompressibleIntForm inner, IntChunk chunk) {
    return inner.estimate(chunk).kind() != Estimate.Kind.SKIP
        && inner.payloadSize(chunk.metrics()) <= innerForms.get(0).payloadSize(chunk.metrics());
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Layouts.checkLengthAtLeast(this, length, HEADER_SIZE + 1);
    final CompressibleIntForm inner = innerForm(chunk.get(offset + 1));
    final int numBytes = inner.readNumBytes(chunk, offset + 2);
    final ByteBuffer payload = reader.payload(chunk.order());
    try {
      chunk.limit(offset + length).position(offset + HEADER_SIZE);
      codec.getDecompressor().decompress(chunk, length - HEADER_SIZE, payload);
    } catch (RuntimeException e) {
      throw new MalformedChunkException(name() + " cannot be decompressed: " + e.getMessage(), e);
    }
    inner.transformPayload(numBytes, payload, 0, payload.limit(), reader);
  }

  @Override
  public byte innerId(ByteBuffer chunk, int offset, int length) {
    Layouts.checkLengthAtLeast(this, length, HEADER_SIZE + 1);
    return innerForm(chunk.get(offset + 1)).id();
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
