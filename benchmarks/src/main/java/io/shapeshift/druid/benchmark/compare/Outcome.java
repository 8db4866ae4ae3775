// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.Table;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    final Table table = new Table(concat(
        Stream.of("benchmark", "mode"),
        params.stream().map(param -> "param." + param),
        Stream.of("verdict", "ratio", "ratioLow", "ratioHigh", "oldNanos", "newNanos", "oldForks", "newForks",
            "oldSizeInBytes", "newSizeInBytes", "verdictAgain", "ratioAgain", "ratioLowAgain", "ratioHighAgain")
    ).toArray(String[]::new));
    for (Pair pair : comparison.pairs()) {
      @Nullable final Pair second = measuredAgain.get(pair.key());
      table.add(concat(
          Stream.of(pair.key().benchmark(), pair.key().mode()),
          params.stream().map(pair.key().params()::get),
          Stream.of(pair.verdict(), pair.ratio().value(), pair.ratio().low(), pair.ratio().high(), pair.old().nanos(),
              pair.now().nanos(), pair.before().forks().size(), pair.after().forks().size(),
              pair.before().sizeInBytes(), pair.after().sizeInBytes()),
          second == null
          ? Stream.of(null, null, null, null)
          : Stream.of(second.verdict(), second.ratio().value(), second.ratio().low(), second.ratio().high())
      ).toArray());
    }
    return table;
  }

  @SafeVarargs
  private static Stream<Object> concat(Stream<? extends Object>... streams) {
    return Stream.of(streams).flatMap(Function.identity());
  }
}
