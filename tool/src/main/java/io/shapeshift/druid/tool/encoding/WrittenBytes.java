// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.encoding;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.Serializer;

/** Counter of the bytes that a serializer writes, to the column's file and to further files. They are not kept. */
final class WrittenBytes implements SegmentFileBuilder, SegmentFileChannel {
  private long count;

  private WrittenBytes() {}

  static long of(Serializer serializer) throws IOException {
    final WrittenBytes written = new WrittenBytes();
    // Some sizes are known only to a serializer that was asked for its own.
    serializer.getSerializedSize();
    serializer.writeTo(written, written);
    return written.count;
  }

  @Override
  public int write(ByteBuffer from) {
    final int length = from.remaining();
    from.position(from.limit());
    count += length;
    return length;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) {
    long all = 0;
    for (int i = offset; i < offset + length; i++) {
      all += write(from[i]);
    }
    return all;
  }

  @Override
  public long write(ByteBuffer[] from) {
    return write(from, 0, from.length);
  }

  @Override
  public SegmentFileChannel addWithChannel(String name, long size) {
    return this;
  }

  @Override
  public void add(String name, File file) {
    count += file.length();
  }

  @Override
  public void add(String name, ByteBuffer bytes) {
    write(bytes);
  }

  @Override
  public void addColumn(String name, ColumnDescriptor descriptor) {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void abort() {}

  @Override
  public void close() {}
}
