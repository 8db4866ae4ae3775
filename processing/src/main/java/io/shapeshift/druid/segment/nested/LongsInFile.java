// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;

/** List of longs in a temporary file. */
final class LongsInFile implements Closeable {
  private static final int BUFFERED = 1 << 13;
  /** Longs of which one map of the file consists, as the power of two. */
  private static final int MAP_SHIFT = 27;

  private final MappedFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFERED);
  private final List<LongBuffer> maps = new ArrayList<>();
  private int size;

  /** Creates an empty list in a new file of a directory. */
  LongsInFile(File directory) throws IOException {
    file = new MappedFile(directory);
  }

  void add(long number) throws IOException {
    buffer.putLong(number);
    if (!buffer.hasRemaining()) {
      flush();
    }
    size = Math.incrementExact(size);
  }

  private void flush() throws IOException {
    file.channel().write(buffer.flip());
    buffer.clear();
  }

  /** Makes the list readable. No longs can be added afterwards. */
  void complete() throws IOException {
    flush();
    file.map(Long.BYTES << MAP_SHIFT).forEach(map -> maps.add(map.asLongBuffer()));
  }

  int size() {
    return size;
  }

  long get(int index) {
    return maps.get(index >>> MAP_SHIFT).get(index & (1 << MAP_SHIFT) - 1);
  }

  /** Returns the index of a long in an ascending list, or -1 if it is not there. */
  int indexOf(long number) {
    int low = 0;
    int high = size - 1;
    while (low <= high) {
      final int middle = (low + high) >>> 1;
      final long found = get(middle);
      if (found == number) {
        return middle;
      }
      if (found < number) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
