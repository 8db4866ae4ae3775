// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import io.shapeshift.druid.column.ColumnFormatException;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;

/**
 * Says which column does not fit into a file of a segment; Druid would only say that something does not.
 *
 * @param parts what the column has in its file besides the values, for the message
 */
public record LimitedSerializer(String column, String parts, Serializer delegate) implements Serializer {
  /** Leaves room for the column's descriptor, which V9 writes in front of it. */
  static final int MAX_SIZE = Integer.MAX_VALUE - (1 << 16);

  @Override
  public long getSerializedSize() throws IOException {
    final long size = delegate.getSerializedSize();
    if (size > MAX_SIZE) {
      throw ColumnFormatException.tooLarge(
          column,
          size + " bytes with its " + parts + ", of which a column can have " + MAX_SIZE
      );
    }
    return size;
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    delegate.writeTo(channel, fileBuilder);
  }
}
