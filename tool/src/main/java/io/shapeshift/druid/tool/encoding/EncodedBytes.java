// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.column.ColumnFormatException;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.druid.java.util.common.ByteBufferUtils;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.Serializer;

/**
 * Output of a serializer, in a temporary file that is mapped as a Historical maps a segment. Short output is kept in
 * memory.
 */
final class EncodedBytes implements Closeable {
  /**
   * Maximum size in bytes of output kept in memory. Creating and mapping a file takes longer than encoding so few
   * bytes.
   */
  private static final int MAX_IN_MEMORY = 1 << 14;

  private final ByteBuffer owner;

  private EncodedBytes(ByteBuffer owner) {
    this.owner = owner;
  }

  /**
   * Stores the output of a serializer.
   *
   * @param column name of the column, for messages
   * @throws ColumnFormatException if the output needs more than one file, as stock columns do above 2 GiB
   */
  static EncodedBytes of(String column, Serializer serializer) throws IOException {
    final long size = serializer.getSerializedSize();
    if (size > Integer.MAX_VALUE) {
      throw ColumnFormatException.tooLarge(
          column, size + " bytes in a file; a file can have at most " + Integer.MAX_VALUE);
    }
    if (size <= MAX_IN_MEMORY) {
      return inMemory(column, serializer, (int) size);
    }
    final Path file = Files.createTempFile("shapeshift", ".rows");
    try (FileChannel channel = FileChannel.open(
        file,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE
    )) {
      serializer.writeTo(channel, new NoFurtherFiles(column));
      // The mapping stays valid after the file is deleted.
      return map(channel);
    }
  }

  private static EncodedBytes inMemory(String column, Serializer serializer, int size) throws IOException {
    final EncodedBytes encoded = new EncodedBytes(ByteBuffer.allocateDirect(size));
    try {
      serializer.writeTo(new BufferChannel(encoded.owner), new NoFurtherFiles(column));
      encoded.owner.flip();
      return encoded;
    } catch (IOException | RuntimeException e) {
      encoded.close();
      throw e;
    }
  }

  /** Maps a file. */
  static EncodedBytes of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return map(channel);
    }
  }

  private static EncodedBytes map(FileChannel channel) throws IOException {
    return new EncodedBytes(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
  }

  /** Read-only view of the bytes, also in memory, so that all buffers have the class that a Historical reads. */
  ByteBuffer buffer() {
    return owner.asReadOnlyBuffer();
  }

  /** Number of bytes. */
  int size() {
    return owner.limit();
  }

  @Override
  public void close() {
    ByteBufferUtils.free(owner);
  }

  /** Channel into a buffer that has space for all output. */
  private record BufferChannel(ByteBuffer bytes) implements WritableByteChannel {
    @Override
    public int write(ByteBuffer from) {
      final int length = from.remaining();
      bytes.put(from);
      return length;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Rejects the additional files that Druid's serializers create for blocks that do not fit into one file. */
  private record NoFurtherFiles(String column) implements SegmentFileBuilder {
    private ColumnFormatException refuse() {
      return ColumnFormatException.tooLarge(column, "blocks for more than one file");
    }

    @Override
    public SegmentFileChannel addWithChannel(String name, long size) {
      throw refuse();
    }

    @Override
    public void add(String name, File file) {
      throw refuse();
    }

    @Override
    public void add(String name, ByteBuffer bytes) {
      throw refuse();
    }

    @Override
    public void addColumn(String name, ColumnDescriptor descriptor) {
      throw new UnsupportedOperationException("rows have no descriptor");
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
  }
}
