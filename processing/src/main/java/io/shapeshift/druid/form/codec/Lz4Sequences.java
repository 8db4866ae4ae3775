// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.codec;

import io.shapeshift.druid.cost.CostModel;
import java.nio.ByteBuffer;

/**
 * Number and kind of the sequences of an LZ4 block, each consisting of literals and a match. The time of decompression
 * depends mostly on them, not on the number of bytes.
 *
 * @param far       number of sequences except the near ones
 * @param near      number of sequences whose match starts 8 to 15 bytes back and overlaps its own output, so that each
 *     step of the copy waits for the previous one
 * @param nearBytes number of bytes that the near matches produce
 * @see <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 Block Format</a>
 */
public record Lz4Sequences(int far, int near, int nearBytes) {
  /** Length value that is continued in the following bytes. */
  private static final int LONG_LENGTH = 15;
  private static final int LEAST_MATCH = 4;

  /** Nanoseconds to decompress the sequences, in addition to a copy of the bytes. */
  public double nanos() {
    return CostModel.Codecs.LZ4_FAR_NANOS * far
        + CostModel.Codecs.LZ4_NEAR_NANOS * near
        + CostModel.Codecs.LZ4_NEAR_BYTE_NANOS * nearBytes;
  }

  /**
   * Counts the sequences that have a match.
   *
   * @param block valid block from position to limit, neither of which is changed
   */
  public static Lz4Sequences of(ByteBuffer block) {
    int far = 0;
    int near = 0;
    int nearBytes = 0;
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
        final int offset = (block.get(at++) & 0xFF) | ((block.get(at++) & 0xFF) << Byte.SIZE);
        int length = token & 0xF;
        if (length == LONG_LENGTH) {
          int more;
          do {
            more = block.get(at++) & 0xFF;
            length += more;
          } while (more == 0xFF);
        }
        final boolean isNear =
            offset >= CostModel.Codecs.LZ4_LEAST_NEAR && offset <= CostModel.Codecs.LZ4_MOST_NEAR;
        if (isNear && length + LEAST_MATCH > offset) {
          near++;
          nearBytes += length + LEAST_MATCH;
        } else {
          far++;
        }
      }
    }
    return new Lz4Sequences(far, near, nearBytes);
  }
}
