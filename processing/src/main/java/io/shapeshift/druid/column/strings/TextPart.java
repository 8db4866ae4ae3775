// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import io.shapeshift.druid.form.strings.SoughtPart;
import io.shapeshift.druid.form.strings.TextRun;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Part of texts that a search looks for. The search uses {@link String#indexOf(String, int)}, which processors have
 * instructions for, on strings with one character per byte of UTF-8.
 */
public final class TextPart {
  static final Comparator<TextPart> LONGEST_FIRST = Comparator.comparingInt(part -> -part.bytes.length());

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  /** Characters outside ASCII that equal one of the letters i, k and s if case is ignored, one character per byte. */
  private static final List<String> FOREIGN_EQUALS = Stream.of("\u0130", "\u0131", "\u017F", "\u212A")
      .map(character -> latin1(character.getBytes(StandardCharsets.UTF_8)))
      .toList();

  private final String bytes;
  private final boolean ignoresCase;
  /** Whether characters outside ASCII may be equal to a letter of the part if case is ignored. */
  private final boolean hasForeignEquals;

  private TextPart(String bytes, boolean ignoresCase) {
    this.bytes = bytes;
    this.ignoresCase = ignoresCase;
    this.hasForeignEquals = ignoresCase && bytes.chars().anyMatch(letter -> "iks".indexOf(letter) >= 0);
  }

  /** Returns a part that texts contain as it is; at least one character, no half of a surrogate pair. */
  public static TextPart of(String part) {
    return new TextPart(latin1(part.getBytes(StandardCharsets.UTF_8)), false);
  }

  /** Returns a part that texts contain in upper or lower case; at least one character, all of them ASCII. */
  public static TextPart ignoringCase(String part) {
    final byte[] bytes = part.getBytes(StandardCharsets.US_ASCII);
    toLowerCase(bytes);
    return new TextPart(latin1(bytes), true);
  }

  /** Returns the part in UTF-8. */
  byte[] utf8() {
    return bytes.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns what buckets are searched for. */
  SoughtPart sought(boolean isExact) {
    return new SoughtPart(bytes, ignoresCase, hasForeignEquals, isExact);
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Receiver of the texts that a search finds in a run. */
  @FunctionalInterface
  interface Found {
    /** Receives the index of a text, and whether the text certainly contains the part. */
    void accept(int index, boolean hasPart);
  }

  /**
   * Passes on the texts of a run that contain the part, in ascending order; if case is ignored, also those that may
   * contain it in other characters.
   */
  void find(TextRun run, Found found) {
    if (!ignoresCase) {
      find(new String(run.bytes(), 0, run.size(), StandardCharsets.ISO_8859_1), run, found);
      return;
    }
    final byte[] lower = Arrays.copyOf(run.bytes(), run.size());
    final int outsideAscii = toLowerCase(lower);
    final String texts = latin1(lower);
    // One byte follows each text.
    if (hasForeignEquals && outsideAscii > run.count() && FOREIGN_EQUALS.stream().anyMatch(texts::contains)) {
      findAlsoForeign(texts, lower, run, found);
    } else {
      find(texts, run, found);
    }
  }

  private void find(String texts, TextRun run, Found found) {
    int index = 0;
    int at = texts.indexOf(bytes);
    while (at >= 0) {
      while (run.end(index) < at) {
        index++;
      }
      found.accept(index, true);
      at = texts.indexOf(bytes, run.end(index));
    }
  }

  /** Passes on all texts with characters outside ASCII, too. */
  private void findAlsoForeign(String texts, byte[] lower, TextRun run, Found found) {
    int at = texts.indexOf(bytes);
    for (int index = 0; index < run.count(); index++) {
      final int end = run.end(index);
      final boolean contains = at >= 0 && at < end;
      if (contains || !isAscii(lower, run.start(index), end)) {
        found.accept(index, contains);
      }
      if (contains) {
        at = texts.indexOf(bytes, end);
      }
    }
  }

  private static boolean isAscii(byte[] texts, int from, int to) {
    for (int at = from; at < to; at++) {
      if (texts[at] < 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Replaces the letters A to Z, eight bytes at a time.
   *
   * @return number of bytes above 127
   */
  private static int toLowerCase(byte[] texts) {
    int outsideAscii = 0;
    int at = 0;
    for (; at + Long.BYTES <= texts.length; at += Long.BYTES) {
      final long word = (long) WORDS.get(texts, at);
      final long low = word & ~HIGH_BITS;
      // The high bit of each byte tells whether the byte is at least A, or greater than Z.
      final long upper = (low + (0x80 - 'A') * ONES ^ low + (0x7F - 'Z') * ONES) & ~word & HIGH_BITS;
      WORDS.set(texts, at, word | upper >>> 2);
      outsideAscii += Long.bitCount(word & HIGH_BITS);
    }
    for (; at < texts.length; at++) {
      if (texts[at] >= 'A' && texts[at] <= 'Z') {
        texts[at] |= 0x20;
      }
      outsideAscii += texts[at] < 0 ? 1 : 0;
    }
    return outsideAscii;
  }
}
