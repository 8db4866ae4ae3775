// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.column.hash.HashIndexSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import io.shapeshift.druid.segment.serde.LimitedSerializer;
import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.MutableBitmap;
import org.apache.druid.io.Channels;
import org.apache.druid.java.util.common.logger.Logger;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.data.BitmapSerdeFactory;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Serializer for a shape-shifting number column: a dimension, a metric or the time.
 *
 * @see ShapeShiftNumberColumnPartSerde the format
 */
final class ShapeShiftNumberColumnSerializer implements GenericColumnSerializer<Object> {
  private static final Logger LOG = new Logger(ShapeShiftNumberColumnSerializer.class);

  private final NumberKind kind;
  private final String column;
  private final SegmentWriteOutMedium medium;
  private final EncodingStrategy strategy;
  private final BitmapSerdeFactory bitmaps;

  /** Hash index; null if the indexSpec asks for none, or none can be built. */
  @Nullable
  private HashIndexSerializer hashIndex;
  private ShapeShiftingNumbersSerializer numbers;
  private MutableBitmap nullRows;
  private int numRows;
  /**
   * Size and bytes of the null bitmap. Empty if there are no nulls and no hash index follows, and null until the column
   * is complete.
   */
  @Nullable
  private ByteBuffer nulls;

  private ShapeShiftNumberColumnSerializer(
      NumberKind kind,
      String column,
      SegmentWriteOutMedium medium,
      EncodingStrategy strategy,
      BitmapSerdeFactory bitmaps,
      @Nullable HashIndexSerializer hashIndex
  ) {
    this.kind = kind;
    this.column = column;
    this.medium = medium;
    this.strategy = strategy;
    this.bitmaps = bitmaps;
    this.hashIndex = hashIndex;
  }

  /**
   * Creates a serializer and opens it.
   *
   * @param name      name of the column
   * @param column    name of the column's file, for messages
   * @param indexSpec {@link IndexSpec#getEffectiveSpec() effective}
   * @return null if the indexSpec asks for stock columns
   */
  @Nullable
  static ShapeShiftNumberColumnSerializer open(
      NumberKind kind,
      String name,
      String column,
      SegmentWriteOutMedium medium,
      IndexSpec indexSpec
  ) throws IOException {
    final EncodingStrategy strategy = ShapeShiftIndexSpec.encodingOf(indexSpec, name, kind.encodedType);
    if (!strategy.isShapeShift()) {
      return null;
    }
    @Nullable final HashIndexSerializer hashIndex =
        ShapeShiftIndexSpec.hasHashIndex(indexSpec, name)
        ? new HashIndexSerializer(column, medium, strategy.optimizationTarget())
        : null;
    final ShapeShiftNumberColumnSerializer serializer = new ShapeShiftNumberColumnSerializer(
        kind, column, medium, strategy, indexSpec.getBitmapSerdeFactory(), hashIndex);
    serializer.open();
    return serializer;
  }

  /** Creates and opens a serializer for the time. Messages name the column, because its file is not known yet. */
  @Nullable
  static ShapeShiftNumberColumnSerializer openTime(SegmentWriteOutMedium medium, IndexSpec indexSpec)
      throws IOException {
    return open(
        NumberKind.LONG, ColumnHolder.TIME_COLUMN_NAME, ColumnHolder.TIME_COLUMN_NAME, medium, indexSpec);
  }

  @Override
  public void open() throws IOException {
    numbers = kind.open(column, medium, strategy, hashIndex != null);
    nullRows = bitmaps.getBitmapFactory().makeEmptyMutableBitmap();
    if (hashIndex != null) {
      hashIndex.open();
    }
  }

  @Override
  public void serialize(ColumnValueSelector<?> row) throws IOException {
    if (row.isNull()) {
      nullRows.add(numRows);
      numbers.addNull();
      if (hashIndex != null) {
        hashIndex.addNull();
      }
    } else {
      numbers.add(row);
      if (hashIndex != null) {
        hashIndex.add(kind.keyOf(row));
      }
    }
    numRows++;
  }

  /**
   * Completes the column, and returns its descriptor. No rows can be added afterwards.
   *
   * @param file name of the column's file
   */
  ColumnDescriptor makeColumnDescriptor(String file) {
    try {
      if (hashIndex != null && !hashIndex.complete()) {
        LOG.warn("Column[%s] gets no hash index: more of its keys than fit into a bucket have hashes alike", file);
        hashIndex = null;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ColumnDescriptor.builder().setValueType(kind.valueType).addSerde(serde(file)).build();
  }

  private ColumnPartSerde serde(String file) {
    final boolean hasHashIndex = hashIndex != null;
    final String parts = hasHashIndex ? "nulls and its hash index" : "nulls";
    return kind.serde(file, bitmaps, IndexIO.BYTE_ORDER, hasHashIndex, new LimitedSerializer(file, parts, this));
  }

  private ByteBuffer nulls() {
    if (nulls == null) {
      if (nullRows.isEmpty() && hashIndex == null) {
        nulls = ByteBuffer.allocate(0);
      } else {
        final byte[] bitmap =
            bitmaps.getObjectStrategy().toBytes(bitmaps.getBitmapFactory().makeImmutableBitmap(nullRows));
        nulls = ByteBuffer.allocate(Integer.BYTES + bitmap.length).putInt(bitmap.length).put(bitmap).flip();
      }
    }
    return nulls.duplicate();
  }

  @Override
  public long getSerializedSize() throws IOException {
    return Integer.BYTES
        + numbers.getSerializedSize()
        + nulls().remaining()
        + (hashIndex == null ? 0 : hashIndex.getSerializedSize());
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    final int size = Math.toIntExact(numbers.getSerializedSize());
    Channels.writeFully(channel, ByteBuffer.allocate(Integer.BYTES).putInt(size).flip());
    numbers.writeTo(channel, fileBuilder);
    Channels.writeFully(channel, nulls());
    if (hashIndex != null) {
      hashIndex.writeTo(channel, fileBuilder);
    }
  }
}
