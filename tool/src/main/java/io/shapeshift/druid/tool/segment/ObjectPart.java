// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.column.blobs.Blobs;
import io.shapeshift.druid.column.blobs.BlobsReader;
import io.shapeshift.druid.column.blobs.BlobsSerializer;
import io.shapeshift.druid.segment.merge.GenericComplexTypes;
import io.shapeshift.druid.segment.merge.ObjectBytes;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import io.shapeshift.druid.tool.encoding.EncodedObjects;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalInt;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ComplexColumn;
import org.apache.druid.segment.data.CompressedVariableSizedBlobColumnSerializer;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.segment.serde.CompressedComplexColumnSerializer;
import org.apache.druid.segment.serde.CompressedComplexColumnSupplier;

/**
 * Rows of a column of a complex type, as the bytes of their objects. They can be read without the type's extension,
 * unless the type has a column of its own.
 */
public final class ObjectPart implements EncodedObjects.Values {
  /** Offset of the number of values, behind the version. */
  private static final int COMPRESSED_SIZE_OFFSET = 1;
  /** Offset of the compression id, behind the version. */
  private static final int COMPRESSION_OFFSET = 1;

  private final String encoding;
  private final int size;
  @Nullable
  private final Blobs ours;
  private final Supplier<Reader> reader;
  private final OptionalInt numRows;

  private ObjectPart(
      SegmentColumn column,
      String encoding,
      int size,
      @Nullable Blobs ours,
      Supplier<Reader> reader
  ) {
    this.encoding = encoding;
    this.size = size;
    this.ours = ours;
    this.reader = reader;
    this.numRows = column.knownRows();
  }

  /** Reader of the bytes of rows, for one thread. */
  private interface Reader extends Closeable {
    @Nullable
    byte[] get(int row);
  }

  /**
   * Reads the heads of a column.
   *
   * @return null if the column has no such rows
   * @throws io.shapeshift.druid.tool.cli.ToolException if the column is damaged
   */
  @Nullable
  public static ObjectPart of(SegmentColumn column) {
    @Nullable final String typeName = column.complexType();
    if (typeName == null || !(column.isShapeShifting() || GenericComplexTypes.isGenericOrUnknown(typeName))) {
      return null;
    }
    try {
      return read(column, typeName);
    } catch (RuntimeException e) {
      if (!column.isShapeShifting() && ComplexMetrics.getSerdeForType(typeName) == null) {
        return null;
      }
      throw column.damaged("it cannot be read: " + Segment.message(e), e);
    }
  }

  /** Reason why a column of a complex type has no such rows, for people; null if its type is not complex. */
  @Nullable
  public static String whyNone(SegmentColumn column) {
    @Nullable final String typeName = column.complexType();
    if (typeName == null) {
      return null;
    }
    return ComplexMetrics.getSerdeForType(typeName) == null
           ? "its type is of an extension that this tool does not have, and it is not Druid's generic column"
           : "its type has a column of its own, which stays as it is";
  }

  private static ObjectPart read(SegmentColumn column, String typeName) {
    final ByteBuffer body = column.body();
    if (column.partType().equals(ShapeShiftComplexColumnPartSerde.TYPE)) {
      final Blobs blobs = Blobs.read(column.displayName(), body);
      return new ObjectPart(column, RowEncodings.SHAPE_SHIFTING, blobs.size(), blobs, () -> new BlobBytes(blobs));
    }
    if (body.get(body.position()) == CompressedComplexColumnSerializer.IS_COMPRESSED) {
      return compressed(column, typeName, body);
    }
    final GenericIndexed<byte[]> values =
        GenericIndexed.read(body, ObjectBytes.STRATEGY, column.segment().files());
    if (body.hasRemaining()) {
      throw new Damage(body.remaining() + " bytes follow its last object");
    }
    return new ObjectPart(
        column,
        CompressionStrategy.UNCOMPRESSED.toString(),
        values.size(),
        null,
        () -> new Reader() {
          @Override
          public byte[] get(int row) {
            return values.get(row);
          }

          @Override
          public void close() {}
        }
    );
  }

  /** Reads Druid's column of compressed blocks. */
  private static ObjectPart compressed(SegmentColumn column, String typeName, ByteBuffer body) {
    body.get();
    final String file = CompressedComplexColumnSerializer.FILE_NAME;
    final CompressedComplexColumnSupplier<byte[]> supplier = CompressedComplexColumnSupplier.read(
        body,
        new ColumnBuilder().setFileMapper(column.segment().files()),
        typeName,
        ObjectBytes.STRATEGY
    );
    final ByteBuffer blocks =
        column.internalFile(CompressedVariableSizedBlobColumnSerializer.getCompressedBlobsFileName(file));
    return new ObjectPart(
        column,
        String.valueOf(CompressionStrategy.forId(blocks.get(COMPRESSION_OFFSET))),
        column.internalFile(file).order(ByteOrder.BIG_ENDIAN).getInt(COMPRESSED_SIZE_OFFSET),
        null,
        () -> new CompressedBytes(supplier.get())
    );
  }

  /** Name of the encoding: {@code uncompressed}, {@code lz4} and so on, or {@code shapeshift}. */
  public String encoding() {
    return encoding;
  }

  /** Number of rows that it has. */
  public int size() {
    return size;
  }

  /** The shape-shifting column; null if it is Druid's. */
  @Nullable
  public Blobs ours() {
    return ours;
  }

  /**
   * Passes the bytes of all rows to a consumer, null for null.
   *
   * @throws Damage if a row cannot be read, or the number of rows is wrong
   */
  @Override
  public void forEach(BlobsSerializer.Consumer consumer) throws IOException {
    if (numRows.isPresent() && size != numRows.getAsInt()) {
      throw new Damage("it has " + size + " rows, but its table has " + numRows.getAsInt());
    }
    try (Reader rows = reader.get()) {
      for (int i = 0; i < size; i++) {
        final int row = i;
        if (!consumer.accept(Damage.reading("row " + row, () -> rows.get(row)))) {
          return;
        }
      }
    }
  }

  /** Reader of our column. */
  private static final class BlobBytes implements Reader {
    private final BlobsReader values;

    BlobBytes(Blobs blobs) {
      this.values = blobs.reader();
    }

    @Nullable
    @Override
    public byte[] get(int row) {
      @Nullable final ByteBuffer value = values.get(row, false);
      if (value == null) {
        return null;
      }
      final byte[] bytes = new byte[value.remaining()];
      value.get(bytes);
      return bytes;
    }

    @Override
    public void close() {
      values.close();
    }
  }

  /** Reader of Druid's compressed column. */
  private static final class CompressedBytes implements Reader {
    private final ComplexColumn values;

    CompressedBytes(ComplexColumn values) {
      this.values = values;
    }

    @Nullable
    @Override
    public byte[] get(int row) {
      return (byte[]) values.getRowValue(row);
    }

    @Override
    public void close() {
      values.close();
    }
  }
}
