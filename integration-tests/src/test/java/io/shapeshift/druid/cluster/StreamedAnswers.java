// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static io.shapeshift.druid.cluster.StreamedRows.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Queries of each native type over a data source that reads a topic, and what their answers must be, counted in plain
 * Java from the rows that were sent.
 */
record StreamedAnswers(DruidApi druid, String dataSource, boolean rollup) {
  private static final String AGGREGATIONS = """
      [
        {"type": "longSum", "name": "rows", "fieldName": "rows"},
        {"type": "longSum", "name": "value", "fieldName": "value"},
        {"type": "doubleSum", "name": "price", "fieldName": "price"},
        {"type": "longMax", "name": "greatest", "fieldName": "greatest"}
      ]""";
  private static final String CITY = """
      [{"type": "nested-field", "columnName": "user", "path": "$.address.city", "outputName": "city"}]""";
  private static final String AGE = """
      [{"type": "nested-field", "columnName": "user", "path": "$.age", "outputName": "age",
        "expectedType": "STRING"}]""";

  /** Counts and sums of a group of rows. */
  private record Group(long rows, Long value, double price, Long greatest) {
    static Group of(List<ObjectNode> rows) {
      List<Long> values =
          rows.stream().filter(row -> row.has("value")).map(row -> row.get("value").asLong()).toList();
      return new Group(
          rows.size(),
          values.isEmpty() ? null : values.stream().mapToLong(Long::longValue).sum(),
          rows.stream().mapToDouble(row -> row.get("price").asDouble()).sum(),
          values.stream().max(Comparator.naturalOrder()).orElse(null)
      );
    }

    static Group of(JsonNode answer) {
      return new Group(
          answer.get("rows").asLong(),
          number(answer, "value"),
          answer.get("price").asDouble(),
          number(answer, "greatest")
      );
    }

    private static Long number(JsonNode answer, String name) {
      return answer.get(name).isNull() ? null : answer.get(name).asLong();
    }
  }

  /** Number of rows that were added, whether they are rolled up or not. */
  long rows() {
    JsonNode answer = query("timeseries", "{\"granularity\": \"all\", \"aggregations\": " + AGGREGATIONS + "}");
    return answer.isEmpty() ? 0 : answer.get(0).get("result").get("rows").asLong();
  }

  /** Asserts that each query's answer is that of the rows. */
  void assertAnswer(List<ObjectNode> rows) {
    assertTimeseries(rows);
    assertGroups(rows, "partition", "[]", row -> text(row, "/partition"));
    assertGroups(rows, "channel", "[]", row -> text(row, "/channel"));
    assertGroups(rows, "late", "[]", row -> text(row, "/late"));
    assertTopN(rows);
    assertSearch(rows);
    assertTimes(rows);
    if (!rollup) {
      assertGroups(rows, "city", CITY, row -> text(row, "/user/address/city"));
      assertGroups(rows, "age", AGE, row -> text(row, "/user/age"));
      assertScan(rows);
      assertSegmentMetadata(rows);
    }
  }

  private void assertTimeseries(List<ObjectNode> rows) {
    Map<String, Group> answered = new TreeMap<>();
    for (JsonNode bucket : query(
        "timeseries",
        "{\"granularity\": \"hour\", \"context\": {\"skipEmptyBuckets\": true}, \"aggregations\": " + AGGREGATIONS + "}"
    )) {
      answered.put(bucket.get("timestamp").asText(), Group.of(bucket.get("result")));
    }
    assertEquals(groups(rows, row -> hour(row) + ".000Z"), answered, dataSource + ", timeseries");
  }

  private void assertGroups(
      List<ObjectNode> rows,
      String dimension,
      String virtualColumns,
      Function<ObjectNode, String> key
  ) {
    Map<String, Group> answered = new TreeMap<>();
    for (JsonNode group : druid.query(groupBy(dimension, virtualColumns))) {
      answered.put(String.valueOf(text(group, "/event/" + dimension)), Group.of(group.get("event")));
    }
    assertEquals(groups(rows, key), answered, dataSource + ", groupBy " + dimension);
  }

  /** A query for counts and sums of each value of a dimension. */
  ObjectNode groupBy(String dimension, String virtualColumns) {
    return of(
        "groupBy",
        "{\"granularity\": \"all\", \"dimensions\": [\"" + dimension + "\"], \"virtualColumns\": " + virtualColumns
            + ", \"aggregations\": " + AGGREGATIONS + "}"
    );
  }

  private void assertTopN(List<ObjectNode> rows) {
    List<String> answered = new ArrayList<>();
    for (JsonNode entry : query("topN", """
        {"granularity": "all", "dimension": "name", "metric": "rows", "threshold": 30, "aggregations": %s}"""
        .formatted(AGGREGATIONS)).path(0).path("result")) {
      answered.add(entry.get("name").asText() + " " + Group.of(entry));
    }
    List<String> expected = groups(rows, row -> text(row, "/name")).entrySet().stream()
        .sorted(Comparator.<Map.Entry<String, Group>>comparingLong(entry -> -entry.getValue().rows())
            .thenComparing(Map.Entry::getKey))
        .limit(30)
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .toList();
    assertEquals(expected, answered, dataSource + ", topN");
  }

  private void assertSearch(List<ObjectNode> rows) {
    Map<String, Long> answered = new TreeMap<>();
    for (JsonNode hit : query("search", """
        {"granularity": "all", "searchDimensions": ["partition"], "limit": 100,
         "query": {"type": "insensitive_contains", "value": "P"}}""").path(0).path("result")) {
      answered.put(hit.get("value").asText(), hit.get("count").asLong());
    }
    Map<String, Long> expected = new TreeMap<>();
    rows.forEach(row -> expected.merge(text(row, "/partition"), 1L, Long::sum));
    if (rollup) {
      assertEquals(expected.keySet(), answered.keySet(), dataSource + ", search");
    } else {
      assertEquals(expected, answered, dataSource + ", search");
    }
  }

  private void assertTimes(List<ObjectNode> rows) {
    JsonNode answer = query("timeBoundary", "{}").path(0).path("result");
    Function<String, Instant> time =
        row -> Instant.parse(rollup ? row.substring(0, "2015-09-12T00".length()) + ":00:00Z" : row);
    List<Instant> times = rows.stream().map(row -> time.apply(row.get("time").asText())).sorted().toList();
    assertEquals(times.get(0), Instant.parse(answer.path("minTime").asText()), dataSource + ", least time");
    assertEquals(
        times.get(times.size() - 1), Instant.parse(answer.path("maxTime").asText()), dataSource + ", greatest time");
    if (!rollup) {
      JsonNode last = query("dataSourceMetadata", "{}").path(0).at("/result/maxIngestedEventTime");
      assertEquals(times.get(times.size() - 1), Instant.parse(last.asText()), dataSource + ", dataSourceMetadata");
    }
  }

  private void assertScan(List<ObjectNode> rows) {
    List<String> expected = rows.stream().map(StreamedAnswers::comparable).sorted().toList();
    List<String> answered = scan().stream().map(StreamedAnswers::comparable).sorted().toList();
    for (int row = 0; row < Math.min(expected.size(), answered.size()); row++) {
      assertEquals(expected.get(row), answered.get(row), dataSource + ", scan");
    }
    assertEquals(expected.size(), answered.size(), dataSource + ", scan");
  }

  /** All rows as Druid has them. */
  List<JsonNode> scan() {
    List<JsonNode> rows = new ArrayList<>();
    query("scan", """
        {"columns": ["__time", "id", "partition", "name", "channel", "value", "price", "tags", "user", "late"]}""")
        .forEach(batch -> batch.get("events").forEach(rows::add));
    return rows;
  }

  /**
   * A row in one form, whether it was sent or is answered: without nulls, and with sorted tags, as a multi-value
   * dimension has them.
   */
  static String comparable(JsonNode row) {
    Map<String, Object> values = new TreeMap<>();
    values.put(
        "time",
        row.has("time") ? Instant.parse(row.get("time").asText()) : Instant.ofEpochMilli(row.get("__time").asLong())
    );
    for (String field : List.of("id", "partition", "name", "channel", "value", "late")) {
      String text = text(row, "/" + field);
      if (text != null) {
        values.put(field, text);
      }
    }
    values.put("price", row.get("price").asDouble());
    Set<String> tags = new TreeSet<>();
    row.path("tags").forEach(tag -> tags.add(tag.asText()));
    if (row.path("tags").isTextual()) {
      tags.add(row.get("tags").asText());
    }
    values.put("tags", tags);
    if (row.path("user").isObject()) {
      Map<String, Object> user = new TreeMap<>();
      row.get("user").properties().forEach(field -> user.put(field.getKey(), field.getValue()));
      values.put("user", user);
    }
    return values.toString();
  }

  private void assertSegmentMetadata(List<ObjectNode> rows) {
    JsonNode answer = query("segmentMetadata", """
        {"merge": true, "analysisTypes": ["cardinality", "interval"], "lenientAggregatorMerge": true}""").path(0);
    assertEquals(rows.size(), answer.path("numRows").asLong(), dataSource + ", segmentMetadata");
    assertEquals("LONG", answer.at("/columns/id/type").asText(), () -> dataSource + ", " + answer);
  }

  private static String hour(JsonNode row) {
    return row.get("time").asText().substring(0, "2015-09-12T00".length()) + ":00:00";
  }

  private static Map<String, Group> groups(List<ObjectNode> rows, Function<ObjectNode, String> key) {
    Map<String, List<ObjectNode>> byKey = new TreeMap<>();
    rows.forEach(row -> byKey.computeIfAbsent(String.valueOf(key.apply(row)), unused -> new ArrayList<>()).add(row));
    Map<String, Group> groups = new TreeMap<>();
    byKey.forEach((name, group) -> groups.put(name, Group.of(group)));
    return groups;
  }

  private JsonNode query(String type, String rest) {
    return druid.query(of(type, rest));
  }

  private ObjectNode of(String type, String rest) {
    ObjectNode query = (ObjectNode) DruidApi.parse(rest);
    return query.put("queryType", type).put("dataSource", dataSource).put("intervals", StreamedRows.INTERVAL);
  }
}
