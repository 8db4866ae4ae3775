// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * HTTP calls of a user of Druid: run a task, wait until its segments are served, query. Every wait has a timeout, and
 * every failure includes Druid's answer.
 */
final class DruidApi {
  static final ObjectMapper JSON = new ObjectMapper();

  /** Interval of all data in these tests; several calls of Druid need one. */
  private static final String INTERVAL = "2015-01-01/2016-01-01";
  private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(1);

  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI coordinator;
  private final URI overlord;
  private final URI broker;

  DruidApi(URI coordinator, URI overlord, URI broker) {
    this.coordinator = coordinator;
    this.overlord = overlord;
    this.broker = broker;
  }

  /** Answer of a service, whatever its status. */
  record Reply(int status, String body) {
    JsonNode json() {
      return parse(body);
    }
  }

  /** Segment in deep storage, unpacked. */
  record Segment(String interval, String version, int partition, File directory) {
    String key() {
      return interval + "_" + version + "_" + partition;
    }

    private boolean isHiddenBy(Segment other) {
      String[] mine = interval.split("/", -1);
      String[] theirs = other.interval.split("/", -1);
      return version.compareTo(other.version) < 0
          && mine[0].compareTo(theirs[0]) >= 0
          && mine[1].compareTo(theirs[1]) <= 0;
    }
  }

  /** Ended task: whether it succeeded, and its error message if not. */
  record TaskEnd(String id, boolean success, String error) {}

  static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not JSON: " + json, e);
    }
  }

  // ---- tasks

  /** Submits the task and returns the overlord's answer, an error if the task's JSON is not acceptable. */
  Reply submit(JsonNode task) {
    return post(overlord.resolve("/druid/indexer/v1/task"), task);
  }

  /** Submits the task, and returns its id. */
  String start(JsonNode task) {
    return ok(submit(task)).get("task").asText();
  }

  /** Waits until a task has ended, whether it succeeds or fails. */
  TaskEnd awaitEnd(String id, Duration timeout) {
    JsonNode status = await(
        "task " + id + " to end",
        timeout,
        () -> taskStatus(id),
        s -> !s.path("statusCode").asText().equals("RUNNING")
    );
    return new TaskEnd(
        id, status.path("statusCode").asText().equals("SUCCESS"), status.path("errorMsg").asText(status.toString()));
  }

  /** Runs the task to its successful end. */
  void run(JsonNode task, Duration timeout) {
    TaskEnd end = awaitEnd(start(task), timeout);
    if (!end.success()) {
      throw new AssertionError("Task " + end.id() + " failed: " + end.error());
    }
  }

  /** Ids of all ended and running tasks of the data source. */
  List<String> taskIds(String dataSource) {
    List<String> ids = new ArrayList<>();
    ok(get(overlord.resolve("/druid/indexer/v1/tasks?datasource=" + dataSource)))
        .forEach(task -> ids.add(task.get("id").asText()));
    return ids;
  }

  /** Ids of running tasks of the data source. */
  List<String> runningTasks(String dataSource) {
    return taskIds(dataSource, "RUNNING");
  }

  /** Ids of failed tasks of the data source. */
  List<String> failedTasks(String dataSource) {
    return taskIds(dataSource, "FAILED");
  }

  private List<String> taskIds(String dataSource, String status) {
    List<String> ids = new ArrayList<>();
    for (JsonNode task : ok(get(overlord.resolve("/druid/indexer/v1/tasks?datasource=" + dataSource)))) {
      if (task.get("statusCode").asText().equals(status)) {
        ids.add(task.get("id").asText());
      }
    }
    return ids;
  }

  /** Makes the overlord end a task at once, without publishing its rows. */
  void shutDown(String id) {
    ok(post(overlord.resolve("/druid/indexer/v1/task/" + id + "/shutdown"), JsonNodeFactory.instance.objectNode()));
  }

  // ---- supervisors

  /** Starts a supervisor, or gives a running one a new specification. Returns its id. */
  String supervise(JsonNode spec) {
    return ok(post(overlord.resolve("/druid/indexer/v1/supervisor"), spec)).get("id").asText();
  }

  /** Report of a supervisor. */
  JsonNode supervisorStatus(String id) {
    return ok(get(overlord.resolve("/druid/indexer/v1/supervisor/" + id + "/status"))).get("payload");
  }

  /** Makes a supervisor do something: {@code suspend}, {@code resume} or {@code terminate}. */
  void supervisor(String id, String action) {
    ok(post(
        overlord.resolve("/druid/indexer/v1/supervisor/" + id + "/" + action), JsonNodeFactory.instance.objectNode()));
  }

  /** Makes the tasks of groups publish their rows now, and starts the next ones. */
  void handOff(String id, int... taskGroups) {
    JsonNode groups = JSON.createObjectNode().set("taskGroupIds", JSON.valueToTree(taskGroups));
    Reply reply = post(overlord.resolve("/druid/indexer/v1/supervisor/" + id + "/taskGroups/handoff"), groups);
    if (reply.status() / 100 != 2) {
      throw new AssertionError("HTTP status " + reply.status() + ": " + reply.body());
    }
  }

  private JsonNode taskStatus(String id) {
    return ok(get(overlord.resolve("/druid/indexer/v1/task/" + id + "/status"))).path("status");
  }

  // ---- segments

  /** Visible segments of the data source, from the metadata store: those that no newer version covers. */
  List<Segment> segments(String dataSource) {
    URI uri = coordinator.resolve("/druid/coordinator/v1/metadata/datasources/" + dataSource + "/segments?full");
    JsonNode intervals = JsonNodeFactory.instance.arrayNode().add(INTERVAL);
    List<Segment> segments = new ArrayList<>();
    for (JsonNode segment : ok(post(uri, intervals))) {
      segments.add(new Segment(
          segment.get("interval").asText(),
          segment.get("version").asText(),
          segment.path("shardSpec").path("partitionNum").asInt(),
          new File(segment.path("loadSpec").path("path").asText())
      ));
    }
    return segments.stream()
        .filter(segment -> segments.stream().noneMatch(segment::isHiddenBy))
        .sorted(Comparator.comparing(Segment::interval).thenComparingInt(Segment::partition))
        .toList();
  }

  /** Waits until the broker's segments are exactly the published ones, and each is on a server. */
  void awaitServed(String dataSource, Duration timeout) {
    awaitServed(dataSource, 1, timeout);
  }

  /** Same as {@link #awaitServed(String, Duration)}, with a least number of servers for each segment. */
  void awaitServed(String dataSource, int servers, Duration timeout) {
    await(
        "all segments of " + dataSource + " to be served",
        timeout,
        () -> {
          Set<String> published = new TreeSet<>();
          segments(dataSource).forEach(s -> published.add(s.key()));
          if (published.isEmpty()) {
            return "nothing is published";
          }
          Set<String> served = served(dataSource, servers);
          return published.equals(served) ? "" : "published " + published + ", served " + served;
        },
        String::isEmpty
    );
  }

  private Set<String> served(String dataSource, int servers) {
    Set<String> served = new TreeSet<>();
    for (JsonNode candidate : candidates(dataSource)) {
      if (candidate.path("locations").size() >= servers) {
        served.add(candidate.get("interval").asText() + "_" + candidate.get("version").asText() + "_"
            + candidate.get("partitionNumber").asInt());
      }
    }
    return served;
  }

  /** Addresses of all servers that the broker would query for the data source. */
  Set<String> servers(String dataSource) {
    Set<String> servers = new TreeSet<>();
    for (JsonNode candidate : candidates(dataSource)) {
      candidate.path("locations").forEach(location -> servers.add(location.path("name").asText()));
    }
    return servers;
  }

  private JsonNode candidates(String dataSource) {
    return ok(get(broker.resolve("/druid/v2/datasources/" + dataSource + "/candidates?intervals=" + INTERVAL)));
  }

  /**
   * Makes the coordinator drop segments that newer ones cover at once, not only a quarter of an hour after its start.
   */
  void dropHiddenSegmentsAtOnce() {
    Reply reply =
        post(coordinator.resolve("/druid/coordinator/v1/config"), parse("{\"millisToWaitBeforeDeleting\": 0}"));
    if (reply.status() != 200) {
      throw new AssertionError("HTTP status " + reply.status() + ": " + reply.body());
    }
  }

  /** Marks all segments of the data source as unused, so that servers drop them. They stay in deep storage. */
  void markUnused(String dataSource) {
    ok(send(HttpRequest.newBuilder(overlord.resolve("/druid/indexer/v1/datasources/" + dataSource)).DELETE()));
  }

  /**
   * The coordinator's load status of each data source.
   *
   * @param form {@code simple}, how many are not available; {@code full}, how many copies are missing; empty, how many
   *             percent are available
   */
  JsonNode loadStatus(String form) {
    return ok(get(coordinator.resolve("/druid/coordinator/v1/loadstatus" + (form.isEmpty() ? "" : "?" + form))));
  }

  /** Makes each server load all segments of the data source, to join others with it. */
  void broadcast(String dataSource) {
    URI rules = coordinator.resolve("/druid/coordinator/v1/rules/" + dataSource);
    Reply reply = post(rules, parse("[{\"type\": \"broadcastForever\"}]"));
    if (reply.status() != 200) {
      throw new AssertionError("HTTP status " + reply.status() + ": " + reply.body());
    }
  }

  // ---- queries

  JsonNode query(JsonNode query) {
    return ok(tryQuery(query));
  }

  Reply tryQuery(JsonNode query) {
    return tryQuery(broker, query);
  }

  /** Sends a service other than the broker a query, as the broker does. */
  Reply tryQuery(URI service, JsonNode query) {
    return post(service.resolve("/druid/v2"), query);
  }

  // ---- automatic compaction

  /** Starts automatic compaction by the overlord, in all task slots. */
  void enableAutoCompaction() {
    ok(post(
        overlord.resolve("/druid/indexer/v1/compaction/config/cluster"),
        parse("{\"compactionTaskSlotRatio\": 1.0, \"maxCompactionTaskSlots\": 2, \"useSupervisors\": true}")
    ));
  }

  Reply setAutoCompaction(String dataSource, JsonNode config) {
    return post(overlord.resolve("/druid/indexer/v1/compaction/config/datasources/" + dataSource), config);
  }

  void deleteAutoCompaction(String dataSource) {
    ok(send(HttpRequest.newBuilder(overlord.resolve("/druid/indexer/v1/compaction/config/datasources/" + dataSource))
        .DELETE()));
  }

  /** The scheduler's last report on the data source; missing before the first. */
  JsonNode compactionStatus(String dataSource) {
    Reply reply = get(overlord.resolve("/druid/indexer/v1/compaction/status/datasources/" + dataSource));
    return reply.status() == 404 ? JsonNodeFactory.instance.missingNode() : ok(reply);
  }

  // ---- plumbing

  /** Polls until the value is as wanted and returns it. */
  static <T> T await(String what, Duration timeout, Supplier<T> value, Predicate<T> wanted) {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      T current = value.get();
      if (wanted.test(current)) {
        return current;
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("Waited " + timeout.toSeconds() + " s for " + what + "; last seen: " + current);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while waiting for " + what, e);
      }
    }
  }

  /**
   * The first service that is not ready yet, in the order of their dependence; empty once Druid accepts tasks and
   * queries.
   */
  String notReady() {
    if (!isUp(coordinator, "/druid/coordinator/v1/isLeader")) {
      return "the coordinator";
    } else if (!isUp(overlord, "/druid/indexer/v1/isLeader")) {
      return "the overlord";
    } else if (!isUp(broker, "/druid/broker/v1/readiness")) {
      return "the broker";
    }
    return hasWorker() ? "" : "a worker";
  }

  /** Returns whether the overlord has a worker that accepts tasks. */
  boolean hasWorker() {
    try {
      Reply workers = get(overlord.resolve("/druid/indexer/v1/workers"));
      return workers.status() == 200 && !workers.json().isEmpty();
    } catch (UncheckedIOException e) {
      return false; // The overlord is not there yet.
    }
  }

  /** Returns whether a service answers a path with success. */
  boolean isUp(URI service, String path) {
    try {
      return get(service.resolve(path)).status() == 200;
    } catch (UncheckedIOException e) {
      return false; // Nothing listens yet.
    }
  }

  private static JsonNode ok(Reply reply) {
    if (reply.status() / 100 != 2) {
      throw new AssertionError("HTTP status " + reply.status() + ": " + reply.body());
    }
    return reply.json();
  }

  private Reply get(URI uri) {
    return send(HttpRequest.newBuilder(uri).GET());
  }

  private Reply post(URI uri, JsonNode body) {
    return send(HttpRequest.newBuilder(uri)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
  }

  private Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response =
          http.send(request.timeout(REQUEST_TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
      return new Reply(response.statusCode(), Objects.requireNonNullElse(response.body(), ""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted in an HTTP request", e);
    }
  }
}
