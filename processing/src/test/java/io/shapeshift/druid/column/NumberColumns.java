// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarDoublesSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarFloatsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingColumnarLongsSupplier;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSerializer;
import io.shapeshift.druid.column.numbers.ShapeShiftingNumbersSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.numbers.NumberChunk;
import io.shapeshift.druid.form.numbers.NumberChunkReader;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.select.FormSelector;
import io.shapeshift.druid.select.FormSelectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.Stream;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.data.ColumnarDoublesSerializer;
import org.apache.druid.segment.data.ColumnarFloatsSerializer;
import org.apache.druid.segment.data.ColumnarLongsSerializer;
import org.apache.druid.segment.data.CompressedColumnarDoublesSuppliers;
import org.apache.druid.segment.data.CompressedColumnarFloatsSupplier;
import org.apache.druid.segment.data.CompressedColumnarLongsSupplier;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionFactory.LongEncodingStrategy;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Writes columns of numbers for tests, ours and Druid's own, by the bits of the numbers. */
public final class NumberColumns {
  private NumberColumns() {}

  /** How a column is written. */
  public record Setup(
      NumberType type,
      BlockSize blockSize,
      FormSelector<NumberChunk> selector,
      ByteOrder order,
      String name
  ) {
    /** With the forms of a target. */
    public Setup(NumberType type, BlockSize blockSize, OptimizationTarget target, ByteOrder order) {
      this(type, blockSize, FormSelectors.forNumbers(type, target), order,
          type + " " + blockSize + " " + target + " " + order);
    }

    /** Small blocks, so that short columns have several. */
    public static Setup small(NumberType type) {
      return new Setup(type, BlockSize.SMALL, OptimizationTarget.FASTBUTSMALLISH, ByteOrder.LITTLE_ENDIAN);
    }

    /** With these forms only. */
    public static Setup ofForms(NumberType type, BlockSize blockSize, String[] names, ByteOrder order) {
      final List<NumberForm> forms = NumberForms.of(type).stream()
          .filter(form -> List.of(names).contains(form.name()))
          .toList();
      final FormSelector<NumberChunk> selector = FormSelectors.forNumbers(forms, OptimizationTarget.FASTBUTSMALLISH);
      return new Setup(type, blockSize, selector, order, List.of(names).toString());
    }

    /** All that there are. */
    public static List<Setup> all() {
      return Stream.of(NumberType.values())
          .flatMap(type -> IntColumns.Setup.all().stream()
              .map(ints -> new Setup(type, ints.blockSize(), ints.target(), ints.order())))
          .toList();
    }

    private int logBytesPerValue() {
      return Integer.numberOfTrailingZeros(type.bytes());
    }

    /** Base 2 logarithm of the values in a block. */
    public int logBlockLength() {
      return blockSize.logValuesPerBlock(logBytesPerValue());
    }

    /** Values in a block. */
    public int blockLength() {
      return 1 << logBlockLength();
    }

    /** Values in the largest chunk. */
    public int chunkLength() {
      return 1 << blockSize.logValues(logBytesPerValue());
    }

    /** A serializer, open for values. */
    public ShapeShiftingNumbersSerializer serializer(SegmentWriteOutMedium medium) throws IOException {
      final ShapeShiftingNumbersSerializer serializer = switch (type) {
        case LONG -> new ShapeShiftingColumnarLongsSerializer(IntColumns.NAME, medium, blockSize, selector, order);
        case DOUBLE -> new ShapeShiftingColumnarDoublesSerializer(IntColumns.NAME, medium, blockSize, selector, order);
        case FLOAT -> new ShapeShiftingColumnarFloatsSerializer(IntColumns.NAME, medium, blockSize, selector, order);
      };
      serializer.open();
      return serializer;
    }

    /** The bytes of a column with these numbers. */
    public byte[] write(long[] bits, SegmentWriteOutMedium medium) {
      try {
        final ShapeShiftingNumbersSerializer serializer = serializer(medium);
        addAll(serializer, bits);
        return IntColumns.bytes(serializer);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The column in a buffer of its own. */
    public ByteBuffer write(long... bits) {
      return ByteBuffer.wrap(write(bits, new OnHeapMemorySegmentWriteOutMedium())).order(order);
    }

    /** The column, ready to be read. */
    public ShapeShiftingNumbersSupplier<?> column(long... bits) {
      return read(type, write(bits));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** The name of the form of a chunk, with its child if it is a frame. */
  public static String formOf(ShapeShiftingNumbersSupplier<?> column, ChunkInfo chunk) {
    final NumberChunkReader reader = NumberForms.reader(column.type());
    reader.startChunk(chunk.numValues());
    return NumberForms.byId(column.type()).apply(chunk.formId())
        .nameOf(column.data().newView(), chunk.offset(), chunk.bytes(), reader);
  }

  /** Takes a column from a buffer in the column's byte order. */
  public static ShapeShiftingNumbersSupplier<?> read(NumberType type, ByteBuffer buffer) {
    return switch (type) {
      case LONG -> ShapeShiftingColumnarLongsSupplier.read(IntColumns.NAME, buffer);
      case DOUBLE -> ShapeShiftingColumnarDoublesSupplier.read(IntColumns.NAME, buffer);
      case FLOAT -> ShapeShiftingColumnarFloatsSupplier.read(IntColumns.NAME, buffer);
    };
  }

  /** Adds numbers to a column of their type, ours or Druid's. */
  public static void addAll(Serializer serializer, long... bits) throws IOException {
    for (long each : bits) {
      if (serializer instanceof ColumnarLongsSerializer longs) {
        longs.add(each);
      } else if (serializer instanceof ColumnarDoublesSerializer doubles) {
        doubles.add(Double.longBitsToDouble(each));
      } else {
        ((ColumnarFloatsSerializer) serializer).add(Float.intBitsToFloat((int) each));
      }
    }
  }

  /** The bytes of Druid's own column of these numbers. */
  public static byte[] stock(NumberType type, long[] bits, CompressionStrategy strategy, ByteOrder order) {
    final SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium();
    try (Closer closer = Closer.create()) {
      final Serializer serializer;
      switch (type) {
        case LONG -> {
          final ColumnarLongsSerializer longs = CompressionFactory.getLongSerializer(
              IntColumns.NAME, medium, "file", order, LongEncodingStrategy.LONGS, strategy, closer);
          longs.open();
          serializer = longs;
        }
        case DOUBLE -> {
          final ColumnarDoublesSerializer doubles =
              CompressionFactory.getDoubleSerializer(IntColumns.NAME, medium, "file", order, strategy, closer);
          doubles.open();
          serializer = doubles;
        }
        default -> {
          final ColumnarFloatsSerializer floats =
              CompressionFactory.getFloatSerializer(IntColumns.NAME, medium, "file", order, strategy, closer);
          floats.open();
          serializer = floats;
        }
      }
      addAll(serializer, bits);
      return IntColumns.bytes(serializer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Druid's own column of these numbers, ready to be read. */
  public static NumberColumn stockColumn(NumberType type, long... bits) {
    final ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    // The head of Druid's columns is big-endian in any case.
    final ByteBuffer buffer = ByteBuffer.wrap(stock(type, bits, CompressionStrategy.LZ4, order));
    final Object column = switch (type) {
      case LONG -> CompressedColumnarLongsSupplier.fromByteBuffer(buffer, order, null).get();
      case DOUBLE -> CompressedColumnarDoublesSuppliers.fromByteBuffer(buffer, order, null).get();
      case FLOAT -> CompressedColumnarFloatsSupplier.fromByteBuffer(buffer, order, null).get();
    };
    return new NumberColumn(type, column);
  }
}
