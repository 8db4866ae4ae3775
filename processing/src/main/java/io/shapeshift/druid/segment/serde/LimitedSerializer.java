// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.serde;

import io.shapeshift.druid.column.ColumnFormatException;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.Serializer;

/**
 * Serializer that checks the size of a column before it is written. The exception names a column that does not fit into
 * a segment file; Druid's own exception does not name it.
 *
 * @param parts other parts of the column in the same file, for the message
 */
public record LimitedSerializer(String column, String parts, Serializer delegate) implements Serializer {
  /** Maximum size, which leaves room for the column's descriptor that V9 writes in front of it. */
  public static final int MAX_SIZE = Integer.MAX_VALUE - (1 << 16);

  @Override
  public long getSerializedSize() throws IOException {
    final long size = delegate.getSerializedSize();
    if (size > MAX_SIZE) {
      throw ColumnFormatException.tooLarge(
          column,
          size + " bytes with its " + parts + "; a column can have at most " + MAX_SIZE
      );
    }
    return size;
  }

  @Override
  public void writeTo(WritableByteChannel channel, SegmentFileBuilder fileBuilder) throws IOException {
    delegate.writeTo(channel, fileBuilder);
  }
}
