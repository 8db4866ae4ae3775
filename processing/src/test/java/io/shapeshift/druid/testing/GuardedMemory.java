// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Memory in which a read outside of what is being read does not go unseen. A file is mapped and then cut: its last page
 * is still in the address space, and whoever reads a byte of it gets an {@link InternalError}.
 */
public final class GuardedMemory {
  private static final int PAGE = 4096;

  private final MappedByteBuffer mapped;
  /** Bytes that may be read. */
  private final int size;

  /** Makes memory for up to so many bytes. */
  public GuardedMemory(int most) throws IOException {
    this.size = (most + PAGE - 1) / PAGE * PAGE;
    final Path file = Files.createTempFile("guarded", null);
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
      opened.setLength(size + PAGE);
      this.mapped = opened.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, size + PAGE);
      opened.setLength(size);
    }
    Files.delete(file);
  }

  /**
   * A buffer with some bytes, behind which nothing can be read. It is a part of the one memory: what was put there
   * before is gone.
   *
   * @param poison what is in front of them
   */
  public ByteBuffer put(byte[] bytes, byte poison, ByteOrder order) {
    final byte[] front = new byte[size - bytes.length];
    Arrays.fill(front, poison);
    mapped.put(0, front);
    mapped.put(front.length, bytes);
    return mapped.slice(front.length, bytes.length).order(order);
  }

  /** The same bytes in the middle of an array, with poison around them. */
  public static ByteBuffer poisoned(byte[] bytes, byte poison, ByteOrder order) {
    final int around = 64;
    final byte[] all = new byte[bytes.length + 2 * around];
    Arrays.fill(all, poison);
    System.arraycopy(bytes, 0, all, around, bytes.length);
    return ByteBuffer.wrap(all).slice(around, bytes.length).order(order);
  }
}
