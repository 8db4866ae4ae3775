// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;

/** Distinct byte strings on the heap, each with a number, in the order in which they were added. Not thread-safe. */
final class DistinctValues {
  private static final int LEAST_SLOTS = 1 << 8;

  /** Number of each value plus 1, by hash; 0 for empty slots. */
  private int[] slots = new int[LEAST_SLOTS];
  private byte[] bytes = new byte[1 << 12];
  /** End of each value in {@link #bytes}. */
  private final IntArrayList ends = new IntArrayList();
  private final IntArrayList hashes = new IntArrayList();
  private int numBytes;

  /** Adds a value unless there is an equal one, and returns the number of the value. */
  int add(byte[] value, int offset, int length) {
    final int hash = hash(value, offset, length);
    int slot = hash & slots.length - 1;
    while (slots[slot] != 0) {
      final int number = slots[slot] - 1;
      if (hashes.getInt(number) == hash
          && Arrays.equals(bytes, start(number), ends.getInt(number), value, offset, offset + length)) {
        return number;
      }
      slot = slot + 1 & slots.length - 1;
    }
    append(value, offset, length);
    hashes.add(hash);
    slots[slot] = ends.size();
    if (2 * ends.size() > slots.length) {
      grow();
    }
    return ends.size() - 1;
  }

  private void append(byte[] value, int offset, int length) {
    if (bytes.length - numBytes < length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max((long) numBytes + length, Math.min(2L * bytes.length, 1 << 30)));
    }
    System.arraycopy(value, offset, bytes, numBytes, length);
    numBytes += length;
    ends.add(numBytes);
  }

  private void grow() {
    slots = new int[2 * slots.length];
    for (int number = 0; number < ends.size(); number++) {
      int slot = hashes.getInt(number) & slots.length - 1;
      while (slots[slot] != 0) {
        slot = slot + 1 & slots.length - 1;
      }
      slots[slot] = number + 1;
    }
  }

  private static int hash(byte[] value, int offset, int length) {
    long hash = length;
    int at = offset;
    final int end = offset + length;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash = Words.mix(hash ^ Words.get8(value, at));
    }
    long rest = 0;
    for (; at < end; at++) {
      rest = rest << Byte.SIZE | (value[at] & 0xFF);
    }
    return (int) (Words.mix(hash ^ rest) >>> Integer.SIZE);
  }

  /** Returns the number of distinct values. */
  int size() {
    return ends.size();
  }

  /** Returns the bytes of all distinct values. */
  int numBytes() {
    return numBytes;
  }

  /** Returns the array with all values. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the start of a value in {@link #bytes}. */
  int start(int number) {
    return number == 0 ? 0 : ends.getInt(number - 1);
  }

  /** Returns the length of a value. */
  int length(int number) {
    return ends.getInt(number) - start(number);
  }
}
