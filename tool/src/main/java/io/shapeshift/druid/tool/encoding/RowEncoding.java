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
 * A way to store the rows of a column, its index and its dictionary: one of Druid's own, as its mergers write them, or
 * shape-shifting.
 *
 * @see RowEncodings how they are named
 */
public abstract sealed class RowEncoding permits StockEncoding, ShapeShiftEncoding {
  private final String name;

  RowEncoding(String name) {
    this.name = name;
  }

  /** Its name, such as {@code druid-lz4} or {@code shapeshift-smaller}. */
  public final String name() {
    return name;
  }

  /** Whether it is one of the extension's. */
  public final boolean isShapeShifting() {
    return this instanceof ShapeShiftEncoding;
  }

  /** What Druid compresses ids with; null if this is none of Druid's. */
  @Nullable
  public final CompressionStrategy idCompression() {
    return this instanceof StockEncoding stock ? stock.idCompression : null;
  }

  /** What Druid compresses numbers with; null if this is none of Druid's. */
  @Nullable
  public final CompressionStrategy numberCompression() {
    return this instanceof StockEncoding stock ? stock.numberCompression : null;
  }

  /** How Druid encodes longs before it compresses them; null if this is none of Druid's. */
  @Nullable
  public final LongEncodingStrategy longEncoding() {
    return this instanceof StockEncoding stock ? stock.longEncoding : null;
  }

  /**
   * What the columns of a type have in a segment of this encoding: Druid's default for numbers and indexes, where it is
   * one form alone, since few forms can store all numbers, and those of ids are none of posting lists.
   */
  public final RowEncoding of(EncodedType type) {
    return this instanceof ShapeShiftEncoding ours && ours.isOneForm() && type != EncodedType.INT
           ? RowEncodings.DRUID_LZ4
           : this;
  }

  /** What becomes of this encoding in the ids of {@code auto} columns: Druid always compresses those. */
  public final RowEncoding ofAutoIds() {
    return idCompression() == CompressionStrategy.UNCOMPRESSED ? RowEncodings.DRUID_LZ4 : this;
  }

  /** What becomes of this encoding in columns of numbers that have a hash index: their rows are read here and there. */
  public RowEncoding forLookUps() {
    return this;
  }

  /** Whether it can store such values: Druid's encodings all can, but for those of longs only. */
  public abstract boolean supports(RowValues values);

  /**
   * Stores values.
   *
   * @param column name of the column, for messages
   * @param values such as {@link #supports} says yes to
   * @throws IOException           if there is no room for them where the system keeps temporary files
   * @throws ColumnFormatException if they take more than one file can have, 2 GiB
   */
  public final EncodedRows encode(String column, RowValues values) throws IOException {
    return withMedium(medium ->
        EncodedRows.write(column, write(column, values, medium), bytes -> open(column, values, bytes)));
  }

  /**
   * Opens what {@link #encode} has made, perhaps in another process.
   *
   * @param column name of the column, for messages
   * @param values any of the type that was stored
   * @param file   with the {@link EncodedRows#bytes()}
   * @throws IOException if the file cannot be read
   */
  public final EncodedRows open(String column, RowValues values, Path file) throws IOException {
    return EncodedRows.map(file, bytes -> open(column, values, bytes));
  }

  /**
   * Stores an index of values.
   *
   * @param column name of the column, for messages
   * @throws IOException           if there is no room for it where the system keeps temporary files
   * @throws ColumnFormatException if it takes more than one file can have, 2 GiB
   */
  public final EncodedIndex encodeIndex(String column, IndexValues values) throws IOException {
    return withMedium(medium ->
        EncodedIndex.write(column, hasPostingLists(), values.bitmaps(), index(column, values, medium)));
  }

  interface Writer<T> {
    T write(SegmentWriteOutMedium medium) throws IOException;
  }

  /** Writes by a medium of its own. */
  static <T> T withMedium(Writer<T> writer) throws IOException {
    try (SegmentWriteOutMedium medium = new LazyMedium()) {
      return writer.write(medium);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } catch (DruidException e) {
      // What Druid makes of a temporary file that cannot be written.
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
  }

  /**
   * Hands values to Druid's or our serializer, from which the encoded ones can be had.
   *
   * @param column name of the column, for messages
   * @param values such as {@link #supports} says yes to
   * @param medium where the serializer keeps what it has; to be closed after the serializer was used
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

  /** Opens what was written of values. */
  abstract Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes);

  /** How the distinct values of strings are stored. */
  public abstract DictionaryEncoding dictionary();

  /** Whether indexes are posting lists, not Druid's bitmaps. */
  public abstract boolean hasPostingLists();

  /** An index of values, complete. */
  abstract Serializer index(String column, IndexValues values, SegmentWriteOutMedium medium) throws IOException;

  // ---- serializers, not opened yet

  abstract SingleValueColumnarIntsSerializer ids(String column, int cardinality, SegmentWriteOutMedium medium);

  abstract ColumnarMultiIntsSerializer multiIds(String column, int cardinality, SegmentWriteOutMedium medium);

  abstract ColumnarLongsSerializer longs(String column, SegmentWriteOutMedium medium);

  abstract ColumnarFloatsSerializer floats(String column, SegmentWriteOutMedium medium);

  abstract ColumnarDoublesSerializer doubles(String column, SegmentWriteOutMedium medium);
}
