// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.segment.serde.NumberKind;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.Set;
import org.apache.druid.java.util.common.io.smoosh.FileSmoosher;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.ColumnPartSerde;
import org.apache.druid.segment.serde.ComplexColumnPartSerde;
import org.apache.druid.segment.serde.Serializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator reads in the log of each written segment. */
class SegmentSummaryTest {
  private static final RoaringBitmapSerdeFactory BITMAPS = RoaringBitmapSerdeFactory.getInstance();

  @TempDir
  private File folder;

  /** For descriptors only: what is counted are the files. */
  private static final class Unasked implements Serializer {
    @Override
    public long getSerializedSize() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder files) {
      throw new UnsupportedOperationException();
    }
  }

  private static SegmentFileBuilder add(SegmentFileBuilder files, ValueType type, ColumnPartSerde part) {
    return SegmentSummary.add(ColumnDescriptor.builder().setValueType(type).addSerde(part).build(), files);
  }

  private static ColumnPartSerde strings(StringColumnPart... parts) {
    return new ShapeShiftStringColumnPartSerde("dim", Set.of(parts), BITMAPS, ByteOrder.nativeOrder(), new Unasked());
  }

  private static ColumnPartSerde longs(boolean hasHashIndex) {
    return NumberKind.LONG.serde("id", BITMAPS, ByteOrder.nativeOrder(), hasHashIndex, new Unasked());
  }

  private static void write(SegmentFileBuilder files, String name, int size) throws IOException {
    try (SegmentFileChannel channel = files.addWithChannel(name, size)) {
      channel.write(ByteBuffer.allocate(size));
    }
  }

  @Test
  void saysHowManyColumnsOfEachKindThereAreAndTheirBytes() throws IOException {
    final SegmentSummary summary = SegmentSummary.start();
    try (FileSmoosher files = new FileSmoosher(folder)) {
      write(add(files, ValueType.STRING, strings(StringColumnPart.IDS, StringColumnPart.INDEXES)), "a", 1000);
      final SegmentFileBuilder second =
          add(files, ValueType.STRING, strings(StringColumnPart.IDS, StringColumnPart.INDEXES));
      write(second, "b", 200);
      second.add("b.dictionary", ByteBuffer.allocate(34));
      write(add(files, ValueType.LONG, longs(false)), "c", 50);
      write(add(files, ValueType.LONG, longs(true)), "d", 70);
      final ColumnPartSerde sketch =
          ComplexColumnPartSerde.serializerBuilder().withTypeName("sketch").withDelegate(new Unasked()).build();
      write(add(files, ValueType.COMPLEX, sketch), "e", 9);
    }
    assertEquals(
        "Druid's own: 1 columns, 9 bytes; long(rows): 1 columns, 50 bytes; long(rows, hash index): 1 columns, 70 bytes;"
            + " string(ids, indexes): 2 columns, 1,234 bytes",
        summary.toString()
    );
    assertEquals("", SegmentSummary.start().toString());
  }
}
