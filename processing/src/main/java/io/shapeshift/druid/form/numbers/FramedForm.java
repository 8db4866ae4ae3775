// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers;

import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntForm;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Numbers that are put into a {@link Frame}, and stored in a form of ints.
 *
 * <pre>
 * | bytes           | content                                                                                         |
 * |-----------------|-------------------------------------------------------------------------------------------------|
 * | 1               | form id: 16 times the number of the frame (0 linear, 1 decimal, 2 dictionary, 3 delta), and the |
 * |                 | id of the form of ints                                                                          |
 * | see the frame   | the frame                                                                                       |
 * | see the form    | the ints, without the byte that names their form                                                |
 * </pre>
 * Example, little-endian: the longs 1000000007000 1000000021000 1000000014000 are {@code 03 03 58 2b a5 d4 e8 00 00 00
 * 58 1b 00 00 00 00 00 00 01 00 02 01}: frame 0 and form 3, bytepack; a linear frame with a base and a multiplier,
 * 1000000007000 and 7000; and the ints 0 2 1 in a byte each.
 */
class FramedForm implements NumberForm {
  private static final int LOG_INT_FORMS = 4;

  final Frame frame;
  private final IntForm intForm;

  FramedForm(Frame frame, IntForm intForm) {
    if (intForm.id() >> LOG_INT_FORMS != 0) {
      throw new IllegalArgumentException(intForm.name() + " has the id " + intForm.id() + ", too large for a frame");
    }
    this.frame = frame;
    this.intForm = intForm;
  }

  @Override
  public final byte id() {
    return (byte) (frame.id() << LOG_INT_FORMS | intForm.id());
  }

  @Override
  public final String name() {
    return frame.prefix() + intForm.name();
  }

  @Override
  public final Estimate estimate(NumberChunk chunk) {
    @Nullable final Framed framed = chunk.framed(frame);
    if (framed == null) {
      return Estimate.SKIP;
    }
    final Estimate ints = intForm.estimate(framed.ints());
    if (ints.bytes() + framed.headerSize() > Limits.MAX_CHUNK_BYTES) {
      return Estimate.SKIP;
    }
    return switch (ints.kind()) {
      case SKIP, TRY -> ints;
      case EXACT -> Estimate.exact(ints.bytes() + framed.headerSize());
      // Another frame may have less than a list of exceptions.
      case TAKE -> framed.headerSize() <= 2 * Long.BYTES + 2
                   ? Estimate.take(ints.bytes() + framed.headerSize())
                   : Estimate.exact(ints.bytes() + framed.headerSize());
    };
  }

  @Override
  public final void encode(NumberChunk chunk, ByteBuffer out) {
    final Framed framed = chunk.framed(frame);
    out.put(id());
    framed.header().accept(out);
    // The form of ints writes its id over the frame's last byte, which is put back.
    final int last = out.position() - 1;
    final byte lastOfFrame = out.get(last);
    intForm.encode(framed.ints(), out.position(last));
    out.put(last, lastOfFrame);
  }

  @Override
  public final void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int frameSize = frame.read(chunk, offset + 1, length - 1, reader);
    // The frame's last byte stands where the form of ints would have its id, which it does not look at.
    intForm.transform(chunk, offset + frameSize, length - frameSize, reader.framedInts());
  }
}
