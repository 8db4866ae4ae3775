// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;
import org.apache.druid.segment.data.VByte;

/** Checks of a chunk's bytes that forms share. */
public final class Checks {
  private Checks() {}

  /** Checks that a chunk, or a part of it, has the length that its form requires. */
  public static void checkLength(FormDecoder<?> form, int length, int expected) {
    if (length != expected) {
      throw new MalformedChunkException(form.name() + " has " + length + " bytes, expected " + expected);
    }
  }

  /**
   * Checks the width of values in bits against the limits of their form.
   *
   * @return the width
   */
  public static int checkWidth(FormDecoder<?> form, int width, int least, int most) {
    if (width < least || width > most) {
      throw new MalformedChunkException(
          form.name() + " has values of " + width + " bits, expected " + least + " to " + most);
    }
    return width;
  }

  /** Checks the bytes of a chunk's words against the least of its form and the limit of four. */
  public static void checkWordBytes(FormDecoder<?> form, int numBytes, int least) {
    if (numBytes < least || numBytes > Integer.BYTES) {
      throw new MalformedChunkException(
          form.name() + " has words of " + numBytes + " bytes, expected " + least + " to 4");
    }
  }

  /** Checks that a chunk does not have more values than are decoded at once. */
  public static void checkNumValues(FormDecoder<?> form, int numValues) {
    if (numValues > Limits.MAX_DIRECT_INTS) {
      throw new MalformedChunkException(
          form.name() + " has " + numValues + " values, but can have at most " + Limits.MAX_DIRECT_INTS);
    }
  }

  /** Checks that a chunk has at least the length of its form's fixed parts. */
  public static void checkLengthAtLeast(FormDecoder<?> form, int length, int least) {
    if (length < least) {
      throw new MalformedChunkException(form.name() + " has " + length + " bytes, expected at least " + least);
    }
  }

  /** Reads a number (VByte), which must be in a range, and advances the buffer past it. */
  public static int readInt(String what, ByteBuffer in, int least, int most) {
    final int offset = in.position();
    final int found = VByte.readInt(in);
    if (found < least || found > most) {
      throw new MalformedChunkException(
          what + " at offset " + offset + " is " + found + ", expected " + least + " to " + most);
    }
    return found;
  }
}
