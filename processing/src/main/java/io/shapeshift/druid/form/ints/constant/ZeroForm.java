// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.constant;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * Form for a chunk in which all values are zero, such as a chunk of nulls.
 *
 * <pre>
 * | bytes | content          |
 * |-------|------------------|
 * | 1     | form id, 0       |
 * </pre>
 * Example: 0 0 0 is {@code 00}.
 */
public final class ZeroForm implements IntForm {
  static final byte ID = 0;
  private static final int SIZE = 1;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "zero";
  }

  @Override
  public DecodeCost cost() {
    return DecodeCost.NONE;
  }

  @Override
  public Set<Use> uses() {
    // A dictionary's codes have at least two distinct values.
    return EnumSet.of(Use.IDS, Use.NUMBERS);
  }

  @Override
  public Estimate estimate(IntChunk chunk) {
    return chunk.statistics().isZero() ? Estimate.take(SIZE) : Estimate.SKIP;
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    out.put(ID);
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLength(this, length, SIZE);
    final ConstantInts zeros = reader.shape(ConstantInts.class, scratch -> new ConstantInts());
    zeros.read(reader.numValues(), 0);
    reader.transformTo(zeros);
  }
}
