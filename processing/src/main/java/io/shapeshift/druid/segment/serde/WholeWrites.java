// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import org.apache.druid.io.Channels;
import org.apache.druid.segment.file.SegmentFileChannel;

/**
 * A channel that writes all that it is given, or fails. A channel of a file writes as much as there is room for when
 * the disk gets full, and says why only at the next write. Druid's serializers take each write for whole, so that of
 * such a column Druid says that it is damaged, and not that the disk is full.
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
