// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.convert;

import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongFunction;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;

/**
 * Column that was written anew as a whole, and is ready to be copied into a segment.
 *
 * @param sizeInBytes size of the column's own file, without the descriptor
 * @param files       writer of the column's own file and its further files
 * @param summary     result of the conversion, by the bytes of all files
 * @param temporary   resources of what is written
 */
record WholeColumn(
    ColumnDescriptor descriptor,
    long sizeInBytes,
    Writer files,
    LongFunction<ColumnConversion> summary,
    Closeable temporary
) implements Closeable {
  /** Writer of files. */
  @FunctionalInterface
  interface Writer {
    void writeTo(SegmentFileChannel channel, SegmentFileBuilder files) throws IOException;
  }

  /** Whether the column shape-shifts. */
  boolean isShapeShifting() {
    return SegmentColumn.isShapeShifting(Druid.json().valueToTree(descriptor));
  }

  @Override
  public void close() throws IOException {
    temporary.close();
  }
}
