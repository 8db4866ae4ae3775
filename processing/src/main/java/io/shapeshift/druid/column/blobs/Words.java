// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words of 4 or 8 bytes in arrays of bytes, little-endian. */
final class Words {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  /** Returns the word of 8 bytes at an index. */
  static long get8(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /** Returns the word of 4 or 8 bytes at an index. */
  static long get(byte[] bytes, int at, int wordBytes) {
    return wordBytes == Long.BYTES ? (long) LONGS.get(bytes, at) : (int) INTS.get(bytes, at) & 0xFFFFFFFFL;
  }

  /** Stores a word of 8 bytes. */
  static void put8(byte[] bytes, int at, long word) {
    LONGS.set(bytes, at, word);
  }

  /** Stores a word of 4 bytes. */
  static void put4(byte[] bytes, int at, int word) {
    INTS.set(bytes, at, word);
  }

  /** Distributes the bits of a word (the finalizer of MurmurHash3). */
  static long mix(long word) {
    long hash = word;
    hash = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ hash >>> 33) * 0xC4CEB9FE1A85EC53L;
    return hash ^ hash >>> 33;
  }

  /**
   * Returns the length of a value's head: the bytes before its words.
   *
   * @param minHead least length of the head, if the value is not shorter
   */
  static int headLength(int length, int wordBytes, int minHead) {
    return length <= minHead ? length : minHead + (length - minHead) % wordBytes;
  }
}
