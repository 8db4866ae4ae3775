// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.bits.Varint;
import io.shapeshift.druid.form.MalformedChunkException;
import java.util.Arrays;

/**
 * Texts of a {@link BlockBucket} before compression, each without the prefix that it shares with the text before.
 *
 * <pre>
 * | bytes  | field                                                             |
 * |--------|-------------------------------------------------------------------|
 * |        | for each text:                                                    |
 * | 1 to 3 | length of the prefix shared with the text before; 0 for the first |
 * | 1 to 3 | length of the suffix after the prefix                             |
 * | any    | the suffixes, one after the other                                 |
 * </pre>
 * Numbers have seven bits in each byte, the lowest first; the eighth bit is set if another byte follows.
 */
final class BlockTexts {
  /** Largest block before compression in bytes. */
  static final int MAX_SIZE = 1 << 20;
  static final int MAX_NUMBER_BYTES = 3;
  private static final int MAX_TEXTS = 1 << BlockCoding.MAX_LOG_SIZE;
  /** Placeholder for buckets that are not compressed. */
  static final BlockTexts NONE = new BlockTexts(new byte[0], 0);

  private final byte[] bytes;
  private final int[] prefixes;
  private final int[] lengths;
  /** Start of each text's suffix. */
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

  /** Returns the size of the block in bytes. */
  int size() {
    return bytes.length;
  }

  /** Returns the number of texts. */
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
   * Reads a text and returns its length.
   *
   * @param known index of a text that {@code out} contains already, at most {@code index}; -1 if there is none
   * @param out   receives the text; at least as long as the block, because no text is longer
   */
  int read(int index, int known, byte[] out) {
    int needed = lengths[index];
    // Walk back from the wanted text. Each text supplies the bytes that later ones omit.
    for (int i = index; i > known && needed > 0; i--) {
      final int prefix = prefixes[i];
      if (prefix < needed) {
        System.arraycopy(bytes, starts[i], out, prefix, needed - prefix);
        needed = prefix;
      }
    }
    return lengths[index];
  }

  /** Adds all texts to a run. */
  void readAll(TextRun run) {
    int before = 0;
    for (int i = 0; i < prefixes.length; i++) {
      final int at = run.ensure(lengths[i]);
      System.arraycopy(run.bytes(), before, run.bytes(), at, prefixes[i]);
      System.arraycopy(bytes, starts[i], run.bytes(), at + prefixes[i], lengths[i] - prefixes[i]);
      run.end(at, at + lengths[i]);
      before = at;
    }
  }

  int find(byte[] value, int valueLength) {
    // Length of the prefix that the value shares with the text before.
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

  /** Builds blocks of texts before compression. Not thread-safe. */
  static final class Writer {
    private final byte[] numbers = new byte[2 * MAX_NUMBER_BYTES * MAX_TEXTS];
    private final int[] prefixes = new int[MAX_TEXTS];
    private byte[] bytes = new byte[1 << 10];

    /** Builds a block and returns its size in bytes; 0 if it would exceed {@link #MAX_SIZE}. */
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

    /** Returns the bytes of the block built last. */
    byte[] bytes() {
      return bytes;
    }
  }
}
