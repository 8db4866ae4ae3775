// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import javax.annotation.Nullable;

/**
 * Test whether different texts of a column are different numbers. For example, 1.1 and 1.10 are one number, but two
 * versions.
 */
final class NumberTexts {
  /** Maximum number of distinct numbers remembered per column, which use 1.5 MB. */
  static final int MAX_REMEMBERED = 1 << 16;
  private static final int UNKNOWN = -1;

  private final Memory memory;
  /** Hash codes of texts by the bits of their numbers; null if there are too many, or they are not needed. */
  @Nullable
  private Long2IntOpenHashMap hashes = new Long2IntOpenHashMap();
  private boolean remembersAll = true;
  private boolean haveSame;
  /** Number of decimals common to all texts so far. */
  private int decimals = UNKNOWN;
  private boolean haveSameDecimals = true;
  /** Whether no text ends in a 0 that could be omitted. */
  private boolean areShortest = true;
  /** Whether each text has a point, and ends in a 0 only directly behind it, as Python and Java print numbers. */
  private boolean arePrinted = true;

  /** Limit to the numbers that all columns of a table may remember together. */
  static final class Memory {
    /** The numbers of 16 columns at their maximum, which use 25 MB. */
    static final int MAX_NUMBERS = 16 * MAX_REMEMBERED;
    private int free;

    /** Creates a set with an expected number of numbers. */
    Memory(int numbers) {
      this.free = numbers;
    }
  }

  /** Creates an object without texts. All columns of the table share the memory. */
  NumberTexts(Memory memory) {
    this.memory = memory;
  }

  /** Adds a decimal number without leading zeros that a double can hold. */
  void add(String text) {
    final int point = text.indexOf('.');
    final boolean hasExponent = text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
    final int decimalsOfText = point < 0 ? 0 : text.length() - point - 1;
    final boolean endsInZero = point >= 0 && text.endsWith("0");
    areShortest = areShortest && !hasExponent && !endsInZero;
    arePrinted = arePrinted && !hasExponent && point >= 0 && (!endsInZero || decimalsOfText == 1);
    haveSameDecimals =
        haveSameDecimals && !hasExponent && (decimals == UNKNOWN || decimals == decimalsOfText);
    decimals = decimalsOfText;
    if (hashes != null) {
      remember(hashes, text);
    }
  }

  private void remember(Long2IntOpenHashMap remembered, String text) {
    final long number = Double.doubleToRawLongBits(Double.parseDouble(text));
    final int hash = text.hashCode();
    if (remembered.containsKey(number)) {
      haveSame = remembered.get(number) != hash;
      if (haveSame) {
        forget();
      }
    } else if (remembered.size() == MAX_REMEMBERED || memory.free == 0) {
      remembersAll = false;
      forget();
    } else {
      memory.free--;
      remembered.put(number, hash);
    }
  }

  /** Releases the remembered numbers for other columns. */
  void forget() {
    if (hashes != null) {
      memory.free += hashes.size();
      hashes = null;
    }
  }

  /**
   * Whether no two different texts are the same number. If there were too many to remember, decided by their spelling.
   */
  boolean areDistinct() {
    return !haveSame && (remembersAll || haveSameDecimals || areShortest || arePrinted);
  }
}
