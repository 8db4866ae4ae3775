// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.codec;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.CompressibleIntForm;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * Differences from the smallest value in one, two or four bits, which fill whole bytes. An inner form for codecs that
 * compress bytes, and so cannot store a value in less than a bit.
 *
 * <pre>
 * | bytes                  | content                                                      |
 * |------------------------|--------------------------------------------------------------|
 * | 1                      | form id, 15                                                  |
 * | 1                      | width, 1, 2 or 4 bits                                        |
 * | 4                      | smallest value (int)                                         |
 * | numValues * width bits | differences, the first in the lowest bits of the first byte, |
 * |                        | padded with zero bits                                        |
 * </pre>
 * Example, little-endian: 7 7 8 is {@code 0f 01 07 00 00 00 04}.
 */
public final class BitsForm extends CompressibleIntForm {
  static final byte ID = 15;
  private static final int MAX_WIDTH = 4;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "bits";
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
    return chunk.statistics().isConstant() || chunk.statistics().width() > MAX_WIDTH
           ? Estimate.SKIP
           : super.estimate(chunk);
  }

  @Override
  public int metadata(IntChunk chunk) {
    return chunk.statistics().width() == 3 ? MAX_WIDTH : chunk.statistics().width();
  }

  @Override
  public int payloadSize(IntChunk chunk) {
    return Integer.BYTES + numBytes(chunk.size(), metadata(chunk));
  }

  private static int numBytes(int numValues, int width) {
    return (numValues * width + 7) / 8;
  }

  @Override
  public void encodePayload(IntChunk chunk, ByteBuffer out) {
    final int width = metadata(chunk);
    final int min = chunk.statistics().min();
    final int[] values = chunk.values();
    out.putInt(min);
    final int perByte = Byte.SIZE / width;
    for (int start = 0; start < chunk.size(); start += perByte) {
      int bits = 0;
      for (int i = 0; i < perByte && start + i < chunk.size(); i++) {
        bits |= (values[start + i] - min) << (i * width);
      }
      out.put((byte) bits);
    }
  }

  @Override
  public void transformPayload(int metadata, ByteBuffer payload, int offset, int length, IntChunkReader reader) {
    if (metadata != 1 && metadata != 2 && metadata != MAX_WIDTH) {
      throw new MalformedChunkException("bits has values of " + metadata + " bits, expected 1, 2 or 4");
    }
    Checks.checkLength(this, length, Integer.BYTES + numBytes(reader.numValues(), metadata));
    final SmallBitsInts bits = reader.shape(SmallBitsInts.class, scratch -> new SmallBitsInts());
    bits.read(payload, offset + Integer.BYTES, reader.numValues(), metadata, payload.getInt(offset));
    reader.transformTo(bits);
  }
}
