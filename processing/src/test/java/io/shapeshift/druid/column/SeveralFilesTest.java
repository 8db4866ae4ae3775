// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.druid.segment.data.GenericIndexed;
import org.apache.druid.segment.file.SegmentFileMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeveralFilesTest {
  /** Files of a column with five values, two in each file of values. */
  private static final SegmentFileMapper FILES = new SegmentFileMapper() {
    @Override
    public Set<String> getInternalFilenames() {
      return Set.of("page", "page_header", "page_value_0", "page_value_1", "page_value_2");
    }

    @Override
    public ByteBuffer mapFile(String name) {
      return ByteBuffer.allocate(16);
    }

    @Override
    public void close() {}
  };

  private static ByteBuffer head(int version, int logValuesPerFile, int numValues, int nameBytes) {
    return ByteBuffer.allocate(19)
                     .put((byte) 0)
                     .put((byte) version)
                     .put((byte) 0)
                     .putInt(logValuesPerFile)
                     .putInt(numValues)
                     .putInt(nameBytes)
                     .put(new byte[] {'p', 'a', 'g', 'e'})
                     .position(1);
  }

  @Test
  void aHeadThatDruidReadsIsAllowed() {
    final ByteBuffer head = head(2, 1, 5, 4);
    assertTrue(SeveralFiles.startWith(head));
    SeveralFiles.check("page", head, FILES);
    assertEquals(1, head.position());
    assertEquals(5, GenericIndexed.read(head, GenericIndexed.UTF8_STRATEGY, FILES).size());
  }

  @Test
  void otherBytesAreNotChecked() {
    SeveralFiles.check("page", head(1, -1, -1, -1), FILES);
    SeveralFiles.check("page", ByteBuffer.allocate(0), FILES);
  }

  /** Druid would allocate up to 2 GB for the name, and up to 8 GB for the files. */
  @ParameterizedTest
  @CsvSource({
      "1, 5, 5, the name of its files has 5 bytes",
      "1, 5, 2147483647, the name of its files has 2147483647 bytes",
      "1, 5, -1, the name of its files has -1 bytes",
      "0, 2147483647, 4, its 2147483647 values are in files of 2^0",
      "1, -1, 4, its -1 values",
      "-1, 5, 4, files of 2^-1",
      "31, 5, 4, files of 2^31",
  })
  void whatADamagedHeadAsksForIsNotAllocated(int logValuesPerFile, int numValues, int nameBytes, String message) {
    final ColumnFormatException thrown = assertThrows(
        ColumnFormatException.class,
        () -> SeveralFiles.check("page", head(2, logValuesPerFile, numValues, nameBytes), FILES)
    );
    assertTrue(thrown.getMessage().startsWith("Column[page]: "), thrown.getMessage());
    assertTrue(thrown.getMessage().contains(message), thrown.getMessage());
  }

  @Test
  void aHeadThatEndsIsRefused() {
    for (int size = 1; size < 14; size++) {
      final ByteBuffer head = head(2, 1, 5, 4).limit(1 + size);
      assertThrows(ColumnFormatException.class, () -> SeveralFiles.check("page", head, FILES));
    }
  }
}
