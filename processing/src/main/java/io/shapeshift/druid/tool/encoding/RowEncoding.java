// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarMultiIntsSupplier;
import io.shapeshift.druid.form.IntChunk;
import io.shapeshift.druid.segment.IntEncodingStrategy;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.OptimizationTarget;
import io.shapeshift.druid.tool.cli.TemporaryDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.druid.error.DruidException;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.data.ArrayBasedIndexedInts;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.data.ColumnarFloatsSerializer;
import org.apache.druid.segment.data.ColumnarIntsSerializer;
import org.apache.druid.segment.data.ColumnarLongsSerializer;
import org.apache.druid.segment.data.ColumnarMultiIntsSerializer;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarFloatsSupplier;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSerializer;
import org.apache.druid.segment.data.CompressedVSizeColumnarIntsSupplier;
import org.apache.druid.segment.data.CompressionFactory;
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
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/**
 * A way to store the rows of a column: one of Druid's own, as its mergers write them, or shape-shifting.
 */
public abstract sealed class RowEncoding {
  /** Druid's default, with which all others are compared. */
  public static final RowEncoding DRUID_LZ4 = new Stock(CompressionStrategy.LZ4);

  private final String name;

  private RowEncoding(String name) {
    this.name = name;
  }

  /** Druid's own encodings, the default first. */
  public static List<RowEncoding> stock() {
    return List.of(
        DRUID_LZ4,
        new Stock(CompressionStrategy.ZSTD),
        new Stock(CompressionStrategy.UNCOMPRESSED)
    );
  }

  /** The shape-shifting encoding under each target. */
  public static List<RowEncoding> shapeShifting(BlockSize blockSize) {
    return Stream.of(OptimizationTarget.values()).<RowEncoding>map(target -> new ShapeShift(target, blockSize))
                 .toList();
  }

  /** All encodings that {@code analyze} compares, Druid's first. */
  public static List<RowEncoding> all(BlockSize blockSize) {
    final List<RowEncoding> all = new ArrayList<>(stock());
    all.addAll(shapeShifting(blockSize));
    return List.copyOf(all);
  }

  /** The encoding of ids that a strategy asks for. */
  public static RowEncoding of(IntEncodingStrategy strategy, CompressionStrategy compression) {
    return strategy.isShapeShift()
           ? new ShapeShift(strategy.optimizationTarget(), strategy.blockSize())
           : new Stock(compression);
  }

  /** The name of the shape-shifting encoding under a target. */
  public static String shapeShiftName(OptimizationTarget target) {
    return "shapeshift-" + target.name().toLowerCase(Locale.ROOT);
  }

  /** Its name, such as {@code druid-lz4} or {@code shapeshift-smaller}. */
  public final String name() {
    return name;
  }

  /** Whether it is one of the extension's. */
  public final boolean isShapeShifting() {
    return this instanceof ShapeShift;
  }

  /** Whether it can store such values: Druid's encodings all can. */
  public abstract boolean supports(RowValues values);

  /**
   * Stores values.
   *
   * @param column name of the column, for messages
   * @param values such as {@link #supports} says yes to
   * @throws IOException if there is no room for them where the system keeps temporary files
   */
  public final EncodedRows encode(String column, RowValues values) throws IOException {
    // A directory of its own: Druid's media in one directory share their files' folder, and each deletes it.
    try (TemporaryDirectory directory = TemporaryDirectory.create("shapeshift-rows");
         SegmentWriteOutMedium medium =
             TmpFileSegmentWriteOutMediumFactory.instance().makeSegmentWriteOutMedium(directory.path().toFile())) {
      return encode(column, values, medium);
    } catch (DruidException e) {
      // What Druid makes of a temporary file that cannot be written.
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
  }

  abstract EncodedRows encode(String column, RowValues values, SegmentWriteOutMedium medium) throws IOException;

  private static void addAll(ColumnarIntsSerializer serializer, RowValues values) throws IOException {
    serializer.open();
    if (values instanceof RowValues.Ids single) {
      ((SingleValueColumnarIntsSerializer) serializer).addValues(single.ids(), 0, single.ids().length);
      return;
    }
    final RowValues.MultiIds multi = (RowValues.MultiIds) values;
    final ColumnarMultiIntsSerializer rows = (ColumnarMultiIntsSerializer) serializer;
    for (int row = 0; row < multi.rows(); row++) {
      final int start = multi.offsets()[row];
      final int length = multi.offsets()[row + 1] - start;
      final int[] ids = new int[length];
      System.arraycopy(multi.ids(), start, ids, 0, length);
      rows.addValues(new ArrayBasedIndexedInts(ids));
    }
  }

  /** Druid's own columns. */
  private static final class Stock extends RowEncoding {
    private final CompressionStrategy compression;

    private Stock(CompressionStrategy compression) {
      super("druid-" + compression);
      this.compression = compression;
    }

    @Override
    public boolean supports(RowValues values) {
      return true;
    }

    @Override
    EncodedRows encode(String column, RowValues values, SegmentWriteOutMedium medium) throws IOException {
      if (values instanceof RowValues.Ids single) {
        return encodeSingle(column, single, medium);
      }
      if (values instanceof RowValues.MultiIds multi) {
        return encodeMulti(column, multi, medium);
      }
      return encodeNumbers(column, values, medium);
    }

    private boolean isCompressed() {
      return compression != CompressionStrategy.UNCOMPRESSED;
    }

    private EncodedRows encodeSingle(String column, RowValues.Ids values, SegmentWriteOutMedium medium)
        throws IOException {
      // Druid's mergers give the cardinality as the largest value, one too many.
      final SingleValueColumnarIntsSerializer serializer =
          isCompressed()
          ? CompressedVSizeColumnarIntsSerializer.create(
              column,
              medium,
              column,
              values.cardinality(),
              compression,
              medium.getCloser()
          )
          : new VSizeColumnarIntsSerializer(medium, values.cardinality());
      addAll(serializer, values);
      return EncodedRows.write(
          serializer,
          bytes -> isCompressed()
                   ? CompressedVSizeColumnarIntsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
                   : VSizeColumnarInts.readFromByteBuffer(bytes)
      );
    }

    private EncodedRows encodeMulti(String column, RowValues.MultiIds values, SegmentWriteOutMedium medium)
        throws IOException {
      final ColumnarMultiIntsSerializer serializer =
          isCompressed()
          ? V3CompressedVSizeColumnarMultiIntsSerializer.create(
              column,
              medium,
              column,
              values.cardinality(),
              compression,
              GenericIndexedWriter.MAX_FILE_SIZE
          )
          : new VSizeColumnarMultiIntsSerializer(column, medium, values.cardinality());
      addAll(serializer, values);
      return EncodedRows.write(
          serializer,
          bytes -> isCompressed()
                   ? V3CompressedVSizeColumnarMultiIntsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
                   : VSizeColumnarMultiInts.readFromByteBuffer(bytes)
      );
    }

    private EncodedRows encodeNumbers(String column, RowValues values, SegmentWriteOutMedium medium)
        throws IOException {
      // Numbers without blocks: what Druid calls uncompressed there is blocks all the same.
      final CompressionStrategy compression = isCompressed() ? this.compression : CompressionStrategy.NONE;
      final Serializer serializer;
      if (values instanceof RowValues.Longs longs) {
        final ColumnarLongsSerializer writer = CompressionFactory.getLongSerializer(
            column,
            medium,
            column,
            IndexIO.BYTE_ORDER,
            CompressionFactory.LongEncodingStrategy.LONGS,
            compression,
            medium.getCloser()
        );
        writer.open();
        for (long value : longs.values()) {
          writer.add(value);
        }
        serializer = writer;
      } else if (values instanceof RowValues.Floats floats) {
        final ColumnarFloatsSerializer writer = CompressionFactory.getFloatSerializer(
            column,
            medium,
            column,
            IndexIO.BYTE_ORDER,
            compression,
            medium.getCloser()
        );
        writer.open();
        for (float value : floats.values()) {
          writer.add(value);
        }
        serializer = writer;
      } else {
        final ColumnarDoublesSerializer writer = CompressionFactory.getDoubleSerializer(
            column,
            medium,
            column,
            IndexIO.BYTE_ORDER,
            compression,
            medium.getCloser()
        );
        writer.open();
        for (double value : ((RowValues.Doubles) values).values()) {
          writer.add(value);
        }
        serializer = writer;
      }
      return EncodedRows.write(
          serializer,
          bytes -> values instanceof RowValues.Longs
                   ? CompressedColumnarLongsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
                   : values instanceof RowValues.Floats
                     ? CompressedColumnarFloatsSupplier.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
                     : CompressedColumnarDoublesSuppliers.fromByteBuffer(bytes, IndexIO.BYTE_ORDER, null)
      );
    }
  }

  /** Shape-shifting columns. */
  private static final class ShapeShift extends RowEncoding {
    private final OptimizationTarget target;
    private final BlockSize blockSize;

    private ShapeShift(OptimizationTarget target, BlockSize blockSize) {
      super(shapeShiftName(target));
      this.target = target;
      this.blockSize = blockSize;
    }

    @Override
    public boolean supports(RowValues values) {
      return values instanceof RowValues.Ids || values instanceof RowValues.MultiIds;
    }

    @Override
    EncodedRows encode(String column, RowValues values, SegmentWriteOutMedium medium) throws IOException {
      final FormSelector<IntChunk> selector = FormSelector.forInts(target);
      final boolean single = values instanceof RowValues.Ids;
      final ColumnarIntsSerializer serializer =
          single
          ? new ShapeShiftingColumnarIntsSerializer(column, medium, blockSize, selector, IndexIO.BYTE_ORDER)
          : new ShapeShiftingColumnarMultiIntsSerializer(column, medium, blockSize, selector, IndexIO.BYTE_ORDER);
      addAll(serializer, values);
      return EncodedRows.write(
          serializer,
          bytes -> single
                   ? ShapeShiftingColumnarIntsSupplier.read(column, bytes.order(IndexIO.BYTE_ORDER))
                   : ShapeShiftingColumnarMultiIntsSupplier.read(column, bytes.order(IndexIO.BYTE_ORDER))
      );
    }
  }
}
