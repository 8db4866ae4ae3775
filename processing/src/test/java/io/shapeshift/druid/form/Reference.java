// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The layouts of payloads read by the book: byte after byte, as plainly as can be. */
final class Reference {
  private Reference() {}

  /** The unsigned number in the buffer's next {@code numBytes} bytes. */
  static int word(ByteBuffer in, int numBytes) {
    int word = 0;
    for (int i = 0; i < numBytes; i++) {
      final int next = in.get() & 0xFF;
      word = in.order() == ByteOrder.LITTLE_ENDIAN ? word | next << (8 * i) : word << 8 | next;
    }
    return word;
  }

  /** The payload of bytepack: what remains in the buffer. */
  static int[] bytePack(ByteBuffer payload, int numBytes) {
    final List<Integer> values = new ArrayList<>();
    while (payload.hasRemaining()) {
      values.add(word(payload, numBytes));
    }
    return toArray(values);
  }

  /** The payload of run length: what remains in the buffer. */
  static int[] runLength(ByteBuffer payload, int numBytes) {
    final long runFlag = 1L << (8 * numBytes - 1);
    final List<Integer> values = new ArrayList<>();
    while (payload.hasRemaining()) {
      final int word = word(payload, numBytes);
      if ((word & runFlag) == 0) {
        values.add(word);
      } else {
        final int value = word(payload, numBytes);
        for (int i = 0; i < (int) (word & (runFlag - 1)); i++) {
          values.add(value);
        }
      }
    }
    return toArray(values);
  }

  /** The payload of a form that can be compressed. */
  static int[] compressible(byte formId, ByteBuffer payload, int numBytes) {
    return formId == 3 ? bytePack(payload, numBytes) : runLength(payload, numBytes);
  }

  private static int[] toArray(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
