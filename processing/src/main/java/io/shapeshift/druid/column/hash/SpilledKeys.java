// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * Hashes and rows of a column in {@value #PARTITIONS} partitions by the top bits of the hash, spilled to a file. The
 * heap holds a block of {@value #BLOCK_BYTES} bytes per partition, 1.5 MB in all, and 4 bytes per full block. Full
 * blocks of all partitions are appended to one file of the medium.
 */
final class SpilledKeys {
  /** Number of partitions. */
  static final int PARTITIONS = 256;

  private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;
  private static final int BLOCK_BYTES = 512 * ENTRY_BYTES;
  private static final int PARTITION_SHIFT = Long.SIZE - 8;

  /** Receiver of a partition's rows. */
  @FunctionalInterface
  interface Sink {
    void accept(long hash, int row);
  }

  private final WriteOutBytes full;
  /** Numbers of each partition's full blocks in the file, ascending. */
  private final IntArrayList[] blocks = new IntArrayList[PARTITIONS];
  private final ByteBuffer[] last = new ByteBuffer[PARTITIONS];
  private int numBlocks;

  SpilledKeys(SegmentWriteOutMedium medium) throws IOException {
    this.full = medium.makeWriteOutBytes();
  }

  /** Appends a row to its partition. */
  void add(long hash, int row) throws IOException {
    final int partition = (int) (hash >>> PARTITION_SHIFT);
    ByteBuffer block = last[partition];
    if (block == null) {
      block = ByteBuffer.allocate(BLOCK_BYTES);
      last[partition] = block;
      blocks[partition] = new IntArrayList();
    }
    block.putLong(hash).putInt(row);
    if (!block.hasRemaining()) {
      full.write(block.flip());
      block.clear();
      blocks[partition].add(numBlocks++);
    }
  }

  /** Returns the number of rows in a partition. */
  int size(int partition) {
    if (last[partition] == null) {
      return 0;
    }
    final int inBlocks = blocks[partition].size() * (BLOCK_BYTES / ENTRY_BYTES);
    return inBlocks + last[partition].position() / ENTRY_BYTES;
  }

  /** Passes the rows of a partition to the sink, in the order in which they were added. */
  void forEach(int partition, ByteBuffer buffer, Sink sink) throws IOException {
    if (last[partition] == null) {
      return;
    }
    for (int block : blocks[partition]) {
      full.readFully((long) block * BLOCK_BYTES, buffer.clear());
      accept(buffer.flip(), sink);
    }
    accept(last[partition].duplicate().flip(), sink);
  }

  /** Returns a buffer for {@link #forEach}. */
  static ByteBuffer buffer() {
    return ByteBuffer.allocate(BLOCK_BYTES);
  }

  private static void accept(ByteBuffer block, Sink sink) {
    while (block.hasRemaining()) {
      sink.accept(block.getLong(), block.getInt());
    }
  }
}
