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
 * Mapping between the numbers of a chunk and ints, which any form of ints can store. A frame and a form of ints
 * together are a form of numbers, {@link FramedForm}. Longs, doubles and floats therefore share all forms of ints, and
 * only the last step of a read depends on the type.
 *
 * <pre>
 * | bytes         | content                                                                 |
 * |---------------|-------------------------------------------------------------------------|
 * | 1             | id of the frame                                                         |
 * | see the frame | the frame                                                               |
 * | the rest      | the child: a chunk of ints, one per number, starting with the id of its |
 * |               | own form                                                                |
 * </pre>
 */
public abstract class Frame implements FormDecoder<NumberChunkReader> {
  /** Returns whether numbers of a type can be in this frame. */
  public boolean suits(NumberType type) {
    return true;
  }

  /** Returns the decoding cost of numbers in this frame, relative to their ints. */
  abstract DecodeCost cost();

  /**
   * Returns the nanoseconds per number that a scan adds to that of the ints: see {@link Form#scanNanos}.
   *
   * @param type of the numbers
   */
  abstract double scanNanos(NumberType type);

  /** Returns the kind of the ints, which selects the forms of ints to try. */
  public IntForm.Use use() {
    return IntForm.Use.NUMBERS;
  }

  /**
   * Returns whether ints change exactly where numbers do, so that parts of a chunk differ in ints if they differ in
   * numbers.
   */
  public boolean isProportional() {
    return false;
  }

  /** Fits the numbers of a chunk into this frame; returns null if they do not fit, or should not. */
  @Nullable
  abstract Framed fit(NumberChunk chunk);

  /**
   * Reads a chunk's frame and sets the reader's shape.
   *
   * @param offset index in the buffer of the frame's first byte, after the id
   * @param length bytes of the chunk from the offset
   * @return size of the frame in bytes
   * @throws MalformedChunkException if the bytes are not a frame of this kind
   */
  abstract int read(ByteBuffer chunk, int offset, int length, NumberChunkReader reader);

  /** Returns the numbers as ints in this frame, computed once per chunk; null if they do not fit. */
  @Nullable
  public final Framed framed(NumberChunk chunk) {
    return chunk.findings().once(this, Fit.class, () -> new Fit(fit(chunk))).framed;
  }

  /** Cached result of {@link #fit}, which may be null. */
  private record Fit(@Nullable Framed framed) {}

  @Override
  public final void transform(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int child = childOffset(chunk, offset, length, reader);
    child(chunk, child, reader).transform(chunk, child, offset + length - child, reader.framedInts());
  }

  private int childOffset(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int size = 1 + read(chunk, offset + 1, length - 1, reader);
    if (size >= length) {
      throw new MalformedChunkException(name() + " has " + length + " bytes, but its frame alone takes " + size);
    }
    return offset + size;
  }

  private IntForm child(ByteBuffer chunk, int offset, NumberChunkReader reader) {
    final byte id = chunk.get(offset);
    @Nullable final IntForm form = IntForms.byId(id);
    return form == null ? addedChild(id, reader) : form;
  }

  private IntForm addedChild(byte id, NumberChunkReader reader) {
    @Nullable final String encoding = reader.framedInts().addedName(id);
    @Nullable final IntForm form = encoding == null ? null : IntForms.added(encoding);
    if (form == null) {
      throw MalformedChunkException.newer(name() + " holds a chunk in form " + id + ", which is unknown");
    }
    return form;
  }

  @Override
  public final boolean isDecodedWhole(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int child = childOffset(chunk, offset, length, reader);
    return child(chunk, child, reader).isDecodedWhole(chunk, child, offset + length - child, reader.framedInts());
  }

  @Override
  public final String nameOf(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int child = childOffset(chunk, offset, length, reader);
    @Nullable final String encoding = reader.framedInts().addedName(chunk.get(child));
    return encoding == null ? nameOf(child(chunk, child, reader)) : name() + "-" + encoding;
  }

  /** Returns the name of the form of numbers that combines this frame with a form of ints. */
  public final String nameOf(IntForm child) {
    return name() + "-" + child.name();
  }

  @Nullable
  @Override
  public final String compressedName(ByteBuffer chunk, int offset, int length, NumberChunkReader reader) {
    final int child = childOffset(chunk, offset, length, reader);
    if (reader.framedInts().addedName(chunk.get(child)) != null) {
      // Not installed, perhaps, and no codec.
      return null;
    }
    return child(chunk, child, reader).compressedName(chunk, child, offset + length - child, reader.framedInts());
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
