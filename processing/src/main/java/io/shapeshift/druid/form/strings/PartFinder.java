// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Finder of a part of texts in the bytes of a bucket as they are stored: plain ones, and codes of a
 * {@link SymbolTable}. Thread-safe.
 *
 * <p>Among codes it looks for those that may <em>cover</em> one byte of the part: their symbol has this byte, and
 * agrees with the part as far as both overlap. Each text that contains the part has such a code. The byte is the one
 * that is covered by the rarest codes. The search takes one look-up per code, and no look-up waits for another. Where
 * it finds a code, the codes before and after are compared with the part.
 *
 * <p>Lengths are numbers of bytes of the part that are matched. A set of lengths or indexes is the bits of a long.
 */
final class PartFinder {
  /** Bytes of a longer part that are looked for. */
  static final int MAX_LENGTH = 32;

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final int CASE_BIT = 0x20;
  private static final int BYTES = 1 << Byte.SIZE;
  /** Added to where a symbol starts in the part, which may be before the part. */
  private static final int START = SymbolTable.MAX_LENGTH - 1;

  /** Start of the part in UTF-8; in lower case if case is ignored. */
  private final byte[] part;
  private final boolean ignoresCase;
  /** Index of the two bytes of the part that are looked for among plain bytes, or of one if the part has no more. */
  private final int pair;
  private final int distance;
  private final long first;
  private final long firstCase;
  private final long second;
  private final long secondCase;
  /** For each byte the set of indexes at which the part has it. */
  private final long[] indexes = new long[BYTES];

  @Nullable
  private final SymbolTable symbols;
  /** Index of the byte that a code must cover. */
  private final int covered;
  /** For each code -1 if it may cover that byte or if it escapes it, else 0. */
  private final long[] covering = new long[BYTES];
  /** For each code the set of places in the part where its symbol may start, each plus {@link #START}. */
  private final long[] starts = new long[BYTES];
  /** For each code the set of lengths after which the part may go on with it. */
  private final long[] goesOn = new long[BYTES];
  /** For each code the set of lengths, less than the part's, that may end with it. */
  private final long[] ends = new long[BYTES];
  /** Set of lengths that end with a prefix, and of which {@link #findCode} does not find the rest. */
  private final long straddling;

  /**
   * Creates a finder.
   *
   * @param part        what is looked for; in lower case if case is ignored
   * @param symbols     symbols of the codes; null if all bytes are plain
   * @param plainCounts how often each byte occurs among plain bytes, approximately
   * @param codeCounts  how often each byte occurs among codes
   */
  PartFinder(
      byte[] part, boolean ignoresCase, @Nullable SymbolTable symbols, int[] plainCounts, int[] codeCounts) {
    this.part = Arrays.copyOf(part, Math.min(part.length, MAX_LENGTH));
    this.ignoresCase = ignoresCase;
    this.symbols = symbols;
    for (int index = 0; index < length(); index++) {
      indexes[this.part[index] & 0xFF] |= 1L << index;
      if (isLetter(index)) {
        indexes[this.part[index] ^ CASE_BIT] |= 1L << index;
      }
    }
    this.distance = Math.min(1, length() - 1);
    this.pair = rarestPair(plainCounts);
    this.firstCase = isLetter(pair) ? CASE_BIT * ONES : 0;
    this.first = (this.part[pair] & 0xFF) * ONES;
    this.secondCase = isLetter(pair + distance) ? CASE_BIT * ONES : 0;
    this.second = (this.part[pair + distance] & 0xFF) * ONES;
    if (symbols == null) {
      this.covered = 0;
      this.straddling = (1L << length()) - 2;
    } else {
      align(symbols);
      this.covered = rarestCovered(symbols, codeCounts);
      this.straddling = (1L << length()) - (2L << covered);
      cover(symbols, codeCounts);
    }
  }

  /** Returns the number of bytes that are looked for. */
  int length() {
    return part.length;
  }

  private boolean isLetter(int index) {
    return ignoresCase && part[index] >= 'a' && part[index] <= 'z';
  }

  private int frequency(int[] counts, int index) {
    return counts[part[index] & 0xFF] + (isLetter(index) ? counts[part[index] ^ CASE_BIT] : 0);
  }

  private int rarestPair(int[] counts) {
    int best = 0;
    double least = Double.MAX_VALUE;
    for (int index = 0; index + distance < length(); index++) {
      final double both = (1.0 + frequency(counts, index)) * (1.0 + frequency(counts, index + distance));
      if (both < least) {
        least = both;
        best = index;
      }
    }
    return best;
  }

  /** Finds out where symbols agree with the part. */
  private void align(SymbolTable symbols) {
    final int padding = SymbolTable.MAX_LENGTH;
    final byte[] padded = new byte[length() + 2 * padding];
    System.arraycopy(part, 0, padded, padding, length());
    final byte[] known = new byte[padded.length];
    Arrays.fill(known, padding, padding + length(), (byte) 0xFF);
    for (int code = 0; code < symbols.size(); code++) {
      final int length = symbols.length(code);
      final long symbol = ignoresCase ? CaseFolding.wordToLowerCase(symbols.symbol(code)) : symbols.symbol(code);
      final long mask = -1L >>> (Long.SIZE - Byte.SIZE * length);
      for (int at = 1 - length; at < length(); at++) {
        final long overlap = Utf8.word(known, padding + at) & mask;
        if (((symbol ^ Utf8.word(padded, padding + at)) & overlap) == 0) {
          starts[code] |= 1L << (START + at);
          goesOn[code] |= at < 0 ? 0 : 1L << at;
          ends[code] |= at + length < length() ? 1L << (at + length) : 0;
        }
      }
    }
  }

  /** Returns the places where a code may start if it covers an index, each plus {@link #START}. */
  private long startsOver(int code, int index, SymbolTable symbols) {
    final int length = symbols.length(code);
    return starts[code] & ((1L << length) - 1) << (START + index + 1 - length);
  }

  private int rarestCovered(SymbolTable symbols, int[] counts) {
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int index = 0; index < length(); index++) {
      long frequency = Math.min(counts[SymbolTable.ESCAPE], frequency(counts, index));
      for (int code = 0; code < symbols.size(); code++) {
        frequency += startsOver(code, index, symbols) == 0 ? 0 : counts[code];
      }
      if (frequency <= least) {
        least = frequency;
        best = index;
      }
    }
    return best;
  }

  private void cover(SymbolTable symbols, int[] counts) {
    for (int code = 0; code < symbols.size(); code++) {
      starts[code] = startsOver(code, covered, symbols);
      covering[code] = starts[code] == 0 ? 0 : -1;
    }
    // An escaped byte is found by the escape or by itself, whichever is rarer.
    if (counts[SymbolTable.ESCAPE] <= frequency(counts, covered)) {
      covering[SymbolTable.ESCAPE] = -1;
    } else {
      covering[part[covered] & 0xFF] = -1;
      if (isLetter(covered)) {
        covering[part[covered] ^ CASE_BIT] = -1;
      }
    }
  }

  /**
   * Finds a code that may cover the chosen byte.
   *
   * @param to end of the codes, exclusive; up to seven bytes after it are touched
   * @return position of the first such code; {@code to} or more if there is none
   */
  int findCode(RawBytes in, int from, int to) {
    for (int at = from; at < to; at += Long.BYTES) {
      final long codes = in.getLong(at);
      final long a = RawBytes.getLong(covering, (int) codes & 0xFF);
      final long b = RawBytes.getLong(covering, (int) (codes >>> 8) & 0xFF);
      final long c = RawBytes.getLong(covering, (int) (codes >>> 16) & 0xFF);
      final long d = RawBytes.getLong(covering, (int) (codes >>> 24) & 0xFF);
      final long e = RawBytes.getLong(covering, (int) (codes >>> 32) & 0xFF);
      final long f = RawBytes.getLong(covering, (int) (codes >>> 40) & 0xFF);
      final long g = RawBytes.getLong(covering, (int) (codes >>> 48) & 0xFF);
      final long h = RawBytes.getLong(covering, (int) (codes >>> 56));
      if ((a | b | c | d | e | f | g | h) != 0) {
        return at + Long.numberOfTrailingZeros(
            (a & 1) | (b & 2) | (c & 4) | (d & 8) | (e & 16) | (f & 32) | (g & 64) | (h & 128));
      }
    }
    return to;
  }

  /**
   * Returns whether the codes around one that {@link #findCode} found are the part.
   *
   * @param from      start of the text's codes
   * @param to        end of the text's codes, exclusive
   * @param prefixEnd end of the plain bytes that precede the codes
   * @param prefix    number of these bytes
   */
  boolean isPart(RawBytes in, int at, int from, int to, int prefixEnd, int prefix) {
    final boolean isEscaped = at > from && in.getByte(at - 1) == SymbolTable.ESCAPE;
    final int code = in.getByte(at);
    if (isEscaped || code == SymbolTable.ESCAPE) {
      final int escape = isEscaped ? at - 1 : at;
      return escape + 1 < to
          && (indexes[in.getByte(escape + 1)] >>> covered & 1) != 0
          && comesAfter(in, escape, from, prefixEnd, prefix, covered)
          && goesOn(in, escape + 2, to, covered + 1);
    }
    for (long left = starts[code]; left != 0; left &= left - 1) {
      final int start = Long.numberOfTrailingZeros(left) - START;
      if (comesAfter(in, at, from, prefixEnd, prefix, start) && goesOn(in, at + 1, to, start + symbols.length(code))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the codes that end at a position are the part's first {@code length} bytes. */
  private boolean comesAfter(RawBytes in, int end, int from, int prefixEnd, int prefix, int length) {
    int at = end;
    for (int left = length; left > 0; ) {
      if (at <= from) {
        // In damaged buckets a text may start after a code in it.
        return at == from && left <= prefix && isPlain(in, prefixEnd - left, left);
      }
      final int code = in.getByte(--at);
      // No text in UTF-8 has the byte that is the escape.
      if (at > from && in.getByte(at - 1) == SymbolTable.ESCAPE) {
        if ((indexes[code] >>> (left - 1) & 1) == 0) {
          return false;
        }
        at--;
        left--;
      } else {
        if ((ends[code] >>> left & 1) == 0) {
          return false;
        }
        left -= symbols.length(code);
      }
    }
    return true;
  }

  /** Returns whether the part goes on with the bytes or codes from a position, after some bytes. */
  private boolean goesOn(RawBytes in, int from, int to, int length) {
    int at = from;
    for (int found = length; found < length(); ) {
      if (at >= to) {
        return false;
      }
      int next = in.getByte(at++);
      if (symbols != null && next != SymbolTable.ESCAPE) {
        if ((goesOn[next] >>> found & 1) == 0) {
          return false;
        }
        found += symbols.length(next);
      } else {
        if (symbols != null) {
          if (at == to) {
            return false;
          }
          next = in.getByte(at++);
        }
        if ((indexes[next] >>> found & 1) == 0) {
          return false;
        }
        found++;
      }
    }
    return true;
  }

  /**
   * Returns the set of lengths with which a prefix may end, by its last three bytes. Those are left out whose rest
   * {@link #findCode} finds.
   *
   * @param prefixEnd end of the prefix's bytes; four bytes before it exist
   * @param prefix    length of the prefix in bytes
   */
  long straddling(RawBytes in, int prefixEnd, int prefix) {
    final int last = in.getInt(prefixEnd - Integer.BYTES);
    final long one = indexes[last >>> 24];
    final long two = indexes[last >>> 16 & 0xFF] << 1 | 1;
    final long three = indexes[last >>> 8 & 0xFF] << 2 | 3;
    // Bit n of these is an index; the length is one more.
    return (one & two & three) << 1 & straddling & (prefix >= MAX_LENGTH ? -1L : (2L << prefix) - 1);
  }

  /** Returns whether a prefix ends with one of some lengths, after which the part goes on in the suffix. */
  boolean straddles(RawBytes in, int prefixEnd, int prefix, int from, int to, long lengths) {
    for (long left = lengths; left != 0; left &= left - 1) {
      final int length = Long.numberOfTrailingZeros(left);
      if (goesOn(in, from, to, length) && isPlain(in, prefixEnd - length, length)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Finds the part among plain bytes.
   *
   * @param to end of the bytes, exclusive; up to eight bytes after it are touched
   * @return where the part starts; -1 if it does not occur
   */
  int find(RawBytes in, int from, int to) {
    final int last = to - length() + pair;
    for (int at = from + pair; at <= last; at += Long.BYTES) {
      final long different =
          ((in.getLong(at) | firstCase) ^ first) | ((in.getLong(at + distance) | secondCase) ^ second);
      // The high bit of each byte that is equal; bits after the first may be wrong.
      for (long equal = (different - ONES) & ~different & HIGH_BITS; equal != 0; equal &= equal - 1) {
        final int start = at + (Long.numberOfTrailingZeros(equal) >>> 3) - pair;
        if (start + length() <= to && isPlain(in, start, length())) {
          return start;
        }
      }
    }
    return -1;
  }

  /** Returns whether bytes are the part's first {@code length} ones. */
  private boolean isPlain(RawBytes in, int start, int length) {
    for (int index = 0; index < length; index++) {
      if ((indexes[in.getByte(start + index)] >>> index & 1) == 0) {
        return false;
      }
    }
    return true;
  }
}
