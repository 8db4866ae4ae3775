// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.strings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMedium;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;
import org.apache.druid.segment.writeout.WriteOutBytes;

/** Medium on the heap that tells how many bytes it keeps. */
class MeasuredMedium implements SegmentWriteOutMedium {
  private final OnHeapMemorySegmentWriteOutMedium medium = new OnHeapMemorySegmentWriteOutMedium();
  private final List<WriteOutBytes> kept = new ArrayList<>();
  private final List<MeasuredMedium> children = new ArrayList<>();
  private boolean isClosed;

  /** Returns the bytes in this medium and in its children that are not closed. */
  long numBytes() {
    return isClosed
           ? 0
           : kept.stream().mapToLong(WriteOutBytes::size).sum()
               + children.stream().mapToLong(MeasuredMedium::numBytes).sum();
  }

  /** Returns the number of children, also of those that are closed. */
  int numChildren() {
    return children.size();
  }

  @Override
  public WriteOutBytes makeWriteOutBytes() {
    final WriteOutBytes bytes = medium.makeWriteOutBytes();
    kept.add(bytes);
    return bytes;
  }

  @Override
  public SegmentWriteOutMedium makeChildWriteOutMedium() {
    final MeasuredMedium child = new MeasuredMedium();
    children.add(child);
    return child;
  }

  @Override
  public Closer getCloser() {
    return medium.getCloser();
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    medium.close();
  }
}
