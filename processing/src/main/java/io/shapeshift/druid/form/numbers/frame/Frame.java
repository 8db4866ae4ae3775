// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.numbers.frame;

import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.form.Form;
import io.shapeshift.druid.form.FormDecoder;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.form.ints.IntForm;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberType;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * How the numbers of a chunk come from ints, which any form of ints can store: a frame and a form of ints together are
 * a form of numbers, {@link FramedForm}. Thus longs, doubles and floats share all forms of ints, and only the last step
 * of a read differs by type.
 *
 * <pre>
 * | bytes         | content                                                                 |
 * |---------------|-------------------------------------------------------------------------|
 * | 1             | id of the frame                                                         |
 * | see the frame | the frame                                                               |
 * | the rest      | the child: a chunk of ints, one for each number, with the id of its own |
 * |               | form as its first byte                                                  |
 * </pre>
 */
public abstract class Frame implements FormDecoder<NumberChunkReader> {
  /** Whether numbers of a type can be in this frame. */
  public boolean suits(NumberType type) {
    return true;
  }

  /** How much slower numbers in this frame are read than those of its ints. */
  abstract DecodeCost cost();

  /**
   * Nanoseconds per number that a scan takes on top of that of its ints: see {@link Form#scanNanos}.
   *
   * @param type of the numbers
   */
  abstract double scanNanos(NumberType type);

  /** The use of the ints, by which the forms of ints to try are selected. */
  public IntForm.Use use() {
    return IntForm.Use.NUMBERS;
  }

  /** Whether ints change where numbers do, so that parts of a chunk differ in ints if they differ in numbers. */
  public boolean isProportional() {
    return false;
  }

  /** Puts the numbers of a chunk into this frame; null if they do not fit in, or never sensibly. */
  @Nullable
  abstract Framed fit(NumberChunk chunk);

  /**
   * Tells a reader of a chunk's frame.
   *
   * @param offset index in the buffer of the frame's first byte, the one behind the id
   * @param length bytes of the chunk from there on
   * @return bytes of the frame
   * @throws MalformedChunkException if these bytes are no frame of this kind
   */
  abstract int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader);

  /** The numbers as ints in this frame, computed once for each chunk; null if they do not fit into it. */
  @Nullable
  public final Framed framed(NumberChunk chunk) {
    return chunk.findings().once(this, Fit.class, () -> new Fit(fit(chunk))).framed;
  }

  /** What {@link #fit} found, which may be nothing: a chunk remembers that, too. */
  private record Fit(@Nullable Framed framed) {}

  @Override
  public final void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int child = childOffset(chunk, offset, length, reader);
    child(chunk, child).transform(chunk, child, offset + length - child, reader.framedInts());
  }

  private int childOffset(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int size = 1 + read(chunk, offset + 1, length - 1, reader);
    if (size >= length) {
      throw new MalformedChunkException(name() + " has " + length + " bytes, of which its frame takes " + size);
    }
    return offset + size;
  }

  private IntForm child(ByteBuffer chunk, int offset) {
    final byte id = chunk.get(offset);
    @Nullable final IntForm form = IntForms.byId(id);
    if (form == null) {
      throw MalformedChunkException.newer(name() + " holds a chunk in form " + id + ", which is unknown");
    }
    return form;
  }

  @Override
  public final boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int child = childOffset(chunk, offset, length, reader);
    return child(chunk, child).isDecodedWhole(chunk, child, offset + length - child, reader.framedInts());
  }

  @Override
  public final String nameOf(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    return nameOf(child(chunk, childOffset(chunk, offset, length, reader)));
  }

  /** The name of the form of numbers that this frame and a form of ints are together. */
  public final String nameOf(IntForm child) {
    return name() + "-" + child.name();
  }

  @Nullable
  @Override
  public final String compressedName(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int child = childOffset(chunk, offset, length, reader);
    return child(chunk, child).compressedName(chunk, child, offset + length - child, reader.framedInts());
  }

  /** Checks that a frame has at least {@code least} bytes. */
  static void check(int length, int least) {
    if (length < least) {
      throw new MalformedChunkException("the frame has " + length + " bytes, expected at least " + least);
    }
  }

  /** Appends the bits of a number, in as many bytes as its type has. */
  public static void putBits(NumberType type, long bits, ByteBuffer out) {
    if (type == NumberType.FLOAT) {
      out.putInt((int) bits);
    } else {
      out.putLong(bits);
    }
  }
}
