// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.query.monomorphicprocessing.RuntimeShapeInspector;
import org.apache.druid.segment.GenericColumnSerializer;
import org.apache.druid.segment.ObjectColumnSelector;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ComplexColumnPartSupplier;
import org.apache.druid.segment.serde.ComplexMetricExtractor;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.segment.serde.LargeColumnSupportedComplexColumnSerializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.junit.jupiter.api.Test;

/** Druid's column in the place of ours is one that the type can read. */
class ShapeShiftComplexColumnTest {
  private static final String TYPE = "bytesOfTest";
  private static final int BLOCK = 1 << 16;
  private static final int VALUES = 12;
  /** Two sections, of which the second starts within one of Druid's blocks. */
  private static final int VALUE_BYTES = 50 * BLOCK + 777;

  /** Type whose columns are written and read as Druid does. */
  private static class Type extends ComplexMetricSerde {
    @Override
    public String getTypeName() {
      return TYPE;
    }

    @Override
    public ComplexMetricExtractor<byte[]> getExtractor() {
      return new ComplexMetricExtractor<>() {
        @Override
        public Class<byte[]> extractedClass() {
          return byte[].class;
        }

        @Override
        public byte[] extractValue(InputRow row, String metric) {
          return (byte[]) row.getRaw(metric);
        }
      };
    }

    @Override
    @SuppressWarnings("deprecation") // As Druid's extensions do.
    public ObjectStrategy<byte[]> getObjectStrategy() {
      return new Strategy();
    }
  }

  /** Type that writes and reads generic columns without compression, whatever the indexSpec requests. */
  private static final class GenericType extends Type {
    @Override
    @SuppressWarnings("deprecation") // As extensions do.
    public GenericColumnSerializer<?> getSerializer(SegmentWriteOutMedium medium, String column) {
      return LargeColumnSupportedComplexColumnSerializer.create(medium, column, getObjectStrategy());
    }

    @Override
    @SuppressWarnings("deprecation") // As extensions do.
    public void deserializeColumn(ByteBuffer buffer, ColumnBuilder builder) {
      builder.setComplexColumnSupplier(new ComplexColumnPartSupplier(
          TYPE, GenericIndexed.read(buffer, getObjectStrategy(), builder.getFileMapper())));
    }
  }

  private static final class Strategy implements ObjectStrategy<byte[]> {
    @Override
    public Class<byte[]> getClazz() {
      return byte[].class;
    }

    @Override
    public byte[] fromByteBuffer(ByteBuffer buffer, int numBytes) {
      final byte[] bytes = new byte[numBytes];
      buffer.get(bytes);
      return bytes;
    }

    @Override
    public byte[] toBytes(byte[] value) {
      return value;
    }

    @Override
    public int compare(byte[] one, byte[] other) {
      return Arrays.compare(one, other);
    }
  }

  private static final class Row extends ObjectColumnSelector<byte[]> {
    private final byte[] value = new byte[VALUE_BYTES];

    /** Each of Druid's blocks of the column repeats bytes of its own, so that others are larger. */
    private void fill(int number) {
      final byte[] repeated = new byte[300];
      for (int i = 0; i < value.length; i++) {
        final int position = number * VALUE_BYTES + i;
        if (i == 0 || position % BLOCK == 0) {
          new Random(position / BLOCK).nextBytes(repeated);
        }
        value[i] = repeated[position % BLOCK % repeated.length];
      }
    }

    @Override
    public byte[] getObject() {
      return value;
    }

    @Override
    public Class<byte[]> classOfObject() {
      return byte[].class;
    }

    @Override
    public void inspectRuntimeShape(RuntimeShapeInspector inspector) {}
  }

  /** Writes a column that is larger than Druid's under LZ4. */
  private static Class<? extends ColumnPartSerde> written(ComplexMetricSerde type) throws IOException {
    ComplexMetrics.registerSerde(TYPE, type);
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final ShapeShiftComplexColumnSerializer column = ShapeShiftComplexColumnSerializer.open(
          TYPE,
          "c",
          "c",
          medium,
          TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE).getEffectiveSpec()
      );
      column.open();
      final Row row = new Row();
      for (int i = 0; i < VALUES; i++) {
        row.fill(i);
        column.serialize(row);
      }
      return column.makeColumnDescriptor().getParts().get(0).getClass();
    } finally {
      ComplexMetrics.unregisterSerde(TYPE);
    }
  }

  /** Takes some seconds, because only a column of several sections is not compared with Druid's as it is written. */
  @Test
  void onlyTypesThatReadCompressedColumnsGetThem() throws IOException {
    final SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium();
    assertTrue(GenericComplexTypes.isCompressible(new Type(), "c", medium));
    assertFalse(GenericComplexTypes.isCompressible(new GenericType(), "c", medium));
    assertEquals(ShapeShiftComplexColumnPartSerde.class, written(new GenericType()));
  }
}
