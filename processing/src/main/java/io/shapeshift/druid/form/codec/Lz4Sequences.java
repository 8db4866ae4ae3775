// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import java.nio.ByteBuffer;

/**
 * Counts the sequences of a block of LZ4, each of which is some literals and a match. They, and not the bytes, are what
 * decompression takes its time for.
 *
 * @see <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 Block Format</a>
 */
public final class Lz4Sequences {
  /** A length of so much goes on in the bytes that follow. */
  private static final int LONG_LENGTH = 15;
  private static final int OFFSET_SIZE = Short.BYTES;

  private Lz4Sequences() {}

  /**
   * Counts the sequences with a match.
   *
   * @param block a valid block from position to limit, neither of which is changed
   */
  public static int count(ByteBuffer block) {
    int sequences = 0;
    int at = block.position();
    while (at < block.limit()) {
      final int token = block.get(at++) & 0xFF;
      int literals = token >>> 4;
      if (literals == LONG_LENGTH) {
        int more;
        do {
          more = block.get(at++) & 0xFF;
          literals += more;
        } while (more == 0xFF);
      }
      at += literals;
      if (at < block.limit()) {
        at += OFFSET_SIZE;
        if ((token & 0xF) == LONG_LENGTH) {
          while (block.get(at++) == (byte) 0xFF) {
            // The match goes on.
          }
        }
        sequences++;
      }
    }
    return sequences;
  }
}
