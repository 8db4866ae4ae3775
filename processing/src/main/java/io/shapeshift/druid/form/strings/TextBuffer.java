// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** An array for texts that are read one after another, which grows with them. For one thread. */
final class TextBuffer {
  private static final int MAX_LENGTH = Integer.MAX_VALUE - Long.BYTES;
  /** Longer parts are copied by the buffer's own method, which takes longer to start. */
  private static final int LONG_PART = 256;

  final RawBytes in = new RawBytes();
  private final ByteBuffer buffer;
  private final int capacity;
  private byte[] bytes = new byte[64];

  /**
   * Makes one.
   *
   * @param buffer where texts come from, in little-endian order
   */
  TextBuffer(ByteBuffer buffer) {
    this.buffer = buffer;
    this.capacity = buffer.capacity();
    in.wrap(buffer);
  }

  byte[] bytes() {
    return bytes;
  }

  /** Copies bytes of the buffer, of which eight more may be touched. */
  void copy(int from, int at, int length) {
    ensure(at, (long) length + RawBytes.STEP);
    if (length > LONG_PART) {
      buffer.get(from, bytes, at, length);
    } else if (from <= capacity - length - RawBytes.STEP) {
      in.getBytesInSteps(from, bytes, at, length);
    } else {
      in.getBytes(from, bytes, at, length);
    }
  }

  /** Makes room for bytes from an index on. */
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
