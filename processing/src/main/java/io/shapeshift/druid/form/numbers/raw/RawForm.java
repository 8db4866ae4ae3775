// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.raw;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;

/**
 * Plain numbers.
 *
 * <pre>
 * | bytes         | content                                         |
 * |---------------|-------------------------------------------------|
 * | 1             | form id, 0                                      |
 * | numValues * 8 | bits of the numbers; four bytes each for floats |
 * </pre>
 * Example, little-endian: the double 0.1 is {@code 00 9a 99 99 99 99 99 b9 3f}.
 */
public final class RawForm implements NumberForm {
  static final byte ID = 0;

  @Override
  public byte id() {
    return ID;
  }

  @Override
  public String name() {
    return "raw";
  }

  @Override
  public DecodeCost cost() {
    return DecodeCost.NONE;
  }

  @Override
  public double scanNanos(NumberChunk chunk) {
    return 0;
  }

  @Override
  public Estimate estimate(NumberChunk chunk) {
    return Estimate.exact(1 + chunk.size() * chunk.type().bytes());
  }

  @Override
  public void encode(NumberChunk chunk, ByteBuffer out) {
    out.put(ID);
    put(chunk, 0, chunk.size(), out);
  }

  /** Appends the bits of some numbers. */
  public static void put(NumberChunk chunk, int start, int length, ByteBuffer out) {
    final long[] bits = chunk.bits();
    if (chunk.type() == NumberType.FLOAT) {
      for (int i = start; i < start + length; i++) {
        out.putInt((int) bits[i]);
      }
    } else {
      out.asLongBuffer().put(bits, start, length);
      out.position(out.position() + length * Long.BYTES);
    }
  }

  @Override
  public void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    Checks.checkLength(this, length, 1 + reader.numValues() * reader.type().bytes());
    final RawNumbers numbers = reader.shape(RawNumbers.class, RawNumbers::new);
    numbers.read(chunk, offset + 1);
    reader.transformTo(numbers);
  }
}
