// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.Varint;
import io.shapeshift.druid.form.MalformedChunkException;
import java.util.Arrays;

/**
 * The texts of a {@link BlockBucket} before compression; each leaves out what it shares with the one before.
 *
 * <pre>
 * | bytes  | field                                                                                        |
 * |--------|----------------------------------------------------------------------------------------------|
 * |        | of each text in turn:                                                                        |
 * | 1 to 3 | prefix: how many bytes it begins with that the one before does as well; 0 of the first |
 * | 1 to 3 | length of what is behind the prefix                                                  |
 * | any    | what is behind the prefixes, of one text after another                                       |
 * </pre>
 * Numbers have seven bits in each byte, the lowest first; the eighth says that there are more.
 */
final class BlockTexts {
  /** The largest block before compression, in bytes: zstd's largest. */
  static final int MAX_SIZE = 1 << 17;
  static final int MAX_NUMBER_BYTES = 3;
  private static final int MAX_TEXTS = 1 << BlockModel.MAX_LOG_SIZE;
  /** Stands for buckets that are not compressed. */
  static final BlockTexts NONE = new BlockTexts(new byte[0], 0);

  private final byte[] bytes;
  private final int[] prefixes;
  private final int[] lengths;
  /** Where that which is behind the prefix of each text is. */
  private final int[] starts;
  private int numbersEnd;

  BlockTexts(byte[] bytes, int count) {
    this.bytes = bytes;
    this.prefixes = new int[count];
    this.lengths = new int[count];
    this.starts = new int[count];
    int before = 0;
    int start = 0;
    for (int i = 0; i < count; i++) {
      final int prefix = number();
      final int length = number();
      if (prefix > before || length > bytes.length - start) {
        throw new MalformedChunkException("Text " + i + " of a block has " + prefix + " bytes of one of " + before
            + ", and " + length + " of " + (bytes.length - start));
      }
      prefixes[i] = prefix;
      starts[i] = start;
      start += length;
      before = prefix + length;
      lengths[i] = before;
    }
    if (numbersEnd + start != bytes.length) {
      throw new MalformedChunkException(
          "A block of " + bytes.length + " bytes has " + numbersEnd + " of numbers, and texts of " + start);
    }
    for (int i = 0; i < count; i++) {
      starts[i] += numbersEnd;
    }
  }

  /** Bytes of the block. */
  int size() {
    return bytes.length;
  }

  /** Number of texts. */
  int count() {
    return prefixes.length;
  }

  private int number() {
    int number = 0;
    for (int shift = 0; shift < MAX_NUMBER_BYTES * Varint.BITS && numbersEnd < bytes.length; shift += Varint.BITS) {
      final int next = bytes[numbersEnd++];
      number |= (next & Varint.MASK) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw new MalformedChunkException("A number of a block has no end");
  }

  /**
   * Reads a text, and gives its length.
   *
   * @param known index of the text that {@code out} has, not behind the wanted one; -1 if there is none
   * @param out   not shorter than the block, which no text is longer than
   */
  int read(int index, int known, byte[] out) {
    int needed = lengths[index];
    // From the wanted text on backwards, of each what those behind it do not have.
    for (int i = index; i > known && needed > 0; i--) {
      final int prefix = prefixes[i];
      if (prefix < needed) {
        System.arraycopy(bytes, starts[i], out, prefix, needed - prefix);
        needed = prefix;
      }
    }
    return lengths[index];
  }

  int find(byte[] value, int valueLength) {
    // How many bytes the value and the text before begin with alike.
    int known = 0;
    for (int i = 0; i < prefixes.length; i++) {
      if (prefixes[i] < known) {
        return -i - 1;
      }
      if (prefixes[i] == known) {
        final int end = starts[i] + lengths[i] - known;
        final int same = Arrays.mismatch(bytes, starts[i], end, value, known, valueLength);
        if (same < 0) {
          return i;
        }
        if (Utf8.compare(bytes, starts[i] + same, end, value, known + same, valueLength) > 0) {
          return -i - 1;
        }
        known += same;
      }
    }
    return -prefixes.length - 1;
  }

  /** Puts texts together as they are before compression. For one thread. */
  static final class Writer {
    private final byte[] numbers = new byte[2 * MAX_NUMBER_BYTES * MAX_TEXTS];
    private final int[] prefixes = new int[MAX_TEXTS];
    private byte[] bytes = new byte[1 << 10];

    /** Puts texts together, and gives their bytes; 0 if there would be more than {@link #MAX_SIZE}. */
    int put(byte[][] texts, int[] lengths, int count) {
      long behind = 0;
      for (int i = 0; i < count; i++) {
        prefixes[i] = i == 0 ? 0 : Utf8.commonPrefix(texts[i - 1], lengths[i - 1], texts[i], lengths[i]);
        behind += lengths[i] - prefixes[i];
      }
      if (behind + numbers.length > MAX_SIZE) {
        return 0;
      }
      int at = 0;
      for (int i = 0; i < count; i++) {
        at = Varint.put(prefixes[i], numbers, at);
        at = Varint.put(lengths[i] - prefixes[i], numbers, at);
      }
      final int size = at + (int) behind;
      if (bytes.length < size) {
        bytes = new byte[Math.max(size, 2 * bytes.length)];
      }
      System.arraycopy(numbers, 0, bytes, 0, at);
      for (int i = 0; i < count; i++) {
        System.arraycopy(texts[i], prefixes[i], bytes, at, lengths[i] - prefixes[i]);
        at += lengths[i] - prefixes[i];
      }
      return size;
    }

    /** What was put together last. */
    byte[] bytes() {
      return bytes;
    }
  }
}
