// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.results;

import io.shapeshift.druid.tool.cli.Table;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** Table of the results of one benchmark class: parameters, sizes, and times of one pass in nanoseconds. */
final class ResultTable {
  private ResultTable() {}

  /**
   * A row for each result.
   *
   * @param results not empty, of one class
   */
  static Table of(List<RunResult> results) {
    final List<Map<String, Object>> rows = results.stream().map(ResultTable::row).toList();
    final Table table = new Table(rows.get(0).keySet().toArray(String[]::new));
    rows.forEach(row -> table.add(row.values().toArray()));
    return table;
  }

  /** Simple name of the class. */
  static String benchmark(RunResult result) {
    final String method = result.getParams().getBenchmark();
    final String className = method.substring(0, method.lastIndexOf('.'));
    return className.substring(className.lastIndexOf('.') + 1);
  }

  private static Map<String, Object> row(RunResult result) {
    final String benchmark = benchmark(result);
    return BenchmarkName.of(benchmark)
        .map(name -> columnRow(name, result))
        .or(() -> BenchmarkName.ofDictionaries(benchmark).map(name -> dictionaryRow(name, result)))
        .or(() -> BenchmarkName.taskOfIndexes(benchmark).map(task -> indexRow(task, result)))
        .orElseGet(() -> otherRow(result));
  }

  private static Map<String, Object> columnRow(BenchmarkName name, RunResult result) {
    final boolean isFilter = name.task().equals("filter");
    final Map<String, Object> row = new LinkedHashMap<>();
    row.put("benchmark", benchmark(result));
    row.put("type", name.types());
    row.put("task", name.task());
    row.put("source", name.source());
    if (name.source().equals("segments")) {
      final String segmentName = param(result, "segmentName");
      row.put("segment", segmentName.isEmpty() ? param(result, "segmentPath") : segmentName);
      row.put("column", param(result, "columnName"));
    } else {
      row.put("segment", "");
      row.put("column", param(result, "distribution"));
    }
    row.put("encoding", param(result, "encoding"));
    row.put("jvm", param(result, "jvm"));
    row.put("read", switch (name.task()) {
      case "select" -> read(result);
      case "filter" -> param(result, "order");
      default -> "";
    });
    row.put("selected", name.task().equals("encode") ? "" : param(result, "selected"));
    final long rows = secondary(result, EncodingProfiler.ROWS);
    row.put("rows", rows);
    final long selectedRows = secondary(result, EncodingProfiler.SELECTED_ROWS);
    row.put("selectedRows", selectedRows);
    row.put("sizeInBytes", secondary(result, EncodingProfiler.SIZE_IN_BYTES));
    row.put("forms", forms(result));
    putTimes(row, result, isFilter ? rows : selectedRows);
    return row;
  }

  private static Map<String, Object> dictionaryRow(BenchmarkName.OfDictionaries name, RunResult result) {
    final boolean isOfSegment = name.source().equals("segments");
    final Map<String, Object> row = new LinkedHashMap<>();
    row.put("benchmark", benchmark(result));
    row.put("task", name.task());
    row.put("source", name.source());
    row.put("segment", isOfSegment ? param(result, "segmentPath") : "");
    row.put("column", param(result, isOfSegment ? "columnName" : "texts"));
    row.put("values", secondary(result, EncodingProfiler.VALUES));
    row.put("operation", param(result, "operation"));
    row.put("encoding", param(result, "encoding"));
    row.put("jvm", param(result, "jvm"));
    final long selectedValues = secondary(result, EncodingProfiler.SELECTED_ROWS);
    row.put("selectedValues", selectedValues);
    row.put("sizeInBytes", secondary(result, EncodingProfiler.SIZE_IN_BYTES));
    putTimes(row, result, selectedValues);
    return row;
  }

  private static Map<String, Object> indexRow(String task, RunResult result) {
    final boolean isFilter = task.equals("filter");
    final Map<String, Object> row = new LinkedHashMap<>();
    row.put("benchmark", benchmark(result));
    row.put("task", task);
    row.put("shape", param(result, "shape"));
    row.put("values", secondary(result, EncodingProfiler.VALUES));
    row.put("filter", isFilter ? param(result, "filter") : "");
    row.put("read", isFilter ? param(result, "read") : "");
    row.put("encoding", param(result, "encoding"));
    row.put("jvm", param(result, "jvm"));
    final long rows = secondary(result, EncodingProfiler.ROWS);
    row.put("rows", rows);
    row.put("selectedRows", secondary(result, EncodingProfiler.SELECTED_ROWS));
    row.put("sizeInBytes", secondary(result, EncodingProfiler.SIZE_IN_BYTES));
    row.put("idBytes", secondary(result, EncodingProfiler.ID_BYTES));
    putTimes(row, result, rows);
    return row;
  }

  /** Row of a benchmark that no suite has: its parameters, and the time of one pass. */
  private static Map<String, Object> otherRow(RunResult result) {
    final Map<String, Object> row = new LinkedHashMap<>();
    row.put("benchmark", benchmark(result));
    result.getParams().getParamsKeys().forEach(param -> row.put(param, param(result, param)));
    putTimes(row, result, 1);
    row.remove("nanosPerRow");
    return row;
  }

  /** Returns the kind of read. Vector reads of a share of the rows are reads by position. */
  private static String read(RunResult result) {
    final String read = param(result, "read");
    return read.equals("vector") && !param(result, "selected").equals("scan") ? "positions" : read;
  }

  private static String forms(RunResult result) {
    return result.getSecondaryResults().keySet().stream()
        .filter(label -> label.startsWith(EncodingProfiler.FORM))
        .sorted()
        .map(label -> label.substring(EncodingProfiler.FORM.length()) + " " + secondary(result, label))
        .collect(Collectors.joining("; "));
  }

  private static void putTimes(Map<String, Object> row, RunResult result, long rows) {
    final double[] times = result.getBenchmarkResults().stream()
        .map(BenchmarkResult::getIterationResults)
        .flatMap(Collection::stream)
        .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
        .sorted()
        .toArray();
    final int half = times.length / 2;
    final double median = times.length % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
    final Result<?> primary = result.getPrimaryResult();
    row.put("iterations", times.length);
    row.put("nanosMedian", median);
    row.put("nanosMin", times[0]);
    row.put("nanosMax", Arrays.stream(times).max().orElseThrow());
    row.put("nanosMean", primary.getScore());
    // JMH computes no error of very few iterations.
    row.put("nanosError", Double.isNaN(primary.getScoreError()) ? null : primary.getScoreError());
    row.put("nanosPerRow", median / rows);
  }

  private static String param(RunResult result, String name) {
    return result.getParams().getParam(name);
  }

  private static long secondary(RunResult result, String label) {
    return (long) result.getSecondaryResults().get(label).getScore();
  }
}
