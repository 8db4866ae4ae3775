// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Scans a data source without roll-up over and over in a thread of its own, while rows arrive, and compares each answer
 * with what was sent: no row may be there twice or differ. As long as no task ends, the rows of each partition must be
 * the first that were sent to it. A query may fail while a task ends.
 */
final class StreamedLoad implements AutoCloseable {
  private static final int PAUSE_MILLIS = 700;

  private final StreamedAnswers answers;
  private final StreamedRows rows;
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Integer> unanswered = Collections.synchronizedMap(new TreeMap<>());
  private final RepeatedTask repeated;
  private volatile boolean tasksEnd;
  private volatile int answered;

  /** Starts the queries. */
  StreamedLoad(StreamedAnswers answers, StreamedRows rows) {
    this.answers = answers;
    this.rows = rows;
    repeated = new RepeatedTask("streamed-load", PAUSE_MILLIS, this::ask);
  }

  /** From now on tasks end: for a moment the rows of one that has ended may be nowhere. */
  void tasksEnd() {
    tasksEnd = true;
  }

  private void ask() {
    boolean first = !tasksEnd;
    final List<JsonNode> scanned;
    try {
      scanned = answers.scan();
    } catch (RuntimeException | AssertionError e) {
      unanswered.merge(e.toString(), 1, Integer::sum);
      return;
    }
    String difference = difference(scanned, first && !tasksEnd);
    if (!difference.isEmpty()) {
      wrong.add(difference);
    }
    answered++;
  }

  private String difference(List<JsonNode> scanned, boolean first) {
    Map<String, Integer> perPartition = new HashMap<>();
    Map<String, Integer> answered = new HashMap<>();
    for (JsonNode row : scanned) {
      perPartition.merge(row.get("partition").asText(), 1, Integer::sum);
      answered.merge(StreamedAnswers.comparable(row), 1, Integer::sum);
    }
    Map<String, Integer> sent = new HashMap<>();
    for (ObjectNode row : rows.sent()) {
      // Counts down the rows of a partition.
      if (!first || perPartition.merge(row.get("partition").asText(), -1, Integer::sum) >= 0) {
        sent.merge(StreamedAnswers.comparable(row), 1, Integer::sum);
      }
    }
    for (Map.Entry<String, Integer> row : answered.entrySet()) {
      int times = sent.getOrDefault(row.getKey(), 0);
      if (row.getValue() > times) {
        return "Of " + scanned.size() + " rows one is there " + row.getValue() + " times and was sent " + times
            + " times" + (first ? " among the first" : "") + ": " + row.getKey();
      }
    }
    return "";
  }

  /** Stops, prints the counts, and asserts that all answers were right. */
  void assertAllRight() {
    close();
    int without = unanswered.values().stream().mapToInt(Integer::intValue).sum();
    System.out.printf(
        Locale.ROOT, "%s: %d scans answered while rows arrived, %d not%n", answers.dataSource(), answered, without);
    assertTrue(answered > 0, () -> "no scan was answered: " + unanswered.keySet());
    assertEquals(List.of(), wrong);
    for (String error : unanswered.keySet()) {
      // The reader of a column or of rows has failed, not a task.
      assertFalse(error.contains("Column[") || error.contains("shapeshift"), error);
    }
  }

  @Override
  public void close() {
    repeated.close();
  }
}
