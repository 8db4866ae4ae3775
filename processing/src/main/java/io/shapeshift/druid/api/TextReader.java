// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.api;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Reader of the texts in buckets of one dictionary, for one thread. Texts are mostly read in order, so keep what the
 * next text needs. If bytes are damaged, a text may be anything; a reader may also throw any exception.
 */
public interface TextReader {
  /**
   * Opens a bucket, which is then read until another is opened.
   *
   * @param bucket   the bytes that {@link TextWriter#encode} returned, from index 0 to the limit; little-endian,
   *                 read-only. The reader may keep it, and move its position, until another bucket is opened
   * @param numTexts number of texts in the bucket
   * @throws DamagedChunkException if these bytes are no bucket with as many texts
   */
  void open(ByteBuffer bucket, int numTexts);

  /**
   * Reads a text to the array that {@link #text} returns. Texts may be read in any order, and again.
   *
   * @param index index of the text in the bucket, checked by the caller
   * @return length of the text in bytes
   */
  int read(int index);

  /**
   * Returns the array that starts with the text read last; any bytes may follow the text. Callers do not change it. The
   * next call of any other method may overwrite it.
   */
  byte[] text();

  /**
   * Compares the first text of the bucket with a value, as {@link #compare} does. Override it if this takes less than
   * reading the text.
   *
   * @param value  must not be changed
   * @param length length of the value in bytes
   */
  default int compareFirst(byte[] value, int length) {
    final int found = read(0);
    return compare(text(), found, value, length);
  }

  /**
   * Searches the bucket for a value. Override it if this takes less than reading the texts, one after the other.
   *
   * @param numTexts number of texts in the bucket
   * @param value    must not be changed
   * @param length   length of the value in bytes
   * @return the index of the value, or -(n + 1) if it would be inserted at index n
   */
  default int find(int numTexts, byte[] value, int length) {
    for (int index = 0; index < numTexts; index++) {
      final int found = read(index);
      final int compared = compare(text(), found, value, length);
      if (compared >= 0) {
        return compared == 0 ? index : -index - 1;
      }
    }
    return -numTexts - 1;
  }

  /**
   * Compares two texts in UTF-8, in the order of Java strings, which is that of UTF-16. It is the order of the bytes,
   * except that U+E000 to U+FFFF come after supplementary characters.
   *
   * @return negative, zero or positive if the left text is less than, equal to or greater than the right one
   */
  static int compare(byte[] left, int leftLength, byte[] right, int rightLength) {
    final int at = Arrays.mismatch(left, 0, leftLength, right, 0, rightLength);
    return at < 0 || at == Math.min(leftLength, rightLength)
           ? leftLength - rightLength
           : order(left[at]) - order(right[at]);
  }

  private static int order(byte each) {
    final int unsigned = each & 0xFF;
    // The first bytes of U+E000 to U+FFFF go behind those of all other characters.
    return unsigned == 0xEE || unsigned == 0xEF ? unsigned + 0x100 : unsigned;
  }
}
