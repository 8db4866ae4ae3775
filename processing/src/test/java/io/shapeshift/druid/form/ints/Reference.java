// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.ints;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The layouts of payloads read by the book: byte after byte, as plainly as can be. */
public final class Reference {
  private Reference() {}

  /** The unsigned number in the buffer's next {@code numBytes} bytes. */
  public static int word(ByteBuffer in, int numBytes) {
    int word = 0;
    for (int i = 0; i < numBytes; i++) {
      final int next = in.get() & 0xFF;
      word = in.order() == ByteOrder.LITTLE_ENDIAN ? word | next << (8 * i) : word << 8 | next;
    }
    return word;
  }

  /** The payload of bytepack: what remains in the buffer. */
  public static int[] bytePack(ByteBuffer payload, int numBytes) {
    final List<Integer> values = new ArrayList<>();
    while (payload.hasRemaining()) {
      values.add(word(payload, numBytes));
    }
    return toArray(values);
  }

  /** The payload of run length: what remains in the buffer. */
  public static int[] runLength(ByteBuffer payload, int numBytes) {
    final long runFlag = 1L << (8 * numBytes - 1);
    final List<Integer> values = new ArrayList<>();
    while (payload.hasRemaining()) {
      final int word = word(payload, numBytes);
      if ((word & runFlag) == 0) {
        values.add(word);
      } else {
        final int value = word(payload, numBytes);
        for (int i = 0; i < (int) (word & (runFlag - 1)); i++) {
          values.add(value);
        }
      }
    }
    return toArray(values);
  }

  /** The payload of shuffled bytes: what remains in the buffer. */
  public static int[] shuffled(ByteBuffer payload, int numBytes) {
    final int[] values = new int[payload.remaining() / numBytes];
    for (int plane = 0; plane < numBytes; plane++) {
      for (int i = 0; i < values.length; i++) {
        values[i] |= (payload.get() & 0xFF) << (8 * plane);
      }
    }
    return values;
  }

  /** The payload of a dictionary for bytes: what remains in the buffer. */
  public static int[] byteDictionary(ByteBuffer payload, int numBytes) {
    final int[] entries = new int[(payload.get() & 0xFF) + 1];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = word(payload, numBytes);
    }
    final List<Integer> values = new ArrayList<>();
    while (payload.hasRemaining()) {
      values.add(entries[payload.get() & 0xFF]);
    }
    return toArray(values);
  }

  /** The payload of single bits, pairs or nibbles: what remains in the buffer. */
  public static int[] bits(ByteBuffer payload, int width, int numValues) {
    final int base = word(payload, 4);
    final int[] values = new int[numValues];
    int last = 0;
    for (int i = 0; i < numValues; i++) {
      final int bit = i * width % 8;
      last = bit == 0 ? payload.get() & 0xFF : last;
      values[i] = base + (last >> bit & ((1 << width) - 1));
    }
    return values;
  }

  /** The payload of a form that can be compressed. */
  public static int[] compressible(byte formId, ByteBuffer payload, int metadata, int numValues) {
    return switch (formId) {
      case 3 -> bytePack(payload, metadata);
      case 4 -> runLength(payload, metadata);
      case 13 -> shuffled(payload, metadata);
      case 14 -> byteDictionary(payload, metadata);
      case 15 -> bits(payload, metadata, numValues);
      default -> throw new AssertionError("inner form " + formId);
    };
  }

  /** The lanes of so many values in interleaved packing. */
  public static int lanes(int numValues) {
    return switch (numValues) {
      case 1024, 2048, 4096, 8192, 16_384 -> numValues / 32;
      default -> 16;
    };
  }

  /** Values in interleaved packing, from the buffer's position on. */
  public static int[] interleaved(ByteBuffer in, int numValues, int width) {
    return interleaved(in, lanes(numValues), numValues, width);
  }

  /** The same in so many lanes. */
  public static int[] interleaved(ByteBuffer in, int lanes, int numValues, int width) {
    final int rows = (numValues + lanes - 1) / lanes;
    final int[] words = new int[(rows * width + 31) / 32 * lanes];
    for (int i = 0; i < words.length; i++) {
      words[i] = word(in, 4);
    }
    final int[] values = new int[numValues];
    for (int i = 0; i < numValues; i++) {
      for (int bit = 0; bit < width; bit++) {
        final int place = i / lanes * width + bit;
        final int word = words[place / 32 * lanes + i % lanes];
        values[i] |= (word >>> (place % 32) & 1) << bit;
      }
    }
    return values;
  }

  /** The lanes of so many values in interleaved packing of longs. */
  public static int lanesOfLongs(int numValues, int width) {
    if (numValues >= 1024 && Integer.bitCount(numValues) == 1) {
      int lanes = numValues / 64;
      for (int half = width; half % 2 == 0 && lanes < 512; half /= 2) {
        lanes *= 2;
      }
      return Math.min(512, lanes);
    }
    return Integer.highestOneBit(Math.max(1, Math.min(16, numValues / 64)));
  }

  /** Values in interleaved packing of longs, from the buffer's position on. */
  public static long[] interleavedLongs(ByteBuffer in, int numValues, int width) {
    final long[] values = new long[numValues];
    if (width == 0) {
      return values;
    }
    final int lanes = lanesOfLongs(numValues, width);
    final int rows = (numValues + lanes - 1) / lanes;
    final long[] words = new long[(rows * width + 63) / 64 * lanes];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.getLong();
    }
    for (int i = 0; i < numValues; i++) {
      for (int bit = 0; bit < width; bit++) {
        final int place = i / lanes * width + bit;
        values[i] |= (words[place / 64 * lanes + i % lanes] >>> (place % 64) & 1) << bit;
      }
    }
    return values;
  }

  /** Codes in interleaved packing, in words of 64 bits or of 32. */
  public static int[] codes(ByteBuffer in, int numValues, int width, boolean inLongs) {
    return inLongs
           ? Arrays.stream(interleavedLongs(in, numValues, width)).mapToInt(value -> (int) value).toArray()
           : interleaved(in, numValues, width);
  }

  /** A stream of values of some bits each, from the buffer's position on. */
  public static int[] bitStream(ByteBuffer in, int numValues, int width) {
    return Arrays.stream(longStream(in, numValues, width)).mapToInt(value -> (int) value).toArray();
  }

  /** The same for values of up to 64 bits. */
  public static long[] longStream(ByteBuffer in, int numValues, int width) {
    final byte[] bytes = new byte[(int) (((long) numValues * width + 7) / 8)];
    in.get(bytes);
    final long[] values = new long[numValues];
    for (int i = 0; i < numValues; i++) {
      for (int bit = 0; bit < width; bit++) {
        final int place = i * width + bit;
        final int inByte = bytes[place / 8];
        values[i] = in.order() == ByteOrder.LITTLE_ENDIAN
                    ? values[i] | (inByte >> (place % 8) & 1L) << bit
                    : values[i] << 1 | (inByte >> (7 - place % 8) & 1L);
      }
    }
    return values;
  }

  /** Sorted positions, from the buffer's position on. */
  public static int[] positions(ByteBuffer in, int layout, int numValues, int count) {
    final int[] positions = new int[count];
    if (layout == 0) {
      for (int i = 0; i < count; i++) {
        positions[i] = word(in, 2);
      }
      return positions;
    }
    final int[] before = new int[(numValues + 255) / 256 + 1];
    for (int segment = 0; segment < before.length - 1; segment++) {
      before[segment] = word(in, 2);
    }
    before[before.length - 1] = count;
    for (int segment = 0; segment < before.length - 1; segment++) {
      int found = before[segment];
      if (layout == 1) {
        while (found < before[segment + 1]) {
          positions[found++] = 256 * segment + word(in, 1);
        }
      } else {
        for (int start = 256 * segment; start < 256 * (segment + 1); start += 64) {
          final long bits = in.getLong();
          for (int i = 0; i < 64; i++) {
            if ((bits >> i & 1) == 1) {
              positions[found++] = start + i;
            }
          }
        }
      }
      if (found != before[segment + 1]) {
        throw new AssertionError("segment " + segment + " ends behind " + found + " positions");
      }
    }
    return positions;
  }

  /** The bytes that the largest value takes, taken as unsigned. */
  public static int bytesPerValue(int[] values) {
    final int max = Arrays.stream(values).max().getAsInt();
    return max < 1 << 8 ? 1 : max < 1 << 16 ? 2 : max < 1 << 24 ? 3 : 4;
  }

  /** The bits that a value takes, taken as unsigned. */
  public static int width(long value) {
    return value == 0 ? 0 : Long.toBinaryString(value).length();
  }

  private static int[] toArray(List<Integer> values) {
    return values.stream().mapToInt(Integer::intValue).toArray();
  }
}
