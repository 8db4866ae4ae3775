// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.segment.serde.UnknownProperties;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.druid.segment.column.ColumnBuilder;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.junit.jupiter.api.Test;

/** Damage to what is read before Druid reads anything of a column. */
class AutoColumnReaderTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** A damaged length of the name is not that of an array: hundreds of megabytes were allocated for each. */
  @Test
  void noMemoryForANameThatIsLongerThanThePart() {
    // Druid's version, a length of 2^28 - 1, and one byte of the name.
    final byte[] part = {1, 0x7F, 0x7F, 0x7F, (byte) 0xFF, 'a'};
    final long before = THREADS.getCurrentThreadAllocatedBytes();
    final ColumnFormatException thrown = assertThrows(
        ColumnFormatException.class,
        () -> new AutoColumnReader(Set.of(), null, new UnknownProperties())
            .read(ByteBuffer.wrap(part), new ColumnBuilder(), ColumnConfig.DEFAULT, null)
    );
    assertTrue(THREADS.getCurrentThreadAllocatedBytes() - before < 1 << 26, "memory was allocated");
    assertTrue(thrown.getMessage().contains("whose name cannot be read"), thrown.getMessage());
    assertEquals("It has 268435455 bytes, and 1 are left", thrown.getCause().getMessage());
  }

  /** Of a file that is found by its bytes; where Druid asks again, with the same buffer, it is told the same. */
  @Test
  void nameOfTheFileWhereThatOfTheColumnCannotBeRead() {
    final byte[] part = {1, 127, 'a', 'b'};
    final SegmentFileMapper files = new SegmentFileMapper() {
      @Override
      public Set<String> getInternalFilenames() {
        return Set.of("other", "mine");
      }

      @Override
      public ByteBuffer mapFile(String name) {
        return name.equals("mine") ? ByteBuffer.wrap(part) : ByteBuffer.allocate(part.length);
      }

      @Override
      public void close() {}
    };
    final ByteBuffer buffer = ByteBuffer.wrap(part);
    for (int again = 0; again < 2; again++) {
      final ColumnFormatException thrown = assertThrows(
          ColumnFormatException.class,
          () -> new AutoColumnReader(Set.of(), null, new UnknownProperties())
              .read(buffer, new ColumnBuilder().setFileMapper(files), ColumnConfig.DEFAULT, null)
      );
      assertTrue(thrown.getMessage().startsWith("Column[mine]: it cannot be opened: "), thrown.getMessage());
    }
  }
}
