// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints.constant;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntChunk;
import io.shapeshift.druid.form.ints.IntChunkReader;
import io.shapeshift.druid.form.ints.IntForm;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * Form for a chunk in which all values are equal.
 *
 * <pre>
 * | bytes | content          |
 * |-------|------------------|
 * | 1     | form id, 1       |
 * | 4     | the value        |
 * </pre>
 * Example, little-endian: 7 7 7 is {@code 01 07 00 00 00}.
 */
public final class ConstantForm implements IntForm {
  static final byte ID = 1;
  private static final int SIZE = 1 + Integer.BYTES;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "constant";
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
    return chunk.statistics().isConstant() ? Estimate.take(SIZE) : Estimate.SKIP;
  }

  @Override
  public void encode(IntChunk chunk, ByteBuffer out) {
    out.put(ID).putInt(chunk.values()[0]);
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, IntChunkReader reader) {
    Checks.checkLength(this, length, SIZE);
    final int value = chunk.getInt(offset + 1);
    if (value < 0) {
      throw new MalformedChunkException("constant has the value " + value + ", expected none below 0");
    }
    final ConstantInts constant = reader.shape(ConstantInts.class, scratch -> new ConstantInts());
    constant.read(reader.numValues(), value);
    reader.transformTo(constant);
  }
}
