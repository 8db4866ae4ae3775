// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shapeshift.druid.column.ColumnFormatException;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;
import org.junit.jupiter.api.Test;

/** Columns whose parts fit each, but not together. */
class LimitedSerializerTest {
  private static Serializer ofSize(long size) {
    return new LimitedSerializer("page", "dictionary and indexes", new Serializer() {
      @Override
      public long getSerializedSize() {
        return size;
      }

      @Override
      public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) {
        throw new AssertionError("not to be written");
      }
    });
  }

  @Test
  void namesTheColumnThatIsTooLarge() throws IOException {
    final int most = LimitedSerializer.MAX_SIZE;
    assertEquals(most, ofSize(most).getSerializedSize());
    final ColumnFormatException e =
        assertThrows(ColumnFormatException.class, () -> ofSize(1L << 31).getSerializedSize());
    assertEquals(
        "Column[page]: it is too large, with 2147483648 bytes with its dictionary and indexes; a column can"
            + " have at most 2147418111. Make segments smaller: set maxRowsPerSegment or targetRowsPerSegment to fewer"
            + " rows",
        e.getMessage()
    );
  }
}
