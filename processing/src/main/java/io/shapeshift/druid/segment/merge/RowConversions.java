// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.java.util.common.ByteBufferUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.IndexMerger;

/**
 * To which row of a segment each row of what is merged has gone. Druid keeps four bytes of heap for each row; here they
 * are in a file that nobody sees, and which is gone with the process.
 *
 * <p>The file has the rows of one adapter after those of another, four bytes each in the machine's byte order: the
 * number of the merged row, from 0, or {@link IndexMerger#INVALID_ROW} of a row that is not merged.
 */
final class RowConversions implements Closeable {
  /** Of rows of an adapter that are written at once. */
  private static final int BLOCK_BYTES = 4096;

  private final FileChannel file;
  private final List<Adapter> adapters = new ArrayList<>();
  private final Closer closer = Closer.create();

  /** The rows of one adapter, which are put one after another. */
  private final class Adapter {
    private final int rows;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.nativeOrder());
    private final long begin;
    /** How many rows are put. */
    private int position;
    /** Where the block is to be written. */
    private long end;

    Adapter(long begin, int rows) {
      this.begin = begin;
      this.end = begin;
      this.rows = rows;
    }

    void put(int row, int mergedRow) throws IOException {
      skipTo(row);
      put(mergedRow);
    }

    private void skipTo(int row) throws IOException {
      while (position < row) {
        put(IndexMerger.INVALID_ROW);
      }
    }

    private void put(int mergedRow) throws IOException {
      if (!block.hasRemaining()) {
        flush();
      }
      block.putInt(mergedRow);
      position++;
    }

    private void flush() throws IOException {
      block.flip();
      while (block.hasRemaining()) {
        end += file.write(block, end);
      }
      block.clear();
    }

    IntBuffer complete() throws IOException {
      skipTo(rows);
      flush();
      if (rows == 0) {
        return IntBuffer.allocate(0);
      }
      final MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, begin, (long) rows * Integer.BYTES);
      closer.register(() -> ByteBufferUtils.unmap(mapped));
      return mapped.order(ByteOrder.nativeOrder()).asIntBuffer();
    }
  }

  /**
   * Makes the file.
   *
   * @param directory where there is room for it: that of the segment
   * @param rows how many rows each adapter has
   * @throws IOException if it cannot be made
   */
  RowConversions(File directory, int... rows) throws IOException {
    final Path path = Files.createTempFile(directory.toPath(), "rows", null);
    file = closer.register(FileChannel.open(
        path,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE
    ));
    long begin = 0;
    for (int rowsOfAdapter : rows) {
      adapters.add(new Adapter(begin, rowsOfAdapter));
      begin += (long) rowsOfAdapter * Integer.BYTES;
    }
  }

  /**
   * Puts where a row has gone.
   *
   * @param adapter the adapter's number, from 0
   * @param row its row, beyond those that were put before
   * @param mergedRow the row of the segment
   * @throws IOException if it cannot be written
   */
  void put(int adapter, int row, int mergedRow) throws IOException {
    adapters.get(adapter).put(row, mergedRow);
  }

  /**
   * Tells where all rows have gone, for each adapter; rows that were not put are not merged. Nothing is to be put any
   * more, and nothing to be read once this is closed.
   */
  List<IntBuffer> complete() throws IOException {
    final List<IntBuffer> completed = new ArrayList<>();
    for (Adapter adapter : adapters) {
      completed.add(adapter.complete());
    }
    return completed;
  }

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
