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
 * Checksums of a {@link HashIndex}, stored after its bytes. They detect damaged fingerprints, which would hide rows and
 * have no other check. A block is verified before its first use. Thread-safe; several threads may verify the same
 * block.
 */
final class BlockChecksums {
  static final int LOG_BLOCK_SIZE = 12;
  /** Bytes of a block, except the last. */
  static final int BLOCK_SIZE = 1 << LOG_BLOCK_SIZE;

  private final ByteBuffer buffer;
  private final int size;
  /** 1 for blocks that are verified. One byte per block, because threads would overwrite each other's bits. */
  private final byte[] intact;

  /**
   * Creates the check of the first {@code size} bytes of a buffer.
   *
   * @param buffer little-endian, with the checksums after these bytes
   */
  BlockChecksums(ByteBuffer buffer, int size) {
    this.buffer = buffer;
    this.size = size;
    this.intact = new byte[numBlocks(size)];
  }

  /** Returns the bytes of the checksums of {@code size} bytes. */
  static long bytes(long size) {
    return (long) Integer.BYTES * numBlocks(size);
  }

  private static int numBlocks(long size) {
    return Math.toIntExact((size + BLOCK_SIZE - 1) >>> LOG_BLOCK_SIZE);
  }

  /** Verifies a range of bytes, and returns the end of the first damaged block, or 0 if there is none. */
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

  /** Channel that passes bytes on, and appends their checksums. */
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

    /** Does nothing: the caller owns the channel. */
    @Override
    public void close() {}
  }
}
