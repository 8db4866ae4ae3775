// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.stock;

import io.shapeshift.druid.cost.CostModel;
import java.nio.ByteBuffer;

/**
 * The sequences of a block of LZ4, each of which is some literals and a match. They, and not the bytes, are what
 * decompression takes most of its time for.
 *
 * @param far       sequences but the near ones
 * @param near      sequences whose match starts 8 to 15 bytes before, and goes on into what it makes: each step of the
 *                  copy waits for the one before
 * @param nearBytes bytes that these matches make
 * @see <a href="https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md">LZ4 Block Format</a>
 */
public record Lz4Sequences(int far, int near, int nearBytes) {
  /** A length of so much goes on in the bytes that follow. */
  private static final int LONG_LENGTH = 15;
  private static final int LEAST_MATCH = 4;

  /** How long the sequences take to decompress, besides a copy of the bytes. */
  public double nanos() {
    return CostModel.Codecs.LZ4_FAR_NANOS * far
        + CostModel.Codecs.LZ4_NEAR_NANOS * near
        + CostModel.Codecs.LZ4_NEAR_BYTE_NANOS * nearBytes;
  }

  /**
   * Counts the sequences that have a match.
   *
   * @param block a valid block from position to limit, neither of which is changed
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
