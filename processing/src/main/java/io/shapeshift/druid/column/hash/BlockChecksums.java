// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.zip.CRC32C;
import org.apache.druid.io.Channels;

/**
 * Checksums of a {@link HashIndex}, behind its bytes: a damaged fingerprint would hide a row, which nothing else tells.
 * Each block is compared with its checksum before anything in it is used for the first time. For any number of threads;
 * some of them may check the same block.
 */
final class BlockChecksums {
  static final int LOG_BLOCK_SIZE = 12;
  /** Bytes of a block, but for the last one. */
  static final int BLOCK_SIZE = 1 << LOG_BLOCK_SIZE;

  private final ByteBuffer buffer;
  private final int size;
  /** 1 for blocks that are as they were written. A byte each, so that threads do not undo what others have done. */
  private final byte[] intact;

  /**
   * Makes the check of the first bytes of a buffer.
   *
   * @param buffer that has the checksums behind these bytes, in little-endian order
   */
  BlockChecksums(ByteBuffer buffer, int size) {
    this.buffer = buffer;
    this.size = size;
    this.intact = new byte[numBlocks(size)];
  }

  /** Bytes of the checksums of {@code length} bytes. */
  static long bytes(long size) {
    return (long) Integer.BYTES * numBlocks(size);
  }

  private static int numBlocks(long size) {
    return Math.toIntExact((size + BLOCK_SIZE - 1) >>> LOG_BLOCK_SIZE);
  }

  /** Whether bytes are as they were written: the end of the first block that is not, or 0 if all are. */
  int findDamage(int offset, int length) {
    final int last = (offset + length - 1) >>> LOG_BLOCK_SIZE;
    for (int block = offset >>> LOG_BLOCK_SIZE; block <= last; block++) {
      if (intact[block] == 0 && !check(block)) {
        return end(block);
      }
    }
    return 0;
  }

  private boolean check(int block) {
    final int start = block << LOG_BLOCK_SIZE;
    final CRC32C crc = new CRC32C();
    crc.update(buffer.slice(start, end(block) - start));
    final boolean same = (int) crc.getValue() == buffer.getInt(size + Integer.BYTES * block);
    intact[block] = (byte) (same ? 1 : 0);
    return same;
  }

  private int end(int block) {
    return Math.min(size, (block + 1) << LOG_BLOCK_SIZE);
  }

  /** Passes bytes on, and writes their checksums behind them. */
  static final class Writer implements WritableByteChannel {
    private final WritableByteChannel channel;
    private final IntArrayList checksums = new IntArrayList();
    private final CRC32C crc = new CRC32C();
    private int inBlock;

    Writer(WritableByteChannel channel) {
      this.channel = channel;
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      final ByteBuffer written = bytes.duplicate();
      final int count = channel.write(bytes);
      final int end = bytes.position();
      while (written.position() < end) {
        written.limit(Math.min(end, written.position() + BLOCK_SIZE - inBlock));
        inBlock += written.remaining();
        crc.update(written);
        if (inBlock == BLOCK_SIZE) {
          endBlock();
        }
      }
      return count;
    }

    private void endBlock() {
      checksums.add((int) crc.getValue());
      crc.reset();
      inBlock = 0;
    }

    /** Writes the checksums of all bytes. */
    void finish() throws IOException {
      if (inBlock > 0) {
        endBlock();
      }
      final ByteBuffer out = ByteBuffer.allocate(Integer.BYTES * checksums.size()).order(ByteOrder.LITTLE_ENDIAN);
      checksums.forEach(out::putInt);
      Channels.writeFully(channel, out.flip());
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    /** Does nothing: the channel is somebody else's. */
    @Override
    public void close() {}
  }
}
