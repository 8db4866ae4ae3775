// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows of a topic, and what was sent so far. The row of a number is always the same. Among the rows are records that
 * are no rows, and rows that are sent twice. Fields are missing or null in some rows, and others appear late: the
 * dimension {@code late}, and an age in the nested {@code user}, at first a number and then text.
 */
final class StreamedRows {
  static final int PARTITIONS = 3;
  /** Bounds of the time of all rows, the day of the sample that other tests use. */
  static final String INTERVAL = "2015-09-12/2015-09-13";

  private static final Instant START = Instant.parse("2015-09-12T00:00:00Z");
  private static final int BAD_ONE_IN = 97;
  private static final int TWICE_ONE_IN = 61;
  private static final int CHUNK = 10_000;

  private final KafkaBroker kafka;
  private final String topic;
  private final int late;
  private final List<ObjectNode> sent = new ArrayList<>();
  private final Map<String, Long> ends = new HashMap<>();
  private int next;

  /**
   * Makes the topic.
   *
   * @param late number of the first row with late fields
   */
  StreamedRows(KafkaBroker kafka, String topic, int late) throws Exception {
    this.kafka = kafka;
    this.topic = topic;
    this.late = late;
    kafka.create(topic, PARTITIONS);
  }

  String topic() {
    return topic;
  }

  /** Sends so many more rows, and returns when Kafka has them. */
  void send(int rows) {
    List<ObjectNode> sending = next(rows);
    synchronized (sent) {
      sent.addAll(sending);
    }
    sendAll(sending);
  }

  /** Sends so many more rows without keeping them, and returns how many of them are no bad records. */
  long sendOnly(int rows) {
    long good = 0;
    for (int left = rows; left > 0; left -= CHUNK) {
      List<ObjectNode> sending = next(Math.min(left, CHUNK));
      sendAll(sending);
      good += sending.size();
    }
    return good;
  }

  /** Makes the next rows, and sends the bad records among them. */
  private List<ObjectNode> next(int rows) {
    List<ObjectNode> sending = new ArrayList<>();
    for (int end = next + rows; next < end; next++) {
      int partition = next % PARTITIONS;
      if (next % BAD_ONE_IN == 0) {
        String bad = next % 2 == 0 ? "{\"id\": " + next + ", \"time\": \"2015-09" : "{\"id\": " + next + "}";
        send(partition, bad);
      }
      ObjectNode row = row(next);
      for (int copy = 0; copy < (next % TWICE_ONE_IN == 0 ? 2 : 1); copy++) {
        sending.add(row);
      }
    }
    return sending;
  }

  private void sendAll(List<ObjectNode> rows) {
    rows.forEach(row -> send(row.get("id").asInt() % PARTITIONS, row.toString()));
    kafka.flush();
  }

  private void send(int partition, String record) {
    kafka.send(topic, partition, record.getBytes(StandardCharsets.UTF_8));
    ends.merge(String.valueOf(partition), 1L, Long::sum);
  }

  /** Next offset of each partition. */
  Map<String, Long> ends() {
    return ends;
  }

  /** All rows sent so far, in order, without those that are none. */
  List<ObjectNode> sent() {
    synchronized (sent) {
      return List.copyOf(sent);
    }
  }

  /** The row of a number. Prices are multiples of 1/4, so that sums are exact. */
  private ObjectNode row(int number) {
    ObjectNode row = JsonNodeFactory.instance.objectNode();
    row.put("time", START.plusSeconds(number * 7L % 86_400).toString());
    row.put("id", number);
    row.put("partition", "p" + number % PARTITIONS);
    row.put("name", "name " + number * 31 % 211);
    if (number % 11 == 0) {
      row.putNull("channel");
    } else if (number % 13 != 0) {
      row.put("channel", "#" + number % 17);
    }
    if (number % 7 != 0) {
      row.put("value", number * 37L % 10_007);
    }
    row.put("price", number % 4_001 * .25);
    ArrayNode tags = row.putArray("tags");
    for (int tag = 0; tag < number % 4; tag++) {
      tags.add("tag" + (number + tag) % 23);
    }
    if (number % 5 != 0) {
      ObjectNode user = row.putObject("user").put("name", "user " + number % 101);
      user.putObject("address").put("city", "city " + number % 19).put("zip", number % 29);
      if (number >= late) {
        if (number % 2 == 0) {
          user.put("age", number % 90);
        } else {
          user.put("age", "age " + number % 90);
        }
      }
    }
    if (number >= late) {
      row.put("late", "late " + number % 9);
    }
    return row;
  }

  /** A field of a row as Druid has it; null if it is missing. */
  static String text(JsonNode row, String pointer) {
    JsonNode value = row.at(pointer);
    return value.isMissingNode() || value.isNull() ? null : value.asText();
  }
}
