// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.segment.serde.WholeWrites;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.java.util.common.ByteBufferUtils;

/**
 * Temporary file that is written once and then mapped, for what must be read at random and may be too large for the
 * heap. It is deleted when it is closed, and by most systems if the process dies.
 */
final class MappedFile implements Closeable {
  private final FileChannel channel;
  private final List<MappedByteBuffer> maps = new ArrayList<>();

  /** Creates an empty file in a directory. */
  MappedFile(File directory) throws IOException {
    channel = FileChannel.open(
        File.createTempFile("nested", null, directory).toPath(),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE
    );
  }

  /** Returns the channel that appends to the file. */
  WritableByteChannel channel() {
    return new WholeWrites(channel);
  }

  /** Returns the number of bytes written so far. */
  long size() throws IOException {
    return channel.size();
  }

  /**
   * Maps all bytes, until this is closed. No bytes can be written afterwards.
   *
   * @param most number of bytes of each map except the last
   * @return maps in big-endian order; none if there are no bytes
   */
  List<ByteBuffer> map(int most) throws IOException {
    // A map does not need the file open.
    try (channel) {
      for (long from = 0; from < channel.size(); from += most) {
        maps.add(channel.map(FileChannel.MapMode.READ_ONLY, from, Math.min(most, channel.size() - from)));
      }
    }
    return List.copyOf(maps);
  }

  @Override
  public void close() throws IOException {
    maps.forEach(ByteBufferUtils::unmap);
    maps.clear();
    channel.close();
  }
}
