// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import javax.annotation.Nullable;

/** Tells whether different texts of a column are different numbers: 1.1 and 1.10 are one number, but two versions. */
final class NumberTexts {
  /** Different numbers of a column whose texts are remembered: 1.5 MB. */
  static final int MAX_REMEMBERED = 1 << 16;
  private static final int UNKNOWN = -1;

  private final Memory memory;
  /** Hash codes of the texts by the bits of the numbers; null if there are too many, or they are not needed. */
  @Nullable
  private Long2IntOpenHashMap hashes = new Long2IntOpenHashMap();
  private boolean remembersAll = true;
  private boolean haveSame;
  /** Decimals of all texts so far. */
  private int decimals = UNKNOWN;
  private boolean haveSameDecimals = true;
  /** Whether no text ends in a 0 that could be left out. */
  private boolean areShortest = true;
  /** Whether each text has a point, and ends in a 0 only right behind it, as Python and Java print numbers. */
  private boolean arePrinted = true;

  /** Numbers that all columns of a table may remember together. */
  static final class Memory {
    /** As many as 16 columns can have: 25 MB. */
    static final int MAX_NUMBERS = 16 * MAX_REMEMBERED;
    private int free;

    /** Creates a set with an expected number of numbers. */
    Memory(int numbers) {
      this.free = numbers;
    }
  }

  /** Starts without texts; the memory is that of all columns of the table. */
  NumberTexts(Memory memory) {
    this.memory = memory;
  }

  /** Adds a decimal number without leading zeros, which a double holds. */
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

  /** Gives what was remembered to other columns. */
  void forget() {
    if (hashes != null) {
      memory.free += hashes.size();
      hashes = null;
    }
  }

  /** Whether no two different texts are the same number. If there are too many to tell, their spelling decides. */
  boolean areDistinct() {
    return !haveSame && (remembersAll || haveSameDecimals || areShortest || arePrinted);
  }
}
