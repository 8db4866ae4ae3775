// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.metrics.WrittenSegment;
import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnPartSerde;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.nested.ShapeShiftNestedColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftComplexColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.WholeWrites;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.ColumnPartSerde;

/**
 * Counter of the columns and bytes of the segment that a merger writes. Bytes are counted where files are created:
 * a stock serializer writes data each time it is asked for its size, and must not be asked again.
 */
final class SegmentSummary {
  private static final String STOCK = "Druid's own";

  private SegmentSummary() {}

  /**
   * Adds a column of a base table or a projection to the segment that this thread writes.
   *
   * @param name name of the column's file
   * @return a builder that counts the column's bytes, and fails if a file is incomplete or replaces another
   */
  static SegmentFileBuilder add(ColumnDescriptor column, String name, SegmentFileBuilder files) {
    @Nullable final WrittenSegment segment = WrittenSegment.current();
    if (segment == null) {
      return files;
    }
    segment.addColumn(kind(column));
    return new CountedFiles(segment, "column[" + name + "]", "", files);
  }

  /** Value type of a column with a shape-shifting part, {@code auto}, {@code nested}, or {@link #STOCK}. */
  private static String kind(ColumnDescriptor column) {
    for (ColumnPartSerde part : column.getParts()) {
      if (part instanceof ShapeShiftStringColumnPartSerde
          || part instanceof ShapeShiftNumberColumnPartSerde
          || part instanceof ShapeShiftComplexColumnPartSerde) {
        return StringUtils.toLowerCase(column.getValueType().name());
      }
      if (part instanceof ShapeShiftAutoColumnPartSerde) {
        return "auto";
      }
      if (part instanceof ShapeShiftNestedColumnPartSerde) {
        return "nested";
      }
    }
    return STOCK;
  }

  /**
   * Writes checksums beside the segment if it has a shape-shifting column. Intermediate persists of ingestion get them
   * too, because a merger cannot distinguish them from complete segments.
   */
  static void writeChecksums(WrittenSegment written, File directory) throws IOException {
    if (written.hasColumnsBut(STOCK)) {
      SegmentChecksums.write(directory.toPath());
    }
  }

  /**
   * Builder of a column's files that counts bytes and refuses duplicate names.
   *
   * @param external name of the external file that contains them; empty for the segment's own file
   */
  private record CountedFiles(WrittenSegment segment, String column, String external, SegmentFileBuilder files)
      implements SegmentFileBuilder {
    private void start(String name, long size) {
      final String file = external.isEmpty() ? name : external + ":" + name;
      @Nullable final String other = segment.addFile(file, column, size);
      if (other != null) {
        throw SegmentFileNames.clash(column, other, file);
      }
    }

    @Override
    public void addColumn(String name, ColumnDescriptor column) {
      files.addColumn(name, column);
    }

    @Override
    public void add(String name, File file) throws IOException {
      start(name, file.length());
      files.add(name, file);
    }

    @Override
    public void add(String name, ByteBuffer bytes) throws IOException {
      start(name, bytes.remaining());
      files.add(name, bytes);
    }

    @Override
    public SegmentFileChannel addWithChannel(String name, long size) throws IOException {
      start(name, size);
      return new WholeWrites(files.addWithChannel(name, size));
    }

    @Override
    public SegmentFileBuilder getExternalBuilder(String externalFile) {
      return new CountedFiles(segment, column, externalFile, files.getExternalBuilder(externalFile));
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
}
