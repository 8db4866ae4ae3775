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
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.IndexMerger;

/**
 * To which row of a segment each row of what is merged has gone. Druid keeps four bytes of heap for each row; here they
 * are in a file that has no name any more while it is used, at least on disks of POSIX systems, and is gone when it is
 * closed.
 *
 * <p>The file has the rows of one adapter after those of another, four bytes each in the machine's byte order: the
 * number of the merged row, from 0, or {@link IndexMerger#INVALID_ROW} of a row that is not merged.
 */
final class RowConversions implements Closeable {
  /** How many bytes of an adapter are written at once. */
  private static final int BLOCK_BYTES = 4096;

  private final FileChannel file;
  private final List<Adapter> adapters = new ArrayList<>();
  private final Closer closer = Closer.create();
  private final long size;
  private final long maxMapped;

  /** The rows of one adapter, which are put one after another. */
  private final class Adapter {
    private final long begin;
    private final int rows;
    private ByteBuffer block;
    /** How many rows are put. */
    private int position;
    /** Where the block is to be written. */
    private long end;

    Adapter(long begin, int rows) {
      this.begin = begin;
      this.end = begin;
      this.rows = rows;
      this.block = ByteBuffer.allocate((int) Math.min(BLOCK_BYTES, bytes())).order(ByteOrder.nativeOrder());
    }

    long bytes() {
      return (long) rows * Integer.BYTES;
    }

    void put(int row, int mergedRow) throws IOException {
      if (row < position || row >= rows) {
        throw new IllegalStateException(StringUtils.format(
            "Row [%d] of [%d] cannot be merged behind row [%d]: were rows added meanwhile?", row, rows, position - 1));
      }
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

    void complete() throws IOException {
      skipTo(rows);
      flush();
      block = null;
    }

    /** Reads all of them to the heap. */
    IntBuffer read() throws IOException {
      final IntBuffer numbers = IntBuffer.allocate(rows);
      final ByteBuffer read = ByteBuffer.allocate(BLOCK_BYTES).order(ByteOrder.nativeOrder());
      while (numbers.hasRemaining()) {
        read.clear().limit((int) Math.min(BLOCK_BYTES, (long) numbers.remaining() * Integer.BYTES));
        long from = begin + (long) numbers.position() * Integer.BYTES;
        while (read.hasRemaining()) {
          from += file.read(read, from);
        }
        numbers.put(read.flip().asIntBuffer());
      }
      return numbers.flip();
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
    this(directory, Integer.MAX_VALUE, rows);
  }

  /**
   * Makes the file, as the other constructor does.
   *
   * @param maxMapped bytes that a buffer over the file can have at the most
   */
  RowConversions(File directory, long maxMapped, int... rows) throws IOException {
    this.maxMapped = maxMapped;
    final Path path = Files.createTempFile(directory.toPath(), "rows", null);
    try {
      file = closer.register(FileChannel.open(
          path,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE
      ));
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(path);
      throw e;
    }
    long begin = 0;
    for (int rowsOfAdapter : rows) {
      final Adapter adapter = new Adapter(begin, rowsOfAdapter);
      adapters.add(adapter);
      begin += adapter.bytes();
    }
    size = begin;
  }

  /**
   * Puts where a row has gone.
   *
   * @param adapter the adapter's number, from 0
   * @param row its row, beyond those that were put before
   * @param mergedRow the row of the segment
   * @throws IOException if it cannot be written
   * @throws IllegalStateException if the adapter has no such row, or it was put before
   */
  void put(int adapter, int row, int mergedRow) throws IOException {
    adapters.get(adapter).put(row, mergedRow);
  }

  /**
   * Tells where all rows have gone, for each adapter; rows that were not put are not merged. Nothing is to be put any
   * more, and once this is closed nothing may be read: the buffers are over memory that is not there then.
   */
  List<IntBuffer> complete() throws IOException {
    for (Adapter adapter : adapters) {
      adapter.complete();
    }
    final List<IntBuffer> completed = new ArrayList<>();
    if (size <= maxMapped) {
      // One mapping for all: a process has some ten thousands only.
      final IntBuffer all = map(0, size);
      for (Adapter adapter : adapters) {
        completed.add(all.slice((int) (adapter.begin / Integer.BYTES), adapter.rows));
      }
      return completed;
    }
    for (Adapter adapter : adapters) {
      // So many rows are in no buffer over a file, and on the heap with Druid.
      completed.add(adapter.bytes() <= maxMapped ? map(adapter.begin, adapter.bytes()) : adapter.read());
    }
    return completed;
  }

  private IntBuffer map(long begin, long bytes) throws IOException {
    if (bytes == 0) {
      return IntBuffer.allocate(0);
    }
    final MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, begin, bytes);
    closer.register(() -> ByteBufferUtils.unmap(mapped));
    return mapped.order(ByteOrder.nativeOrder()).asIntBuffer();
  }

  @Override
  public void close() throws IOException {
    closer.close();
  }
}
