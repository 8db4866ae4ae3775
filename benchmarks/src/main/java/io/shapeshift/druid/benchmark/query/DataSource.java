// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.query.Query;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.Segment;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.timeline.SegmentId;

/**
 * Open segments of one encoding, ordered by time, as on a Historical.
 *
 * @param encoding    how ids and numbers are stored; the name of the data source
 * @param indexes     the opened files
 * @param segments    the same as segments of the data source
 * @param sizeInBytes of all files
 */
record DataSource(String encoding, List<QueryableIndex> indexes, List<Segment> segments, long sizeInBytes)
    implements AutoCloseable {
  /**
   * Opens all segments below a folder.
   *
   * @throws ToolException if there are none, or one cannot be read
   */
  static DataSource open(String encoding, Path folder) {
    final List<QueryableIndex> indexes = new ArrayList<>();
    final List<Segment> segments = new ArrayList<>();
    long size = 0;
    for (SegmentLocation location : SegmentLocation.find(List.of(folder))) {
      try {
        final QueryableIndex index = Druid.instance(IndexIO.class).loadIndex(location.path().toRealPath().toFile());
        // Partition numbers run through all segments, several of which may have the same interval.
        segments.add(new QueryableIndexSegment(
            index,
            SegmentId.of(encoding, index.getDataInterval(), "version", indexes.size())
        ));
        indexes.add(index);
        size += FileUtils.sizeOfDirectory(location.path().toFile());
      } catch (IOException e) {
        throw new ToolException(location.path().toString(), "it cannot be opened: " + e, "", e);
      }
    }
    return new DataSource(encoding, indexes, segments, size);
  }

  /** Directs a query to this data source. */
  <T> Query<T> of(Query<T> query) {
    return query.withDataSource(new TableDataSource(encoding));
  }

  /**
   * Distinct values of a column of strings, except null. They come from rows that are spread evenly over all segments,
   * so that frequent values come first. The same rows give the same values in every encoding.
   *
   * @param count how many; all there are if these are fewer
   * @throws ToolException if no segment has the column, or it is none of strings, one in each row
   */
  List<String> values(String column, int count) {
    final Set<String> values = new LinkedHashSet<>();
    final long stride = Math.max(1, rows() / count);
    try (Closer closer = Closer.create()) {
      final List<DictionaryEncodedColumn<?>> columns = new ArrayList<>();
      for (QueryableIndex index : indexes) {
        @Nullable final ColumnHolder holder = index.getColumnHolder(column);
        columns.add(holder == null ? null : closer.register(strings(column, holder)));
      }
      // The first pass begins in the middle of the first stride; each later pass takes the rows after those of the
      // previous one.
      for (long pass = 0; pass < stride && values.size() < count; pass++) {
        long row = (stride / 2 + pass) % stride;
        for (int i = 0; i < columns.size(); i++) {
          final int numRows = indexes.get(i).getNumRows();
          for (; row < numRows && values.size() < count; row += stride) {
            @Nullable final DictionaryEncodedColumn<?> ids = columns.get(i);
            @Nullable final Object value = ids == null ? null : ids.lookupName(ids.getSingleValueRow((int) row));
            if (value != null) {
              values.add((String) value);
            }
          }
          row -= numRows;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (values.isEmpty()) {
      throw new ToolException("column " + column, "it has no values for a query", "Name another in \"${N of COLUMN}\"");
    }
    return List.copyOf(values);
  }

  private static DictionaryEncodedColumn<?> strings(String name, ColumnHolder holder) {
    final ColumnCapabilities capabilities = holder.getCapabilities();
    if (!capabilities.is(ValueType.STRING) || capabilities.hasMultipleValues().isMaybeTrue()) {
      throw new ToolException(
          "column " + name,
          "it has no strings, one in each row",
          "Only such can be named in \"${N of COLUMN}\""
      );
    }
    return (DictionaryEncodedColumn<?>) holder.getColumn();
  }

  /** Rows of all segments. */
  long rows() {
    return indexes.stream().mapToLong(QueryableIndex::getNumRows).sum();
  }

  @Override
  public void close() {
    indexes.forEach(QueryableIndex::close);
  }
}
