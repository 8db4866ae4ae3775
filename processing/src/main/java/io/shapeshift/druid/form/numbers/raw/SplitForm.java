// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.raw;

import io.shapeshift.druid.bits.InterleavedLongs;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberArrays;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.frame.Frame;
import java.nio.ByteBuffer;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.collections.ResourceHolder;

/**
 * Numbers whose bits are cut in two, for doubles with many digits. The upper bits (sign, exponent and the bits after
 * it) are alike, and are stored in a form of ints. The lower bits are bit-packed.
 *
 * <pre>
 * | bytes        | content                                                   |
 * |--------------|-----------------------------------------------------------|
 * | 1            | form id, 6                                                |
 * | 1            | lowerWidth, 33 to 56 bits                                 |
 * | 4            | upperBytes                                                |
 * | upperBytes   | upper bits as a chunk of ints, starting with its form id; |
 * |              | writers choose forms that are read in place               |
 * | numWords * 8 | lower bits: see {@link InterleavedLongs}                  |
 * </pre>
 * Example, little-endian: the doubles nearest to pi, e and the square root of 2 are {@code 06 38 05 00 00 00 03 01 40
 * 40 3f 18 2d 44 54 fb 21 09 69 57 14 8b 0a bf 05 cd 3b 7f 66 9e a0 f6 00 00 00}: cut above the lower 56 bits, with
 * upper parts of five bytes in form 3, bytepack.
 *
 * @see <a href="https://doi.org/10.1145/3626717">Afroozeh, Kuffo and Boncz, ALP</a>, whose ALP-RD has a dictionary of
 *     eight upper parts
 */
public final class SplitForm implements NumberForm {
  static final byte ID = 6;
  private static final int HEADER_SIZE = 1 + 1 + Integer.BYTES;
  private static final int LEAST_LOWER_WIDTH = 33;
  private static final int MOST_LOWER_WIDTH = 56;
  private static final int[] LOWER_WIDTHS = {44, 48, 52, 56};

  private final List<Frame> frames;
  private final List<IntForm> upperForms;

  /**
   * Creates the form.
   *
   * @param frames     frames for doubles, whose ints are smaller if one of them fits
   * @param upperForms forms of ints to try for the upper bits, all of them read in place
   */
  public SplitForm(List<Frame> frames, List<IntForm> upperForms) {
    this.frames = frames;
    this.upperForms = upperForms;
  }

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "split";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Numbers.SPLIT_COST;
  }

  @Override
  public double scanNanos(NumberChunk chunk) {
    return CostModel.Numbers.SPLIT_NANOS;
  }

  /** Layout of a chunk: the width of the lower bits, and the form of the upper bits. */
  private record Layout(int lowerWidth, IntForm upperForm, int upperBytes, IntChunk upper) {
    int size(int numValues) {
      return HEADER_SIZE + upperBytes + Long.BYTES * InterleavedLongs.numWords(numValues, lowerWidth);
    }
  }

  private Layout layout(NumberChunk chunk) {
    return chunk.findings().once(this, Layout.class, () -> {
      Layout best = layout(chunk, LOWER_WIDTHS[0]);
      for (int i = 1; i < LOWER_WIDTHS.length; i++) {
        final Layout other = layout(chunk, LOWER_WIDTHS[i]);
        best = other.size(chunk.size()) < best.size(chunk.size()) ? other : best;
      }
      return best;
    });
  }

  private Layout layout(NumberChunk chunk, int lowerWidth) {
    final IntChunk upper = new IntChunk(chunk.size());
    final int[] out = upper.startFilling(chunk.size());
    for (int i = 0; i < chunk.size(); i++) {
      out[i] = (int) (chunk.bits()[i] >>> lowerWidth);
    }
    IntForm best = null;
    int bytes = Integer.MAX_VALUE;
    for (IntForm form : upperForms) {
      final Estimate estimate = form.estimate(upper);
      final boolean isExact = estimate.kind() == Estimate.Kind.EXACT || estimate.kind() == Estimate.Kind.TAKE;
      if (isExact && estimate.bytes() < bytes) {
        best = form;
        bytes = estimate.bytes();
      }
    }
    return new Layout(lowerWidth, best, bytes, upper);
  }

  @Override
  public Estimate estimate(NumberChunk chunk) {
    return frames.stream().anyMatch(frame -> frame.framed(chunk) != null)
           ? Estimate.SKIP
           : Estimate.exact(layout(chunk).size(chunk.size()));
  }

  @Override
  public void encode(NumberChunk chunk, ByteBuffer out) {
    final Layout layout = layout(chunk);
    out.put(ID).put((byte) layout.lowerWidth).putInt(layout.upperBytes);
    layout.upperForm.encode(layout.upper, out);
    final long mask = InterleavedLongs.mask(layout.lowerWidth);
    try (ResourceHolder<NumberArrays> holder = NumberArrays.POOL.take()) {
      final NumberArrays arrays = holder.get();
      for (int i = 0; i < chunk.size(); i++) {
        arrays.values[i] = chunk.bits()[i] & mask;
      }
      InterleavedLongs.pack(arrays.values, chunk.size(), layout.lowerWidth, arrays.words, out);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE + 1);
    final int lowerWidth =
        Checks.checkWidth(this, chunk.get(offset + 1), LEAST_LOWER_WIDTH, MOST_LOWER_WIDTH);
    final int upperBytes = chunk.getInt(offset + 2);
    final int rest = Long.BYTES * InterleavedLongs.numWords(reader.numValues(), lowerWidth);
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE + 1 + rest);
    if (upperBytes != length - HEADER_SIZE - rest) {
      throw new MalformedChunkException("split has " + upperBytes + " bytes of upper bits, expected "
          + (length - HEADER_SIZE - rest));
    }
    final byte formId = chunk.get(offset + HEADER_SIZE);
    @Nullable final IntForm form = IntForms.byId(formId);
    if (form == null) {
      throw MalformedChunkException.newer("split has upper bits in form " + formId + ", which is unknown");
    }
    final SplitNumbers numbers = reader.shape(SplitNumbers.class, SplitNumbers::new);
    numbers.read(chunk, offset + HEADER_SIZE + upperBytes, rest, lowerWidth);
    reader.transformTo(numbers);
    form.transform(chunk, offset + HEADER_SIZE, upperBytes, reader.framedInts());
  }
}
