// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.codec;

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
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.frame.Frame;
import io.shapeshift.druid.form.numbers.raw.RawForm;
import io.shapeshift.druid.form.numbers.raw.RawNumbers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.apache.druid.collections.ResourceHolder;

/**
 * Compressed numbers without a frame: plain, as in Druid's own columns, or byte-shuffled, with the lowest bytes of all
 * numbers first, then the second bytes, and so on. Each codec is a form with its own id.
 *
 * <pre>
 * | bytes | content                                                                                               |
 * |-------|-------------------------------------------------------------------------------------------------------|
 * | 1     | form id: 7 for LZ4 (block format), 8 for Zstandard                                                    |
 * | 1     | layout: 0 for the bits of the numbers in the column's byte order, 1 for their bytes, the lowest bytes |
 * |       | of all numbers first                                                                                  |
 * | rest  | the numbers in this layout, compressed to one block                                                   |
 * </pre>
 * Example, little-endian: the floats 0.1 -7.7 NaN eight times under LZ4 are {@code 07 00 cf cd cc cc 3d 66 66 f6 c0 00
 * 00 c0 7f 0c 00 3c 50 c0 00 00 c0 7f}: their bits as they are, of which the codec repeats the first three.
 */
public final class RawCodecForm implements NumberForm, StockCodecForm<NumberChunk, NumberChunkReader> {
  public static final byte LZ4_ID = 7;
  public static final byte ZSTD_ID = 8;
  private static final int HEADER_SIZE = 2;
  private static final int PLAIN = 0;
  private static final int SHUFFLED = 1;

  private final byte id;
  private final Codec codec;
  /** Compressed blocks by layout. */
  private final CompressedBlocks blocks = new CompressedBlocks(2);

  private final List<Frame> frames;

  /**
   * Creates the form.
   *
   * @param frames frames whose ints compress better than shuffled bytes, if one of them fits
   */
  public RawCodecForm(byte id, Codec codec, List<Frame> frames) {
    this.id = id;
    this.codec = codec;
    this.frames = frames;
  }

  @Override
  public byte id() {
    return id;
  }

  @Override
  public String name() {
    return "raw-" + codec;
  }

  @Override
  public DecodeCost cost() {
    return codec.cost();
  }

  @Override
  public double allowedOverDruid(OptimizationTarget target) {
    return codec.allowedOverDruid(target);
  }

  /** Returns 0: the limit is the scan time of Druid's own column, which this is. */
  @Override
  public double scanNanos(NumberChunk chunk) {
    return 0;
  }

  /** Result of compressing plain numbers with LZ4's quick level. */
  public record Quick(int bytes, Lz4Sequences sequences) {}

  /** Compresses plain numbers with LZ4's quick level, once per chunk. */
  public Quick quick(NumberChunk chunk) {
    return chunk.findings().once(Quick.class, Quick.class, () -> {
      try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
        final int bytes = compress(chunk, PLAIN, ByteOrder.LITTLE_ENDIAN, Codec.Effort.QUICK, holder.get());
        return new Quick(bytes, Lz4Sequences.of(holder.get().compressed));
      }
    });
  }

  /** Returns the LZ4 sequences of Druid's own block. */
  public Lz4Sequences sequences(NumberChunk chunk) {
    return Lz4Sequences.of(ByteBuffer.wrap(block(chunk, PLAIN, ByteOrder.LITTLE_ENDIAN)));
  }

  @Override
  public Estimate estimate(NumberChunk chunk) {
    return Estimate.TRY;
  }

  /** Sizes of both layouts under the quick level. */
  private record Sizes(int plain, int shuffled) {
    int best() {
      return Math.min(plain, shuffled);
    }

    int layout() {
      return shuffled < plain ? SHUFFLED : PLAIN;
    }
  }

  private Sizes sizes(NumberChunk chunk) {
    return chunk.findings().once(this, Sizes.class, () -> {
      if (codec == Codec.LZ4) {
        // Reassembling shuffled bytes takes longer than LZ4.
        final int plain = quick(chunk).bytes;
        return new Sizes(plain, plain);
      }
      try (ResourceHolder<CompressionBuffers> holder = CompressionBuffers.POOL.take()) {
        final int plain = compress(chunk, PLAIN, ByteOrder.LITTLE_ENDIAN, Codec.Effort.QUICK, holder.get());
        final boolean plainOnly = frames.stream().anyMatch(frame -> frame.framed(chunk) != null);
        return new Sizes(
            plain,
            plainOnly
            ? plain
            : compress(chunk, SHUFFLED, ByteOrder.LITTLE_ENDIAN, Codec.Effort.QUICK, holder.get())
        );
      }
    });
  }

  /** Compresses a payload into the buffers, and returns the size. */
  private int compress(
      NumberChunk chunk,
      int layout,
      ByteOrder order,
      Codec.Effort effort,
      CompressionBuffers buffers
  ) {
    final ByteBuffer payload = buffers.payload.clear().order(order);
    if (layout == PLAIN) {
      RawForm.put(chunk, 0, chunk.size(), payload);
    } else {
      for (int shift = 0; shift < chunk.type().bytes() * Byte.SIZE; shift += Byte.SIZE) {
        for (int i = 0; i < chunk.size(); i++) {
          payload.put((byte) (chunk.bits()[i] >>> shift));
        }
      }
    }
    codec.compress(payload.flip(), buffers.compressed.clear(), effort);
    return buffers.compressed.flip().remaining();
  }

  @Override
  public Trial tryQuickly(NumberChunk chunk) {
    final Sizes sizes = sizes(chunk);
    return new Trial(HEADER_SIZE + sizes.best(), HEADER_SIZE + sizes.plain);
  }

  @Override
  public int bestSize(NumberChunk chunk) {
    return HEADER_SIZE + block(chunk, sizes(chunk).layout(), ByteOrder.LITTLE_ENDIAN).length;
  }

  /** Returns the block, compressed with the effort of Druid's own columns. */
  private byte[] block(NumberChunk chunk, int layout, ByteOrder order) {
    return blocks.get(
        chunk.findings(), layout, order, buffers -> compress(chunk, layout, order, Codec.Effort.STOCK, buffers));
  }

  @Override
  public void encode(NumberChunk chunk, ByteBuffer out) {
    final int layout = sizes(chunk).layout();
    out.put(id).put((byte) layout).put(block(chunk, layout, out.order()));
  }

  @Override
  public Codec codec() {
    return codec;
  }

  @Override
  public boolean prefersPlain(NumberChunk chunk) {
    return sizes(chunk).layout() == PLAIN;
  }

  @Override
  public byte[] stockBlock(NumberChunk chunk, ByteOrder order) {
    return block(chunk, PLAIN, order);
  }

  @Override
  public boolean knowsStockBlock(NumberChunk chunk, ByteOrder order) {
    return blocks.has(chunk.findings(), PLAIN, order);
  }

  @Override
  public void encodeStock(byte[] block, ByteBuffer out) {
    out.put(id).put((byte) PLAIN).put(block);
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE + 1);
    final int layout = chunk.get(offset + 1);
    final ByteBuffer payload = reader.decompress(codec, name(), chunk, offset + HEADER_SIZE, length - HEADER_SIZE);
    Checks.checkLength(this, payload.limit(), reader.numValues() * reader.type().bytes());
    switch (layout) {
      case PLAIN -> {
        final RawNumbers numbers = reader.shape(RawNumbers.class, RawNumbers::new);
        numbers.read(payload, 0);
        reader.transformTo(numbers);
      }
      case SHUFFLED -> {
        final ShuffledNumbers numbers = reader.shape(ShuffledNumbers.class, ShuffledNumbers::new);
        numbers.read(payload);
        reader.transformTo(numbers);
      }
      default -> throw new MalformedChunkException(name() + " has the layout " + layout + ", expected 0 or 1");
    }
  }
}
