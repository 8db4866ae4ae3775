// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Growing array for texts that are read one after another. Not thread-safe. */
final class TextBuffer {
  static final int MAX_LENGTH = Integer.MAX_VALUE - Long.BYTES;
  /** Length above which the buffer's own copy is faster, although it takes longer to start. */
  private static final int LONG_PART = 256;

  final RawBytes in = new RawBytes();
  private final ByteBuffer buffer;
  private final int capacity;
  private byte[] bytes = new byte[64];

  /**
   * Creates an array.
   *
   * @param buffer source of the texts, in little-endian order
   */
  TextBuffer(ByteBuffer buffer) {
    this.buffer = buffer;
    this.capacity = buffer.capacity();
    in.wrap(buffer);
  }

  byte[] bytes() {
    return bytes;
  }

  /** Copies bytes of the source; up to eight bytes after them are touched. */
  void copy(int from, int at, int length) {
    ensure(at, (long) length + RawBytes.STEP);
    copy(from, bytes, at, length);
  }

  /** Copies bytes of the source to an array with room for {@link RawBytes#STEP} more; see {@link #copy}. */
  void copy(int from, byte[] out, int at, int length) {
    if (length > LONG_PART) {
      buffer.get(from, out, at, length);
    } else if (from <= capacity - length - RawBytes.STEP) {
      in.getBytesInSteps(from, out, at, length);
    } else {
      in.getBytes(from, out, at, length);
    }
  }

  /** Ensures room for {@code room} bytes from an index. */
  void ensure(int at, long room) {
    if (at + room <= bytes.length) {
      return;
    }
    if (at + room > MAX_LENGTH) {
      throw new MalformedChunkException("A text has more than " + MAX_LENGTH + " bytes");
    }
    bytes = Arrays.copyOf(bytes, (int) Math.min(Math.max(at + room, 2L * bytes.length), MAX_LENGTH));
  }
}
