// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.shapeshift.druid.tool.segment.Druid;
import java.util.Comparator;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.druid.query.scan.ScanResultValue;

/**
 * Results of a query as JSON, without segment ids.
 *
 * @param results one node for each result
 */
record Answer(ArrayNode results) {
  private static final ObjectMapper JSON = Druid.json();
  /**
   * Greatest relative difference between equal sums. Threads add parts in varying order, and each order rounds
   * fractions differently. 1e-9 is a million times the rounding error of a sum of a billion rows, and a millionth of a
   * cent in a million.
   */
  private static final double MAX_RELATIVE_ERROR = 1e-9;
  private static final Comparator<JsonNode> WITHIN_ROUNDING = (a, b) -> a.equals(b) || isRounding(a, b) ? 0 : 1;
  private static final int MAX_SHOWN = 200;

  static Answer of(List<?> results) {
    final ArrayNode nodes = JSON.createArrayNode();
    for (Object result : results) {
      nodes.add(JSON.<JsonNode>valueToTree(result instanceof ScanResultValue scanned ? scanned.getEvents() : result));
    }
    return new Answer(nodes);
  }

  private static boolean isRounding(JsonNode a, JsonNode b) {
    return a.isFloatingPointNumber() && b.isFloatingPointNumber()
        && Math.abs(a.doubleValue() - b.doubleValue())
        <= MAX_RELATIVE_ERROR * Math.max(Math.abs(a.doubleValue()), Math.abs(b.doubleValue()));
  }

  /** Describes the first difference for people; null if there is none beyond rounding. */
  @Nullable
  String difference(Answer other) {
    if (results.size() != other.results.size()) {
      return results.size() + " results, not " + other.results.size();
    }
    for (int i = 0; i < results.size(); i++) {
      if (!results.get(i).equals(WITHIN_ROUNDING, other.results.get(i))) {
        return "result " + i + " is " + shown(results.get(i)) + ", not " + shown(other.results.get(i));
      }
    }
    return null;
  }

  private static String shown(JsonNode node) {
    final String text = node.toString();
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
  }
}
