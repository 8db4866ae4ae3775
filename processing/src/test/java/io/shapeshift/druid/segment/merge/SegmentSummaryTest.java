// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.Set;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ComplexColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;
import org.junit.jupiter.api.Test;

/** What an operator reads in the log of each written segment. */
class SegmentSummaryTest {
  private static final RoaringBitmapSerdeFactory BITMAPS = RoaringBitmapSerdeFactory.getInstance();

  private record Bytes(long size) implements Serializer {
    @Override
    public long getSerializedSize() {
      return size;
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder files) {
      throw new UnsupportedOperationException();
    }
  }

  private static void add(ValueType type, ColumnPartSerde part) throws IOException {
    SegmentSummary.add(ColumnDescriptor.builder().setValueType(type).addSerde(part).build());
  }

  private static ColumnPartSerde strings(long size, StringColumnPart... parts) {
    return new ShapeShiftStringColumnPartSerde("dim", Set.of(parts), BITMAPS, ByteOrder.nativeOrder(), new Bytes(size));
  }

  private static ColumnPartSerde longs(long size, boolean hasHashIndex) {
    return NumberKind.LONG.serde("id", BITMAPS, ByteOrder.nativeOrder(), hasHashIndex, new Bytes(size));
  }

  @Test
  void saysHowManyColumnsOfEachKindThereAreAndTheirBytes() throws IOException {
    final SegmentSummary summary = SegmentSummary.start();
    add(ValueType.STRING, strings(1000, StringColumnPart.IDS, StringColumnPart.INDEXES));
    add(ValueType.STRING, strings(234, StringColumnPart.IDS, StringColumnPart.INDEXES));
    add(ValueType.LONG, longs(50, false));
    add(ValueType.LONG, longs(70, true));
    add(ValueType.COMPLEX,
        ComplexColumnPartSerde.serializerBuilder().withTypeName("sketch").withDelegate(new Bytes(9)).build());
    assertEquals(
        "Druid's own: 1 columns, 9 bytes; long(rows): 1 columns, 50 bytes; long(rows, hash index): 1 columns, 70 bytes;"
            + " string(ids, indexes): 2 columns, 1,234 bytes",
        summary.toString()
    );
    assertEquals("", SegmentSummary.start().toString());
  }
}
