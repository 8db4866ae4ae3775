// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.merge;

import io.shapeshift.druid.segment.auto.ShapeShiftAutoColumnPartSerde;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.serde.ShapeShiftNumberColumnPartSerde;
import io.shapeshift.druid.segment.serde.ShapeShiftStringColumnPartSerde;
import io.shapeshift.druid.segment.serde.StringColumnPart;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.segment.column.ColumnDescriptor;
import org.apache.druid.segment.file.SegmentFileBuilder;
import org.apache.druid.segment.file.SegmentFileChannel;
import org.apache.druid.segment.serde.ColumnPartSerde;

/**
 * What a segment was written of, for one line in the log. For one thread, as a merger writes a segment.
 *
 * <p>Bytes are counted where files are made: Druid's serializers write something whenever they are asked for their
 * size, and must not be asked once more.
 */
final class SegmentSummary {
  private static final String DRUIDS_OWN = "Druid's own";
  private static final ThreadLocal<SegmentSummary> CURRENT = ThreadLocal.withInitial(SegmentSummary::new);

  private final Map<String, Columns> kinds = new TreeMap<>();

  /** The columns of a kind: how many, and their bytes. */
  private record Columns(int count, long bytes) {
    static final Columns NONE = new Columns(0, 0);
  }

  /** Starts that of another segment, which this thread writes. */
  static SegmentSummary start() {
    final SegmentSummary summary = new SegmentSummary();
    CURRENT.set(summary);
    return summary;
  }

  /**
   * Adds a column to that of the segment that this thread writes, of a projection as well.
   *
   * @return what the column is to be written to, so that its bytes are counted
   */
  static SegmentFileBuilder add(ColumnDescriptor column, SegmentFileBuilder files) {
    final SegmentSummary summary = CURRENT.get();
    final String kind = kind(column);
    summary.add(kind, 1, 0);
    return summary.new CountedFiles(kind, files);
  }

  private void add(String kind, int columns, long bytes) {
    final Columns before = kinds.getOrDefault(kind, Columns.NONE);
    kinds.put(kind, new Columns(before.count + columns, before.bytes + bytes));
  }

  /** Such as {@code string(ids, indexes)}, or Druid's own. */
  private static String kind(ColumnDescriptor column) {
    final String type = StringUtils.toLowerCase(column.getValueType().name());
    for (ColumnPartSerde part : column.getParts()) {
      if (part instanceof ShapeShiftStringColumnPartSerde strings) {
        return type + strings.getParts().stream().map(StringColumnPart::name).map(StringUtils::toLowerCase)
            .collect(Collectors.joining(", ", "(", ")"));
      }
      if (part instanceof ShapeShiftNumberColumnPartSerde numbers) {
        return type + (numbers.hasHashIndex() ? "(rows, hash index)" : "(rows)");
      }
      if (part instanceof ShapeShiftAutoColumnPartSerde) {
        return "auto";
      }
    }
    return DRUIDS_OWN;
  }

  /**
   * Writes checksums beside the segment if it has a column that shape-shifts. What is persisted while rows are ingested
   * gets them, too: nothing tells it from a segment to be, which tools persist as well.
   */
  void writeChecksums(Path segment) throws IOException {
    if (kinds.keySet().stream().anyMatch(kind -> !kind.equals(DRUIDS_OWN))) {
      SegmentChecksums.write(segment);
    }
  }

  /** All kinds with their numbers of columns and bytes. */
  @Override
  public String toString() {
    final List<String> texts = new ArrayList<>();
    kinds.forEach((kind, columns) ->
        texts.add(StringUtils.format("%s: %,d columns, %,d bytes", kind, columns.count, columns.bytes)));
    return String.join("; ", texts);
  }

  /** The files of a segment; what is added counts as one of a kind of columns. */
  private final class CountedFiles implements SegmentFileBuilder {
    private final String kind;
    private final SegmentFileBuilder files;

    private CountedFiles(String kind, SegmentFileBuilder files) {
      this.kind = kind;
      this.files = files;
    }

    private void count(long bytes) {
      SegmentSummary.this.add(kind, 0, bytes);
    }

    @Override
    public void addColumn(String name, ColumnDescriptor column) {
      files.addColumn(name, column);
    }

    @Override
    public void add(String name, File file) throws IOException {
      count(file.length());
      files.add(name, file);
    }

    @Override
    public void add(String name, ByteBuffer bytes) throws IOException {
      count(bytes.remaining());
      files.add(name, bytes);
    }

    @Override
    public SegmentFileChannel addWithChannel(String name, long size) throws IOException {
      count(size);
      return files.addWithChannel(name, size);
    }

    @Override
    public SegmentFileBuilder getExternalBuilder(String externalFile) {
      return new CountedFiles(kind, files.getExternalBuilder(externalFile));
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
