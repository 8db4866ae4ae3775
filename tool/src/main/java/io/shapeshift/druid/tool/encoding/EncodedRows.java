// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarFloats;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.serde.Serializer;

/** The rows of a column in one encoding. */
public final class EncodedRows implements Closeable {
  private final EncodedBytes bytes;
  private final Supplier<? extends Closeable> column;

  private EncodedRows(EncodedBytes bytes, Supplier<? extends Closeable> column) {
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
    final EncodedBytes bytes = EncodedBytes.of(column, serializer);
    return new EncodedRows(bytes, open.apply(bytes.buffer()));
  }

  /** Maps a file with the bytes of encoded rows, and opens them for reading. */
  static EncodedRows map(Path file, Function<ByteBuffer, Supplier<? extends Closeable>> open) throws IOException {
    final EncodedBytes bytes = EncodedBytes.of(file);
    return new EncodedRows(bytes, open.apply(bytes.buffer()));
  }

  /** Its bytes. */
  public ByteBuffer bytes() {
    return bytes.buffer();
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
    return bytes.size();
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
    bytes.close();
  }
}
