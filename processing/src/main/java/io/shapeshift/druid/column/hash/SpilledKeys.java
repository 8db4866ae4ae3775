// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.hash;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/**
 * The hashes and rows of a column in {@value #PARTITIONS} partitions, by the top bits of the hash. The heap has a block
 * of {@value #BLOCK_BYTES} bytes for each partition, 1.5 MB for all of them, and 4 bytes for each block that is full;
 * full blocks of all partitions go to one file of the medium, one behind the other.
 */
final class SpilledKeys {
  /** How many partitions there are. */
  static final int PARTITIONS = 256;

  private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;
  private static final int BLOCK_BYTES = 512 * ENTRY_BYTES;
  private static final int PARTITION_SHIFT = Long.SIZE - 8;

  /** Takes what a partition has. */
  @FunctionalInterface
  interface Sink {
    void accept(long hash, int row);
  }

  private final WriteOutBytes full;
  /** The numbers of each partition's full blocks, ascending. */
  private final IntArrayList[] blocks = new IntArrayList[PARTITIONS];
  private final ByteBuffer[] last = new ByteBuffer[PARTITIONS];
  private int numBlocks;

  SpilledKeys(SegmentWriteOutMedium medium) throws IOException {
    this.full = medium.makeWriteOutBytes();
  }

  /** Adds a row behind those that were added before. */
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

  /** How many rows a partition has. */
  int size(int partition) {
    if (last[partition] == null) {
      return 0;
    }
    final int inBlocks = blocks[partition].size() * (BLOCK_BYTES / ENTRY_BYTES);
    return inBlocks + last[partition].position() / ENTRY_BYTES;
  }

  /** Hands over the rows of a partition, in their order. */
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

  /** What {@link #forEach} reads blocks into. */
  static ByteBuffer buffer() {
    return ByteBuffer.allocate(BLOCK_BYTES);
  }

  private static void accept(ByteBuffer block, Sink sink) {
    while (block.hasRemaining()) {
      sink.accept(block.getLong(), block.getInt());
    }
  }
}
