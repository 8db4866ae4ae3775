// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import com.google.common.base.Supplier;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.column.SeveralFiles;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.postings.PostingLists;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.function.BiFunction;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.data.ColumnarDoubles;
import org.apache.druid.segment.data.ColumnarInts;
import org.apache.druid.segment.data.ColumnarLongs;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.file.SegmentFileMapper;

/**
 * Reader of the files of an {@code auto} column, shape-shifting or stock.
 *
 * @param column name of the column, with which the names of its files start
 * @param files  files of the segment
 * @param ours   the files that shape-shift
 * @param order  byte order of the column
 */
record AutoColumnFiles(String column, SegmentFileMapper files, Set<AutoColumnFile> ours, ByteOrder order) {
  /** Reads an index of posting lists. */
  PostingLists lists(AutoColumnFile index, int numIds, Supplier<ColumnarInts> ids) throws IOException {
    final String file = index.of(column);
    try (ColumnarInts rows = ids.get()) {
      final ByteBuffer bytes = map(file);
      final PostingLists lists = PostingLists.read(file, bytes, numIds, rows.size());
      ColumnFormatException.requireEnd(file, bytes);
      return lists;
    }
  }

  /** Reads an index of Druid's bitmaps. */
  GenericIndexed<ImmutableBitmap> bitmaps(AutoColumnFile index, BitmapSerdeFactory serde) throws IOException {
    final String file = index.of(column);
    final ByteBuffer bytes = map(file);
    SeveralFiles.check(file, bytes, files);
    return GenericIndexed.read(bytes, serde.getObjectStrategy(), files);
  }

  /** Reads the ids. */
  Supplier<ColumnarInts> ids() throws IOException {
    final String file = AutoColumnFile.IDS.of(column);
    final ByteBuffer bytes = map(file);
    return ours.contains(AutoColumnFile.IDS)
           ? whole(file, bytes, ShapeShiftingColumnarIntsSupplier::read)
           : CompressedVSizeColumnarIntsSupplier.fromByteBuffer(bytes, order, files);
  }

  /** Reads the longs. */
  Supplier<? extends ColumnarLongs> longs() throws IOException {
    final String file = AutoColumnFile.LONGS.of(column);
    final ByteBuffer bytes = map(file);
    return ours.contains(AutoColumnFile.LONGS)
           ? whole(file, bytes, ShapeShiftingColumnarLongsSupplier::read)
           : CompressedColumnarLongsSupplier.fromByteBuffer(bytes, order, files);
  }

  /** Reads the doubles. */
  Supplier<? extends ColumnarDoubles> doubles() throws IOException {
    final String file = AutoColumnFile.DOUBLES.of(column);
    final ByteBuffer bytes = map(file);
    return ours.contains(AutoColumnFile.DOUBLES)
           ? whole(file, bytes, ShapeShiftingColumnarDoublesSupplier::read)
           : CompressedColumnarDoublesSuppliers.fromByteBuffer(bytes, order, files);
  }

  /** Reads a shape-shifting file that has nothing but ids or numbers. */
  private <T> T whole(String file, ByteBuffer bytes, BiFunction<String, ByteBuffer, T> reader) {
    final T read = reader.apply(file, bytes.order(order));
    ColumnFormatException.requireEnd(file, bytes);
    return read;
  }

  private ByteBuffer map(String file) throws IOException {
    @Nullable final ByteBuffer bytes = files.mapFile(file);
    if (bytes == null) {
      throw ColumnFormatException.damaged(file, "the segment does not have this file");
    }
    return bytes;
  }
}
