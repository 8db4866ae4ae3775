// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.tool.cli.ToolException;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.jackson.AggregatorsModule;
import org.apache.druid.java.util.common.DateTimes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

/** Builds segments, reads them back as Druid does, and compares with the file. */
class BuildCommandTest {
  private static final String SALES = """
      ts,shop,item,price,count
      2020-01-01T10:00:00Z,Berlin,tea,2.50,3
      2020-01-01T10:30:00Z,Berlin,tea,1.5,1
      2020-01-01T11:00:00Z,Oslo,,3,
      2020-01-02 09:00:00,Berlin,"coffee, black",2,2
      """;

  @TempDir
  private Path directory;

  @AfterEach
  void nothingIsLeftBehind() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(), files.filter(file -> file.getFileName().toString().startsWith(".")).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 10})
  void columnsGetTheirTypesAndKeepTheirValues(int version) throws IOException {
    final Path out = build(SALES, "csv", "--timestamp", "ts", "--segment-version", String.valueOf(version));
    assertEquals(
        Map.of("shop", "STRING", "item", "STRING", "price", "DOUBLE", "count", "LONG"),
        Builds.types(out)
    );
    assertEquals(
        List.of(
            row("2020-01-01T10:00", "shop", "Berlin", "item", "tea", "price", 2.5, "count", 3L),
            row("2020-01-01T10:30", "shop", "Berlin", "item", "tea", "price", 1.5, "count", 1L),
            row("2020-01-01T11:00", "shop", "Oslo", "item", null, "price", 3.0, "count", null),
            row("2020-01-02T09:00", "shop", "Berlin", "item", "coffee, black", "price", 2.0, "count", 2L)
        ),
        Builds.rows(out)
    );
    try (Segment segment = Segment.open(out)) {
      assertEquals(version, segment.version());
      assertEquals("2020-01-01T10:00:00.000Z/2020-01-02T09:00:00.001Z", segment.interval().toString());
      assertTrue(segment.baseColumn("shop").isShapeShifting());
    }
  }

  /** As the Public BI benchmark ships its tables. */
  @Test
  void aTableIsReadWithItsSqlSchema() throws IOException {
    final String schema = Files.writeString(directory.resolve("t.table.sql"), """
        CREATE TABLE "Made_1"(
          "at" timestamp NOT NULL,
          "day (copy)" date,
          "good" boolean,
          "code" decimal(4, 0) NOT NULL,
          "price" decimal(5, 3),
          "n" smallint,
          "ratio" double,
          "text" varchar(20)
        );
        """).toString();
    final byte[] table = """
        2016-02-29 12:30:00.250000|2016-02-29|true|7|0.5|-3|1e+06|say "hi"
        2016-03-01 00:00:00.000000|null|false|1234|12.345|null|null|"a\\|b\\\\c\\d
        2016-03-01 00:00:00.000001|2016-03-01|null|0|null|0|-2.5|
        """.getBytes(StandardCharsets.UTF_8);
    final Path input = Files.write(directory.resolve("Made_1.csv.bz2"), Builds.compress("bz2", table));
    final Path out = directory.resolve("out");
    Builds.build(
        input, out,
        "--delimiter", "|", "--null", "null", "--schema", schema, "--timestamp", "at", "--type", "n=string"
    );
    assertEquals(
        List.of(
            row(
                "2016-02-29T12:30:00.250", "day (copy)", "2016-02-29", "good", "true", "code", 7L, "price", 0.5,
                "n", "-3", "ratio", 1e6, "text", "say \"hi\""
            ),
            row(
                "2016-03-01", "day (copy)", null, "good", "false", "code", 1234L, "price", 12.345,
                "n", null, "ratio", null, "text", "\"a|b\\c\\d"
            ),
            row(
                "2016-03-01", "day (copy)", "2016-03-01", "good", null, "code", 0L, "price", null,
                "n", "0", "ratio", -2.5, "text", ""
            )
        ),
        Builds.rows(out)
    );
  }

  /** As TPC-H's generator writes its tables. */
  @Test
  void aDelimiterMayEndTheLine() throws IOException {
    final String schema = Files.writeString(
        directory.resolve("t.sql"),
        "CREATE TABLE REGION (R_REGIONKEY INTEGER NOT NULL, R_NAME CHAR(25) NOT NULL, R_COMMENT VARCHAR(152));"
    ).toString();
    final Path out = build("0|AFRICA|\"even\"|\n1|ASIA||\n", "tbl", "--no-timestamp", "--schema", schema);
    assertEquals(
        List.of(
            row("1970-01-01", "R_REGIONKEY", 0L, "R_NAME", "AFRICA", "R_COMMENT", "\"even\""),
            row("1970-01-01T00:00:00.001", "R_REGIONKEY", 1L, "R_NAME", "ASIA", "R_COMMENT", null)
        ),
        Builds.rows(out)
    );
  }

  @Test
  void aQuotedTableMayHaveASqlSchema() throws IOException {
    final String schema = Files.writeString(directory.resolve("t.sql"), "create table t (a text, b int)").toString();
    final Path out = build("\"x,y\",1\n", "csv", "--no-timestamp", "--schema", schema, "--format", "csv");
    assertEquals(List.of(row("1970-01-01", "a", "x,y", "b", 1L)), Builds.rows(out));
  }

  /** Numbers are milliseconds, as Druid's {@code auto} has it, however few they are; but that is said. */
  @ParameterizedTest
  @CsvSource({
      "1600000000, auto, true", "1600000000, millis, false", "1600000000, posix, false", "1600000000000, auto, false",
      "1969-12-31T00:00:00Z, auto, false", "1970-01-02T00:00:00Z, iso, false", "1970-01-02T00:00:00Z, auto, false",
  })
  void secondsThatAreTakenForMillisecondsAreTold(String time, String format, boolean isTold) throws IOException {
    final Path table = Files.writeString(directory.resolve("times.csv"), "ts,x\n" + time + ",1\n");
    final StringWriter warnings = new StringWriter();
    Builds.build(
        warnings, table, directory.resolve("out"), "--timestamp", "ts", "--timestamp-format", format);
    final String told = warnings.toString();
    assertEquals(isTold, told.contains("column 'ts' are of the first weeks of 1970"), told);
    assertEquals(isTold, !told.isEmpty());
  }

  /** Druid's own parser takes the sign in CSV for that of a year. */
  @ParameterizedTest
  @CsvSource({
      "-86400000, auto, 1969-12-31", "-86400000, millis, 1969-12-31", "-86400, posix, 1969-12-31",
      "1600000000.0, posix, 2020-09-13T12:26:40", "1.6e9, posix, 2020-09-13T12:26:40",
      "1600000000.25, ruby, 2020-09-13T12:26:40.250", "1600000000000.75, millis, 2020-09-13T12:26:40",
      "1600000000000000, micro, 2020-09-13T12:26:40", "1600000000000, auto, 2020-09-13T12:26:40",
  })
  void timesMeanTheSameInAllFormats(String time, String format, String asRead) throws IOException {
    final List<Object> expected = List.of(DateTimes.of(asRead).getMillis());
    final String[] options = {"--timestamp", "ts", "--timestamp-format", format};
    assertEquals(expected, Builds.values(build("ts,x\n" + time + ",1\n", "csv", options), "__time"));
    assertEquals(expected, Builds.values(build("{\"ts\": " + time + ", \"x\": 1}\n", "json", options), "__time"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
      "1600000000000000; auto; shapeshift: the first time in column 'ts' was read as 52671-12-25T12:26:40.000Z by "
          + "format 'auto', which takes numbers for milliseconds. It would be 2020-09-13T12:26:40.000Z with "
          + "--timestamp-format micro",
      "1600000000000; posix; shapeshift: the first time in column 'ts' was read as 52671-12-25T12:26:40.000Z by format "
          + "'posix'. It would be 2020-09-13T12:26:40.000Z with --timestamp-format millis",
      "16000000000000000; millis; shapeshift: the first time in column 'ts' was read as 508989-10-25T04:26:40.000Z by "
          + "format 'millis'. If that is wrong, give --timestamp-format",
      "1815-12-10; auto; shapeshift: the first time in column 'ts' was read as 1815-12-10T00:00:00.000Z by format "
          + "'auto'. If that is wrong, give --timestamp-format",
      "-5000000000000; auto; shapeshift: the first time in column 'ts' was read as 1811-07-23T15:06:40.000Z by format "
          + "'auto', which takes numbers for milliseconds. If that is wrong, give --timestamp-format",
      "1815-12-10; iso; shapeshift: the first time in column 'ts' was read as 1815-12-10T00:00:00.000Z by format "
          + "'iso'. If that is wrong, give --timestamp-format",
      "1900-01-01; auto; ''", "2200-12-31; auto; ''",
  })
  void unusualTimesAreTold(String time, String format, String warning) throws IOException {
    final Path table = Files.writeString(directory.resolve("times.csv"), "ts,x\n" + time + ",1\n");
    final StringWriter warnings = new StringWriter();
    Builds.build(
        warnings, table, directory.resolve("out"), "--timestamp", "ts", "--timestamp-format", format);
    assertEquals(warning, warnings.toString().strip());
  }

  @Test
  void namesWithCommasCanBeSaid() throws IOException {
    final Path out = build(
        "1,2\n", "csv", "--no-timestamp", "--columns", "\"a,\"\"b\"\"\",c", "--segment-version", "10");
    assertEquals(List.of(row("1970-01-01", "a,\"b\"", 1L, "c", 2L)), Builds.rows(out));
  }

  /** Each is stored, or refused in one line: an exception of another class would end in a stack trace. */
  @Test
  void allAggregatorsOfTheCoreAreBuiltOrRefused() throws IOException {
    final List<String> refused = new ArrayList<>();
    for (JsonSubTypes.Type type
        : AggregatorsModule.AggregatorFactoryMixin.class.getAnnotation(JsonSubTypes.class).value()) {
      try {
        final Path out = build(
            "load\n1\n\n2\n", "csv", "--no-timestamp", "--max-rows-in-memory", "1", "--metric",
            type.name().equals("count") ? "m=count" : "m=" + type.name() + ":load"
        );
        assertEquals(3, Builds.values(out, "m").size(), type.name());
      } catch (ToolException | ParameterException e) {
        assertEquals(1, e.getMessage().lines().count(), e.getMessage());
        refused.add(type.name());
      }
    }
    assertEquals(
        List.of(
            "javascript", "histogram", "cardinality", "filtered", "stringFirstFold", "doubleMean", "stringLastFold",
            "stringAny", "grouping", "expression", "singleValue"
        ),
        refused
    );
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "{'type': 'cardinality', 'name': 'm', 'fields': ['load']}",
      "{'type': 'grouping', 'name': 'm', 'groupings': ['load']}",
      "{'type': 'singleValue', 'name': 'm', 'fieldName': 'load', 'columnType': 'LONG'}",
      "{'type': 'expression', 'name': 'm', 'fields': ['load'], 'initialValue': '0', 'fold': '__acc + load', "
          + "'combine': '__acc + m'}",
      "{'type': 'expression', 'name': 'm', 'fields': ['load'], 'initialValue': '[]', 'fold': 'array_append(__acc, "
          + "load)', 'combine': 'array_concat(__acc, m)'}",
      "{'type': 'filtered', 'name': 'm', 'filter': {'type': 'selector', 'dimension': 'load', 'value': '1'}, "
          + "'aggregator': {'type': 'longSum', 'name': 'm', 'fieldName': 'load'}}",
      "{'type': 'filtered', 'name': 'm', 'filter': {'type': 'selector', 'dimension': 'load', 'value': '1'}, "
          + "'aggregator': {'type': 'doubleMean', 'name': 'm', 'fieldName': 'load'}}",
      "{'type': 'stringFirst', 'name': 'm', 'fieldName': 'load', 'timeColumn': 'load', 'maxStringBytes': 8}",
  })
  void aggregatorsInJsonAreBuiltOrRefused(String json) throws IOException {
    try {
      final Path out = build(
          "load\n1\n\n2\n", "csv", "--no-timestamp", "--max-rows-in-memory", "1", "--metric", json.replace('\'', '"'));
      assertEquals(3, Builds.values(out, "m").size());
    } catch (ToolException | ParameterException e) {
      assertEquals(1, e.getMessage().lines().count(), e.getMessage());
    }
  }

  @Test
  void numbersBeyondALongAreKept() throws IOException {
    final String number = "18446744073709551617";
    final Path out = build(
        "{\"s\": N, \"d\": N, \"m\": N, \"i\": 18446744073709551616}\n".replace("N", number), "json", "--no-timestamp",
        "--type", "d=double", "--metric", "sum=doubleSum:m"
    );
    assertEquals(
        List.of(row("1970-01-01", "s", number, "d", 0x1p64, "sum", 0x1p64, "i", 0x1p64)),
        Builds.rows(out)
    );
  }

  @Test
  void version10HasColumnsOfAnyName() throws IOException {
    final Path out = build(
        "{\"a,b\": 1, \"c\\nd\": \"x\"}\n{\"a,b\": 2, \"c\\nd\": \"y\"}\n", "json", "--no-timestamp",
        "--segment-version", "10", "--max-rows-in-memory", "1", "--metric", "m,n=longSum:a,b", "--type", "a,b=long"
    );
    assertEquals(
        List.of(
            row("1970-01-01", "a,b", 1L, "c\nd", "x", "m,n", 1L),
            row("1970-01-01T00:00:00.001", "a,b", 2L, "c\nd", "y", "m,n", 2L)
        ),
        Builds.rows(out)
    );
  }

  @Test
  void allColumnsCanBeStrings() throws IOException {
    final Path out = build(SALES, "csv", "--timestamp", "ts", "--types", "string", "--type", "count=float");
    assertEquals(
        Map.of("shop", "STRING", "item", "STRING", "price", "STRING", "count", "FLOAT"),
        Builds.types(out)
    );
    assertEquals(List.of("2.50", "1.5", "3", "2"), Builds.values(out, "price"));
    assertEquals(Arrays.asList(3f, 1f, null, 2f), Builds.values(out, "count"));
  }

  @Test
  void typesCanBeSaid() throws IOException {
    final Path out = build(
        "s,l,f,d,a,j,=\n1,2,3,4,5,\"{\"\"x\"\": [1, 2]}\",6\n,,,,,,\n", "csv", "--no-timestamp",
        "--type", "s=string", "--type", "l=LONG", "--type", "f=float", "--type", "d=double", "--type", "a=auto",
        "--type", "j=json", "--type", "==string"
    );
    assertEquals(
        Map.of(
            "s", "STRING", "l", "LONG", "f", "FLOAT", "d", "DOUBLE", "a", "LONG", "j", "COMPLEX<json>", "=", "STRING"
        ),
        Builds.types(out)
    );
    assertEquals(
        List.of(
            row(
                "1970-01-01",
                "s", "1", "l", 2L, "f", 3f, "d", 4.0, "a", 5L, "j", Map.of("x", List.of(1, 2)), "=", "6"
            ),
            row("1970-01-01T00:00:00.001", "s", null, "l", null, "f", null, "d", null, "a", null, "j", null, "=", null)
        ),
        normalized(Builds.rows(out))
    );
  }

  /** With arrays of nested values as lists. */
  private static List<Map<String, Object>> normalized(List<Map<String, Object>> rows) {
    rows.forEach(row -> row.computeIfPresent("j", (name, value) -> Map.of(
        "x",
        ((Map<?, ?>) value).get("x") instanceof Object[] array ? Arrays.asList(array) : ((Map<?, ?>) value).get("x")
    )));
    return rows;
  }

  @Test
  void jsonLinesNameTheirColumnsAsTheyLike() throws IOException {
    final Path out = build(
        """
        {"ts": 0, "a": 1, "tags": ["x", "y"]}
        {"ts": 1, "b": "x", "tags": "z", "a": 2.5}
        {"ts": 2, "c": true, "n": {"m": {"k": 1}}, "tags": []}
        """,
        "json", "--timestamp", "ts"
    );
    assertEquals(
        Map.of("a", "DOUBLE", "tags", "STRING", "b", "STRING", "c", "STRING", "n", "COMPLEX<json>"),
        Builds.types(out)
    );
    assertEquals(Arrays.asList(1.0, 2.5, null), Builds.values(out, "a"));
    assertEquals(Arrays.asList(List.of("x", "y"), "z", null), Builds.values(out, "tags"));
    assertEquals(Arrays.asList(null, "x", null), Builds.values(out, "b"));
    assertEquals(Arrays.asList(null, null, "true"), Builds.values(out, "c"));
    assertEquals(Arrays.asList(null, null, Map.of("m", Map.of("k", 1))), Builds.values(out, "n"));
  }

  @Test
  void integersTooLargeForALongAreStringsOrDoubles() throws IOException {
    final String big = "123456789012345678901";
    final Path out = build(
        "{\"s\": " + big + ", \"a\": " + big + ", \"j\": {\"x\": [" + big + ", 1]}}",
        "json", "--no-timestamp", "--type", "a=auto"
    );
    assertEquals(
        List.of(row(
            "1970-01-01",
            "s", big, "a", 1.2345678901234568e20, "j", Map.of("x", List.of(1.2345678901234568e20, 1))
        )),
        normalized(Builds.rows(out))
    );
  }

  @Test
  void multiValuesAreSplitAndSorted() throws IOException {
    final Path out = build("a,b\ny|x,1\nz,2\n", "csv", "--no-timestamp", "--list-delimiter", "|");
    assertEquals(List.of(List.of("x", "y"), "z"), Builds.values(out, "a"));
    assertEquals(List.of(1L, 2L), Builds.values(out, "b"));
  }

  @Test
  void timesOfAllFormatsAreRead() throws IOException {
    for (var format : new TreeMap<>(Map.of(
        "auto", "2020-02-29 12:00:00",
        "iso", "2020-02-29T12:00:00Z",
        "millis", "1582977600000",
        "posix", "1582977600",
        "dd.MM.yyyy HH'h'", "29.02.2020 12h"
    )).entrySet()) {
      final Path out = build(
          "t,x\n" + format.getValue() + ",1\n", "csv", "--timestamp", "t", "--timestamp-format", format.getKey()
      );
      assertEquals(List.of(row("2020-02-29T12:00", "x", 1L)), Builds.rows(out), format.getKey());
    }
  }

  @Test
  void timesBefore1970AreTimes() throws IOException {
    final Path out = build("t,x\n1815-12-10,1\n", "csv", "--timestamp", "t");
    assertEquals(List.of(row("1815-12-10", "x", 1L)), Builds.rows(out));
  }

  @Test
  void withoutATimestampRowsKeepTheirOrder() throws IOException {
    final List<Object> values = new ArrayList<>();
    IntStream.range(0, 1000).forEach(i -> values.add("v" + i % 37));
    Collections.shuffle(values, new Random(1));
    final StringBuilder text = new StringBuilder("v\n");
    values.forEach(value -> text.append(value).append('\n'));

    final Path out = build(text.toString(), "csv", "--no-timestamp", "--max-rows-in-memory", "97");
    assertEquals(values, Builds.values(out, "v"));
    assertEquals(longs(0, 1000), Builds.values(out, "__time"));
  }

  private static List<Object> longs(int start, int end) {
    return IntStream.range(start, end).mapToObj(i -> (Object) (long) i).toList();
  }

  @Test
  void severalSegmentsHaveConsecutiveRows() throws IOException {
    final StringBuilder text = new StringBuilder("v\n");
    IntStream.range(0, 25).forEach(i -> text.append(i * i).append('\n'));
    final Path out = build(text.toString(), "csv", "--no-timestamp", "--max-rows", "10");
    try (Stream<Path> segments = Files.list(out)) {
      assertEquals(List.of("0", "1", "2"), segments.map(s -> s.getFileName().toString()).sorted().toList());
    }
    for (int i = 0; i < 3; i++) {
      final Path segment = out.resolve(String.valueOf(i));
      final int end = Math.min(25, 10 * i + 10);
      assertEquals(longs(10 * i, end), Builds.values(segment, "__time"));
      assertEquals(
          IntStream.range(10 * i, end).mapToObj(n -> (Object) ((long) n * n)).toList(),
          Builds.values(segment, "v")
      );
    }
  }

  @Test
  void asManyRowsAsFillASegmentMakeOne() throws IOException {
    final Path out = build("v\n1\n2\n", "csv", "--no-timestamp", "--max-rows", "2");
    try (Stream<Path> segments = Files.list(out)) {
      assertEquals(List.of(out.resolve("0")), segments.toList());
    }
  }

  @Test
  void rowsAreRolledUpAlsoAcrossSpills() throws IOException {
    for (String rowsInMemory : List.of("1000", "1")) {
      final Path out = build(
          SALES, "csv", "--timestamp", "ts", "--rollup", "--query-granularity", "day", "--max-rows-in-memory",
          rowsInMemory, "--metric", "count", "--metric", "price=doubleSum:price", "--metric",
          "{\"type\": \"longMax\", \"name\": \"most\", \"fieldName\": \"count\"}", "--type", "item=string"
      );
      assertEquals(
          List.of(
              row("2020-01-01", "shop", "Berlin", "item", "tea", "count", 2L, "price", 4.0, "most", 3L),
              row("2020-01-01", "shop", "Oslo", "item", null, "count", 1L, "price", 3.0, "most", null),
              row("2020-01-02", "shop", "Berlin", "item", "coffee, black", "count", 1L, "price", 2.0, "most", 2L)
          ),
          Builds.rows(out)
      );
    }
  }

  /** Druid takes the format of nested and {@code auto} columns from what it merges, not from the spec of the merge. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
      "9; {}",
      "10; {}",
      "9; {\"encodingStrategy\": {\"strategy\": \"compression\"}}",
      "9; {\"bitmap\": {\"type\": \"concise\"}, \"dimensionCompression\": \"zstd\", \"jsonCompression\": \"zstd\", "
          + "\"encodingStrategy\": {\"strategy\": \"compression\"}}"
  })
  void spillsDoNotDecideAboutTheSegment(String version, String indexSpec) throws IOException {
    final StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 3_000; i++) {
      rows.append("{\"j\": {\"x\": ").append(i % 50).append(", \"y\": \"text ").append(i % 7)
          .append("\"}, \"a\": ").append(i % 3 == 0 ? "\"s\"" : i % 100).append("}\n");
    }
    final Map<String, String> columns = new TreeMap<>();
    for (String rowsInMemory : List.of("10000", "500")) {
      final Path out = build(
          rows.toString(), "json", "--no-timestamp", "--type", "a=auto", "--segment-version", version, "--index-spec",
          indexSpec, "--max-rows-in-memory", rowsInMemory
      );
      try (Segment segment = Segment.open(out)) {
        for (SegmentColumn column : segment.columns()) {
          final String stored = column.sizeInBytes() + " bytes, " + column.descriptor();
          assertEquals(columns.computeIfAbsent(column.displayName(), name -> stored), stored, column.displayName());
        }
      }
    }
  }

  @Test
  void metricsWithoutRollupAreColumns() throws IOException {
    final Path out = build(
        SALES, "csv", "--timestamp", "ts",
        "--metric", "n=count", "--metric", "sum=longSum:count", "--type", "count=long"
    );
    assertEquals(List.of(1L, 1L, 1L, 1L), Builds.values(out, "n"));
    assertEquals(Arrays.asList(3L, 1L, null, 2L), Builds.values(out, "sum"));
    assertEquals(Arrays.asList(3L, 1L, null, 2L), Builds.values(out, "count"));
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 10})
  void projectionsAreBuilt(int version) throws IOException {
    for (String rowsInMemory : List.of("1000", "2")) {
      final Path out = build(
          SALES, "csv", "--timestamp", "ts", "--segment-version", String.valueOf(version),
          "--max-rows-in-memory", rowsInMemory, "--projection", """
              {"type": "aggregate", "name": "by_shop", "groupingColumns": [{"type": "string", "name": "shop"}],
               "aggregators": [{"type": "count", "name": "n"}, {"type": "longSum", "name": "c", "fieldName": "count"}]}
              """
      );
      assertEquals(4, Builds.rows(out).size());
      assertEquals(
          List.of(List.of("Berlin", 3L, 6L), Arrays.asList("Oslo", 1L, null)),
          Builds.rows(out, "by_shop").stream()
              .map(row -> Arrays.asList(row.get("shop"), row.get("n"), row.get("c")))
              .toList()
      );
    }
  }

  @Test
  void rowsOfTheSameTimeAreSortedByTheirValues() throws IOException {
    final Path out = build("t,v\n1,b\n0,c\n1,a\n", "csv", "--timestamp", "t");
    assertEquals(List.of("c", "a", "b"), Builds.values(out, "v"));
  }

  @Test
  void emptyColumnsAreColumns() throws IOException {
    final Path out = build("a,b\n,1\n,2\n", "csv", "--no-timestamp");
    assertEquals(Map.of("a", "STRING", "b", "LONG"), Builds.types(out));
    assertEquals(Arrays.asList(null, null), Builds.values(out, "a"));
  }

  @Test
  void aTableMayHaveNothingButTimes() throws IOException {
    final Path out = build("t\n7\n5\n", "csv", "--timestamp", "t");
    assertEquals(List.of(5L, 7L), Builds.values(out, "__time"));
    assertEquals(Map.of(), Builds.types(out));
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 10})
  void theSameInputGivesTheSameBytesHoweverOftenItSpills(int version) throws IOException {
    final StringBuilder text = new StringBuilder("t,a,b,c\n");
    final Random random = new Random(1);
    for (int i = 0; i < 5000; i++) {
      text.append(random.nextInt(100)).append(',').append("v" + random.nextInt(50)).append(',')
          .append(random.nextInt()).append(',').append(random.nextInt(3)).append(".5\n");
    }
    final String[] options = {"--timestamp", "t", "--segment-version", String.valueOf(version)};
    final Map<String, Long> once = checksums(build(text.toString(), "csv", options));
    assertEquals(once, checksums(build(text.toString(), "csv", options)));
    assertEquals(once, checksums(build(text.toString(), "csv", Stream.concat(
        Arrays.stream(options), Stream.of("--max-rows-in-memory", "700")).toArray(String[]::new))));
  }

  private static Map<String, Long> checksums(Path segment) throws IOException {
    final Map<String, Long> checksums = new TreeMap<>();
    try (Stream<Path> files = Files.list(segment)) {
      for (Path file : files.toList()) {
        checksums.put(
            file.getFileName().toString(),
            FileUtils.checksumCRC32(file.toFile())
        );
      }
    }
    return checksums;
  }

  @Test
  void manySpillsAreMergedInSeveralSteps() throws IOException {
    final int columns = 500;
    final int rows = 6;
    final StringBuilder text = new StringBuilder();
    IntStream.range(0, columns).forEach(i -> text.append(i == 0 ? "c" : ",c").append(i));
    for (int row = 0; row < rows; row++) {
      text.append('\n');
      for (int i = 0; i < columns; i++) {
        text.append(i == 0 ? "" : ",").append(row * i);
      }
    }
    final Path out = build(text.toString(), "csv", "--no-timestamp", "--max-rows-in-memory", "1");
    assertEquals(List.of(0L, 499L, 998L, 1497L, 1996L, 2495L), Builds.values(out, "c499"));
  }

  @Test
  void theIndexSpecCanBeSaid() throws IOException {
    final Path stock = build(SALES, "csv", "--timestamp", "ts", "--strategy", "compression");
    final Path file = Files.writeString(
        directory.resolve("spec.json"),
        "{\"intEncodingStrategy\": {\"strategy\": \"compression\"}}"
    );
    assertEquals(checksums(stock), checksums(build(SALES, "csv", "--timestamp", "ts", "--index-spec", "@" + file)));
    try (Segment segment = Segment.open(stock)) {
      assertFalse(segment.baseColumn("shop").isShapeShifting());
    }
    final Path roaring = build(
        SALES, "csv", "--timestamp", "ts", "--index-spec", "{\"metricCompression\": \"zstd\"}", "--target", "smaller",
        "--double-encoding-strategy", "compression"
    );
    try (Segment segment = Segment.open(roaring)) {
      assertTrue(segment.baseColumn("shop").isShapeShifting());
      assertTrue(segment.baseColumn("__time").isShapeShifting());
      assertEquals("zstd", segment.baseColumn("price").parts().rows().encoding());
    }
  }

  @Test
  void columnsCanHaveHashIndexes() throws IOException {
    final String spec = "{\"columns\": {\"__time\": {\"hashIndex\": true}}}";
    final Path indexed = build(SALES, "csv", "--timestamp", "ts", "--index-spec", spec, "--target", "smaller");
    try (Segment segment = Segment.open(indexed)) {
      assertNotNull(segment.baseColumn("__time").parts().hashIndex());
    }
  }

  @Test
  void eachTypeHasAnEncodingStrategy() throws IOException {
    final Path all = build(SALES, "csv", "--timestamp", "ts");
    for (String strategy : List.of("{\"strategy\": \"shapeshift\"}", "\"shapeshift\"")) {
      final String spec = "{\"encodingStrategy\": " + strategy + "}";
      assertEquals(checksums(build(SALES, "csv", "--timestamp", "ts", "--index-spec", spec)), checksums(all));
    }
    final Path mixed = build(
        SALES, "csv", "--timestamp", "ts", "--encoding-strategy", "compression",
        "--long-encoding-strategy", "shapeshift-smaller-small", "--float-encoding-strategy", "shapeshift-faster"
    );
    assertEquals(
        checksums(build(SALES, "csv", "--timestamp", "ts", "--index-spec",
            "{\"longEncodingStrategy\":"
                + " {\"strategy\": \"shapeshift\", \"optimizationTarget\": \"smaller\", \"blockSize\": \"small\"}}")),
        checksums(mixed)
    );
    try (Segment segment = Segment.open(mixed)) {
      assertFalse(segment.baseColumn("shop").isShapeShifting());
      assertTrue(segment.baseColumn("__time").isShapeShifting());
    }
  }

  @Test
  void whatWasBuiltIsTold() throws IOException {
    final Path input = Files.writeString(directory.resolve("sales.csv"), SALES);
    final JsonNode json = new ObjectMapper().readTree(
        Builds.build(input, directory.resolve("json"), "--timestamp", "ts", "--max-rows", "3", "--json")
    );
    assertEquals(input.toString(), json.get("input").asText());
    assertEquals(4, json.get("inputRows").asInt());
    assertEquals(2, json.get("segments").size());
    final JsonNode last = json.get("segments").get(1);
    assertEquals(directory.resolve("json/1").toString(), last.get("path").asText());
    assertEquals(1, last.get("rows").asInt());
    assertEquals("2020-01-02T09:00:00.000Z/2020-01-02T09:00:00.001Z", last.get("interval").asText());
    assertEquals("__time", last.get("columns").get(0).get("name").asText());
    assertEquals("LONG", last.get("columns").get(0).get("type").asText());
    try (Stream<Path> files = Files.list(directory.resolve("json/1"))) {
      assertEquals(files.mapToLong(file -> file.toFile().length()).sum(), last.get("bytes").asLong());
    }

    final List<String> csv =
        Builds.build(input, directory.resolve("csv"), "--timestamp", "ts", "--csv").lines().toList();
    assertEquals("segment,rows,column,type,bytes", csv.get(0));
    assertEquals(6, csv.size());
    assertTrue(csv.get(2).startsWith(directory.resolve("csv") + ",4,shop,STRING,"), csv.get(2));

    final List<String> text =
        Builds.build(input, directory.resolve("text"), "--timestamp", "ts").lines().toList();
    assertEquals("4 rows of " + input, text.get(0));
    assertTrue(text.get(3).endsWith("2020-01-01T10:00:00.000Z/2020-01-02T09:00:00.001Z"), text.get(3));
    assertTrue(text.get(6).startsWith("__time  LONG"), text.get(6));
  }

  private Path build(String text, String format, String... options) throws IOException {
    final Path input = Files.writeString(directory.resolve("input." + format), text);
    final Path out = Files.createTempDirectory(directory, "segment");
    Builds.build(input, out, options);
    return out;
  }

  private static Map<String, Object> row(String time, Object... namesAndValues) {
    final Map<String, Object> row = new HashMap<>();
    row.put("__time", DateTimes.of(time).getMillis());
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }
}
