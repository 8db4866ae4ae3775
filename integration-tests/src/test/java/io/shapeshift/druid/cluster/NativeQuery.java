// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Query for any data source that holds the wikiticker sample. */
record NativeQuery(String name, ObjectNode query) {
  /** All queries of {@code wikiticker/queries.json}; those that ask for it are both vectorised and not. */
  static List<NativeQuery> all() {
    List<NativeQuery> queries = new ArrayList<>();
    for (JsonNode entry : Wikiticker.resource("queries.json")) {
      JsonNode modes = entry.path("vectorize");
      if (modes.isEmpty()) {
        queries.add(of(entry, "false", ""));
      }
      modes.forEach(mode -> queries.add(of(entry, mode.asText(), ", vectorize " + mode.asText())));
    }
    return queries;
  }

  private static NativeQuery of(JsonNode entry, String vectorize, String suffix) {
    ObjectNode query = entry.get("query").deepCopy();
    if (!query.has("intervals")) {
      query.putArray("intervals").add("2015-09-12/2015-09-13");
    }
    query.withObject("/context").put("vectorize", vectorize);
    return new NativeQuery(entry.get("name").asText() + suffix, query);
  }

  /** The same query with one more entry in its context. */
  NativeQuery withContext(String key, boolean value) {
    ObjectNode changed = query.deepCopy();
    changed.withObject("/context").put(key, value);
    return new NativeQuery(name, changed);
  }

  /**
   * Rows of the answer, comparable between data sources: without segment ids, in the query's order, or sorted if it has
   * none.
   */
  List<JsonNode> rows(DruidApi api, String dataSource) {
    JsonNode answer = api.query(query.deepCopy().put("dataSource", dataSource));
    List<JsonNode> rows = new ArrayList<>();
    switch (query.get("queryType").asText()) {
      case "scan" -> answer.forEach(batch -> batch.get("events").forEach(rows::add));
      case "topN", "search" -> answer.forEach(period -> period.get("result").forEach(
          row -> rows.add(JsonNodeFactory.instance.arrayNode().add(period.get("timestamp")).add(row))
      ));
      default -> answer.forEach(rows::add);
    }
    if (query.get("queryType").asText().equals("scan") && !query.has("order")) {
      rows.sort(Comparator.comparing(JsonNode::toString));
    }
    return rows;
  }

  /** Describes the first difference between two answers, which are too long to print; empty if they are equal. */
  static String difference(List<JsonNode> expected, List<JsonNode> actual) {
    for (int row = 0; row < Math.min(expected.size(), actual.size()); row++) {
      if (!expected.get(row).equals(actual.get(row))) {
        return "row " + row + " is " + actual.get(row) + " instead of " + expected.get(row);
      }
    }
    return expected.size() == actual.size() ? "" : actual.size() + " rows instead of " + expected.size();
  }
}
