// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.entropy;

import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntStatistics;
import io.shapeshift.druid.pool.Pool;
import io.shapeshift.druid.pool.Pools;
import java.nio.ByteBuffer;
import org.apache.druid.collections.ResourceHolder;

/**
 * Entropy coding in blocks of {@value #BLOCK} values, each of which is decoded by itself. Values are divided into
 * {@link Bins}; a value is the number of its bin, coded by tabled asymmetric numeral systems (tANS), and its offset
 * from the least value of the bin. Eight coders take turns, so that a processor decodes eight values at a time.
 *
 * <pre>
 * | bytes         | content                                                                                   |
 * |---------------|-------------------------------------------------------------------------------------------|
 * | 1             | form id, 6                                                                                |
 * | 1             | numBins - 1                                                                               |
 * | 1             | width, 0 to 31                                                                            |
 * | 4             | min, the least value                                                                      |
 * | bits / 8      | for each bin, ascending: its weight, less one (10 bits); the bits of its offsets, 0 to    |
 * |               | 18 (5 bits); its least value, less min (width bits)                                       |
 * | 2 * numBlocks | bytes of each block of 1024 values                                                        |
 * | the rest      | the blocks                                                                                |
 * | 16            | zeros, which a reader may load                                                            |
 * </pre>
 * Bits stand in bytes with the lowest first, in both byte orders. A block has the states of its eight coders, 10 bits
 * each, and then, for each value, the high bits of the next state of its coder and its offset; value i is of coder i
 * mod 8. The last value of the last block is repeated until all coders have had their turn. See docs/format.md for the
 * states. Example, little-endian: 1 2 1 1 2 1 9 1 1 is
 * {@code 06 01 04 01 00 00 00 8d 07 88 03 20 0d 00 c2 09 27 9c 70 c2 09 27 be 70 12} and 18 zero bytes: one bin of 910
 * states from 1 with offsets of a bit, and one of 114 from 9.
 *
 * @see <a href="https://arxiv.org/abs/1311.2540">Duda, Asymmetric numeral systems</a>
 */
public final class TansForm implements IntForm {
  static final byte ID = 6;
  /** Values of a block. */
  static final int BLOCK = 1024;
  /** Coders that take turns. */
  static final int LANES = 8;
  /** Bits of the number of bits of an offset. */
  static final int OFFSET_WIDTH = 5;
  static final int HEADER_SIZE = 3 + Integer.BYTES;
  /** Zeros at the end: a reader loads up to 15 bytes behind the end of a damaged block. */
  static final int SLACK = 16;

  private static final Pool<Encoder> ENCODERS = Pools.ofProcess().heap("tans", Encoder.BYTES, Encoder::new);

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "tans";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Entropy.COST;
  }

  @Override
  public double scanNanos(IntChunk chunk) {
    return CostModel.Entropy.SCAN_NANOS + CostModel.Entropy.TABLE_NANOS / chunk.size();
  }

  @Override
  public double sparseNanos(IntChunk chunk) {
    return CostModel.Entropy.SPARSE_NANOS + CostModel.Entropy.TABLE_NANOS / chunk.size();
  }

  /**
   * A chunk in this form.
   *
   * @param width of the least values of bins, above the least of all
   */
  @SuppressWarnings("ArrayRecordComponent") // It is only copied.
  private record Encoded(Bins bins, int width, short[] blockBytes, byte[] blocks) {
    /** Of a chunk that cannot be in this form. */
    static final Encoded NONE = new Encoded(Bins.NONE, 0, new short[0], new byte[0]);

    int size() {
      return HEADER_SIZE
          + binBytes(bins.size(), width)
          + Short.BYTES * blockBytes.length
          + blocks.length
          + SLACK;
    }
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    final IntStatistics statistics = chunk.statistics();
    if (chunk.size() > Limits.MAX_DIRECT_INTS
        || statistics.isConstant()
        || statistics.numChanges() < CostModel.Entropy.LEAST_CHANGES * chunk.size()) {
      return Estimate.SKIP;
    }
    final Encoded encoded = encoded(chunk);
    final int size = encoded.size();
    return encoded.bins.size() == 0 || size > Limits.MAX_CHUNK_BYTES ? Estimate.SKIP : Estimate.exact(size);
  }

  private Encoded encoded(IntChunk chunk) {
    return chunk.statistics().findings().once(this, Encoded.class, () -> {
      final Bins bins = Bins.of(chunk.statistics());
      if (bins.size() == 0) {
        return Encoded.NONE;
      }
      try (ResourceHolder<Encoder> encoder = ENCODERS.take()) {
        final short[] blockBytes = new short[numBlocks(chunk.size())];
        final byte[] blocks = encoder.get().encode(chunk.values(), chunk.size(), bins, blockBytes);
        return new Encoded(
            bins, InterleavedPacking.width(bins.lower(bins.size() - 1) - bins.lower(0)), blockBytes, blocks);
      }
    });
  }

  static int numBlocks(int numValues) {
    return (numValues + BLOCK - 1) / BLOCK;
  }

  /** The next multiple of the number of coders. */
  static int padded(int numValues) {
    return (numValues + LANES - 1) & -LANES;
  }

  static int binBytes(int numBins, int width) {
    return (numBins * (States.LOG_SIZE + OFFSET_WIDTH + width) + Byte.SIZE - 1) / Byte.SIZE;
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final Encoded encoded = encoded(chunk);
    final Bins bins = encoded.bins;
    out.put(ID).put((byte) (bins.size() - 1)).put((byte) encoded.width);
    out.putInt(bins.lower(0));
    final byte[] head = new byte[binBytes(bins.size(), encoded.width) + Long.BYTES];
    final LowFirstBits bits = new LowFirstBits(head);
    for (int bin = 0; bin < bins.size(); bin++) {
      bits.put(bins.weight(bin) - 1, States.LOG_SIZE);
      bits.put(bins.offsetBits(bin), OFFSET_WIDTH);
      bits.put(bins.lower(bin) - bins.lower(0), encoded.width);
    }
    out.put(head, 0, bits.finish());
    for (short bytes : encoded.blockBytes) {
      out.putShort(bytes);
    }
    out.put(encoded.blocks).put(new byte[SLACK]);
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkNumValues(this, reader.numValues());
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE + SLACK);
    final TansInts ints = reader.shape(TansInts.class, scratch -> new TansInts());
    ints.read(chunk, offset, length, reader.numValues());
    reader.transformTo(ints);
  }
}
