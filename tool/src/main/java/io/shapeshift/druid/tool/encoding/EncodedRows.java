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

/** Rows of a column in one encoding. */
public final class EncodedRows implements Closeable {
  private final EncodedBytes bytes;
  private final Supplier<? extends Closeable> column;

  private EncodedRows(EncodedBytes bytes, Supplier<? extends Closeable> column) {
    this.bytes = bytes;
    this.column = column;
  }

  /**
   * Writes the output of a serializer, and opens it for reading.
   *
   * @param column name of the column, for messages
   * @throws ColumnFormatException if the output needs more than one file, as stock columns do above 2 GiB
   */
  static EncodedRows write(
      String column,
      Serializer serializer,
      Function<ByteBuffer, Supplier<? extends Closeable>> open
  ) throws IOException {
    final EncodedBytes bytes = EncodedBytes.of(column, serializer);
    return new EncodedRows(bytes, open.apply(bytes.buffer()));
  }

  /** Maps a file of encoded rows, and opens it for reading. */
  static EncodedRows map(Path file, Function<ByteBuffer, Supplier<? extends Closeable>> open) throws IOException {
    final EncodedBytes bytes = EncodedBytes.of(file);
    return new EncodedRows(bytes, open.apply(bytes.buffer()));
  }

  /** Encoded bytes. */
  public ByteBuffer bytes() {
    return bytes.buffer();
  }

  /**
   * Number stored in a row, also in a null row.
   *
   * @throws IllegalStateException if the column is not a number column
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

  /** Number of encoded bytes. */
  public int sizeInBytes() {
    return bytes.size();
  }

  /** Usage of each form among the chunks, by name; empty unless the rows shape-shift. */
  public Map<String, FormUsage> forms() {
    return FormUsage.of(column);
  }

  /** Opens the rows as Druid does, for one thread: as columnar ints, multi ints, longs, floats or doubles. */
  public Supplier<? extends Closeable> column() {
    return column;
  }

  @Override
  public void close() {
    bytes.close();
  }
}
