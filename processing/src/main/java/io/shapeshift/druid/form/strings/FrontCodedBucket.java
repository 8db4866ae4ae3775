// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * Bucket of a few neighbouring texts of a sorted dictionary. The first text is the head. Every other text omits the
 * prefix that it shares with the head, if that saves bytes. Reading a text therefore reads at most one other.
 *
 * <pre>
 * | bits or bytes            | field                                                                         |
 * |--------------------------|-------------------------------------------------------------------------------|
 * | 1 byte                   | endWidth: bits of each end, 0 to 31; plus 128 if no text has a byte above 127 |
 * | 1 byte                   | prefixWidth: bits of each prefix, 0 to 31                                     |
 * | size * endWidth bits     | end of each text's part, in bytes from the start of the head's part           |
 * | (size - 1) * prefixWidth | length of the prefix shared with the head, for each text except the head      |
 * |                          | padded to whole bytes                                                         |
 * | the last end             | the parts: the head, and the suffix of each other text                        |
 * </pre>
 * Bits are counted from the lowest of the first byte. The head is a text; the suffixes are texts or
 * {@link SymbolTable codes}.
 */
final class FrontCodedBucket {
  /** Bytes after a bucket that readers touch. */
  static final int SLACK = 8;
  private static final int MAX_SIZE = 1 << 6;

  private static final int FIXED_BYTES = 2;
  private static final int MAX_WIDTH = 31;
  private static final int ASCII = 0x80;

  private FrontCodedBucket() {}

  static final class Writer implements BucketWriter {
    @Nullable
    private final SymbolEncoder ofSuffixes;
    private final int[] ends = new int[MAX_SIZE];
    private final int[] prefixes = new int[MAX_SIZE];
    private byte[] parts = new byte[1 << 10];
    private byte[] bytes = new byte[1 << 10];
    private int size;

    /**
     * Creates a writer.
     *
     * @param ofSuffixes encoder of the suffixes; null if they are texts
     */
    Writer(@Nullable SymbolEncoder ofSuffixes) {
      this.ofSuffixes = ofSuffixes;
    }

    @Override
    public int encode(byte[][] texts, int[] lengths, int count) {
      int all = 0;
      int saved = 0;
      int most = 0;
      boolean isAscii = true;
      for (int i = 0; i < count; i++) {
        prefixes[i] = i == 0 ? 0 : Utf8.commonPrefix(texts[0], lengths[0], texts[i], lengths[i]);
        saved += prefixes[i];
        most = Math.max(most, prefixes[i]);
        all = Math.addExact(all, lengths[i]);
        isAscii &= Utf8.isAscii(texts[i], lengths[i]);
      }
      int prefixWidth = width(most);
      if (saved <= (prefixWidth * (count - 1) + 7) / 8) {
        Arrays.fill(prefixes, 0, count, 0);
        prefixWidth = 0;
      }
      ensureParts(ofSuffixes == null ? all : Math.multiplyExact(2, all));
      int end = 0;
      for (int i = 0; i < count; i++) {
        if (i > 0 && ofSuffixes != null) {
          end = ofSuffixes.encode(texts[i], prefixes[i], lengths[i], parts, end);
        } else {
          System.arraycopy(texts[i], prefixes[i], parts, end, lengths[i] - prefixes[i]);
          end += lengths[i] - prefixes[i];
        }
        ends[i] = end;
      }
      write(count, width(end), prefixWidth, end);
      if (isAscii) {
        bytes[0] |= (byte) ASCII;
      }
      return size;
    }

    private void ensureParts(int length) {
      if (parts.length < length) {
        parts = new byte[Math.max(length, 2 * parts.length)];
      }
    }

    private void write(int count, int endWidth, int prefixWidth, int end) {
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
    private final SymbolTable ofSuffixes;
    /** Bucket read last: its first byte (-1 if there is none), its end, its number of texts, and its fields. */
    private int openFrom = -1;
    private int openTo;
    private int openCount;
    private boolean isAscii;
    private int endWidth;
    private int endMask;
    private int prefixWidth;
    private int prefixMask;
    /** Position in bits of the first prefix length. */
    private int prefixBits;
    private int start;
    private int partBytes;
    /** Number of leading bytes that the text buffer has in common with the bucket's head. */
    private int headBytes;

    /**
     * Creates a reader.
     *
     * @param ofSuffixes symbols of the suffixes; null if they are texts
     */
    Reader(ByteBuffer buffer, @Nullable SymbolTable ofSuffixes) {
      this.text = new TextBuffer(buffer);
      this.in = text.in;
      this.ofSuffixes = ofSuffixes;
    }

    @Override
    public byte[] text() {
      return text.bytes();
    }

    @Override
    public boolean isAscii() {
      return isAscii;
    }

    /** Reads the fields of a bucket, unless it is the bucket read last. */
    void open(int from, int to, int count) {
      // Damaged offsets may give two buckets the same start.
      if (from == openFrom && to == openTo && count == openCount) {
        return;
      }
      openFrom = -1;
      headBytes = 0;
      final int first = in.getByte(from);
      isAscii = (first & ASCII) != 0;
      endWidth = first & ~ASCII;
      prefixWidth = in.getByte(from + 1);
      if (endWidth > MAX_WIDTH || prefixWidth > MAX_WIDTH) {
        throw new MalformedChunkException(
            "A bucket has widths " + endWidth + " and " + prefixWidth + ", expected at most " + MAX_WIDTH);
      }
      endMask = (int) ((1L << endWidth) - 1);
      prefixMask = (int) ((1L << prefixWidth) - 1);
      prefixBits = count * endWidth - prefixWidth;
      start = from + start(count, endWidth, prefixWidth);
      partBytes = to - start;
      if (partBytes < 0) {
        throw new MalformedChunkException("A bucket of " + (to - from) + " bytes ends within its head");
      }
      openFrom = from;
      openTo = to;
      openCount = count;
    }

    @Override
    public int read(int from, int to, int count, int index) {
      open(from, to, count);
      if (index == 0) {
        headBytes = 0;
        headBytes = readPart(0, end(0), 0, null);
        return headBytes;
      }
      final int prefix = prefix(index);
      if (prefix > headBytes) {
        readHead(prefix);
      }
      // Texts ascend, so later texts share at most this prefix with the head.
      headBytes = prefix;
      return readPart(end(index - 1), end(index), prefix, ofSuffixes);
    }

    @Override
    public void readAll(int from, int to, int count, TextRun run) {
      open(from, to, count);
      for (int index = 0; index < count; index++) {
        addText(index, run);
      }
    }

    @Override
    public BucketSearch search(TextPart part, boolean isExact) {
      return new FrontCodedSearch(this, in, ofSuffixes, part, isExact);
    }

    /** Adds a text of the open bucket to a run. */
    void addText(int index, TextRun run) {
      final int prefix = index == 0 ? 0 : prefix(index, end(0));
      final int from = index == 0 ? 0 : end(index - 1);
      final int to = end(index);
      checkPart(from, to);
      final boolean isPlain = index == 0 || ofSuffixes == null;
      final long room = isPlain ? (long) to - from + RawBytes.STEP : SymbolTable.capacity(to - from);
      // Copies in steps: of the prefix, too.
      final int at = run.ensure(prefix + RawBytes.STEP + room);
      final byte[] bytes = run.bytes();
      text.copy(start, bytes, at, prefix);
      if (isPlain) {
        text.copy(start + from, bytes, at + prefix, to - from);
        run.end(at, at + prefix + to - from);
      } else {
        run.end(at, ofSuffixes.decode(in, start + from, start + to, bytes, at + prefix));
      }
    }

    private static void checkPart(int from, int to) {
      if (from > to) {
        throw new MalformedChunkException("A text of a bucket ends at byte " + to + ", the one before at " + from);
      }
    }

    /** Returns where the parts of the open bucket start. */
    int partsStart() {
      return start;
    }

    /** Returns the end of a text's part in the open bucket, from the start of the parts. */
    int end(int index) {
      final int end = get(index * endWidth) & endMask;
      if (end > partBytes) {
        throw new MalformedChunkException(
            "Text " + index + " of a bucket ends at byte " + end + ", of " + partBytes);
      }
      return end;
    }

    /** Returns the length of the prefix that a text, other than the head, shares with the head. */
    private int prefix(int index) {
      return get(prefixBits + index * prefixWidth) & prefixMask;
    }

    /** Returns the length of the prefix that a text, other than the head, shares with a head of some bytes. */
    int prefix(int index, int headBytes) {
      final int prefix = prefix(index);
      if (prefix > headBytes) {
        throw new MalformedChunkException("A text begins with " + prefix + " bytes of a head of " + headBytes);
      }
      return prefix;
    }

    /** Returns the int that starts at a bit, in the lowest bits; higher bits are undefined. */
    private int get(int bit) {
      return (int) (in.getLong(openFrom + FIXED_BYTES + (bit >>> 3)) >>> (bit & 7));
    }

    private void readHead(int prefix) {
      headBytes = 0;
      final int length = end(0);
      if (prefix > length) {
        throw new MalformedChunkException("A text begins with " + prefix + " bytes of a head of " + length);
      }
      text.copy(start, 0, prefix);
    }

    /** Reads a part to an index of the text buffer, and returns the end of the text. */
    private int readPart(int from, int to, int at, @Nullable SymbolTable symbols) {
      checkPart(from, to);
      if (symbols != null) {
        text.ensure(at, SymbolTable.capacity(to - from));
        return symbols.decode(in, start + from, start + to, text.bytes(), at);
      }
      text.copy(start + from, at, to - from);
      return at + to - from;
    }

    @Override
    public int compareHead(int from, int to, int count, byte[] value, int length) {
      open(from, to, count);
      return compareHead(value, length, shared(start, end(0), value, 0, length));
    }

    private int compareHead(byte[] value, int length, int shared) {
      return compare(start, end(0), value, 0, length, shared);
    }

    /** Returns the length of the common prefix of some bytes of the buffer and some bytes of a value. */
    private int shared(int from, int length, byte[] value, int valueFrom, int valueTo) {
      final int both = Math.min(length, valueTo - valueFrom);
      for (int i = 0; i < both; i += Long.BYTES) {
        final long different = in.getLong(from + i) ^ Utf8.word(value, valueFrom + i);
        if (different != 0) {
          return Math.min(both, i + (Long.numberOfTrailingZeros(different) >>> 3));
        }
      }
      return both;
    }

    /** Compares bytes of the buffer with bytes of a value whose first {@code shared} bytes are equal. */
    private int compare(int from, int length, byte[] value, int valueFrom, int valueTo, int shared) {
      if (shared == length || shared == valueTo - valueFrom) {
        return length - (valueTo - valueFrom);
      }
      return Utf8.compare((byte) in.getByte(from + shared), value[valueFrom + shared]);
    }

    @Override
    public int find(int from, int to, int count, byte[] value, int length) {
      open(from, to, count);
      final int shared = shared(start, end(0), value, 0, length);
      final int compared = compareHead(value, length, shared);
      if (compared >= 0) {
        return compared == 0 ? 0 : -1;
      }
      int before = end(0);
      for (int index = 1; index < count; index++) {
        final int prefix = prefix(index);
        final int end = end(index);
        // A text that shares more with the head than the value does is less than the value, as the head is. A text that
        // shares less is greater. If no prefixes are stored, the whole text is compared.
        if (prefix <= shared || prefixWidth == 0) {
          final int toValue = prefix < shared && prefixWidth > 0 ? 1 : compare(before, end, prefix, value, length);
          if (toValue >= 0) {
            return toValue == 0 ? index : -index - 1;
          }
        }
        before = end;
      }
      return -count - 1;
    }

    /** Compares a part with the end of a value. */
    private int compare(int from, int to, int prefix, byte[] value, int length) {
      checkPart(from, to);
      if (ofSuffixes == null) {
        return compare(
            start + from, to - from, value, prefix, length, shared(start + from, to - from, value, prefix, length));
      }
      if (from < to && prefix < length) {
        final byte first = ofSuffixes.firstByte(in, start + from);
        if (first != value[prefix]) {
          return Utf8.compare(first, value[prefix]);
        }
      }
      headBytes = Math.min(headBytes, prefix);
      final int end = readPart(from, to, prefix, ofSuffixes);
      // Calls bytes() after reading, because reading may replace the array.
      return Utf8.compare(text.bytes(), prefix, end, value, prefix, length);
    }
  }
}
