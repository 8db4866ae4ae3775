// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.AddedForm;
import io.shapeshift.druid.form.Estimate;
import io.shapeshift.druid.form.Limits;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForm;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Form for numbers in a {@link Frame}, which specifies the bytes, with their ints in one form of ints.
 *
 * <p>Example, little-endian: the longs 1000000007000 1000000021000 1000000014000 are {@code 01 03 58 2b a5 d4 e8 00 00
 * 00 58 1b 00 00 00 00 00 00 03 01 00 02 01} with bytepack: a linear frame with a base and a multiplier, 1000000007000
 * and 7000, and the ints 0 2 1 as a chunk in form 3, a byte each.
 */
public class FramedForm implements NumberForm {
  /** Bytes of a linear frame with a base and a multiplier, but without exceptions. */
  private static final int SMALL_FRAME = 2 * Long.BYTES + 2;

  public final Frame frame;
  private final IntForm child;

  public FramedForm(Frame frame, IntForm child) {
    this.frame = frame;
    this.child = child;
  }

  @Override
  public final byte id() {
    return frame.id();
  }

  @Override
  public final String name() {
    return frame.nameOf(child);
  }

  @Nullable
  @Override
  public final AddedForm added() {
    return child.added();
  }

  @Override
  public final DecodeCost cost() {
    return frame.cost().times(child.cost());
  }

  @Override
  public final double scanNanos(NumberChunk chunk) {
    return frame.scanNanos(chunk.type()) + child.scanNanos(frame.framed(chunk).ints());
  }

  /** Returns the size of the chunk's frame, including its id, in bytes. */
  public final int frameSize(NumberChunk chunk) {
    return 1 + frame.framed(chunk).headerSize();
  }

  @Override
  public final Estimate estimate(NumberChunk chunk) {
    @Nullable final Framed framed = frame.framed(chunk);
    if (framed == null) {
      return Estimate.SKIP;
    }
    final Estimate ints = child.estimate(framed.ints());
    final int bytes = ints.bytes() + frameSize(chunk);
    if (bytes > Limits.MAX_CHUNK_BYTES) {
      return Estimate.SKIP;
    }
    return switch (ints.kind()) {
      case SKIP, TRY -> ints;
      case EXACT -> Estimate.exact(bytes);
      // Another frame may need no list of exceptions, and so be smaller.
      case TAKE -> framed.headerSize() <= SMALL_FRAME ? Estimate.take(bytes) : Estimate.exact(bytes);
    };
  }

  @Override
  public final void encode(NumberChunk chunk, ByteBuffer out) {
    final Framed framed = frame.framed(chunk);
    out.put(id());
    framed.header().accept(out);
    child.encode(framed.ints(), out);
  }

  @Override
  public final void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    frame.transform(chunk, offset, length, reader);
  }

  @Override
  public final boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    return frame.isDecodedWhole(chunk, offset, length, reader);
  }

  @Override
  public final String nameOf(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    return frame.nameOf(chunk, offset, length, reader);
  }

  @Nullable
  @Override
  public final String compressedName(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    return frame.compressedName(chunk, offset, length, reader);
  }
}
