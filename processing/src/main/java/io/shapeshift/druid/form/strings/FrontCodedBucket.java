// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * A few texts that follow each other in a sorted dictionary. The first is the head; of each other what it shares with
 * the head is left out, if that saves bytes. So any of them is read with at most one other.
 *
 * <pre>
 * | bits or bytes             | field                                                                              |
 * |---------------------------|------------------------------------------------------------------------------------|
 * | 1 byte                    | endWidth: bits of each end, 0 to 31                                                |
 * | 1 byte                    | prefixWidth: bits of each prefix, 0 to 31                                          |
 * | size * endWidth bits      | where the part of each text ends, in bytes from where that of the head starts      |
 * | (size - 1) * prefixWidth  | how many bytes each text but the head begins with that the head begins with as well |
 * |                           | filled up to whole bytes                                                           |
 * | the last end              | the parts: the head, and of the others what is behind their prefix                 |
 * </pre>
 * Bits are counted from the lowest of the first byte. The parts are texts, or {@link SymbolTable codes}; the head's may
 * be a text where the others' are codes.
 */
final class FrontCodedBucket {
  /** Bytes behind a bucket that readers touch. */
  static final int SLACK = 8;
  private static final int MAX_SIZE = 1 << 6;

  private static final int FIXED_BYTES = 2;
  private static final int MAX_WIDTH = 31;

  private FrontCodedBucket() {}

  static final class Writer implements BucketWriter {
    @Nullable
    private final SymbolEncoder ofHeads;
    @Nullable
    private final SymbolEncoder ofSuffixes;
    private final int[] ends = new int[MAX_SIZE];
    private final int[] prefixes = new int[MAX_SIZE];
    private byte[] parts = new byte[1 << 10];
    private byte[] bytes = new byte[1 << 10];
    private int size;

    /**
     * Makes one.
     *
     * @param ofHeads    null if heads are texts
     * @param ofSuffixes null if all other parts are texts
     */
    Writer(@Nullable SymbolEncoder ofHeads, @Nullable SymbolEncoder ofSuffixes) {
      this.ofHeads = ofHeads;
      this.ofSuffixes = ofSuffixes;
    }

    @Override
    public int encode(byte[][] texts, int[] lengths, int count) {
      int all = 0;
      int saved = 0;
      int most = 0;
      for (int i = 0; i < count; i++) {
        prefixes[i] = i == 0 ? 0 : Utf8.commonPrefix(texts[0], lengths[0], texts[i], lengths[i]);
        saved += prefixes[i];
        most = Math.max(most, prefixes[i]);
        all = Math.addExact(all, lengths[i]);
      }
      int prefixWidth = width(most);
      if (saved <= (prefixWidth * (count - 1) + 7) / 8) {
        Arrays.fill(prefixes, 0, count, 0);
        prefixWidth = 0;
      }
      ensureParts(ofSuffixes == null ? all : Math.multiplyExact(2, all));
      int end = 0;
      for (int i = 0; i < count; i++) {
        @Nullable final SymbolEncoder encoder = i == 0 ? ofHeads : ofSuffixes;
        if (encoder != null) {
          end = encoder.encode(texts[i], prefixes[i], lengths[i], parts, end);
        } else {
          System.arraycopy(texts[i], prefixes[i], parts, end, lengths[i] - prefixes[i]);
          end += lengths[i] - prefixes[i];
        }
        ends[i] = end;
      }
      return write(count, width(end), prefixWidth, end);
    }

    private void ensureParts(int length) {
      if (parts.length < length) {
        parts = new byte[Math.max(length, 2 * parts.length)];
      }
    }

    private int write(int count, int endWidth, int prefixWidth, int end) {
      final int start = start(count, endWidth, prefixWidth);
      size = Math.addExact(start, end);
      if (bytes.length < size) {
        bytes = new byte[Math.max(size, Math.max(bytes.length, Math.min(2 * bytes.length, 1 << 20)))];
      }
      Arrays.fill(bytes, 0, start, (byte) 0);
      bytes[0] = (byte) endWidth;
      bytes[1] = (byte) prefixWidth;
      int bit = FIXED_BYTES * Byte.SIZE;
      for (int i = 0; i < count; i++, bit += endWidth) {
        put(bit, ends[i]);
      }
      for (int i = 1; i < count; i++, bit += prefixWidth) {
        put(bit, prefixes[i]);
      }
      System.arraycopy(parts, 0, bytes, start, end);
      return size;
    }

    private void put(int bit, int value) {
      long left = (long) value << (bit & 7);
      for (int at = bit >>> 3; left != 0; at++, left >>>= Byte.SIZE) {
        bytes[at] |= (byte) left;
      }
    }

    @Override
    public byte[] bytes() {
      return bytes;
    }
  }

  private static int width(int value) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(value);
  }

  private static int start(int count, int endWidth, int prefixWidth) {
    return FIXED_BYTES + (count * endWidth + (count - 1) * prefixWidth + 7) / 8;
  }

  static final class Reader implements BucketReader {
    private final TextBuffer text;
    private final RawBytes in;
    @Nullable
    private final SymbolTable ofHeads;
    @Nullable
    private final SymbolTable ofSuffixes;
    /** The bucket that was read last, and how many bytes of its head the text begins with. */
    private int lastFrom = -1;
    private int headBytes;

    /**
     * Makes one.
     *
     * @param ofHeads    null if heads are texts
     * @param ofSuffixes null if all other parts are texts
     */
    Reader(ByteBuffer buffer, @Nullable SymbolTable ofHeads, @Nullable SymbolTable ofSuffixes) {
      this.text = new TextBuffer(buffer);
      this.in = text.in;
      this.ofHeads = ofHeads;
      this.ofSuffixes = ofSuffixes;
    }

    @Override
    public byte[] text() {
      return text.bytes();
    }

    @Override
    public int read(int from, int to, int count, int index) {
      final int known = lastFrom == from ? headBytes : 0;
      lastFrom = -1;
      final int endWidth = in.getByte(from);
      final int prefixWidth = in.getByte(from + 1);
      if (endWidth > MAX_WIDTH || prefixWidth > MAX_WIDTH) {
        throw new MalformedChunkException(
            "A bucket has widths " + endWidth + " and " + prefixWidth + ", expected at most " + MAX_WIDTH);
      }
      final int start = from + start(count, endWidth, prefixWidth);
      if (start > to) {
        throw new MalformedChunkException("A bucket of " + (to - from) + " bytes ends within its head");
      }
      final int bits = from + FIXED_BYTES;
      final int end = get(bits, index * endWidth, endWidth);
      final int before = index == 0 ? 0 : get(bits, (index - 1) * endWidth, endWidth);
      if (end < before || end > to - start) {
        throw new MalformedChunkException("Text " + index + " of a bucket has the bytes from " + before + " to " + end
            + ", of " + (to - start));
      }
      int prefix = 0;
      if (prefixWidth != 0 && index != 0) {
        prefix = get(bits, count * endWidth + (index - 1) * prefixWidth, prefixWidth);
        if (prefix > known) {
          readHead(start, get(bits, 0, endWidth), to, prefix);
        }
      }
      final int length = readPart(start + before, start + end, prefix, index == 0 ? ofHeads : ofSuffixes);
      // Texts ascend, and so share less and less with the head.
      headBytes = index == 0 ? length : prefix;
      lastFrom = from;
      return length;
    }

    private void readHead(int start, int length, int to, int prefix) {
      if (length > to - start) {
        throw new MalformedChunkException("The head of a bucket has " + length + " bytes, of " + (to - start));
      }
      final int found;
      if (ofHeads != null) {
        text.ensure(0, SymbolTable.capacity(length));
        found = ofHeads.decode(in, start, start + length, text.bytes(), 0, prefix);
      } else {
        found = length;
        text.copy(start, 0, Math.min(prefix, length));
      }
      if (prefix > found) {
        throw new MalformedChunkException("A text begins with " + prefix + " bytes of a head of " + found);
      }
    }

    private int readPart(int from, int to, int at, @Nullable SymbolTable symbols) {
      if (symbols != null) {
        text.ensure(at, SymbolTable.capacity(to - from));
        return symbols.decode(in, from, to, text.bytes(), at);
      }
      text.copy(from, at, to - from);
      return at + to - from;
    }

    private int get(int bits, int bit, int width) {
      return (int) (in.getLong(bits + (bit >>> 3)) >>> (bit & 7)) & (int) ((1L << width) - 1);
    }
  }
}
