// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSerializer;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.form.ints.IntForms;
import io.shapeshift.druid.select.FormSelectors;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/** Writes columns of ints for tests. */
public final class IntColumns {
  /** The name of all columns in tests. */
  public static final String NAME = "dim";

  private IntColumns() {}

  /** How a column is written. */
  public record Setup(BlockSize blockSize, OptimizationTarget target, ByteOrder order) {
    /** Small blocks, so that short columns have several. */
    public static final Setup SMALL =
        new Setup(BlockSize.SMALL, OptimizationTarget.FASTBUTSMALLISH, ByteOrder.LITTLE_ENDIAN);

    /** All that there are. */
    public static List<Setup> all() {
      return Stream.of(BlockSize.values())
          .flatMap(blockSize -> Stream.of(OptimizationTarget.values())
              .flatMap(target -> Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
                  .map(order -> new Setup(blockSize, target, order))))
          .toList();
    }

    /** Values in a block. */
    public int blockLength() {
      return 1 << blockSize.logValuesPerBlock(2);
    }

    /** Values in the largest chunk that is read where it lies. */
    public int directLength() {
      return 1 << blockSize.logValues(2);
    }

    /** Values in a group of blocks, across whose borders no chunk goes. */
    public int groupLength() {
      return ColumnHeader.BLOCKS_PER_GROUP * blockLength();
    }

    /** A serializer, open for values. */
    public ShapeShiftingColumnarIntsSerializer serializer(SegmentWriteOutMedium medium) throws IOException {
      return serializer(medium, Integer.MAX_VALUE);
    }

    private ShapeShiftingColumnarIntsSerializer serializer(SegmentWriteOutMedium medium, int maxValue)
        throws IOException {
      final ShapeShiftingColumnarIntsSerializer serializer = new ShapeShiftingColumnarIntsSerializer(
          NAME, medium, blockSize, FormSelectors.forInts(target), maxValue, order);
      serializer.open();
      return serializer;
    }

    /** The bytes of a column with these values. */
    public byte[] write(int[] values, SegmentWriteOutMedium medium) {
      try {
        final ShapeShiftingColumnarIntsSerializer serializer = serializer(medium, cardinality(values));
        for (int value : values) {
          serializer.addValue(value);
        }
        return bytes(serializer);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** The column in a buffer of its own. */
    public ByteBuffer write(int... values) {
      return ByteBuffer.wrap(write(values, new OnHeapMemorySegmentWriteOutMedium())).order(order);
    }

    /** The column, ready to be read. */
    public ShapeShiftingColumnarIntsSupplier column(int... values) {
      return ShapeShiftingColumnarIntsSupplier.read(NAME, write(values));
    }
  }

  /** What Druid is told of the largest value. */
  public static int cardinality(int[] values) {
    return (int) Math.min(Integer.MAX_VALUE, Arrays.stream(values).max().orElse(0) + 1L);
  }

  /** All that a serializer writes. */
  public static byte[] bytes(Serializer serializer) throws IOException {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    serializer.writeTo(Channels.newChannel(out), null);
    return out.toByteArray();
  }

  /** The name of the form of a chunk of ints. */
  public static String formOf(ChunkInfo chunk) {
    return IntForms.byId(chunk.formId()).name();
  }

  /**
   * Checks what holds for the chunks of every column that is written: one follows upon the other, none goes across the
   * border of a group, those that are read where they lie have one block or four, but a constant gets what may wait, as
   * a codec does; and the composition has them all.
   *
   * @param most values that may wait
   * @param forms names the form of a chunk
   */
  public static void assertStructure(
      ColumnData<?> data,
      int logValuesPerBlock,
      int most,
      Function<ChunkInfo, String> forms,
      String what
  ) {
    final int block = 1 << logValuesPerBlock;
    final ColumnHeader header = data.header();
    assertEquals(logValuesPerBlock, header.logValuesPerBlock(), what);
    final List<ChunkInfo> chunks = data.chunks();
    assertEquals(header.numChunks(), chunks.size(), what);
    final Map<Byte, Composition.Entry> composition = new TreeMap<>();
    int value = 0;
    int offset = header.headerSize() + header.offsetsSize();
    for (ChunkInfo chunk : chunks) {
      final Supplier<String> which = () -> chunk + " of " + what;
      assertEquals(value, chunk.firstValue(), which);
      assertEquals(value, chunk.firstBlock() * block, which);
      assertEquals(offset, chunk.offset(), which);
      assertEquals((chunk.numValues() + block - 1) / block, chunk.numBlocks(), which);
      assertEquals(
          chunk.firstBlock() / ColumnHeader.BLOCKS_PER_GROUP,
          (chunk.firstBlock() + chunk.numBlocks() - 1) / ColumnHeader.BLOCKS_PER_GROUP,
          which
      );
      if (forms.apply(chunk).matches("(.*-)?(zero|constant|lz4|zstd)")) {
        assertTrue(chunk.numValues() <= most, which);
      } else {
        assertTrue(chunk.numBlocks() == 1 || chunk.numValues() == 4 * block, which);
      }
      for (int i = chunk.firstBlock(); i < chunk.firstBlock() + chunk.numBlocks(); i++) {
        assertEquals(chunk, data.chunkOfBlock(i), which);
      }
      composition.merge(
          chunk.formId(),
          new Composition.Entry(chunk.formId(), 1, chunk.bytes()),
          (a, b) -> new Composition.Entry(a.formId(), a.chunks() + b.chunks(), a.bytes() + b.bytes())
      );
      value += chunk.numValues();
      offset += chunk.bytes();
    }
    assertEquals(List.copyOf(composition.values()), List.copyOf(header.composition().entries()), what);
    assertEquals(header.numValues(), value, what);
    assertEquals(data.sizeInBytes(), offset, what);
  }
}
