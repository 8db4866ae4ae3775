// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.shapeshift.druid.tool.cli.Numbers;
import io.shapeshift.druid.tool.cli.Table;
import io.shapeshift.druid.tool.segment.Segment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Summary of built segments, read back from them.
 *
 * @param input     file of the table
 * @param inputRows number of rows in the file
 * @param segments  segments in the order of their rows
 */
record BuildSummary(
    @JsonProperty("input") String input,
    @JsonProperty("inputRows") long inputRows,
    @JsonProperty("segments") List<Built> segments
) {
  /**
   * Built segment.
   *
   * @param path     directory of the segment
   * @param rows     number of rows after rollup
   * @param bytes    total size of its files
   * @param interval interval of its times, in ISO 8601
   * @param columns  columns in the segment's order; those of projections have the projection's name as a prefix
   */
  record Built(
      @JsonProperty("path") String path,
      @JsonProperty("rows") int rows,
      @JsonProperty("bytes") long bytes,
      @JsonProperty("interval") String interval,
      @JsonProperty("columns") List<Column> columns
  ) {}

  /**
   * Column of a segment.
   *
   * @param name  name of the column
   * @param type  Druid's name of the type
   * @param bytes total size of its files
   */
  record Column(
      @JsonProperty("name") String name,
      @JsonProperty("type") String type,
      @JsonProperty("bytes") long bytes
  ) {}

  /**
   * Reads the summary of segments.
   *
   * @param names     names of the segments' directories, relative to {@code out} and {@code segments}
   * @param out       final parent of the directories
   * @param segments  current parent of the directories
   */
  static BuildSummary of(Path input, long inputRows, List<String> names, Path out, Path segments) {
    final List<Built> built = new ArrayList<>();
    for (String name : names) {
      try (Segment segment = Segment.open(segments.resolve(name))) {
        built.add(new Built(
            out.resolve(name).toString(),
            segment.numRows(),
            segment.sizeInBytes(),
            segment.interval().toString(),
            segment.columns().stream()
                .map(column -> new Column(column.displayName(), column.type(), column.sizeInBytes()))
                .toList()
        ));
      }
    }
    return new BuildSummary(input.toString(), inputRows, built);
  }

  /** Formats the summary for people. */
  String text() {
    final Table segmentTable = new Table("segment", "rows", "bytes", "interval");
    segments.forEach(segment -> segmentTable.add(segment.path, segment.rows, segment.bytes, segment.interval));
    final Map<String, Column> columns = new LinkedHashMap<>();
    for (Built segment : segments) {
      for (Column column : segment.columns) {
        columns.merge(column.name, column, (a, b) -> new Column(a.name, a.type, a.bytes + b.bytes));
      }
    }
    final Table columnTable = new Table("column", "type", "bytes");
    columns.values().forEach(column -> columnTable.add(column.name, column.type, column.bytes));
    return Numbers.text(inputRows) + (inputRows == 1 ? " row" : " rows") + " of " + input
        + System.lineSeparator() + System.lineSeparator()
        + segmentTable.toText() + System.lineSeparator() + columnTable.toText();
  }

  /** Formats the summary for programs, with one row per segment and column. */
  Table csv() {
    final Table table = new Table("segment", "rows", "column", "type", "bytes");
    for (Built segment : segments) {
      segment.columns.forEach(
          column -> table.add(segment.path, segment.rows, column.name, column.type, column.bytes)
      );
    }
    return table;
  }
}
