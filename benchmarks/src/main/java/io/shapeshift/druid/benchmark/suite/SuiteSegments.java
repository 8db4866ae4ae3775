// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.suite;

import com.google.common.base.Splitter;
import io.shapeshift.druid.benchmark.data.DataSets;
import io.shapeshift.druid.benchmark.data.SegmentColumns;
import io.shapeshift.druid.benchmark.results.BenchmarkName;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.tool.cli.ToolException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Replaces the names of real segments and columns in a suite: {@code wikiticker} and {@code tpch:TABLE:SCALE} by
 * segments, which are made unless the cache has them, and {@code *} by all columns of a benchmark's type.
 */
final class SuiteSegments {
  static final String SEGMENT = "segmentPath";
  static final String COLUMN = "columnName";
  private static final String ALL = "*";

  private final Path cache;
  private final List<String> ownSegments;
  private final List<String> ownColumns;
  private final Map<String, String> made = new LinkedHashMap<>();

  /**
   * Sets the sources of the segments.
   *
   * @param cache       where those are kept that are made
   * @param ownSegments segments in place of the suite's, with all their columns; empty for the suite's
   * @param ownColumns  only these of their columns; empty for all
   */
  SuiteSegments(Path cache, List<Path> ownSegments, List<String> ownColumns) {
    this.cache = cache;
    this.ownSegments = ownSegments.stream().map(Path::toString).toList();
    this.ownColumns = ownColumns;
  }

  /** Replaces names by paths, and leaves out benchmarks for which a segment has no columns. */
  Suite resolve(Suite suite) {
    final List<Grid> grids = new ArrayList<>();
    for (Grid grid : suite.grids()) {
      if (!grid.params().containsKey(SEGMENT)) {
        grids.add(grid);
        continue;
      }
      final List<String> segments =
          ownSegments.isEmpty() ? grid.params().get(SEGMENT).stream().map(this::path).toList() : ownSegments;
      for (String segment : segments) {
        for (String benchmark : grid.benchmarks()) {
          grids.add(withColumns(grid.of(benchmark).with(SEGMENT, List.of(segment)), benchmark, segment));
        }
      }
    }
    // Grids that become equal when they get the same segment are kept once.
    return suite.with(grids.stream().filter(grid -> grid.size() > 0).distinct().toList());
  }

  private String path(String name) {
    return made.computeIfAbsent(name, any -> {
      final List<String> parts = Splitter.on(':').splitToList(name);
      if (name.equals("wikiticker")) {
        return DataSets.wikiticker(cache).toString();
      }
      if (parts.size() == 3 && parts.get(0).equals("tpch")) {
        try {
          return DataSets.tpch(parts.get(1), Double.parseDouble(parts.get(2)), cache).toString();
        } catch (IllegalArgumentException e) {
          throw new ToolException(name, e.getMessage(), "Name tpch:TABLE:SCALE, as in tpch:lineitem:0.01", e);
        }
      }
      return name;
    });
  }

  private Grid withColumns(Grid grid, String benchmark, String segment) {
    final List<String> wanted = grid.params().getOrDefault(COLUMN, List.of(ALL));
    final List<String> names = SegmentColumns.names(segment, type(benchmark));
    if (ownSegments.isEmpty() && !wanted.contains(ALL)) {
      final List<String> missing = new ArrayList<>(wanted);
      missing.removeAll(names);
      if (!missing.isEmpty()) {
        throw new ToolException(
            segment,
            "it has no column " + String.join(", ", missing) + " for " + benchmark,
            "It has " + String.join(", ", names)
        );
      }
      return grid;
    }
    return grid.with(COLUMN, names.stream().filter(name -> ownColumns.isEmpty() || ownColumns.contains(name)).toList());
  }

  private static EncodedType type(String benchmark) {
    if (BenchmarkName.ofDictionaries(benchmark).isPresent()) {
      return EncodedType.INT;
    }
    return BenchmarkName.of(benchmark).map(BenchmarkName::type).orElseThrow(() ->
        new ToolException(benchmark, "it is no benchmark of columns, but has " + COLUMN, "See docs/benchmarks.md"));
  }

  /** Requested columns that none of the suite's grids has. */
  Collection<String> missingColumns(Suite resolved) {
    final List<String> missing = new ArrayList<>(ownColumns);
    resolved.grids().forEach(grid -> missing.removeAll(grid.params().getOrDefault(COLUMN, List.of())));
    return missing;
  }
}
