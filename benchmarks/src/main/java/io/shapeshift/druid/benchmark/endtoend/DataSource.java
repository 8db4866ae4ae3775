// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.endtoend;

import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.druid.query.Query;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.Segment;
import org.apache.druid.timeline.SegmentId;

/**
 * Segments of one encoding as a Historical has them open, ordered by time.
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
        // Numbered through, for there may be several of the same time.
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

  /** A query of this data source. */
  <T> Query<T> of(Query<T> query) {
    return query.withDataSource(new TableDataSource(encoding));
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
