// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * FSST encoder: finds the longest symbol at each position of a text and writes its code. Not thread-safe.
 *
 * <p>Symbols of at least three bytes are found by a hash of the first three, in linked lists that begin with the
 * longest symbol. Shorter ones are found in a table of all pairs of bytes.
 */
public final class SymbolEncoder {
  /** Bytes that must follow a text in its array. */
  static final int SLACK = 8;

  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LOG_HASH = 11;
  private static final int MULTIPLIER = 0x9E3779B1;
  private static final int LEAST_HASHED = 3;
  private static final int NONE = -1;

  private SymbolTable table;
  /** Linked lists of symbols: the first symbol of each hash, and the next of each symbol. */
  private final short[] firsts = new short[1 << LOG_HASH];
  private final short[] nexts = new short[SymbolTable.MAX_SYMBOLS];
  private final long[] symbols = new long[SymbolTable.MAX_SYMBOLS];
  private final int[] lengths = new int[SymbolTable.MAX_SYMBOLS];
  /**
   * Code of the two-byte symbol for each pair of bytes, else that of the pair's first byte; {@link #NONE} if neither is
   * a symbol.
   */
  private final short[] pairs = new short[1 << 16];
  private final short[] bytes = new short[1 << 8];

  /** Creates an encoder for a symbol table. */
  public SymbolEncoder(SymbolTable table) {
    set(table);
  }

  /** Replaces the symbol table. */
  void set(SymbolTable table) {
    this.table = table;
    Arrays.fill(firsts, (short) NONE);
    Arrays.fill(bytes, (short) NONE);
    for (int code = 0; code < table.size(); code++) {
      symbols[code] = table.symbol(code);
      lengths[code] = table.length(code);
      if (lengths[code] >= LEAST_HASHED) {
        insert(code);
      } else if (lengths[code] == 1) {
        bytes[(int) symbols[code]] = (short) code;
      }
    }
    for (int pair = 0; pair < pairs.length; pair++) {
      pairs[pair] = bytes[pair & 0xFF];
    }
    for (int code = 0; code < table.size(); code++) {
      if (lengths[code] == 2) {
        pairs[(int) symbols[code]] = (short) code;
      }
    }
  }

  private void insert(int code) {
    final int hash = hash(symbols[code]);
    int before = NONE;
    int next = firsts[hash];
    while (next >= 0 && lengths[next] >= lengths[code]) {
      before = next;
      next = nexts[next];
    }
    nexts[code] = (short) next;
    if (before < 0) {
      firsts[hash] = (short) code;
    } else {
      nexts[before] = (short) code;
    }
  }

  private static int hash(long word) {
    return (((int) word & 0xFFFFFF) * MULTIPLIER) >>> (Integer.SIZE - LOG_HASH);
  }

  /** Returns the symbol table. */
  public SymbolTable table() {
    return table;
  }

  /**
   * Returns the code of the longest symbol at a position of a text; negative if there is none.
   *
   * @param at less than {@code to}; eight bytes after it are within the array
   */
  int find(byte[] text, int at, int to) {
    final long word = (long) LONGS.get(text, at);
    final int left = to - at;
    for (int code = firsts[hash(word)]; code >= 0; code = nexts[code]) {
      if (lengths[code] <= left && (word & -1L >>> (Long.SIZE - Byte.SIZE * lengths[code])) == symbols[code]) {
        return code;
      }
    }
    return left > 1 ? pairs[(int) word & 0xFFFF] : bytes[(int) word & 0xFF];
  }

  /**
   * Encodes a text.
   *
   * @param text text from {@code from} to {@code to}, exclusive; {@value #SLACK} more bytes are within the array
   * @param out  receives the codes from {@code start}; has room for twice the bytes of the text
   * @return end of the codes
   */
  public int encode(byte[] text, int from, int to, byte[] out, int start) {
    int end = start;
    for (int at = from; at < to; ) {
      final int code = find(text, at, to);
      if (code < 0) {
        out[end++] = (byte) SymbolTable.ESCAPE;
        out[end++] = text[at++];
      } else {
        out[end++] = (byte) code;
        at += lengths[code];
      }
    }
    return end;
  }
}
