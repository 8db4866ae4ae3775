// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;

/**
 * Up to {@value #MAX_SYMBOLS} symbols of 1 to 8 bytes, each of which a code of one byte stands for; behind code
 * {@value #ESCAPE} a byte stands for itself. This is FSST (Boncz, Neumann and Leis: "FSST: Fast Random Access String
 * Compression", PVLDB 13(11), 2020). Serves any number of threads.
 *
 * <pre>
 * | bytes      | field                            |
 * |------------|----------------------------------|
 * | 1          | numSymbols                       |
 * | numSymbols | length of each symbol, 1 to 8    |
 * | any        | their bytes, one behind the other |
 * </pre>
 */
public final class SymbolTable implements TextModel {
  /** The most symbols there are. */
  public static final int MAX_SYMBOLS = 255;
  /** The longest symbol, in bytes. */
  public static final int MAX_LENGTH = 8;
  /** Bytes behind what is decoded that are overwritten. */
  public static final int SLACK = 8;

  static final int ESCAPE = 255;

  private static final int UNROLLED = 4;
  private static final int HIGH_BITS = 0x80808080;
  private static final int LOW_BITS = 0x01010101;

  private final int numSymbols;
  /** The bytes of each symbol, the first in the lowest bits. What has no symbol is of length 0. */
  private final long[] symbols;
  private final int[] lengths;

  SymbolTable(int numSymbols, long[] symbols, int[] lengths) {
    this.numSymbols = numSymbols;
    this.symbols = symbols;
    this.lengths = lengths;
  }

  /** How many symbols there are. */
  public int size() {
    return numSymbols;
  }

  /** The bytes of a symbol, the first in the lowest bits, others zero. */
  long symbol(int code) {
    return symbols[code];
  }

  /** Length of a symbol. */
  int length(int code) {
    return lengths[code];
  }

  @Override
  public int sizeInBytes() {
    int size = 1 + numSymbols;
    for (int code = 0; code < numSymbols; code++) {
      size += lengths[code];
    }
    return size;
  }

  @Override
  public void write(ByteBuffer out) {
    out.put((byte) numSymbols);
    for (int code = 0; code < numSymbols; code++) {
      out.put((byte) lengths[code]);
    }
    for (int code = 0; code < numSymbols; code++) {
      for (int i = 0; i < lengths[code]; i++) {
        out.put((byte) (symbols[code] >>> (Byte.SIZE * i)));
      }
    }
  }

  /**
   * Takes a table from the buffer, whose position moves behind it.
   *
   * @throws MalformedChunkException if a length is none of a symbol
   * @throws java.nio.BufferUnderflowException if the buffer ends within the table
   */
  public static SymbolTable read(ByteBuffer in) {
    final int numSymbols = in.get() & 0xFF;
    final long[] symbols = new long[MAX_SYMBOLS + 1];
    final int[] lengths = new int[MAX_SYMBOLS + 1];
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

  /** The most bytes that so many bytes of codes stand for, and the slack behind them. */
  public static long capacity(int numCodes) {
    return (long) MAX_LENGTH * numCodes + SLACK;
  }

  /**
   * Decodes codes.
   *
   * @param in   in little-endian order
   * @param from first byte of codes
   * @param to   end, exclusive; some bytes behind it are touched
   * @param out  has room for {@link #capacity} from {@code at} on
   * @return end of what was decoded
   * @throws MalformedChunkException if an escape is the last code
   */
  public int decode(RawBytes in, int from, int to, byte[] out, int at) {
    return decode(in, from, to, out, at, Integer.MAX_VALUE);
  }

  /**
   * Decodes codes until there are {@code wanted} bytes at least, or no codes any more.
   *
   * @return end of what was decoded
   */
  public int decode(RawBytes in, int from, int to, byte[] out, int at, int wanted) {
    final long[] symbols = this.symbols;
    final int[] lengths = this.lengths;
    final int stop = wanted > Integer.MAX_VALUE - at ? Integer.MAX_VALUE : at + wanted;
    int position = from;
    int end = at;
    while (end < stop) {
      while (position <= to - UNROLLED && end < stop) {
        final int codes = in.getInt(position);
        // Whether one of the four is an escape, all of whose bits are set.
        if ((~codes - LOW_BITS & codes & HIGH_BITS) != 0) {
          break;
        }
        final int first = codes & 0xFF;
        RawBytes.putLong(out, end, symbols[first]);
        end += lengths[first];
        final int second = codes >>> 8 & 0xFF;
        RawBytes.putLong(out, end, symbols[second]);
        end += lengths[second];
        final int third = codes >>> 16 & 0xFF;
        RawBytes.putLong(out, end, symbols[third]);
        end += lengths[third];
        final int fourth = codes >>> 24;
        RawBytes.putLong(out, end, symbols[fourth]);
        end += lengths[fourth];
        position += UNROLLED;
      }
      if (position >= to || end >= stop) {
        break;
      }
      final int code = in.getByte(position++);
      if (code == ESCAPE) {
        if (position == to) {
          throw new MalformedChunkException("A text ends with an escape");
        }
        out[end++] = (byte) in.getByte(position++);
      } else {
        RawBytes.putLong(out, end, symbols[code]);
        end += lengths[code];
      }
    }
    return end;
  }
}
