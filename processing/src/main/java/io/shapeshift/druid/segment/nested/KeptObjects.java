// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import io.shapeshift.druid.column.blobs.BlobsSerializer;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.metrics.SegmentPart;
import io.shapeshift.druid.metrics.WrittenSegment;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.serde.ColumnSerializerUtils;
import org.apache.druid.segment.serde.Serializer;
import org.apache.druid.segment.writeout.SegmentWriteOutMedium;

/**
 * Writer of the objects of a nested column that cannot be rebuilt. Each file has consecutive rows, null where an object
 * is rebuilt.
 */
final class KeptObjects {
  /** Bytes of a row beside those of its object, at most: its length, and a part of a position. */
  private static final int ROW_BYTES = 8;

  private final String column;
  private final SegmentWriteOutMedium medium;
  private final OptimizationTarget target;
  private final long mostBytes;
  private final List<BlobsSerializer> files = new ArrayList<>();
  private int numRows;
  /** Bytes of the last file, if no form makes it smaller. */
  private long bytes;

  /**
   * Creates a writer.
   *
   * @param column    name of the column's file
   * @param mostBytes bytes of a file before compression, unless a single object has more
   */
  KeptObjects(String column, SegmentWriteOutMedium medium, OptimizationTarget target, long mostBytes) {
    this.column = column;
    this.medium = medium;
    this.target = target;
    this.mostBytes = mostBytes;
  }

  /**
   * Adds an object.
   *
   * @param row greater than that of the object before
   */
  void add(int row, byte[] object) throws IOException {
    if (files.isEmpty() || bytes + object.length + (1L + row - numRows) * ROW_BYTES > mostBytes) {
      files.add(new BlobsSerializer(column, medium, target));
      bytes = 0;
    }
    addNulls(row);
    addRow(object);
  }

  private void addNulls(int end) throws IOException {
    while (numRows < end) {
      addRow(null);
    }
  }

  private void addRow(@Nullable byte[] object) throws IOException {
    files.get(files.size() - 1).add(object);
    bytes += ROW_BYTES + (object == null ? 0 : object.length);
    numRows++;
  }

  /** Ends the adding, if there are objects. */
  void complete(int rowsOfColumn) throws IOException {
    if (!files.isEmpty()) {
      addNulls(rowsOfColumn);
    }
  }

  /** Returns the number of files. */
  int numFiles() {
    return files.size();
  }

  /** Writes the files. */
  void writeTo(SegmentFileBuilder segment) throws IOException {
    for (int file = 0; file < files.size(); file++) {
      ColumnSerializerUtils.writeInternal(
          segment, new KeptFile(files.get(file)), column, NestedColumnFormat.keptFile(file));
    }
  }

  private record KeptFile(BlobsSerializer objects) implements Serializer {
    @Override
    public long getSerializedSize() throws IOException {
      return objects.getSerializedSize();
    }

    @Override
    public void writeTo(WritableByteChannel channel, SegmentFileBuilder segment) throws IOException {
      objects.writeTo(channel);
      WrittenSegment.addPart(
          SegmentPart.STRUCTURES, objects.getSerializedSize(), "kept objects", WrittenSegment.UNKNOWN);
    }
  }
}
