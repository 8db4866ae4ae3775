// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.dictionary;

import io.shapeshift.druid.bits.BitStream;
import io.shapeshift.druid.bits.InterleavedPacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.DistinctInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntPools;
import io.shapeshift.druid.form.ints.IntStatistics;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.apache.druid.collections.ResourceHolder;

/**
 * Dictionary of the chunk's distinct values, and a code per value in interleaved packing. Suits chunks that have few of
 * a column's many values.
 *
 * <pre>
 * | bytes                        | content                                                 |
 * |------------------------------|---------------------------------------------------------|
 * | 1                            | form id, 10                                             |
 * | 1                            | codeWidth, 1 to 16 bits                                 |
 * | 1                            | entryWidth, 0 to 31 bits                                |
 * | 2                            | numEntries - 1 (unsigned short)                         |
 * | 4                            | base: the smallest entry                                |
 * | numEntries * entryWidth bits | entries less the base, ascending: see {@link BitStream} |
 * | numWords * 4                 | codes, from 0: see {@link InterleavedPacking}           |
 * </pre>
 * Example, little-endian: 300 2 300 is {@code 0a 01 09 01 00 02 00 00 00 00 54 02 01 00 00 00 00 00 00 00 01} and
 * 55 zero bytes: the entries 2 and 300 in nine bits above 2, and the codes 1 0 1, in a word of four bytes for each of
 * the 16 lanes.
 */
public final class DictionaryForm implements IntForm {
  static final byte ID = 10;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "dictionary";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Dictionary.COST;
  }

  @Override
  public Set<Use> uses() {
    // A dictionary of a dictionary's codes saves nothing.
    return EnumSet.of(Use.IDS, Use.NUMBERS);
  }

  @Override
  public double scanNanos(IntChunk chunk) {
    return CostModel.Dictionary.SCAN_NANOS;
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    if (chunk.size() > Limits.MAX_DIRECT_INTS || chunk.statistics().isConstant()) {
      return Estimate.SKIP;
    }
    final IntStatistics statistics = chunk.statistics();
    final int numEntries = statistics.numDistinct();
    if (numEntries == Integer.MAX_VALUE) {
      return Estimate.SKIP;
    }
    return Estimate.exact(
        DictionaryInts.Header.SIZE
            + BitStream.numBytes(numEntries, statistics.width())
            + Integer.BYTES * InterleavedPacking.numWords(chunk.size(), codeWidth(numEntries)));
  }

  private static int codeWidth(int numEntries) {
    return Math.max(1, InterleavedPacking.width(numEntries - 1));
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    final IntStatistics statistics = chunk.statistics();
    try (ResourceHolder<IntPools.PackingArrays> holder = IntPools.PACKING.take();
         ResourceHolder<DistinctInts> distinct = DistinctInts.POOL.take()) {
      final IntPools.PackingArrays arrays = holder.get();
      final int[] entries = distinct.get().collect(chunk.values(), chunk.size());
      for (int i = 0; i < chunk.size(); i++) {
        arrays.codes[i] = distinct.get().code(chunk.values()[i]);
      }
      final int codeWidth = codeWidth(entries.length);
      out.put(ID).put((byte) codeWidth).put((byte) statistics.width()).putShort((short) (entries.length - 1));
      out.putInt(statistics.min());
      BitStream.pack(entries, entries.length, statistics.min(), statistics.width(), out);
      InterleavedPacking.pack(arrays.codes, chunk.size(), codeWidth, arrays.words, out);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLengthAtLeast(this, length, DictionaryInts.Header.SIZE);
    final DictionaryInts.Header header = new DictionaryInts.Header(
        Checks.checkWidth(this, chunk.get(offset + 1), 1, 16),
        Checks.checkWidth(this, chunk.get(offset + 2), 0, 31),
        (chunk.getShort(offset + 3) & 0xFFFF) + 1,
        chunk.getInt(offset + 5)
    );
    Checks.checkLengthAtLeast(this, length, header.words() + BitStream.SLACK);
    final DictionaryInts dictionary = reader.shape(DictionaryInts.class, DictionaryInts::new);
    dictionary.read(chunk, offset, length, reader.numValues(), header);
    reader.transformTo(dictionary);
  }
}
