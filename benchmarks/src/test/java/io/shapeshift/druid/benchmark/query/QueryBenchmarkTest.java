// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.numbers.NumberForm;
import io.shapeshift.druid.form.numbers.NumberForms;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.encoding.RowEncoding;
import io.shapeshift.druid.tool.encoding.RowEncodings;
import io.shapeshift.druid.tool.ingest.SegmentBuilder;
import io.shapeshift.druid.tool.segment.Druid;
import io.shapeshift.druid.tool.segment.Segment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.druid.query.Result;
import org.apache.druid.query.groupby.ResultRow;
import org.apache.druid.query.scan.ScanResultValue;
import org.apache.druid.query.timeseries.TimeseriesResultValue;
import org.apache.druid.query.topn.TopNResultValue;
import org.apache.druid.segment.IndexSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmark's queries, over edits of Wikipedia. */
@Tag("slow")
class QueryBenchmarkTest {
  private static final boolean EXHAUSTIVE = Boolean.getBoolean("shapeshift.exhaustive");
  /** Each build tries one in so many, the exhaustive tests all. */
  private static final int COMBINATIONS_TO_TRY = EXHAUSTIVE ? 1 : 7;
  /** More than one chunk. */
  private static final int ROWS = 17_000;
  /** Some columns, since they are written and compared hundreds of times. */
  private static final List<String> COLUMNS = List.of("time", "channel", "user", "isRobot", "added");
  private static final int SEGMENTS = 2;
  private static final List<String> ENCODINGS =
      RowEncodings.all(BlockSize.LARGE).stream().map(RowEncoding::name).toList();

  @TempDir
  private static Path folder;
  private static Path wikiticker;

  @BeforeAll
  static void build() throws IOException {
    final Path input = folder.resolve("wikiticker.json");
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
        new GZIPInputStream(
            QueryBenchmarkTest.class.getResourceAsStream("/wikipedia/wikiticker-2015-09-12-sampled.json.gz")
        ),
        StandardCharsets.UTF_8
    ))) {
      Files.write(input, lines.lines().limit(ROWS).map(QueryBenchmarkTest::retainColumns).toList());
    }
    wikiticker = folder.resolve("wikiticker");
    SegmentBuilder.build(input, "time", IndexSpec.getDefault(), wikiticker);
  }

  private static String retainColumns(String line) {
    try {
      return ((ObjectNode) Druid.json().readTree(line)).retain(COLUMNS).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static QueryBenchmark benchmark() {
    final QueryBenchmark benchmark = new QueryBenchmark();
    benchmark.segmentPath = wikiticker.toString();
    benchmark.encoding = "druid-lz4";
    benchmark.query = "groupBy";
    benchmark.selected = 1;
    benchmark.vectorize = true;
    benchmark.threads = 1;
    benchmark.jvm = "fresh";
    benchmark.dimension = "";
    benchmark.metric = "";
    benchmark.segments = SEGMENTS;
    return benchmark;
  }

  /** Rows that a result is made of. */
  private static long rows(Object result) {
    if (result instanceof ResultRow row) {
      return (Long) row.get(1);
    }
    if (result instanceof ScanResultValue scanned) {
      return ((Collection<?>) scanned.getEvents()).size();
    }
    final Object value = ((Result<?>) result).getValue();
    return value instanceof TimeseriesResultValue timeseries
           ? timeseries.getLongMetric(QueryType.COUNT)
           : ((TopNResultValue) value).getValue().stream().mapToLong(top -> top.getLongMetric(QueryType.COUNT)).sum();
  }

  private static List<?> comparable(Object result) {
    return result instanceof ScanResultValue scanned ? (List<?>) scanned.getEvents() : List.of(result);
  }

  @ParameterizedTest
  @ValueSource(strings = {"groupBy", "topN", "timeseries", "scan"})
  void resultsAreTheSameHoweverTheyAreFound(String query) {
    int combination = 0;
    for (double selected : new double[]{1, 0.1, 0.01, 0.001}) {
      List<Object> expected = null;
      long expectedRows = 0;
      for (String encoding : ENCODINGS) {
        for (boolean vectorize : new boolean[]{true, false}) {
          // One thread is as good as two for all but one encoding of each kind.
          for (int threads = 1; threads <= (encoding.matches("druid-lz4|.*smallish") ? 2 : 1); threads++) {
            // The first is what the others are compared with.
            if (combination++ % COMBINATIONS_TO_TRY != 0 && expected != null) {
              continue;
            }
            final QueryBenchmark benchmark = benchmark();
            benchmark.query = query;
            benchmark.encoding = encoding;
            benchmark.selected = selected;
            benchmark.vectorize = vectorize;
            benchmark.threads = threads;
            benchmark.setUp();
            final List<?> results = benchmark.results().toList();
            final List<Object> found = new ArrayList<>();
            results.forEach(result -> found.addAll(comparable(result)));
            final long rows = results.stream().mapToLong(QueryBenchmarkTest::rows).sum();
            final String how = query + " " + selected + " " + encoding + " " + vectorize + " " + threads;
            benchmark.tearDown();

            assertFalse(found.isEmpty(), how);
            expected = expected == null ? found : expected;
            assertEquals(expected, found, how);
            // The ten greatest groups are less than all.
            if (query.equals("topN")) {
              assertTrue(rows > 0 && rows <= benchmark.selectedRows(), how);
            } else {
              assertEquals(benchmark.selectedRows(), rows, how);
            }
            expectedRows = expectedRows == 0 ? rows : expectedRows;
            assertEquals(expectedRows, rows, how);
            assertEquals(SEGMENTS * ROWS, benchmark.rows(), how);
            final double share = (double) benchmark.selectedRows() / benchmark.rows();
            assertTrue(selected == 1 ? share == 1 : selected / 2 <= share && share <= selected * 2, how);
            assertEquals(vectorize && !query.equals("topN") && !query.equals("scan"), benchmark.isVectorized(), how);
          }
        }
      }
    }
  }

  @Test
  void theColumnsAreThoseThatCostMost() {
    try (Segment segment = Segment.open(wikiticker)) {
      final QueriedColumns chosen = QueriedColumns.choose(segment, "", "");
      assertEquals("channel", chosen.dimension());
      assertEquals("user", chosen.filtered());
      assertEquals(List.of("added"), chosen.sum().requiredFields());
      final QueriedColumns named = QueriedColumns.choose(segment, "user", "");
      assertEquals("user", named.dimension());
      assertEquals("channel", named.filtered());
      assertFails(
          wikiticker + ": there is no column added of the kind that dimension needs. Name one of [user, channel, "
              + "isRobot]",
          () -> QueriedColumns.choose(segment, "added", "")
      );
    }
  }

  private static void assertFails(String message, Executable executable) {
    assertEquals(message, assertThrows(ToolException.class, executable).getMessage());
  }

  @Test
  void whatCannotBeIsSaid() {
    final QueryBenchmark benchmark = benchmark();
    benchmark.segmentPath = "";
    assertFails("segmentPath: no segment is named. Name one: -p segmentPath=PATH", benchmark::setUp);
    assertFails(
        "query groupby: there is no such query. Name one of [groupBy, topN, timeseries, scan]",
        () -> QueryType.of("groupby")
    );
    try (QueriedSegments segments = QueriedSegments.open(wikiticker, 1)) {
      // Half of the edits are a robot's, or almost.
      assertFails(
          "column isRobot: its values cannot select a share of 0.01 of " + ROWS + " rows; those tried select 0. Leave "
              + "this share out, or name another column to group by, so that the filter is on another one",
          () -> RowFilter.of(segments.index(), "isRobot", 0.01)
      );
    }
  }

  @Test
  void aPollutedJvmHasSeenEveryFormAndWidth() {
    final Path original = folder.resolve("pollution");
    QueryPollution.write(original);
    final Set<String> forms = new TreeSet<>();
    final Set<String> formsOfNumbers = new TreeSet<>();
    final Set<Integer> widths = new TreeSet<>();
    try (Segment segment = Segment.open(original)) {
      for (String encoding : ENCODINGS.stream().filter(name -> name.startsWith("shapeshift")).toList()) {
        final Path converted = folder.resolve("pollution-" + encoding);
        QueriedSegments.convert(segment, RowEncodings.parse(encoding), converted);
        try (Segment read = Segment.open(converted)) {
          read.columns().stream().filter(column -> column.parts().isString()).forEach(column -> {
            forms.addAll(column.parts().rows().forms().keySet());
            widths.add((Integer.SIZE - Integer.numberOfLeadingZeros(column.parts().cardinality() - 1) + 7) / 8);
          });
          read.columns().stream().filter(column -> !column.parts().isString()).forEach(column ->
              formsOfNumbers.addAll(column.parts().rows().forms().keySet()));
        }
      }
    }
    // All that the two faster targets ever use but for ids of four bytes, which take more than 16 million values.
    final Set<String> expected =
        Set.of("bitpack", "constant", "delta", "dictionary", "lz4", "patched", "runend", "zero", "zstd");
    assertTrue(forms.containsAll(expected), forms::toString);
    assertEquals(Set.of(0, 1, 2, 3), widths);
    // Numbers in each of their frames, of which all forms have the same id, and such as have none.
    for (NumberType type : NumberType.values()) {
      for (Set<String> sameId : NumberForms.of(type).stream()
          .collect(Collectors.groupingBy(NumberForm::id, Collectors.mapping(NumberForm::name, Collectors.toSet())))
          .values()) {
        assertTrue(sameId.size() == 1 || !Collections.disjoint(sameId, formsOfNumbers), sameId::toString);
      }
    }
    assertTrue(formsOfNumbers.contains("split"), formsOfNumbers::toString);
  }

  /** In one encoding of Druid's and one of ours: all of them, as {@link #jmhRunsIt} has it, take many seconds. */
  @Test
  void aJvmIsPollutedByAllQueries() {
    final List<RowEncoding> encodings =
        Stream.of("druid-lz4", "shapeshift-fastbutsmallish").map(RowEncodings::parse).toList();
    try (Historical historical = new Historical(2);
         QueryPollution pollution = new QueryPollution(historical, encodings)) {
      final long first = pollution.results();
      assertTrue(first > 0);
      pollution.again();
      assertTrue(pollution.results() > first);
    }
  }

  @Test
  void jmhRunsIt() throws RunnerException {
    final Collection<RunResult> results = new Runner(
        new OptionsBuilder()
            .include(QueryBenchmark.class.getSimpleName())
            .param("segmentPath", wikiticker.toString())
            .param("encoding", "shapeshift-faster-small")
            .param("query", "groupBy")
            .param("selected", "0.01")
            .param("vectorize", "false")
            .param("threads", "2")
            .param("jvm", EXHAUSTIVE ? "polluted" : "fresh")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build()
    ).run();
    assertEquals(1, results.size());
  }
}
