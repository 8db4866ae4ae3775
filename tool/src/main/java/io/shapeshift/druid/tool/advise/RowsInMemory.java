// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.advise;

import com.fasterxml.jackson.databind.JsonNode;
import io.shapeshift.druid.tool.cli.Names;
import io.shapeshift.druid.tool.segment.Segment;
import io.shapeshift.druid.tool.segment.SegmentColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.annotation.Nullable;

/** What is known about the gain of {@code "appendableIndexSpec": {"type": "shapeshift"}} from a segment alone. */
final class RowsInMemory {
  /** Aggregators whose state is in the rows, off the heap: numbers, and first and last numbers. */
  private static final Pattern IN_ROWS =
      Pattern.compile("count|(long|double|float)(Sum|Min|Max|First|Last|Any)", Pattern.CASE_INSENSITIVE);
  private static final Set<String> SIMPLE_TYPES = Set.of("STRING", "LONG", "DOUBLE", "FLOAT");
  private static final String SPEC = "\"appendableIndexSpec\": {\"type\": \"shapeshift\"} ";

  private RowsInMemory() {}

  /** Remark on a table like that of a segment. */
  static String note(Segment segment) {
    final List<String> onHeap = new ArrayList<>();
    final Map<String, JsonNode> aggregators = segment.aggregators();
    for (SegmentColumn column : segment.columns()) {
      if (column.projection() != null) {
        continue;
      }
      @Nullable final JsonNode aggregator = aggregators.get(column.name());
      if (aggregator == null
          ? !SIMPLE_TYPES.contains(column.type())
          : !IN_ROWS.matcher(aggregator.path("type").asText()).matches()) {
        onHeap.add(column.name());
      }
    }
    if (segment.columns().stream().anyMatch(column -> column.projection() != null)) {
      onHeap.add("projections");
    }
    return onHeap.isEmpty()
           ? SPEC + "keeps all rows of this table off the heap while they are ingested. It pays where tasks persist "
               + "often or spend their time in garbage collection."
           : SPEC + "gains less here, because some values stay on the heap while they are ingested: "
               + Names.listed(onHeap) + ".";
  }
}
