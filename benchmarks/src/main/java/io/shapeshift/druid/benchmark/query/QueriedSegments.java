// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.tool.convert.Conversion;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.SegmentLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.Segment;
import org.apache.druid.timeline.SegmentId;

/**
 * The segments of a data source as a Historical has them open: all of them the same files, under ids of their own.
 *
 * @param index       one of them
 * @param segments    all of them
 * @param sizeInBytes bytes of all files, once
 */
record QueriedSegments(QueryableIndex index, List<Segment> segments, long sizeInBytes) implements AutoCloseable {
  static final String DATA_SOURCE = "benchmark";

  /**
   * Opens a segment.
   *
   * @param count how many segments the data source is to have
   */
  static QueriedSegments open(Path directory, int count) {
    try {
      final QueryableIndex index = Druid.instance(IndexIO.class).loadIndex(directory.toFile());
      final List<Segment> segments = IntStream.range(0, count).<Segment>mapToObj(
          partition -> new QueryableIndexSegment(
              index,
              SegmentId.of(DATA_SOURCE, index.getDataInterval(), "version", partition)
          )
      ).toList();
      return new QueriedSegments(index, segments, FileUtils.sizeOfDirectory(directory.toFile()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a segment with its ids and numbers in another encoding, and all else of it byte for byte the same. */
  static void convert(io.shapeshift.druid.tool.segment.Segment source, RowEncoding encoding, Path out) {
    new Conversion(encoding, false).run(
        source.directory(),
        List.of(new SegmentLocation(source.directory())),
        out
    );
  }

  @Override
  public void close() {
    index.close();
  }
}
