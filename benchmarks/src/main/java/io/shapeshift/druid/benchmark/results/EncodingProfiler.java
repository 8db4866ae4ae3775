// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.results;

import io.shapeshift.druid.tool.encoding.FormUsage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds the encoding's figures that a benchmark reports, above all its size, to the times, as JMH's secondary results.
 * It runs in the measuring JVM.
 */
public final class EncodingProfiler implements InternalProfiler {
  static final String ROWS = "rows";
  static final String SELECTED_ROWS = "selectedRows";
  static final String SIZE_IN_BYTES = "sizeInBytes";
  /** Number of distinct values of an indexed column, or of a dictionary. */
  static final String VALUES = "values";
  /** Size of the dictionary ids beside an index. */
  static final String ID_BYTES = "idBytes";
  /** Prefix of the name of a result. The name of a form follows, and the value is the number of chunks in this form. */
  static final String FORM = "form.";

  /** The last report of the benchmark. It is static because JMH creates the profiler and gives nobody a reference. */
  private static volatile List<ScalarResult> reported = List.of();

  /**
   * Reports on the benchmark that is being set up, for all its iterations.
   *
   * @param rows         rows of the column
   * @param selectedRows rows that one pass reads
   * @param sizeInBytes  size of the encoded rows
   * @param forms        chunks by name of the form
   */
  public static void report(long rows, long selectedRows, long sizeInBytes, Map<String, FormUsage> forms) {
    final List<ScalarResult> results = common(rows, selectedRows, sizeInBytes);
    forms.forEach((form, usage) -> results.add(result(FORM + form, usage.chunks(), "chunks")));
    reported = List.copyOf(results);
  }

  /**
   * Reports on the benchmark of an index that is being set up, for all its iterations.
   *
   * @param rows         rows of the column
   * @param values       its distinct values
   * @param selectedRows rows that match, the mean of all filters
   * @param indexBytes   size of the index, which is the size in results
   * @param idBytes      size of the dictionary ids beside it, of which it may make use
   */
  public static void reportIndex(long rows, long values, long selectedRows, long indexBytes, long idBytes) {
    final List<ScalarResult> results = common(rows, selectedRows, indexBytes);
    results.add(result(VALUES, (double) values, "values"));
    results.add(result(ID_BYTES, (double) idBytes, "B"));
    reported = List.copyOf(results);
  }

  /**
   * Reports on the benchmark of a dictionary that is being set up, for all its iterations.
   *
   * @param values         of the dictionary
   * @param selectedValues that one pass asks for or writes, which are the selected rows in results
   * @param sizeInBytes    size of the dictionary
   */
  public static void reportDictionary(long values, long selectedValues, long sizeInBytes) {
    final List<ScalarResult> results = common(values, selectedValues, sizeInBytes);
    results.add(result(VALUES, (double) values, "values"));
    reported = List.copyOf(results);
  }

  private static List<ScalarResult> common(long rows, long selectedRows, long sizeInBytes) {
    return new ArrayList<>(List.of(
        result(ROWS, (double) rows, "rows"),
        result(SELECTED_ROWS, (double) selectedRows, "rows"),
        result(SIZE_IN_BYTES, (double) sizeInBytes, "B")
    ));
  }

  private static ScalarResult result(String label, double value, String unit) {
    return new ScalarResult(label, value, unit, AggregationPolicy.MAX);
  }

  @Override
  public String getDescription() {
    return "size of the encoding, its forms and its rows";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmarkParams, IterationParams iterationParams) {}

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmarkParams,
      IterationParams iterationParams,
      IterationResult result
  ) {
    return reported;
  }
}
