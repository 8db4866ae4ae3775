// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.patched;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.InterleavedLongs;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.PositionsWriter;
import io.shapeshift.druid.form.SortedPositions;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntPools;
import io.shapeshift.druid.form.ints.IntStatistics;
import io.shapeshift.druid.form.ints.packed.Packing;
import java.nio.ByteBuffer;
import org.apache.druid.collections.ResourceHolder;

/**
 * Patched frame of reference: {@code BitPackForm} with fewer bits than the largest differences need. The greatest
 * packed value is an escape code: a value with this code is an <em>exception</em>, stored separately. Reads of other
 * values need not search the exceptions. If one value is more frequent than all others together, the width may be 0:
 * every value that is not an exception is then the base.
 *
 * <pre>
 * | bytes                          | content                                                                      |
 * |--------------------------------|------------------------------------------------------------------------------|
 * | 1                              | form id, 9                                                                   |
 * | 1                              | width, 0 to 30 bits; plus 64 if words have 64 bits                           |
 * | 1                              | exceptionWidth, 0 to 31 bits                                                 |
 * | 1                              | layout of the exceptions' positions, 0 to 2                                  |
 * | 2                              | numExceptions (unsigned short), at least 1                                   |
 * | 4                              | base                                                                         |
 * | 4                              | exceptionBase                                                                |
 * | see {@link SortedPositions}    | positions of the exceptions                                                  |
 * | numExceptions * exceptionWidth | exceptions less exceptionBase: see {@link BitStream}                         |
 * | bits                           |                                                                              |
 * | 7                              | zero                                                                         |
 * | numWords * 4                   | values less the base, 0 to 2^width - 2, or 2^width - 1 for an exception: see |
 * |                                | {@link InterleavedPacking}, or {@link InterleavedLongs};                     |
 * |                                | absent for width 0                                                           |
 * </pre>
 * Example, little-endian: 7 7 7 300 7 9 is
 * {@code 09 00 09 00 02 00 07 00 00 00 09 00 00 00 03 00 05 00 23 01 00 00 00 00 00 00 00 00}: exceptions of nine bits
 * above 9 at the positions 3 and 5.
 *
 * @see <a href="https://doi.org/10.1109/ICDE.2006.150">Zukowski, Heman, Nes and Boncz, Super-scalar RAM-CPU cache
 *     compression</a>, whose exceptions are linked
 */
public final class PatchedForm implements IntForm {
  static final byte ID = 9;
  private static final int IN_LONGS = 64;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "patched";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Patched.COST;
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    if (chunk.size() > Limits.MAX_DIRECT_INTS || chunk.statistics().isConstant()) {
      return Estimate.SKIP;
    }
    final Layout layout = layout(chunk);
    return layout.equals(Layout.NONE) || layout.size(chunk) > Limits.MAX_CHUNK_BYTES
           ? Estimate.SKIP
           : Estimate.exact(layout.size(chunk));
  }

  @Override
  public double scanNanos(IntChunk chunk) {
    return CostModel.Patched.SCAN_NANOS
        + CostModel.Patched.EXCEPTION_NANOS * layout(chunk).numExceptions / chunk.size();
  }

  @Override
  public double sparseNanos(IntChunk chunk) {
    final Layout layout = layout(chunk);
    // At width 0 every read searches the exceptions, and building a directory of many exceptions takes as long.
    return layout.width == 0 && layout.numExceptions * CostModel.Patched.VALUES_PER_SEARCHED > chunk.size()
           ? CostModel.Patched.SPARSE_NANOS
           : 0;
  }

  /**
   * Layout of a chunk.
   *
   * @param width          width of a packed value in bits
   * @param base           smallest value that is not an exception
   * @param numExceptions  number of exceptions
   * @param exceptionBase  subtracted from each exception
   * @param exceptionWidth width of an exception in bits
   */
  private record Layout(int width, int base, int numExceptions, int exceptionBase, int exceptionWidth) {
    private static final Layout NONE = new Layout(0, 0, 0, 0, 0);

    int size(IntChunk chunk) {
      final int numValues = chunk.size();
      return PatchedInts.Header.SIZE
          + PositionsWriter.size(PositionsWriter.layout(numValues, numExceptions), numValues, numExceptions)
          + BitStream.numBytes(numExceptions, exceptionWidth)
          + BitStream.SLACK
          + Packing.numBytes(chunk, width);
    }

    boolean isException(int value) {
      return width == 0 ? value != base : value < base || value - base >= InterleavedPacking.mask(width);
    }

    Layout smaller(Layout other, IntChunk chunk) {
      return equals(NONE) || other.size(chunk) < size(chunk) ? other : this;
    }
  }

  /** Returns the smallest layout; {@link Layout#NONE} if every width makes half of the values or more exceptions. */
  private Layout layout(IntChunk chunk) {
    return chunk.statistics().findings()
        .once(this, Layout.class, () -> sparse(chunk, aboveMin(chunk)));
  }

  /** Returns the best width with the chunk's smallest value as base. */
  private static Layout aboveMin(IntChunk chunk) {
    final IntStatistics statistics = chunk.statistics();
    final int min = statistics.min();
    Layout best = Layout.NONE;
    // A sample shows whether even one bit less makes too many exceptions.
    if (statistics.width() < 2
        || statistics.shareAbove(min + InterleavedPacking.mask(statistics.width() - 1))
            > CostModel.Patched.MOST_EXCEPTIONS) {
      return best;
    }
    final int[] exceptions = exceptions(chunk, min);
    for (int width = statistics.width() - 1;
        width > 0 && exceptions[width] <= chunk.size() * CostModel.Patched.MOST_EXCEPTIONS;
        width--) {
      final int exceptionBase = min + InterleavedPacking.mask(width);
      final int exceptionWidth = InterleavedPacking.width(statistics.max() - exceptionBase);
      best = best.smaller(
          new Layout(width, min, exceptions[width], exceptionBase, exceptionWidth), chunk);
    }
    return best;
  }

  /** Returns the layout with one value as base and all others as exceptions, if that is better than {@code best}. */
  private static Layout sparse(IntChunk chunk, Layout best) {
    // If one value is half of the rows or more, a quarter of the neighbours are equal, unless the order avoids it.
    if (chunk.statistics().numChanges() > chunk.size() * CostModel.Patched.MOST_CHANGES) {
      return best;
    }
    final int[] values = chunk.values();
    int candidate = values[0];
    int votes = 0;
    for (int i = 0; i < chunk.size(); i++) {
      if (votes == 0) {
        candidate = values[i];
      }
      votes += values[i] == candidate ? 1 : -1;
    }
    if (votes <= 0) {
      return best;
    }
    int numExceptions = 0;
    int min = Integer.MAX_VALUE;
    int max = 0;
    for (int i = 0; i < chunk.size(); i++) {
      if (values[i] != candidate) {
        numExceptions++;
        min = Math.min(min, values[i]);
        max = Math.max(max, values[i]);
      }
    }
    return 2 * numExceptions >= chunk.size()
           ? best
           : best.smaller(
               new Layout(0, candidate, numExceptions, min, InterleavedPacking.width(max - min)), chunk);
  }

  /** Returns for each width the number of values that are below the base, or 2^width - 1 or more above it. */
  private static int[] exceptions(IntChunk chunk, int base) {
    final int[] exceptions = new int[Integer.SIZE + 2];
    final int[] values = chunk.values();
    for (int i = 0; i < chunk.size(); i++) {
      // The difference of a value below the base is negative, or 0 after 1 is added, and counts as 32 bits wide.
      exceptions[values[i] < base ? Integer.SIZE : InterleavedPacking.width(values[i] - base + 1)]++;
    }
    for (int i = Integer.SIZE; i > 0; i--) {
      exceptions[i - 1] += exceptions[i];
    }
    // A difference plus 1 that exceeds width bits means a difference of 2^width - 1 or more.
    System.arraycopy(exceptions, 1, exceptions, 0, Integer.SIZE + 1);
    return exceptions;
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final int numValues = chunk.size();
    final Layout layout = layout(chunk);
    final int escape = InterleavedPacking.mask(layout.width);
    try (ResourceHolder<IntPools.PackingArrays> holder = IntPools.PACKING.take()) {
      final IntPools.PackingArrays arrays = holder.get();
      final int[] values = chunk.values();
      int numExceptions = 0;
      for (int i = 0; i < numValues; i++) {
        if (layout.isException(values[i])) {
          arrays.codes[i] = escape;
          arrays.positions[numExceptions] = i;
          arrays.words[numExceptions++] = values[i];
        } else {
          arrays.codes[i] = values[i] - layout.base;
        }
      }
      final int flags = chunk.isOfLongs() ? IN_LONGS : 0;
      out.put(ID).put((byte) (layout.width | flags)).put((byte) layout.exceptionWidth);
      out.put((byte) PositionsWriter.layout(numValues, numExceptions)).putShort((short) numExceptions);
      out.putInt(layout.base).putInt(layout.exceptionBase);
      PositionsWriter.encode(arrays.positions, numExceptions, numValues, out);
      BitStream.pack(arrays.words, numExceptions, layout.exceptionBase, layout.exceptionWidth, out);
      out.put(new byte[BitStream.SLACK]);
      Packing.pack(chunk, layout.width, arrays, out);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, PatchedInts.Header.SIZE);
    final int numValues = reader.numValues();
    final PatchedInts.Header header = header(chunk, offset, numValues);
    Checks.checkLengthAtLeast(this, length, header.words(numValues));
    final PatchedInts patched = reader.shape(PatchedInts.class, PatchedInts::new);
    patched.read(chunk, offset, length, numValues, header);
    reader.transformTo(patched);
  }

  private PatchedInts.Header header(ByteBuffer chunk, int offset, int numValues) {
    final int flags = Checks.checkWidth(this, chunk.get(offset + 1), 0, IN_LONGS + 30);
    final boolean inLongs = flags >= IN_LONGS;
    final int width = Checks.checkWidth(this, (byte) (inLongs ? flags - IN_LONGS : flags), 0, 30);
    final int exceptionWidth = Checks.checkWidth(this, chunk.get(offset + 2), 0, 31);
    final int layout = chunk.get(offset + 3);
    SortedPositions.checkLayout(layout);
    final int numExceptions = chunk.getShort(offset + 4) & 0xFFFF;
    if (numExceptions < 1 || numExceptions > numValues) {
      throw new MalformedChunkException(
          "patched has " + numExceptions + " exceptions among " + numValues + " values");
    }
    return new PatchedInts.Header(
        width,
        chunk.getInt(offset + 6),
        inLongs,
        numExceptions,
        layout,
        exceptionWidth,
        chunk.getInt(offset + 10)
    );
  }
}
