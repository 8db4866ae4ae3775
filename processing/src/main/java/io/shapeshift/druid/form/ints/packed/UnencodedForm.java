// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.packed;

import io.shapeshift.druid.bits.BytePacking;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * Plain values of four bytes, for chunks in which {@link BytePackForm} saves nothing.
 *
 * <pre>
 * | bytes         | content    |
 * |---------------|------------|
 * | 1             | form id, 2 |
 * | numValues * 4 | values     |
 * </pre>
 * Example, little-endian: 16777216 3 is {@code 02 00 00 00 01 03 00 00 00}.
 */
public final class UnencodedForm implements IntForm {
  static final byte ID = 2;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "unencoded";
  }

  @Override
  public DecodeCost cost() {
    return CostModel.Packed.BYTES_COST;
  }

  @Override
  public Set<Use> uses() {
    // For numbers, other forms are faster and as small.
    return EnumSet.of(Use.IDS);
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    return chunk.size() > Limits.MAX_DIRECT_INTS
           ? Estimate.SKIP
           : Estimate.exact(1 + chunk.size() * Integer.BYTES);
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    out.put(ID);
    BytePacking.pack(chunk.values(), 0, chunk.size(), Integer.BYTES, out);
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLength(this, length, 1 + reader.numValues() * Integer.BYTES);
    final BytePackedInts packed = reader.shape(BytePackedInts.class, scratch -> new BytePackedInts());
    packed.read(chunk, offset + 1, reader.numValues(), Integer.BYTES);
    reader.transformTo(packed);
  }
}
