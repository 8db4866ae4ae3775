// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.InterleavedLongs;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntPools;
import io.shapeshift.druid.form.ints.IntStatistics;
import java.nio.ByteBuffer;
import org.apache.druid.collections.ResourceHolder;

/**
 * Frame of reference: differences from a base, in as many bits as the largest difference needs, in interleaved packing.
 * The base is the chunk's smallest value, or, if that saves bits, the smallest value of each row of lanes.
 *
 * <pre>
 * | bytes        | content                                                                             |
 * |--------------|-------------------------------------------------------------------------------------|
 * | 1            | form id, 8                                                                          |
 * | 1            | width, 0 to 31 bits; plus 32 if each row has its own base, plus 64 if words have 64 |
 * |              | bits                                                                                |
 * | 4 * numBases | base, or the base of each row of lanes                                              |
 * | numWords * 4 | differences: see {@link InterleavedPacking}; words of 64 bits have eight bytes, see |
 * |              | {@link InterleavedLongs}. Rows with their own base are the rows of 32-bit words in  |
 * |              | either case                                                                         |
 * </pre>
 * Example, little-endian: 8 9 11 is {@code 08 02 08 00 00 00 00 00 00 00 01 00 00 00 03} and 55 zero bytes: a word of
 * four bytes for each of the 16 lanes, of which three have a value.
 *
 * @see <a href="https://doi.org/10.1109/ICDE.1998.655800">Goldstein, Ramakrishnan and Shaft, Compressing relations and
 *     indexes</a>
 */
public final class BitPackForm implements IntForm {
  static final byte ID = 8;
  private static final int HEADER_SIZE = 2;
  private static final int ROW_BASES = 32;
  private static final int IN_LONGS = 64;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "bitpack";
  }

  @Override
  public DecodeCost cost() {
    // One shift and mask per value, vectorised.
    return DecodeCost.NONE;
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    if (chunk.size() > Limits.MAX_DIRECT_INTS) {
      return Estimate.SKIP;
    }
    return Estimate.exact(size(chunk));
  }

  /** Returns the size of a chunk in this form, in bytes. */
  static int size(IntChunk chunk) {
    return Math.min(size(chunk, chunk.statistics().width(), 1), sizeWithRowBases(chunk));
  }

  private static int sizeWithRowBases(IntChunk chunk) {
    return size(chunk, chunk.statistics().rowWidth(), InterleavedPacking.numRows(chunk.size()));
  }

  private static int size(IntChunk chunk, int width, int numBases) {
    return HEADER_SIZE + Integer.BYTES * numBases + Packing.numBytes(chunk, width);
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final IntStatistics statistics = chunk.statistics();
    final int numValues = chunk.size();
    final boolean rowBases = sizeWithRowBases(chunk) < size(chunk, statistics.width(), 1);
    final int width = rowBases ? statistics.rowWidth() : statistics.width();
    final int lanes = rowBases ? 1 << InterleavedPacking.logLanes(numValues) : numValues;
    out.put(ID).put((byte) (width | (rowBases ? ROW_BASES : 0) | (chunk.isOfLongs() ? IN_LONGS : 0)));
    try (ResourceHolder<IntPools.PackingArrays> holder = IntPools.PACKING.take()) {
      final IntPools.PackingArrays arrays = holder.get();
      final int[] values = chunk.values();
      for (int start = 0; start < numValues; start += lanes) {
        final int end = Math.min(numValues, start + lanes);
        int base = values[start];
        for (int i = start + 1; i < end; i++) {
          base = Math.min(base, values[i]);
        }
        for (int i = start; i < end; i++) {
          arrays.codes[i] = values[i] - base;
        }
        out.putInt(base);
      }
      Packing.pack(chunk, width, arrays, out);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, HEADER_SIZE + Integer.BYTES);
    final int flags = Checks.checkWidth(this, chunk.get(offset + 1), 0, IN_LONGS + ROW_BASES + 31);
    final int numValues = reader.numValues();
    final boolean rowBases = (flags & ROW_BASES) != 0;
    final int width = flags & 31;
    final int bases = offset + HEADER_SIZE;
    final int header = HEADER_SIZE + Integer.BYTES * (rowBases ? InterleavedPacking.numRows(numValues) : 1);
    Checks.checkLengthAtLeast(this, length, header);
    final int words = offset + header;
    if ((flags & IN_LONGS) != 0) {
      final LongPackedInts packed = reader.shape(LongPackedInts.class, LongPackedInts::new);
      if (rowBases) {
        packed.readRows(chunk, bases, words, length - header, numValues, width);
      } else {
        packed.read(chunk, words, length - header, numValues, width, chunk.getInt(bases));
      }
      reader.transformTo(packed);
    } else {
      final PackedInts packed = reader.shape(PackedInts.class, PackedInts::new);
      if (rowBases) {
        packed.readRows(chunk, bases, words, length - header, numValues, width);
      } else {
        packed.read(chunk, words, length - header, numValues, width, chunk.getInt(bases));
      }
      reader.transformTo(packed);
    }
  }
}
