// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.form.strings.CaseFolding;
import java.util.Arrays;

/**
 * Set of the trigrams of texts in UTF-8, each hashed to one of 2<sup>k</sup> slots. A trigram is three neighbouring
 * bytes of a text after <em>folding</em>: A to Z become a to z, and foreign characters become the letter that they
 * equal, see {@link CaseFolding}. So the same trigrams serve searches with and without case. Not thread-safe.
 */
final class Trigrams {
  /** Bytes of a trigram. */
  private static final int LENGTH = 3;
  private static final int MASK = 0xFF_FFFF;
  /** Odd multiplier of Fibonacci hashing: 2<sup>32</sup> divided by the golden ratio. */
  private static final int MULTIPLIER = 0x9E37_79B1;

  private final int shift;
  private final long[] bits;
  private int[] slots = new int[64];
  private int count;

  /** Creates an empty set of trigrams in 2<sup>logSlots</sup> slots, at least 64 of them. */
  Trigrams(int logSlots) {
    this.shift = Integer.SIZE - logSlots;
    this.bits = new long[1 << (logSlots - 6)];
  }

  /** Removes all trigrams. */
  void clear() {
    for (int i = 0; i < count; i++) {
      bits[slots[i] >>> 6] = 0;
    }
    count = 0;
  }

  /** Returns the slots, in no order; the first {@link #count} are valid. */
  int[] slots() {
    return slots;
  }

  /** Returns the number of slots that have a trigram. */
  int count() {
    return count;
  }

  /** Adds the trigrams of the text from index {@code from} to {@code to}, exclusive. */
  void add(byte[] text, int from, int to) {
    int trigram = 0;
    int missing = LENGTH;
    for (int at = from; at < to; at++) {
      int next = text[at];
      if (next >= 0) {
        next = CaseFolding.byteToLowerCase(next);
      } else {
        final int letter = CaseFolding.letter(text, at, to);
        if (letter > 0) {
          at += CaseFolding.foreignBytes(letter) - 1;
          next = letter;
        }
      }
      trigram = ((trigram << Byte.SIZE) | (next & 0xFF)) & MASK;
      if (missing > 1) {
        missing--;
      } else {
        add((trigram * MULTIPLIER) >>> shift);
      }
    }
  }

  private void add(int slot) {
    final long bit = 1L << slot;
    if ((bits[slot >>> 6] & bit) == 0) {
      bits[slot >>> 6] |= bit;
      if (count == slots.length) {
        slots = Arrays.copyOf(slots, 2 * count);
      }
      slots[count++] = slot;
    }
  }
}
