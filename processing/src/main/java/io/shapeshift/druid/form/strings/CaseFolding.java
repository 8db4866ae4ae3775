// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Folding of texts in UTF-8 for searches that ignore case: A to Z become a to z. Four characters outside ASCII equal a
 * letter if case is ignored, and are named <em>foreign</em> here: U+0130 and U+0131 (i), U+017F (s) and U+212A (k).
 */
public final class CaseFolding {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final int CASE_BIT = 0x20;

  /** Letters in lower case that equal a foreign character. */
  private static final String WITH_FOREIGN = "iks";
  /** Foreign characters, one character per byte. */
  private static final List<String> FOREIGN = Stream.of("\u0130", "\u0131", "\u017F", "\u212A")
      .map(character -> new String(character.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))
      .toList();

  private CaseFolding() {}

  /** Returns eight bytes with the letters A to Z replaced. */
  static long wordToLowerCase(long word) {
    final long low = word & ~HIGH_BITS;
    // The high bit of each byte tells whether the byte is at least A, or greater than Z.
    final long upper = (low + (0x80 - 'A') * ONES ^ low + (0x7F - 'Z') * ONES) & ~word & HIGH_BITS;
    return word | upper >>> 2;
  }

  /**
   * Replaces the letters A to Z, eight bytes at a time.
   *
   * @return number of bytes above 127
   */
  static int toLowerCase(byte[] texts) {
    int outsideAscii = 0;
    int at = 0;
    for (; at + Long.BYTES <= texts.length; at += Long.BYTES) {
      final long word = (long) WORDS.get(texts, at);
      WORDS.set(texts, at, wordToLowerCase(word));
      outsideAscii += Long.bitCount(word & HIGH_BITS);
    }
    for (; at < texts.length; at++) {
      texts[at] = (byte) byteToLowerCase(texts[at]);
      outsideAscii += texts[at] < 0 ? 1 : 0;
    }
    return outsideAscii;
  }

  /** Returns a byte, in lower case if it is one of the letters A to Z. */
  public static int byteToLowerCase(int letter) {
    return letter >= 'A' && letter <= 'Z' ? letter | CASE_BIT : letter;
  }

  /** Returns whether a foreign character equals a letter of a part in lower case. */
  static boolean mayBeForeign(String part) {
    return part.chars().anyMatch(letter -> WITH_FOREIGN.indexOf(letter) >= 0);
  }

  /** Returns whether texts have a foreign character; one character per byte. */
  static boolean hasForeign(String texts) {
    return FOREIGN.stream().anyMatch(texts::contains);
  }

  /** Returns the letter that equals the foreign character at an index; 0 if there is no such character. */
  public static int letter(byte[] text, int at, int to) {
    if (to - at < 2) {
      return 0;
    }
    final int next = text[at + 1] & 0xFF;
    return switch (text[at] & 0xFF) {
      case 0xC4 -> next == 0xB0 || next == 0xB1 ? 'i' : 0;
      case 0xC5 -> next == 0xBF ? 's' : 0;
      case 0xE2 -> to - at > 2 && next == 0x84 && (text[at + 2] & 0xFF) == 0xAA ? 'k' : 0;
      default -> 0;
    };
  }

  /** Returns the bytes of the foreign characters that equal a letter. */
  public static int foreignBytes(int letter) {
    return letter == 'k' ? 3 : 2;
  }
}
