// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;

/** Files of a segment, which counts the bytes of those that are added. */
final class CountedFiles implements SegmentFileBuilder {
  private final SegmentFileBuilder files;
  private long bytes;

  CountedFiles(SegmentFileBuilder files) {
    this.files = files;
  }

  /** Bytes that were added. */
  long bytes() {
    return bytes;
  }

  @Override
  public SegmentFileChannel addWithChannel(String name, long size) throws IOException {
    bytes += size;
    return files.addWithChannel(name, size);
  }

  @Override
  public void add(String name, File file) throws IOException {
    bytes += file.length();
    files.add(name, file);
  }

  @Override
  public void add(String name, ByteBuffer content) throws IOException {
    bytes += content.remaining();
    files.add(name, content);
  }

  @Override
  public void addColumn(String name, ColumnDescriptor descriptor) {
    files.addColumn(name, descriptor);
  }

  @Override
  public void abort() {
    files.abort();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
