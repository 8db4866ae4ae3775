// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.file.SegmentFileChannel;

/**
 * Channel that writes all bytes of a buffer or fails. When the disk is full, a file channel writes only part of a
 * buffer and fails at the next write. Druid's serializers ignore the number of bytes written, and would report a
 * damaged column instead of a full disk.
 */
public record WholeWrites(GatheringByteChannel channel) implements SegmentFileChannel {
  @Override
  public int write(ByteBuffer bytes) throws IOException {
    final int size = bytes.remaining();
    Channels.writeFully(channel, bytes);
    return size;
  }

  @Override
  public long write(ByteBuffer[] buffers) throws IOException {
    return write(buffers, 0, buffers.length);
  }

  @Override
  public long write(ByteBuffer[] buffers, int offset, int length) throws IOException {
    long size = 0;
    for (int i = offset; i < offset + length; i++) {
      size += write(buffers[i]);
    }
    return size;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
