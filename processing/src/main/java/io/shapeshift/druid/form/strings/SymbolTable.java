// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;

/**
 * Symbol table of FSST (Boncz, Neumann and Leis: "FSST: Fast Random Access String Compression", PVLDB 13(11), 2020). A
 * code of one byte stands for one of up to {@value #MAX_SYMBOLS} symbols of 1 to 8 bytes. Code {@value #ESCAPE}
 * precedes a byte that stands for itself. Thread-safe.
 *
 * <pre>
 * | bytes      | field                                      |
 * |------------|--------------------------------------------|
 * | 1          | numSymbols                                 |
 * | numSymbols | length of each symbol, 1 to 8              |
 * | any        | bytes of the symbols, one after the other  |
 * </pre>
 */
public final class SymbolTable {
  /** Greatest number of symbols. */
  public static final int MAX_SYMBOLS = 255;
  /** Length of the longest symbol, in bytes. */
  public static final int MAX_LENGTH = 8;
  /** Bytes after a decoded text that are overwritten. */
  public static final int SLACK = 8;

  static final int ESCAPE = 255;

  private static final int UNROLLED = 8;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_BITS = 0x0101010101010101L;

  private final int numSymbols;
  /**
   * Bytes and length of each code's symbol. The bytes start at the lowest bits, and the remaining bits are zero. The
   * length is 0 for unused codes and for the escape.
   */
  private final long[] symbols = new long[2 * (ESCAPE + 1)];

  SymbolTable(int numSymbols, long[] symbols, int[] lengths) {
    this.numSymbols = numSymbols;
    for (int code = 0; code < numSymbols; code++) {
      this.symbols[2 * code] = symbols[code];
      this.symbols[2 * code + 1] = lengths[code];
    }
  }

  /** Returns the number of symbols. */
  public int size() {
    return numSymbols;
  }

  /** Returns the bytes of a symbol, the first in the lowest bits, remaining bits zero. */
  long symbol(int code) {
    return symbols[2 * code];
  }

  /** Returns the length of a symbol. */
  int length(int code) {
    return (int) symbols[2 * code + 1];
  }

  /** Returns the size in a segment, in bytes. */
  int sizeInBytes() {
    int size = 1 + numSymbols;
    for (int code = 0; code < numSymbols; code++) {
      size += length(code);
    }
    return size;
  }

  /** Returns the heap memory in bytes. */
  int memory() {
    return Long.BYTES * symbols.length;
  }

  /** Appends the table. */
  void write(ByteBuffer out) {
    out.put((byte) numSymbols);
    for (int code = 0; code < numSymbols; code++) {
      out.put((byte) length(code));
    }
    for (int code = 0; code < numSymbols; code++) {
      for (int i = 0; i < length(code); i++) {
        out.put((byte) (symbol(code) >>> (Byte.SIZE * i)));
      }
    }
  }

  /**
   * Reads a table and advances the buffer past it.
   *
   * @throws MalformedChunkException if the length of a symbol is out of range
   * @throws java.nio.BufferUnderflowException if the buffer ends within the table
   */
  public static SymbolTable read(ByteBuffer in) {
    final int numSymbols = in.get() & 0xFF;
    final long[] symbols = new long[numSymbols];
    final int[] lengths = new int[numSymbols];
    for (int code = 0; code < numSymbols; code++) {
      lengths[code] = in.get();
      if (lengths[code] < 1 || lengths[code] > MAX_LENGTH) {
        throw new MalformedChunkException(
            "Symbol " + code + " has " + lengths[code] + " bytes, expected 1 to " + MAX_LENGTH);
      }
    }
    for (int code = 0; code < numSymbols; code++) {
      for (int i = 0; i < lengths[code]; i++) {
        symbols[code] |= (in.get() & 0xFFL) << (Byte.SIZE * i);
      }
    }
    return new SymbolTable(numSymbols, symbols, lengths);
  }

  /** Returns an upper bound of the decoded size of {@code numCodes} codes, including the slack. */
  public static long capacity(int numCodes) {
    return (long) MAX_LENGTH * numCodes + SLACK;
  }

  /**
   * Returns the first byte of a decoded text.
   *
   * @param from position of the codes, at least one
   */
  byte firstByte(RawBytes in, int from) {
    final int code = in.getByte(from);
    return (byte) (code == ESCAPE ? in.getByte(from + 1) : symbol(code));
  }

  /**
   * Decodes a text.
   *
   * @param in   read in little-endian order
   * @param from position of the first code
   * @param to   end of the codes, exclusive; some bytes after it are touched
   * @param out  receives the text from {@code at}; has room for {@link #capacity}
   * @return end of the text
   * @throws MalformedChunkException if an escape is the last code
   */
  public int decode(RawBytes in, int from, int to, byte[] out, int at) {
    final long[] symbols = this.symbols;
    int position = from;
    int end = at;
    while (position < to) {
      final long codes = in.getLong(position);
      // The high bit of each byte that is an escape; bits after the first escape may be wrong.
      final long escapes = ~codes - LOW_BITS & codes & HIGH_BITS;
      // Number of codes before an escape or the end. Later bytes are decoded as escapes, whose length is 0, because
      // decoding nothing is faster than a branch on the number of codes.
      final int count = Math.min(to - position, Long.numberOfTrailingZeros(escapes) >>> 3);
      final long counted = count < UNROLLED ? codes | (-1L << (Byte.SIZE * count)) : codes;
      final int first = (int) counted & 0xFF;
      RawBytes.putLong(out, end, RawBytes.getLong(symbols, 2 * first));
      end += (int) RawBytes.getLong(symbols, 2 * first + 1);
      final int second = (int) (counted >>> 8) & 0xFF;
      RawBytes.putLong(out, end, RawBytes.getLong(symbols, 2 * second));
      end += (int) RawBytes.getLong(symbols, 2 * second + 1);
      final int third = (int) (counted >>> 16) & 0xFF;
      RawBytes.putLong(out, end, RawBytes.getLong(symbols, 2 * third));
      end += (int) RawBytes.getLong(symbols, 2 * third + 1);
      final int fourth = (int) (counted >>> 24) & 0xFF;
      RawBytes.putLong(out, end, RawBytes.getLong(symbols, 2 * fourth));
      end += (int) RawBytes.getLong(symbols, 2 * fourth + 1);
      final int fifth = (int) (counted >>> 32) & 0xFF;
      RawBytes.putLong(out, end, RawBytes.getLong(symbols, 2 * fifth));
      end += (int) RawBytes.getLong(symbols, 2 * fifth + 1);
      final int sixth = (int) (counted >>> 40) & 0xFF;
      RawBytes.putLong(out, end, RawBytes.getLong(symbols, 2 * sixth));
      end += (int) RawBytes.getLong(symbols, 2 * sixth + 1);
      final int seventh = (int) (counted >>> 48) & 0xFF;
      RawBytes.putLong(out, end, RawBytes.getLong(symbols, 2 * seventh));
      end += (int) RawBytes.getLong(symbols, 2 * seventh + 1);
      final int eighth = (int) (counted >>> 56) & 0xFF;
      RawBytes.putLong(out, end, RawBytes.getLong(symbols, 2 * eighth));
      end += (int) RawBytes.getLong(symbols, 2 * eighth + 1);
      position += count;
      if (count < UNROLLED && position < to) {
        if (position + 1 == to) {
          throw new MalformedChunkException("A text ends with an escape");
        }
        out[end++] = (byte) in.getByte(position + 1);
        position += 2;
      }
    }
    return end;
  }
}
