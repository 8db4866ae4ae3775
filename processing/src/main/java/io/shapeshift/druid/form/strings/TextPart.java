// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Part of texts that a search looks for. The search uses {@link String#indexOf(String, int)}, which processors have
 * instructions for, on strings with one character per byte of UTF-8.
 */
public final class TextPart {
  public static final Comparator<TextPart> LONGEST_FIRST = Comparator.comparingInt(part -> -part.bytes.length());

  /** In lower case if case is ignored. */
  private final String bytes;
  private final boolean ignoresCase;
  private final boolean hasForeignEquals;

  private TextPart(String bytes, boolean ignoresCase) {
    this.bytes = bytes;
    this.ignoresCase = ignoresCase;
    this.hasForeignEquals = ignoresCase && CaseFolding.mayBeForeign(bytes);
  }

  /** Returns a part that texts contain as it is; at least one character, no half of a surrogate pair. */
  public static TextPart of(String part) {
    return new TextPart(latin1(part.getBytes(StandardCharsets.UTF_8)), false);
  }

  /** Returns a part that texts contain in upper or lower case; at least one character, all of them ASCII. */
  public static TextPart ignoringCase(String part) {
    final byte[] bytes = part.getBytes(StandardCharsets.US_ASCII);
    CaseFolding.toLowerCase(bytes);
    return new TextPart(latin1(bytes), true);
  }

  /** Returns the part in UTF-8; in lower case if case is ignored. */
  public byte[] utf8() {
    return bytes.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns whether the letters A to Z equal those in lower case. */
  boolean ignoresCase() {
    return ignoresCase;
  }

  /** Returns whether texts outside ASCII may have the part in other characters, and are found too. */
  boolean hasForeignEquals() {
    return hasForeignEquals;
  }

  private static String latin1(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Receiver of the texts that a search finds in a run. */
  @FunctionalInterface
  public interface Found {
    /** Receives the index of a text, and whether the text certainly contains the part. */
    void accept(int index, boolean hasPart);
  }

  /**
   * Passes on the texts of a run that contain the part, in ascending order; if case is ignored, also those that may
   * contain it in other characters.
   */
  public void find(TextRun run, Found found) {
    if (!ignoresCase) {
      find(new String(run.bytes(), 0, run.size(), StandardCharsets.ISO_8859_1), run, found);
      return;
    }
    final byte[] lower = Arrays.copyOf(run.bytes(), run.size());
    final int outsideAscii = CaseFolding.toLowerCase(lower);
    final String texts = latin1(lower);
    // One byte follows each text.
    if (hasForeignEquals && outsideAscii > run.count() && CaseFolding.hasForeign(texts)) {
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
}
