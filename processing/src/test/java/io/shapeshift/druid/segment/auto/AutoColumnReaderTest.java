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
}
