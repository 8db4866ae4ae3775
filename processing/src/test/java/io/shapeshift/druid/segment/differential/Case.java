// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.query.Query;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.IndexSpec;

/** A table, the two ways in which it is stored, and a question that both segments are asked, there and back as JSON. */
record Case(TableSchema schema, List<Part> parts, Storage storage, Question question) {
  /**
   * Rows that are persisted together.
   *
   * @param offHeap whether ours are off the heap until then; Druid's never are
   */
  record Part(boolean offHeap, List<Map<String, Object>> rows) {}

  /**
   * How segments are written.
   *
   * @param stock  the indexSpec of Druid's segment
   * @param ours   that of ours
   * @param mixed  whether every second part of what becomes our segment is stored as Druid does it
   * @param nested whether the first two parts are merged before they are merged with the rest
   */
  record Storage(Version version, IndexSpec stock, IndexSpec ours, boolean mixed, boolean nested) {}

  /** A way of Druid's to go through rows. */
  enum Way {
    /** A cursor of single rows; the query is a scan whose columns are read through all selectors. */
    ROWS,
    /** The same, the latest first. */
    ROWS_DESCENDING,
    /** The same by vectors. */
    VECTORS,
    /** The engine of the query's type. */
    ENGINE
  }

  /**
   * What is asked.
   *
   * @param projection the projection whose rows a cursor goes through; null for those of the table
   */
  record Question(Way way, @Nullable String projection, Query<?> query) {}

  Case asking(Question other) {
    return new Case(schema, parts, storage, other);
  }

  JsonNode toJson() {
    final ObjectNode json = TestSegments.JSON.createObjectNode();
    json.set("dimensions", TestSegments.JSON.valueToTree(schema.dimensions()));
    json.set("metrics", array(schema.metrics()));
    json.set("projections", array(schema.projections()));
    json.set("granularity", TestSegments.JSON.valueToTree(schema.granularity()));
    json.put("rollup", schema.rollup());
    json.put("preservesMetrics", schema.preservesMetrics());
    final ArrayNode partsJson = json.putArray("parts");
    for (Part part : parts) {
      final ObjectNode partJson = partsJson.addObject();
      partJson.put("offHeap", part.offHeap());
      final ArrayNode rowsJson = partJson.putArray("rows");
      part.rows().forEach(row -> rowsJson.add(ValueJson.toJson(row)));
    }
    json.put("version", storage.version().name());
    json.set("stock", TestSegments.JSON.valueToTree(storage.stock()));
    json.set("ours", TestSegments.JSON.valueToTree(storage.ours()));
    json.put("mixed", storage.mixed());
    json.put("nested", storage.nested());
    json.put("way", question.way().name());
    json.put("projection", question.projection());
    json.set("query", TestSegments.JSON.valueToTree(question.query()));
    return json;
  }

  /** The inverse of {@link #toJson}, where what is missing is as simple as can be. */
  static Case fromJson(JsonNode json) throws JsonProcessingException {
    final List<Part> parts = new ArrayList<>();
    for (JsonNode part : json.path("parts")) {
      final List<Map<String, Object>> rows = new ArrayList<>();
      for (JsonNode row : part.path("rows")) {
        rows.add(ValueJson.rowFromJson(row));
      }
      parts.add(new Part(part.path("offHeap").asBoolean(), rows));
    }
    return new Case(
        new TableSchema(
            of(json.path("dimensions"), DimensionsSpec.class, "{}"),
            list(json.path("metrics"), AggregatorFactory.class),
            list(json.path("projections"), AggregateProjectionSpec.class),
            of(json.path("granularity"), Granularity.class, "\"none\""),
            json.path("rollup").asBoolean(),
            json.path("preservesMetrics").asBoolean()
        ),
        parts,
        new Storage(
            Version.valueOf(json.path("version").asText(Version.V9.name())),
            of(json.path("stock"), IndexSpec.class, "{}"),
            of(json.path("ours"), IndexSpec.class, "{}"),
            json.path("mixed").asBoolean(),
            json.path("nested").asBoolean()
        ),
        new Question(
            Way.valueOf(json.path("way").asText(Way.ENGINE.name())),
            json.path("projection").isTextual() ? json.get("projection").asText() : null,
            TestSegments.JSON.treeToValue(json.path("query"), Query.class)
        )
    );
  }

  /** One by one, since the type of an element of a list is not written otherwise. */
  private static ArrayNode array(List<?> values) {
    final ArrayNode array = TestSegments.JSON.createArrayNode();
    values.forEach(value -> array.add(TestSegments.JSON.<JsonNode>valueToTree(value)));
    return array;
  }

  private static <T> List<T> list(JsonNode array, Class<T> type) throws JsonProcessingException {
    final List<T> list = new ArrayList<>();
    for (JsonNode element : array) {
      list.add(TestSegments.JSON.treeToValue(element, type));
    }
    return list;
  }

  private static <T> T of(JsonNode json, Class<T> type, String otherwise) throws JsonProcessingException {
    return json.isMissingNode()
           ? TestSegments.JSON.readValue(otherwise, type)
           : TestSegments.JSON.treeToValue(json, type);
  }
}
