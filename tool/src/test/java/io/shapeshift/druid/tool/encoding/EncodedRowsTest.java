// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.data.GenericIndexedWriter;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.junit.jupiter.api.Test;

/** Rows that do not fit into a file of 2 GiB, which a test makes smaller. */
class EncodedRowsTest {
  private static String refusal(Serializer serializer) {
    return assertThrows(
        ColumnFormatException.class,
        () -> EncodedRows.write("big", serializer, bytes -> () -> () -> {})
    ).getMessage();
  }

  private static String message(String found) {
    return ColumnFormatException.tooLarge("big", found).getMessage();
  }

  @Test
  void druidsBlocksForSeveralFiles() throws IOException {
    try (SegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium()) {
      final GenericIndexedWriter<String> blocks =
          new GenericIndexedWriter<>(medium, "big", GenericIndexed.STRING_STRATEGY, 1000);
      blocks.open();
      for (int i = 0; i < 200; i++) {
        blocks.write("block " + i);
      }
      assertEquals(message("blocks for more than one file"), refusal(blocks));
    }
  }

  /** A failure to write is reported for each column of an analysis, which goes on with the next. */
  @Test
  void memoryIsFreedIfWritingFails() {
    final Serializer rows = new Serializer() {
      @Override
      public long getSerializedSize() {
        return 1 << 14;
      }

      @Override
      public void writeTo(WritableByteChannel channel, SegmentFileBuilder files) throws IOException {
        throw new IOException("full");
      }
    };
    final BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .findFirst().orElseThrow();
    final long before = direct.getCount();
    for (int i = 0; i < 50; i++) {
      assertThrows(IOException.class, () -> EncodedBytes.of("x", rows));
    }
    assertTrue(direct.getCount() < before + 50, "no buffer was freed");
  }

  @Test
  void oneFileThatIsTooLong() {
    final Serializer rows = new Serializer() {
      @Override
      public long getSerializedSize() {
        return 1L << 31;
      }

      @Override
      public void writeTo(WritableByteChannel channel, SegmentFileBuilder files) {
        throw new AssertionError("it is not to be written");
      }
    };
    assertEquals(message("2147483648 bytes in a file; a file can have at most 2147483647"), refusal(rows));
  }
}
