// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/**
 * What the command has found, as programs read it.
 *
 * @param comparison of the results
 * @param again      of those measured again that may be slower; null if none was
 */
record Outcome(Comparison comparison, @Nullable Comparison again) {
  /** One if something is larger, or slower: for sure, and where it was measured again, that time. */
  int exitCode() {
    final Comparison last = again == null ? comparison : again;
    return comparison.pairs().stream().anyMatch(Pair::isLarger) || last.count(Verdict.SLOWER) > 0
           ? ExitCode.DIFFERENT
           : ExitCode.OK;
  }

  private record Json(
      Side old,
      @JsonProperty("new") Side now,
      double threshold,
      List<String> warnings,
      List<JsonPair> pairs,
      List<Comparison.Group> byBenchmark,
      List<Comparison.Group> byEncoding,
      List<BenchmarkKey> onlyOld,
      List<BenchmarkKey> onlyNew,
      @Nullable List<JsonPair> again
  ) {}

  private record Side(String path, @Nullable RunInfo run) {
    static Side of(Results results) {
      return new Side(results.path().toString(), results.run());
    }
  }

  private record JsonPair(
      String benchmark,
      String mode,
      Map<String, String> params,
      String verdict,
      Ratio ratio,
      double oldNanos,
      double newNanos,
      int oldForks,
      int newForks,
      @Nullable Long oldSizeInBytes,
      @Nullable Long newSizeInBytes
  ) {
    static List<JsonPair> of(Comparison comparison) {
      return comparison.pairs().stream().map(pair -> new JsonPair(
          pair.key().benchmark(),
          pair.key().mode(),
          pair.key().params(),
          pair.verdict().toString(),
          pair.ratio(),
          pair.old().nanos(),
          pair.now().nanos(),
          pair.before().forks().size(),
          pair.after().forks().size(),
          pair.before().sizeInBytes(),
          pair.after().sizeInBytes()
      )).toList();
    }
  }

  /** For Jackson. */
  Object json() {
    return new Json(
        Side.of(comparison.old()),
        Side.of(comparison.now()),
        comparison.threshold(),
        comparison.warnings(),
        JsonPair.of(comparison),
        comparison.byBenchmark(),
        comparison.byEncoding(),
        comparison.onlyOld(),
        comparison.onlyNew(),
        again == null ? null : JsonPair.of(again)
    );
  }

  /** One row for each pair; parameters are columns of their own. */
  Table csv() {
    final List<String> params = comparison.pairs().stream().flatMap(pair -> pair.key().params().keySet().stream())
                                          .distinct().sorted().toList();
    final Map<BenchmarkKey, Pair> measuredAgain =
        (again == null ? List.<Pair>of() : again.pairs()).stream()
                                                         .collect(Collectors.toMap(Pair::key, Function.identity()));
    final List<String> header = new ArrayList<>(List.of("benchmark", "mode"));
    params.forEach(param -> header.add("param." + param));
    header.addAll(List.of("verdict", "ratio", "ratioLow", "ratioHigh", "oldNanos", "newNanos", "oldForks", "newForks",
        "oldSizeInBytes", "newSizeInBytes", "verdictAgain", "ratioAgain", "ratioLowAgain", "ratioHighAgain"));
    final Table table = new Table(header.toArray(String[]::new));
    for (Pair pair : comparison.pairs()) {
      final List<Object> row = new ArrayList<>(List.of(pair.key().benchmark(), pair.key().mode()));
      params.forEach(param -> row.add(pair.key().params().get(param)));
      addVerdict(row, pair);
      row.addAll(List.of(pair.old().nanos(), pair.now().nanos(), pair.before().forks().size(),
          pair.after().forks().size()));
      row.add(pair.before().sizeInBytes());
      row.add(pair.after().sizeInBytes());
      addVerdict(row, measuredAgain.get(pair.key()));
      table.add(row.toArray());
    }
    return table;
  }

  private static void addVerdict(List<Object> row, @Nullable Pair pair) {
    row.add(pair == null ? null : pair.verdict());
    row.add(pair == null ? null : pair.ratio().value());
    row.add(pair == null ? null : pair.ratio().low());
    row.add(pair == null ? null : pair.ratio().high());
  }
}
