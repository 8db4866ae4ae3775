// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import com.google.common.collect.Streams;
import io.shapeshift.druid.benchmark.Benchmarks;
import io.shapeshift.druid.benchmark.data.DataSets;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.ToolException;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.LineItem;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class QueriesCommandTest {
  private static final boolean EXHAUSTIVE = Boolean.getBoolean("shapeshift.exhaustive");
  private static final double SCALE = EXHAUSTIVE ? 0.003 : 0.001;
  /** Rows per segment; there are three segments, the last of which is smaller. */
  private static final int ROWS_PER_SEGMENT = EXHAUSTIVE ? 7_000 : 2_500;
  private static final int ROUNDS = EXHAUSTIVE ? 3 : 2;
  private static final Map<String, Double> SHARES =
      Map.of("-all", 1.0, "-tenth", 0.1, "-fiftieth", 0.02, "-hundredth", 0.01, "-thousandth", 0.001);
  private static final String SHAPE_SHIFTING = "shapeshift-fastbutsmallish";

  @TempDir
  private static Path data;
  private static Path lineitem;
  private static Path numbers;

  @TempDir
  private Path directory;
  private final StringWriter printed = new StringWriter();

  @BeforeAll
  static void makeData() {
    lineitem = QueriedTable.STRINGS.segments(SCALE, ROWS_PER_SEGMENT, data);
    numbers = QueriedTable.NUMBERS.segments(SCALE, ROWS_PER_SEGMENT, data);
  }

  private int run(String... args) {
    final PrintWriter writer = new PrintWriter(printed);
    return Benchmarks.commandLine().setOut(writer).setErr(writer).execute(args);
  }

  /** Runs the command on a small table, with more options. */
  private int queries(String... more) {
    final Map<String, String> options = new LinkedHashMap<>(Map.of(
        "--scale", String.valueOf(SCALE), "--rows-per-segment", String.valueOf(ROWS_PER_SEGMENT),
        "--data", data.toString(), "--results", results().toString(), "--jvms", "1", "--warmups", "0",
        "--rounds", String.valueOf(ROUNDS), "--table", "strings"
    ));
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    final List<String> args = new ArrayList<>(List.of("queries"));
    options.forEach((name, value) -> args.addAll(List.of(name, value)));
    return run(args.toArray(String[]::new));
  }

  private Path results() {
    return directory.resolve("results");
  }

  /** Reads a CSV result as rows by column name. */
  private List<Map<String, String>> csv(String name) throws IOException {
    final List<List<String>> lines = Files.readAllLines(results().resolve(name)).stream()
        .map(line -> Splitter.on(',').splitToList(line))
        .toList();
    final List<Map<String, String>> rows = new ArrayList<>();
    for (List<String> line : lines.subList(1, lines.size())) {
      assertEquals(lines.get(0).size(), line.size(), line.toString());
      final Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < line.size(); i++) {
        row.put(lines.get(0).get(i), line.get(i));
      }
      rows.add(row);
    }
    return rows;
  }

  private static double number(Map<String, String> row, String column) {
    return Double.parseDouble(row.get(column));
  }

  @ParameterizedTest
  @EnumSource
  void theQueriesOfATableAreComparedInJvmsOfTheirOwn(QueriedTable table) throws IOException {
    final List<String> names = table.queries();
    final int jvms = table == QueriedTable.NUMBERS ? 2 : 1;
    assertEquals(
        ExitCode.OK,
        queries("--table", table.toString(), "--jvms", "" + jvms, "--profile", EXHAUSTIVE ? "0.1" : "0"),
        printed::toString
    );
    assertTrue(printed.toString().contains("All results are the same"), printed.toString());
    final Set<String> files = new HashSet<>(Set.of("queries.csv", "query-rounds.csv", "run.json"));
    if (EXHAUSTIVE) {
      files.add("query-profile.csv");
      assertProfile();
    }
    assertEquals(files, names(results()));

    final List<LineItem> rows = rows();
    final List<Map<String, String>> summary = csv("queries.csv");
    assertEquals(names.size() * 2, summary.size());
    int filters = 0;
    int telling = 0;
    for (int i = 0; i < summary.size(); i++) {
      final Map<String, String> row = summary.get(i);
      assertEquals(names.get(i / 2), row.get("query"));
      assertEquals(i % 2 == 0 ? "druid-lz4" : SHAPE_SHIFTING, row.get("encoding"));
      assertEquals(3, number(row, "segments"));
      assertEquals(rows.size(), number(row, "rows"));
      assertEquals(jvms, number(row, "jvms"));
      assertEquals(jvms * ROUNDS, number(row, "rounds"));
      assertTrue(number(row, "nanosMin") > 0, row.toString());
      assertTrue(number(row, "nanosMin") <= number(row, "nanosMedian"), row.toString());
      assertTrue(number(row, "nanosMedian") <= number(row, "nanosMax"), row.toString());
      if (i % 2 == 0) {
        assertEquals("", row.get("speedup"));
      } else {
        assertTrue(number(row, "speedupLow") <= number(row, "speedup"), row.toString());
        assertTrue(number(row, "speedup") <= number(row, "speedupHigh"), row.toString());
      }
      final double share = number(row, "selectedRows") / number(row, "rows");
      final String query = row.get("query");
      if (query.startsWith("filter-")) {
        // In a table as small as this one some filters match all rows, or none.
        filters++;
        telling += share > 0 && share < 1 ? 1 : 0;
      } else {
        // The names give the shares at any scale.
        final double wanted = SHARES.get(query.substring(query.lastIndexOf('-')));
        assertTrue(share >= wanted / 2 && share <= wanted * 2, row::toString);
      }
    }
    assertTrue(telling >= filters / 2, telling + " of " + filters + " filters find some rows, and not all");
    assertTrue(number(summary.get(0), "sizeInBytes") > number(summary.get(1), "sizeInBytes"), summary::toString);

    final List<Map<String, String>> times = csv("query-rounds.csv");
    assertEquals(jvms * ROUNDS * names.size() * 2, times.size());
    assertEquals(times.size(), new HashSet<>(times.stream().map(
        row -> List.of(row.get("jvm"), row.get("round"), row.get("query"), row.get("encoding"))
    ).toList()).size());
    final int pairs = times.size() / 2;
    final long first =
        IntStream.range(0, pairs).filter(i -> times.get(2 * i).get("encoding").equals(SHAPE_SHIFTING)).count();
    assertTrue(first > pairs / 4 && first < pairs * 3 / 4, "ours is first in " + first + " of " + pairs);

    final JsonNode run = new ObjectMapper().readTree(results().resolve("run.json").toFile());
    assertEquals("queries", run.path("suite").asText());
    assertTrue(run.path("jvm").path("options").toString().contains("-Xmx"), run.toString());
    // Converted segments are deleted.
    assertEquals(Set.of(lineitem.getFileName().toString(), numbers.getFileName().toString()), names(data));
  }

  private void assertProfile() throws IOException {
    assertTrue(printed.toString().contains("id decompression %"), printed.toString());
    final Map<String, Double> shares = new HashMap<>();
    csv("query-profile.csv").forEach(
        row -> shares.merge(row.get("query") + row.get("encoding"), number(row, "share"), Double::sum)
    );
    assertFalse(shares.isEmpty());
    shares.forEach((query, share) -> assertEquals(1, share, 1e-3, query));
  }

  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return Set.copyOf(files.map(file -> file.getFileName().toString()).toList());
    }
  }

  private static List<LineItem> rows() {
    return Streams.stream(TpchTable.LINE_ITEM.createGenerator(SCALE, 1, 1)).toList();
  }

  @Test
  void ownQueriesOverOwnSegments() throws IOException {
    final Path own = Files.createDirectory(directory.resolve("own"));
    Files.writeString(own.resolve("year.json"), """
        {
          "queryType": "groupBy", "dataSource": "anything", "intervals": ["1994-01-01/1995-01-01"],
          "granularity": "year", "virtualColumns": [
            {"type": "expression", "name": "mode", "expression": "lower(l_shipmode)", "outputType": "STRING"}
          ],
          "dimensions": ["mode"], "aggregations": [{"type": "doubleSum", "name": "sum", "fieldName": "extendedprice"}]
        }
        """);
    Files.writeString(own.resolve("README.txt"), "not a query");
    assertEquals(ExitCode.OK, queries(
        "--queries", own.toString(), "--segments", lineitem.toString(), "--threads", "2",
        "--encodings", "shapeshift-faster,shapeshift-smaller-small", "--profile", "0.3"
    ), printed::toString);
    assertEquals(Set.of("queries.csv", "query-rounds.csv", "query-profile.csv", "run.json"), names(results()));
    assertProfile();
    final List<Map<String, String>> summary = csv("queries.csv");
    assertEquals(
        List.of("druid-lz4", "shapeshift-faster", "shapeshift-smaller-small"),
        summary.stream().map(row -> row.get("encoding")).toList()
    );
    assertEquals("year", summary.get(0).get("query"));
    final double inYear = (double) rows().stream()
        .filter(row -> GenerateUtils.formatDate(row.getShipDate()).startsWith("1994"))
        .count();
    assertEquals(inYear, number(summary.get(0), "selectedRows"));
  }

  @Test
  void valuesForQueriesAreTakenFromTheData() throws IOException {
    final List<String> keys;
    try (DataSource source = DataSource.open("druid-lz4", lineitem)) {
      assertEquals(
          rows().stream().map(LineItem::getShipMode).collect(Collectors.toSet()),
          Set.copyOf(source.values("l_shipmode", 1000))
      );
      assertEquals(1, source.values("l_comment", 1).size());
      // Null does not count as a value.
      assertEquals(
          Set.of("COLLECT COD", "DELIVER IN PERSON", "TAKE BACK RETURN"), Set.copyOf(source.values("shipinstruct", 9)));
      keys = source.values("l_orderkey", 100);
      assertEquals(keys, source.values("l_orderkey", 100));
      assertEquals(100, Set.copyOf(keys).size());
      // The values come from rows of each segment.
      final Set<String> first = new HashSet<>(rows().stream()
          .map(row -> GenerateUtils.formatDate(row.getShipDate()))
          .sorted().limit(ROWS_PER_SEGMENT).toList());
      final List<String> dates = source.values("l_shipdate", 20);
      assertEquals(20, dates.size());
      assertEquals(20.0 * ROWS_PER_SEGMENT / rows().size(), (double) dates.stream().filter(first::contains).count(), 1);
      assertThrows(ToolException.class, () -> source.values("quantity", 1));
      assertThrows(ToolException.class, () -> source.values("l_nothing", 1));
    }
    final Path own = Files.createDirectory(directory.resolve("own"));
    Files.writeString(own.resolve("keys.json"), """
        {
          "queryType": "scan", "dataSource": "anything", "intervals": ["1992-01-01/1999-01-01"],
          "filter": {
            "type": "inType", "column": "l_orderkey", "matchValueType": "STRING", "values": ["${100 of l_orderkey}"]
          },
          "columns": ["l_orderkey"]
        }
        """);
    assertEquals(
        ExitCode.OK,
        queries("--queries", own.toString(), "--rounds", "1", "--encodings", "shapeshift-faster"),
        printed::toString
    );
    final Set<Long> wanted = keys.stream().map(Long::valueOf).collect(Collectors.toSet());
    final double selected = rows().stream().filter(row -> wanted.contains(row.getOrderKey())).count();
    assertEquals(selected, number(csv("queries.csv").get(0), "selectedRows"));
  }

  static Stream<Arguments> wrongQueries() {
    final String scan = "{\"queryType\": \"scan\", \"intervals\": [\"1992-01-01/1999-01-01\"], \"dataSource\": ";
    return Stream.of(
        Arguments.of("{\n\"queryType\": ", "wrong.json, line 2: this is no native query: Unexpected end-of-input"),
        Arguments.of("{\"queryType\": \"groupby\"}", "Could not resolve type id 'groupby'"),
        Arguments.of(scan + "\"a\", \"filters\": {}}", "Unrecognized field \"filters\""),
        Arguments.of("null", "this is no query of groupBy, scan, search, timeseries, topN"),
        Arguments.of("{\"queryType\": \"timeBoundary\", \"dataSource\": \"a\"}", "this is no query of groupBy"),
        Arguments.of(
            scan + "{\"type\": \"query\", \"query\": " + scan + "\"a\"}}}",
            "its data source is no table"
        ),
        Arguments.of(
            scan + "\"a\", \"columns\": [\"l_shipmode\", \"l_nothing\"]}",
            "query wrong: there is no column l_nothing. There are __time, discount, "
        )
    );
  }

  @ParameterizedTest
  @MethodSource("wrongQueries")
  void aWrongQueryIsRefused(String query, String message) throws IOException {
    final Path own = Files.createDirectory(directory.resolve("own"));
    Files.writeString(own.resolve("wrong.json"), query);
    assertEquals(ExitCode.FAILED, queries("--queries", own.toString()), printed::toString);
    assertTrue(printed.toString().contains(message), printed.toString());
    assertEquals(1, printed.toString().lines().filter(line -> line.startsWith("benchmarks: ")).count());
    assertFalse(Files.exists(results().resolve("run.json")));
  }

  @Test
  void aQueryThatDruidRefusesEndsIt() throws IOException {
    final Path own = Files.createDirectory(directory.resolve("own"));
    Files.writeString(own.resolve("wrong.json"), """
        {
          "queryType": "groupBy", "dataSource": "a", "intervals": ["1992-01-01/1999-01-01"], "granularity": "all",
          "dimensions": [{"type": "extraction", "dimension": "l_shipmode", "extractionFn": {"type": "strlen"}}],
          "context": {"vectorize": "force"}
        }
        """);
    assertEquals(ExitCode.FAILED, queries("--queries", own.toString()));
    assertEquals(
        ExitCode.FAILED,
        jvm(new Job.Stored("druid-lz4", lineitem.toString()), new Job.Stored("x", lineitem.toString()), own.toString())
    );
    assertTrue(
        printed.toString().contains("query wrong: Druid cannot answer it over druid-lz4: Cannot vectorize!"),
        printed::toString
    );
  }

  @Test
  void aDifferenceInTheResultsIsAnError() {
    final Path other = DataSets.tpchStrings("lineitem", SCALE / 2, ROWS_PER_SEGMENT, directory);
    assertEquals(
        ExitCode.FAILED,
        jvm(new Job.Stored("druid-lz4", lineitem.toString()), new Job.Stored("x", other.toString()), null)
    );
    assertTrue(
        printed.toString().contains("query groupBy-shipmode-all: of x result 0 is ["),
        printed::toString
    );
  }

  /** Measures in this JVM. */
  private int jvm(Job.Stored baseline, Job.Stored other, String queries) {
    final Path job = directory.resolve("job.json");
    try {
      new ObjectMapper().writeValue(
          job.toFile(),
          new Job(List.of(baseline, other), queries, QueriedTable.STRINGS, "", 1, 0, 1, 0)
      );
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return run(QueriesJvmCommand.NAME, job.toString(), directory.resolve("measured.json").toString());
  }

  @ParameterizedTest
  @MethodSource("wrongOptions")
  void wrongOptionsAreRefused(List<String> options, String message) {
    assertEquals(ExitCode.USAGE, queries(options.toArray(String[]::new)));
    assertTrue(printed.toString().contains(message), printed.toString());
    assertFalse(Files.exists(results()));
  }

  static Stream<Arguments> wrongOptions() {
    return Stream.of(
        Arguments.of(List.of("--rounds", "0"), "--rounds is 0: it must be 1 or more"),
        Arguments.of(List.of("--warmups", "-1"), "--warmups is -1"),
        Arguments.of(List.of("--scale", "0"), "--scale is 0.0"),
        Arguments.of(List.of("--profile", "-1"), "--profile is -1.0"),
        Arguments.of(List.of("--encodings", "shapeshift"), "There is no encoding shapeshift."),
        Arguments.of(List.of("--table", "dates"), "Invalid value for option '--table'"),
        Arguments.of(List.of("--segments", "x"), "--segments needs --queries")
    );
  }

  @Test
  void whatIsNotThereIsSaid() throws IOException {
    assertEquals(ExitCode.FAILED, queries("--only", "nothing"));
    assertTrue(printed.toString().contains("nothing: there is no such query. There are groupBy-shipmode-all, "));
    final Path empty = Files.createDirectory(directory.resolve("empty"));
    assertEquals(ExitCode.FAILED, queries("--queries", empty.toString()));
    assertTrue(printed.toString().contains(empty + ": there is no such query. Put queries there, as NAME.json"));
  }
}
