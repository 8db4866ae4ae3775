// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.CompressibleIntForm;
import io.shapeshift.druid.form.ints.DistinctInts;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.apache.druid.collections.ResourceHolder;

/**
 * Dictionary of at most 256 distinct values, and one byte per value. An inner form for codecs, which find more
 * repetitions among one-byte values than among wider ones.
 *
 * <pre>
 * | bytes                 | content                                        |
 * |-----------------------|------------------------------------------------|
 * | 1                     | form id, 14                                    |
 * | 1                     | numBytes of an entry, 2 to 4                   |
 * | 1                     | numEntries - 1                                 |
 * | numEntries * numBytes | entries, ascending, in the column's byte order |
 * | numValues             | index of each value's entry                    |
 * </pre>
 * Example, little-endian: 300 2 300 is {@code 0e 02 01 02 00 2c 01 01 00 01}.
 */
public final class ByteDictionaryForm extends CompressibleIntForm {
  static final byte ID = 14;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "bytedictionary";
  }

  @Override
  public DecodeCost cost() {
    return DecodeCost.NEVER_ALONE;
  }

  @Override
  public Set<Use> uses() {
    // Used only inside codecs.
    return EnumSet.noneOf(Use.class);
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    return metadata(chunk) < 2 || chunk.statistics().numDistinctForBytes() > ByteCodedInts.MAX_ENTRIES
           ? Estimate.SKIP
           : super.estimate(chunk);
  }

  @Override
  public int metadata(IntChunk chunk) {
    return BytePacking.numBytes(chunk.statistics().max());
  }

  @Override
  public int payloadSize(IntChunk chunk) {
    return 1 + chunk.statistics().numDistinctForBytes() * metadata(chunk) + chunk.size();
  }

  @Override
  public void encodePayload(IntChunk chunk, ByteBuffer out) {
    try (ResourceHolder<DistinctInts> distinct = DistinctInts.POOL.take()) {
      final int[] entries = distinct.get().collect(chunk.values(), chunk.size());
      out.put((byte) (entries.length - 1));
      BytePacking.pack(entries, 0, entries.length, metadata(chunk), out);
      for (int i = 0; i < chunk.size(); i++) {
        out.put((byte) distinct.get().code(chunk.values()[i]));
      }
    }
  }

  @Override
  public void transformPayload(int metadata, ByteBuffer payload, int offset, int length, IntChunkReader reader) {
    Checks.checkWordBytes(this, metadata, 2);
    Checks.checkLengthAtLeast(this, length, 1);
    final int numEntries = (payload.get(offset) & 0xFF) + 1;
    final int codes = 1 + numEntries * metadata;
    Checks.checkLength(this, length, codes + reader.numValues());
    final ByteCodedInts coded = reader.shape(ByteCodedInts.class, scratch -> new ByteCodedInts());
    coded.read(payload, offset + 1, numEntries, metadata, offset + codes, reader.numValues());
    reader.transformTo(coded);
  }
}
