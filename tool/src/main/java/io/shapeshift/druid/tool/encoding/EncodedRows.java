// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.function.Function;
import org.apache.druid.java.util.common.ByteBufferUtils;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.Serializer;

/** The rows of a column in one encoding, in a temporary file that is mapped as a Historical maps a segment. */
public final class EncodedRows implements Closeable {
  private final MappedByteBuffer bytes;
  private final Supplier<? extends Closeable> column;

  private EncodedRows(MappedByteBuffer bytes, Supplier<? extends Closeable> column) {
    this.bytes = bytes;
    this.column = column;
  }

  /**
   * Writes what a serializer has, and opens it for reading.
   *
   * @param column name of the column, for messages
   * @throws ColumnFormatException if it takes more than one file, as Druid's own columns do beyond 2 GiB
   */
  static EncodedRows write(
      String column,
      Serializer serializer,
      Function<ByteBuffer, Supplier<? extends Closeable>> open
  ) throws IOException {
    final MappedByteBuffer bytes = map(column, serializer);
    return new EncodedRows(bytes, open.apply(bytes.duplicate()));
  }

  /** Maps a file with the bytes of encoded rows, and opens them for reading. */
  static EncodedRows map(Path file, Function<ByteBuffer, Supplier<? extends Closeable>> open) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      final MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return new EncodedRows(bytes, open.apply(bytes.duplicate()));
    }
  }

  /**
   * Writes what a serializer has to a temporary file, and maps that.
   *
   * @param column name of the column, for messages
   * @throws ColumnFormatException if it takes more than one file, as Druid's own columns do beyond 2 GiB
   */
  static MappedByteBuffer map(String column, Serializer serializer) throws IOException {
    final long size = serializer.getSerializedSize();
    if (size > Integer.MAX_VALUE) {
      throw ColumnFormatException.tooLarge(
          column, size + " bytes in a file, of which a file can have " + Integer.MAX_VALUE);
    }
    final Path file = Files.createTempFile("shapeshift", ".rows");
    try (FileChannel channel = FileChannel.open(
        file,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE
    )) {
      serializer.writeTo(channel, new NoFurtherFiles(column));
      // The mapping outlives the file's name.
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    }
  }

  /** Refuses the files in which Druid's serializers put blocks that do not fit into one. */
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

  /** Its bytes. */
  public ByteBuffer bytes() {
    return bytes.duplicate();
  }

  /**
   * The number that stands in a row, also where the row is null.
   *
   * @throws IllegalStateException if the column is not of numbers
   */
  Number number(int row) {
    try (Closeable opened = column.get()) {
      if (opened instanceof ColumnarLongs longs) {
        return longs.get(row);
      }
      if (opened instanceof ColumnarFloats floats) {
        return floats.get(row);
      }
      if (opened instanceof ColumnarDoubles doubles) {
        return doubles.get(row);
      }
      throw new IllegalStateException(opened.getClass() + " has no numbers");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Their number. */
  public int sizeInBytes() {
    return bytes.capacity();
  }

  /** By name of the form, the chunks that have it; empty unless it is shape-shifting. */
  public Map<String, FormUsage> forms() {
    return FormUsage.of(column);
  }

  /** Opens it as Druid does, for one thread: columnar ints, multi ints, longs, floats or doubles. */
  public Supplier<? extends Closeable> column() {
    return column;
  }

  @Override
  public void close() {
    ByteBufferUtils.unmap(bytes);
  }
}
