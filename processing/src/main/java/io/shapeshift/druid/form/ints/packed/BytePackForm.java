// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.ints.CompressibleIntForm;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import java.nio.ByteBuffer;

/**
 * Values in as many bytes as the largest needs. Read in place.
 *
 * <pre>
 * | bytes                | content                            |
 * |----------------------|------------------------------------|
 * | 1                    | form id, 3                         |
 * | 1                    | numBytes, 1 to 4                   |
 * | numValues * numBytes | values, in the column's byte order |
 * </pre>
 * Example, little-endian: 1 300 2 is {@code 03 02 01 00 2c 01 02 00}.
 */
public final class BytePackForm extends CompressibleIntForm {
  public static final byte ID = 3;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "bytepack";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Packed.BYTES_COST;
  }

  @Override
  public boolean tellsMetadata() {
    return false;
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
    BytePacking.pack(chunk.values(), 0, chunk.size(), metadata(chunk), out);
  }

  @Override
  public void transformPayload(int metadata, ByteBuffer payload, int offset, int length, IntChunkReader reader) {
    Checks.checkWordBytes(this, metadata, 1);
    Checks.checkLength(this, length, reader.numValues() * metadata);
    final BytePackedInts packed = reader.shape(BytePackedInts.class, scratch -> new BytePackedInts());
    packed.read(payload, offset, reader.numValues(), metadata);
    reader.transformTo(packed);
  }
}
