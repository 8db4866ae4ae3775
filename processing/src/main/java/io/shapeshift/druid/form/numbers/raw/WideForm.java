// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.raw;

import io.shapeshift.druid.bits.InterleavedLongs;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.numbers.NumberArrays;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.frame.Frame;
import java.nio.ByteBuffer;
import org.apache.druid.collections.ResourceHolder;

/**
 * Frame of reference for longs, or the raw bits of doubles, whose differences from the smallest need more bits than
 * ints have.
 *
 * <pre>
 * | bytes        | content                                                 |
 * |--------------|---------------------------------------------------------|
 * | 1            | form id, 5                                              |
 * | 1            | width, 1 to 63 bits                                     |
 * | 8            | base: the smallest (signed)                             |
 * | numWords * 8 | differences from the base: see {@link InterleavedLongs} |
 * </pre>
 * Example, little-endian: the longs 5000000000 1 3 are {@code 05 21 01 00 00 00 00 00 00 00 ff f1 05 2a 01 00 00 00 08
 * 00 00 00 00 00 00 00}: in 33 bits each above 1, in one lane of two words.
 */
public final class WideForm implements NumberForm {
  static final byte ID = 5;
  private static final int HEADER_SIZE = 1 + 1 + Long.BYTES;

  private final Frame linear;

  /**
   * Creates the form.
   *
   * @param linear frame that is smaller wherever it fits
   */
  public WideForm(Frame linear) {
    this.linear = linear;
  }

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "wide";
  }

  @Override
  public DecodeCost cost() {
    // As for bitpack: one shift and mask per number, vectorised.
    return DecodeCost.NONE;
  }

  @Override
  public double scanNanos(NumberChunk chunk) {
    return CostModel.Numbers.WIDE_NANOS;
  }

  /** Base and width of a chunk. */
  private record Layout(long base, int width) {
    static Layout of(NumberChunk chunk) {
      final long[] bits = chunk.bits();
      long min = bits[0];
      long max = bits[0];
      for (int i = 1; i < chunk.size(); i++) {
        min = Math.min(min, bits[i]);
        max = Math.max(max, bits[i]);
      }
      return new Layout(min, Long.SIZE - Long.numberOfLeadingZeros(max - min));
    }
  }

  private Layout layout(NumberChunk chunk) {
    return chunk.findings().once(this, Layout.class, () -> Layout.of(chunk));
  }

  @Override
  public Estimate estimate(NumberChunk chunk) {
    if (linear.framed(chunk) != null) {
      return Estimate.SKIP;
    }
    final int width = layout(chunk).width;
    return width > InterleavedLongs.MAX_WIDTH || width == 0
           ? Estimate.SKIP
           : Estimate.exact(HEADER_SIZE + Long.BYTES * InterleavedLongs.numWords(chunk.size(), width));
  }

  @Override
  public void encode(NumberChunk chunk, ByteBuffer out) {
    final Layout layout = layout(chunk);
    out.put(ID).put((byte) layout.width).putLong(layout.base);
    try (ResourceHolder<NumberArrays> holder = NumberArrays.POOL.take()) {
      final NumberArrays arrays = holder.get();
      for (int i = 0; i < chunk.size(); i++) {
        arrays.values[i] = chunk.bits()[i] - layout.base;
      }
      InterleavedLongs.pack(arrays.values, chunk.size(), layout.width, arrays.words, out);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE);
    final int width = Checks.checkWidth(this, chunk.get(offset + 1), 1, InterleavedLongs.MAX_WIDTH);
    final WideNumbers numbers = reader.shape(WideNumbers.class, WideNumbers::new);
    numbers.read(chunk, offset + HEADER_SIZE, length - HEADER_SIZE, width, chunk.getLong(offset + 2));
    reader.transformTo(numbers);
  }
}
