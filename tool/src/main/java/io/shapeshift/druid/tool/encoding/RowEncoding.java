// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import io.shapeshift.druid.segment.spec.EncodedType;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import javax.annotation.Nullable;
import org.apache.druid.error.DruidException;
import org.apache.druid.segment.data.ArrayBasedIndexedInts;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.data.ColumnarFloatsSerializer;
import org.apache.druid.segment.data.ColumnarLongsSerializer;
import org.apache.druid.segment.data.ColumnarMultiIntsSerializer;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.SingleValueColumnarIntsSerializer;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Encoding of a column's rows, index and dictionary: stock, as Druid's mergers write it, or shape-shifting.
 *
 * @see RowEncodings for the names of encodings
 */
public abstract sealed class RowEncoding permits StockEncoding, ShapeShiftEncoding {
  private final String name;

  RowEncoding(String name) {
    this.name = name;
  }

  /** Name, such as {@code druid-lz4} or {@code shapeshift-smaller}. */
  public final String name() {
    return name;
  }

  /** Whether the encoding is shape-shifting. */
  public final boolean isShapeShifting() {
    return this instanceof ShapeShiftEncoding;
  }

  /** Druid's compression of ids; null for a shape-shifting encoding. */
  @Nullable
  public final CompressionStrategy idCompression() {
    return this instanceof StockEncoding stock ? stock.idCompression : null;
  }

  /** Druid's compression of numbers; null for a shape-shifting encoding. */
  @Nullable
  public final CompressionStrategy numberCompression() {
    return this instanceof StockEncoding stock ? stock.numberCompression : null;
  }

  /** Druid's encoding of longs before compression; null for a shape-shifting encoding. */
  @Nullable
  public final LongEncodingStrategy longEncoding() {
    return this instanceof StockEncoding stock ? stock.longEncoding : null;
  }

  /**
   * Encoding of the columns of a type in a segment with this encoding. For an encoding of a single form, numbers and
   * indexes have Druid's default: few forms can store all numbers, and forms of ids do not store posting lists.
   */
  public final RowEncoding of(EncodedType type) {
    return this instanceof ShapeShiftEncoding ours && ours.isOneForm() && type != EncodedType.INT
           ? RowEncodings.DRUID_LZ4
           : this;
  }

  /** Encoding of the ids of {@code auto} columns in a segment with this encoding. Druid always compresses those ids. */
  public final RowEncoding ofAutoIds() {
    return idCompression() == CompressionStrategy.UNCOMPRESSED ? RowEncodings.DRUID_LZ4 : this;
  }

  /** Encoding of number columns that have a hash index, which read single rows at random positions. */
  public RowEncoding forLookUps() {
    return this;
  }

  /**
   * Whether the encoding can store such values. True for Druid's encodings, except that those for longs store only
   * longs.
   */
  public abstract boolean supports(RowValues values);

  /**
   * Encodes values.
   *
   * @param column name of the column, for messages
   * @param values values for which {@link #supports} is true
   * @throws IOException           if the system's temporary directory is full
   * @throws ColumnFormatException if they exceed the maximum size of a file, 2 GiB
   */
  public final EncodedRows encode(String column, RowValues values) throws IOException {
    return withMedium(medium ->
        EncodedRows.write(column, write(column, values, medium), bytes -> open(column, values, bytes)));
  }

  /**
   * Opens the output of {@link #encode}, possibly of another process.
   *
   * @param column name of the column, for messages
   * @param values any values of the encoded type
   * @param file   file of the {@link EncodedRows#bytes()}
   * @throws IOException if the file cannot be read
   */
  public final EncodedRows open(String column, RowValues values, Path file) throws IOException {
    return EncodedRows.map(file, bytes -> open(column, values, bytes));
  }

  /**
   * Encodes an index of values.
   *
   * @param column name of the column, for messages
   * @throws IOException           if the system's temporary directory is full
   * @throws ColumnFormatException if it exceeds the maximum size of a file, 2 GiB
   */
  public final EncodedIndex encodeIndex(String column, IndexValues values) throws IOException {
    return withMedium(medium ->
        EncodedIndex.write(column, hasPostingLists(), values.bitmaps(), index(column, values, medium)));
  }

  interface Writer<T> {
    T write(SegmentWriteOutMedium medium) throws IOException;
  }

  /** Writes with a temporary medium. */
  static <T> T withMedium(Writer<T> writer) throws IOException {
    try (SegmentWriteOutMedium medium = new LazyMedium()) {
      return writer.write(medium);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (DruidException e) {
      // Druid wraps the failure to write a temporary file in this way.
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /**
   * Passes values to a stock or shape-shifting serializer, and returns it complete.
   *
   * @param column name of the column, for messages
   * @param values values for which {@link #supports} is true
   * @param medium medium of the serializer; must be closed after the serializer is used
   */
  public final Serializer write(String column, RowValues values, SegmentWriteOutMedium medium) throws IOException {
    if (values instanceof RowValues.Ids single) {
      final SingleValueColumnarIntsSerializer serializer = ids(column, single.cardinality(), medium);
      serializer.open();
      serializer.addValues(single.ids(), 0, single.ids().length);
      return serializer;
    }
    if (values instanceof RowValues.MultiIds multi) {
      final ColumnarMultiIntsSerializer serializer = multiIds(column, multi.cardinality(), medium);
      serializer.open();
      addAll(serializer, multi);
      return serializer;
    }
    if (values instanceof RowValues.Longs longs) {
      final ColumnarLongsSerializer serializer = longs(column, medium);
      serializer.open();
      for (int row = 0; row < longs.rows(); row++) {
        if (!longs.nulls().get(row)) {
          serializer.add(longs.values()[row]);
        } else if (serializer instanceof ShapeShiftingNumbersSerializer ours) {
          ours.addNull();
        } else {
          serializer.add(0);
        }
      }
      return serializer;
    }
    if (values instanceof RowValues.Floats floats) {
      final ColumnarFloatsSerializer serializer = floats(column, medium);
      serializer.open();
      for (int row = 0; row < floats.rows(); row++) {
        if (!floats.nulls().get(row)) {
          serializer.add(floats.values()[row]);
        } else if (serializer instanceof ShapeShiftingNumbersSerializer ours) {
          ours.addNull();
        } else {
          serializer.add(0);
        }
      }
      return serializer;
    }
    final RowValues.Doubles doubles = (RowValues.Doubles) values;
    final ColumnarDoublesSerializer serializer = doubles(column, medium);
    serializer.open();
    for (int row = 0; row < doubles.rows(); row++) {
      if (!doubles.nulls().get(row)) {
        serializer.add(doubles.values()[row]);
      } else if (serializer instanceof ShapeShiftingNumbersSerializer ours) {
        ours.addNull();
      } else {
        serializer.add(0);
      }
    }
    return serializer;
  }

  private static void addAll(ColumnarMultiIntsSerializer serializer, RowValues.MultiIds values) throws IOException {
    for (int row = 0; row < values.rows(); row++) {
      final int start = values.offsets()[row];
      final int length = values.offsets()[row + 1] - start;
      final int[] ids = new int[length];
      System.arraycopy(values.ids(), start, ids, 0, length);
      serializer.addValues(new ArrayBasedIndexedInts(ids));
    }
  }

  /** Opens encoded values. */
  abstract Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes);

  /** Encoding of the distinct values of strings. */
  public abstract DictionaryEncoding dictionary();

  /** Whether indexes are posting lists instead of Druid's bitmaps. */
  public abstract boolean hasPostingLists();

  /** Creates the complete serializer of an index of values. */
  abstract Serializer index(String column, IndexValues values, SegmentWriteOutMedium medium) throws IOException;

  // The following methods create serializers that are not opened yet.

  abstract SingleValueColumnarIntsSerializer ids(String column, int cardinality, SegmentWriteOutMedium medium);

  abstract ColumnarMultiIntsSerializer multiIds(String column, int cardinality, SegmentWriteOutMedium medium);

  abstract ColumnarLongsSerializer longs(String column, SegmentWriteOutMedium medium);

  abstract ColumnarFloatsSerializer floats(String column, SegmentWriteOutMedium medium);

  abstract ColumnarDoublesSerializer doubles(String column, SegmentWriteOutMedium medium);
}
