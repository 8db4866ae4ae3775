// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import com.google.common.base.Supplier;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.druid.collections.bitmap.BitmapFactory;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.data.ColumnarFloatsSerializer;
import org.apache.druid.segment.data.ColumnarLongsSerializer;
import org.apache.druid.segment.data.ColumnarMultiIntsSerializer;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarFloatsSupplier;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.GenericIndexedWriter;
import org.apache.druid.segment.data.SingleValueColumnarIntsSerializer;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSerializer;
import org.apache.druid.segment.data.V3CompressedVSizeColumnarMultiIntsSupplier;
import org.apache.druid.segment.data.VSizeColumnarInts;
import org.apache.druid.segment.data.VSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.VSizeColumnarMultiInts;
import org.apache.druid.segment.data.VSizeColumnarMultiIntsSerializer;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Encoding of stock columns. */
final class StockEncoding extends RowEncoding {
  final CompressionStrategy idCompression;
  final CompressionStrategy numberCompression;
  final LongEncodingStrategy longEncoding;

  /** Creates an encoding. Uncompressed numbers have the strategy NONE: under UNCOMPRESSED, Druid would write blocks. */
  StockEncoding(CompressionStrategy compression, LongEncodingStrategy longEncoding) {
    this(
        compression,
        compression == CompressionStrategy.UNCOMPRESSED ? CompressionStrategy.NONE : compression,
        longEncoding
    );
  }

  StockEncoding(
      CompressionStrategy idCompression,
      CompressionStrategy numberCompression,
      LongEncodingStrategy longEncoding
  ) {
    super(RowEncodings.stockName(idCompression, longEncoding));
    this.idCompression = idCompression;
    this.numberCompression = numberCompression;
    this.longEncoding = longEncoding;
  }

  @Override
  public boolean supports(RowValues values) {
    return longEncoding == LongEncodingStrategy.LONGS || values instanceof RowValues.Longs;
  }

  @Override
  Supplier<? extends Closeable> open(String column, RowValues values, ByteBuffer bytes) {
    if (values instanceof RowValues.Ids) {
      return isCompressed()
             ? CompressedVSizeColumnarIntsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
             : VSizeColumnarInts.readFromByteBuffer(bytes);
    }
    if (values instanceof RowValues.MultiIds) {
      return isCompressed()
             ? V3CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
             : VSizeColumnarMultiInts.readFromByteBuffer(bytes);
    }
    if (values instanceof RowValues.Longs) {
      return CompressedColumnarLongsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null);
    }
    return values instanceof RowValues.Floats
           ? CompressedColumnarFloatsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
           : CompressedColumnarDoublesSuppliers.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null);
  }

  private boolean isCompressed() {
    return idCompression != CompressionStrategy.UNCOMPRESSED;
  }

  @Override
  SingleValueColumnarIntsSerializer ids(String column, int cardinality, SegmentWriteOutMedium medium) {
    // Druid's mergers pass the cardinality as the largest value, which is one too large.
    return isCompressed()
           ? CompressedVSizeColumnarIntsSerializer.create(
               column,
               medium,
               column,
               cardinality,
               idCompression,
               medium.getCloser()
           )
           : new VSizeColumnarIntsSerializer(medium, cardinality);
  }

  @Override
  ColumnarMultiIntsSerializer multiIds(String column, int cardinality, SegmentWriteOutMedium medium) {
    return isCompressed()
           ? V3CompressedVSizeColumnarMultiIntsSerializer.create(
               column,
               medium,
               column,
               cardinality,
               idCompression,
               GenericIndexedWriter.MAX_FILE_SIZE
           )
           : new VSizeColumnarMultiIntsSerializer(column, medium, cardinality);
  }

  @Override
  ColumnarLongsSerializer longs(String column, SegmentWriteOutMedium medium) {
    return CompressionFactory.getLongSerializer(
        column,
        medium,
        column,
        IndexIO.BYTE_ORDER,
        longEncoding,
        numberCompression,
        medium.getCloser()
    );
  }

  @Override
  ColumnarFloatsSerializer floats(String column, SegmentWriteOutMedium medium) {
    return CompressionFactory.getFloatSerializer(
        column,
        medium,
        column,
        IndexIO.BYTE_ORDER,
        numberCompression,
        medium.getCloser()
    );
  }

  @Override
  ColumnarDoublesSerializer doubles(String column, SegmentWriteOutMedium medium) {
    return CompressionFactory.getDoubleSerializer(
        column,
        medium,
        column,
        IndexIO.BYTE_ORDER,
        numberCompression,
        medium.getCloser()
    );
  }

  @Override
  public DictionaryEncoding dictionary() {
    return DictionaryEncoding.UTF8;
  }

  @Override
  public boolean hasPostingLists() {
    return false;
  }

  /** Creates the same serializer as Druid's mergers. */
  @Override
  Serializer index(String column, IndexValues values, SegmentWriteOutMedium medium) throws IOException {
    final GenericIndexedWriter<ImmutableBitmap> writer =
        new GenericIndexedWriter<>(medium, column, values.bitmaps().getObjectStrategy());
    writer.open();
    writer.setObjectsNotSorted();
    final BitmapFactory bitmapFactory = values.bitmaps().getBitmapFactory();
    values.forEach((from, to) -> {
      if (from == to && values.owner() == IndexValues.Owner.AUTO_SCALARS) {
        writer.write(null);
        return;
      }
      final MutableBitmap bitmap = bitmapFactory.makeEmptyMutableBitmap();
      for (int i = from; i < to; i++) {
        bitmap.add(values.rows()[i]);
      }
      writer.write(bitmapFactory.makeImmutableBitmap(bitmap));
    });
    return writer;
  }
}
