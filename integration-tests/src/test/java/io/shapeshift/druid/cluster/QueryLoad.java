// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the same queries over and over in a thread of its own, while a test changes the state of Druid, and compares
 * each answer. A query may fail while a service is down; every answer must be right.
 */
final class QueryLoad implements AutoCloseable {
  /** Pause that leaves a machine with two cores some time for the test. */
  private static final int PAUSE_MILLIS = 200;
  /** Pause after a failed query: a service takes seconds to come back. */
  private static final int PAUSE_WITHOUT_ANSWER_MILLIS = 500;
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  private final DruidApi druid;
  private final String dataSource;
  private final Map<NativeQuery, List<JsonNode>> expected;
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Integer> unanswered = Collections.synchronizedMap(new TreeMap<>());
  private final AtomicInteger answered = new AtomicInteger();
  private final Thread thread = new Thread(this::run, "query-load");
  private volatile boolean ended;

  /** Starts the queries. */
  QueryLoad(DruidApi druid, String dataSource, Map<NativeQuery, List<JsonNode>> expected) {
    this.druid = druid;
    this.dataSource = dataSource;
    this.expected = expected;
    thread.start();
  }

  private void run() {
    while (true) {
      for (Map.Entry<NativeQuery, List<JsonNode>> entry : expected.entrySet()) {
        if (ended) {
          return;
        }
        final boolean answered = ask(entry.getKey(), entry.getValue());
        try {
          TimeUnit.MILLISECONDS.sleep(answered ? PAUSE_MILLIS : PAUSE_WITHOUT_ANSWER_MILLIS);
        } catch (InterruptedException e) {
          return;
        }
      }
    }
  }

  private boolean ask(NativeQuery query, List<JsonNode> expectedRows) {
    final List<JsonNode> rows;
    try {
      rows = query.rows(druid, dataSource);
    } catch (RuntimeException | AssertionError e) {
      unanswered.merge(e.toString(), 1, Integer::sum);
      return false;
    }
    String difference = NativeQuery.difference(expectedRows, rows);
    if (!difference.isEmpty()) {
      wrong.add(query.name() + ": " + difference);
    }
    answered.incrementAndGet();
    return true;
  }

  /**
   * Waits until all queries are answered once more, stops, prints the counts, and asserts that all answers were right.
   */
  void assertAllRight(String during) {
    int before = answered.get();
    DruidApi.await(
        "queries to be answered, after: " + unanswered.keySet(),
        TIMEOUT,
        answered::get,
        now -> now > before + expected.size()
    );
    close();
    int without = unanswered.values().stream().mapToInt(Integer::intValue).sum();
    System.out.printf(Locale.ROOT, "%s: %d queries answered, %d not%n", during, answered.get(), without);
    assertEquals(List.of(), wrong, during);
    for (String error : unanswered.keySet()) {
      // The reader of a column has failed, not a service.
      assertFalse(error.contains("Column[") || error.contains("shapeshift"), error);
    }
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join(TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while a query was running", e);
    }
    assertFalse(thread.isAlive(), "a query has no end");
  }
}
