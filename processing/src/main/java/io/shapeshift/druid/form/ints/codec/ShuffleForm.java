// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.CompressibleIntForm;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * Bytes of {@code BytePackForm} in another order: the lowest byte of each value, then the second byte of each, and so
 * on. An inner form for codecs, which compress the uniform high bytes better when they are adjacent.
 *
 * <pre>
 * | bytes                | content                                   |
 * |----------------------|-------------------------------------------|
 * | 1                    | form id, 13                               |
 * | 1                    | numBytes, 2 to 4                          |
 * | numValues * numBytes | bytes, lowest first, in either byte order |
 * </pre>
 * Example: 1 300 2 is {@code 0d 02 01 2c 02 00 01 00}.
 */
public final class ShuffleForm extends CompressibleIntForm {
  static final byte ID = 13;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "shuffle";
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
    return metadata(chunk) < 2 ? Estimate.SKIP : super.estimate(chunk);
  }

  @Override
  public int metadata(IntChunk chunk) {
    return BytePacking.numBytes(chunk.statistics().max());
  }

  @Override
  public int payloadSize(IntChunk chunk) {
    return chunk.size() * metadata(chunk);
  }

  @Override
  public void encodePayload(IntChunk chunk, ByteBuffer out) {
    BytePacking.shuffle(chunk.values(), chunk.size(), metadata(chunk), out);
  }

  @Override
  public void transformPayload(int metadata, ByteBuffer payload, int offset, int length, IntChunkReader reader) {
    Checks.checkWordBytes(this, metadata, 2);
    Checks.checkLength(this, length, reader.numValues() * metadata);
    final ShuffledInts shuffled = reader.shape(ShuffledInts.class, scratch -> new ShuffledInts());
    shuffled.read(payload, offset, reader.numValues(), metadata);
    reader.transformTo(shuffled);
  }
}
