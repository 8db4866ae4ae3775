// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.strings;

import io.shapeshift.druid.incremental.memory.Arena;
import io.shapeshift.druid.incremental.memory.DirectMemory;
import io.shapeshift.druid.incremental.memory.HashTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.druid.error.DruidException;

/**
 * Strings in direct memory, by address.
 *
 * <pre>
 *  0  number of chars * 2, plus 1 if chars have two bytes   (4)
 *  4  id in the dictionary                                  (4)
 *  8  chars: one byte each if all are Latin-1, else two
 * </pre>
 *
 * <p>The id is beside the chars that a search compares, so that a search that succeeds reads no other memory. Chars are
 * those of the JVM, so that unpaired surrogates are kept.
 *
 * <p>One thread writes. Other threads read what was written before a volatile write that they have seen, between {@code
 * Readers#enter} and {@code Readers#exit}.
 */
public final class Texts {
  private static final int HEADER_BYTES = 2 * Integer.BYTES;
  private static final int ID = Integer.BYTES;
  private static final int LATIN_1 = 0xFF;
  /** Maximum number of chars, so that a string of two-byte chars fits into a buffer. */
  private static final int MOST_CHARS = (Integer.MAX_VALUE - 64) / 2;

  private final Arena arena;
  private int count;

  public Texts(DirectMemory memory) {
    this.arena = new Arena(memory);
  }

  /** Whether more strings can be added, even if one dictionary adds them all. */
  public boolean hasSpace() {
    return arena.hasSpace() && count < HashTable.MOST;
  }

  /**
   * Finds space for a string, so that it can be {@link #write written}.
   *
   * @return its address
   * @throws DruidException if there is no memory for the string
   */
  int reserve(String text) {
    return arena.reserve(bytes(text, hasWide(text)));
  }

  /** Writes a string and its id to the space reserved last. */
  void write(int address, int id, String text) {
    final ByteBuffer chunk = arena.chunk(address);
    final int start = Arena.offset(address);
    final int length = text.length();
    final boolean isWide = hasWide(text);
    chunk.putInt(start, length << 1 | (isWide ? 1 : 0));
    chunk.putInt(start + ID, id);
    final int chars = start + HEADER_BYTES;
    if (isWide) {
      for (int i = 0; i < length; i++) {
        chunk.putChar(chars + i * Character.BYTES, text.charAt(i));
      }
    } else {
      for (int i = 0; i < length; i++) {
        chunk.put(chars + i, (byte) text.charAt(i));
      }
    }
    arena.take(bytes(text, isWide));
    count++;
  }

  /** String at an address. */
  String read(int address) {
    final ByteBuffer chunk = arena.chunk(address);
    final int start = Arena.offset(address);
    final int header = chunk.getInt(start);
    final int length = header >>> 1;
    if ((header & 1) == 0) {
      final byte[] bytes = new byte[length];
      chunk.get(start + HEADER_BYTES, bytes);
      return new String(bytes, StandardCharsets.ISO_8859_1);
    }
    final char[] chars = new char[length];
    for (int i = 0; i < length; i++) {
      chars[i] = chunk.getChar(start + HEADER_BYTES + i * Character.BYTES);
    }
    return new String(chars);
  }

  /** Whether the string at an address equals another. */
  boolean isSame(int address, String text) {
    final ByteBuffer chunk = arena.chunk(address);
    final int start = Arena.offset(address);
    final int header = chunk.getInt(start);
    final int length = text.length();
    if (header >>> 1 != length) {
      return false;
    }
    final int chars = start + HEADER_BYTES;
    if ((header & 1) == 0) {
      for (int i = 0; i < length; i++) {
        if ((chunk.get(chars + i) & LATIN_1) != text.charAt(i)) {
          return false;
        }
      }
    } else {
      for (int i = 0; i < length; i++) {
        if (chunk.getChar(chars + i * Character.BYTES) != text.charAt(i)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Id of the string at an address. */
  int id(int address) {
    return arena.chunk(address).getInt(Arena.offset(address) + ID);
  }

  /** Number of chars of the string at an address. */
  int length(int address) {
    return arena.chunk(address).getInt(Arena.offset(address)) >>> 1;
  }

  /** Whether the string at an address has chars of two bytes. */
  boolean isWide(int address) {
    return (arena.chunk(address).getInt(Arena.offset(address)) & 1) != 0;
  }

  /**
   * Length of the common prefix of two strings, limited to {@code most}.
   *
   * @param from number of leading chars known to be equal
   */
  int common(int left, int right, int from, int most) {
    final ByteBuffer leftChunk = arena.chunk(left);
    final ByteBuffer rightChunk = arena.chunk(right);
    final int leftStart = Arena.offset(left);
    final int rightStart = Arena.offset(right);
    final int leftHeader = leftChunk.getInt(leftStart);
    final int rightHeader = rightChunk.getInt(rightStart);
    final boolean isLeftWide = (leftHeader & 1) != 0;
    final boolean isRightWide = (rightHeader & 1) != 0;
    final int end = Math.min(most, Math.min(leftHeader, rightHeader) >>> 1);
    int common = from;
    while (
        common < end
            && charAt(leftChunk, leftStart, isLeftWide, common) == charAt(rightChunk, rightStart, isRightWide, common)
    ) {
      common++;
    }
    return common;
  }

  /**
   * Chars of a string as a number that sorts like the string: the first char in the upper bits, and zeros behind the
   * end of the string.
   *
   * @param charBits bits for each char: 8 only if the string is not {@link #isWide}
   */
  long block(int address, int from, int count, int charBits) {
    final ByteBuffer chunk = arena.chunk(address);
    final int start = Arena.offset(address);
    final int header = chunk.getInt(start);
    final int length = header >>> 1;
    final boolean isWide = (header & 1) != 0;
    long block = 0;
    for (int i = from; i < from + count; i++) {
      block = block << charBits | (i < length ? charAt(chunk, start, isWide, i) : 0);
    }
    return block;
  }

  /**
   * Compares two strings as {@link String#compareTo} does.
   *
   * @param from number of leading chars known to be equal
   */
  int compare(int left, int right, int from) {
    final ByteBuffer leftChunk = arena.chunk(left);
    final ByteBuffer rightChunk = arena.chunk(right);
    final int leftStart = Arena.offset(left);
    final int rightStart = Arena.offset(right);
    final int leftHeader = leftChunk.getInt(leftStart);
    final int rightHeader = rightChunk.getInt(rightStart);
    final boolean isLeftWide = (leftHeader & 1) != 0;
    final boolean isRightWide = (rightHeader & 1) != 0;
    final int length = Math.min(leftHeader >>> 1, rightHeader >>> 1);
    for (int i = from; i < length; i++) {
      final char leftChar = charAt(leftChunk, leftStart, isLeftWide, i);
      final char rightChar = charAt(rightChunk, rightStart, isRightWide, i);
      if (leftChar != rightChar) {
        return leftChar - rightChar;
      }
    }
    return (leftHeader >>> 1) - (rightHeader >>> 1);
  }

  private static char charAt(ByteBuffer chunk, int start, boolean isWide, int index) {
    return isWide
        ? chunk.getChar(start + HEADER_BYTES + index * Character.BYTES)
        : (char) (chunk.get(start + HEADER_BYTES + index) & LATIN_1);
  }

  private static boolean hasWide(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > LATIN_1) {
        return true;
      }
    }
    return false;
  }

  /** Size of a stored string in bytes, a multiple of 8. */
  private static int bytes(String text, boolean isWide) {
    if (text.length() > MOST_CHARS) {
      throw DruidException.forPersona(DruidException.Persona.USER)
          .ofCategory(DruidException.Category.CAPACITY_EXCEEDED)
          .build(
              "A string of [%,d] chars is longer than [%,d], which an index in memory can have: shorten it by a"
                  + " transform, or set maxStringLength",
              text.length(),
              MOST_CHARS
          );
    }
    return (HEADER_BYTES + text.length() * (isWide ? Character.BYTES : 1) + 7) / 8 * 8;
  }
}
