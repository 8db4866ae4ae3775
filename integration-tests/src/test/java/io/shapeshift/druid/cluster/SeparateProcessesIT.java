// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static io.shapeshift.druid.cluster.DruidProcesses.Service.BROKER;
import static io.shapeshift.druid.cluster.DruidProcesses.Service.COORDINATOR;
import static io.shapeshift.druid.cluster.DruidProcesses.Service.HISTORICAL;
import static io.shapeshift.druid.cluster.DruidProcesses.Service.MIDDLE_MANAGER;
import static io.shapeshift.druid.cluster.DruidProcesses.Service.SECOND_HISTORICAL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.cluster.DruidApi.Segment;
import io.shapeshift.druid.cluster.DruidApi.TaskEnd;
import io.shapeshift.druid.cluster.DruidProcesses.Service;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.SmallDisk;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.druid.java.util.common.FileUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the packed jar in a Druid of separate processes, some of which lack the jar, are killed, or have a full disk.
 * Druid loads an extension in a class loader of its own, where code that works on a single class path can fail:
 * package-private access, services, a dependency that is not in the jar. So the class path of the processes is that of
 * these tests, without any of our classes except the stubs.
 *
 * <p>The tests are one story of one cluster, in order: it starts as a stock Druid, gets the extension service by
 * service, suffers, and becomes a stock Druid again. Queries run nearly all the time, and each answer is compared with
 * that of the stock Druid. {@code -Dshapeshift.faults=N} kills and fills N times what is otherwise killed and filled
 * once, at other times each.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SeparateProcessesIT {
  private static final Pattern IN_THE_EXTENSION_ONLY = Pattern.compile("druid-shapeshift.*\\.jar");
  private static final Duration TASK_TIMEOUT = Duration.ofMinutes(6);
  private static final Duration SERVE_TIMEOUT = Duration.ofMinutes(4);
  private static final int REPETITIONS = Integer.getInteger("shapeshift.faults", 1);
  /** Druid's message where the extension is missing. */
  private static final String UNKNOWN_TYPE = "Could not resolve type id 'shapeshift.";
  /** Data source of the edits, stored in turn in Druid's own columns and in shape-shifting ones. */
  private static final String EDITS = "edits";
  /** Data source of tasks that fail at first. */
  private static final String FAILED = "failed";
  private static final String FULL_DISK = "No space left on device";
  /** Druid's error where it has copied a part of a column, and the frames of the copy. */
  private static final String PARTIAL_COPY =
      "Expected \\[[0-9,]+] bytes, only saw \\[[0-9,]+].*\n(\\s+at .*\n)*\\s+at .*FileSmoosher\\.mergeWithSmoosher\\(";
  private static final long DISK_BYTES = 256 << 20;
  /** Room for some persisted rows of a stream. */
  private static final long STREAM_BYTES = 150 << 10;
  /** Rows of a stream at a time. */
  private static final int STREAMED = 1_500;
  private static final Pattern LIBRARY_OR_DERBY = Pattern.compile("lib(lz4|zstd)-.*\\.so(\\.lck)?|derby\\.log");
  /** Message of the broker about a server or a task that it can ask from now on. */
  private static final String APPEARED = "HttpServerInventoryView - Server\\[.*] appeared";
  private static final RandomData RANDOM = RandomData.shared(0);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path directory;

  @RegisterExtension
  static final TestWatcher LOGS_OF_A_FAILURE = new TestWatcher() {
    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
      System.err.println(processes == null ? "no process was started" : processes.tails());
    }
  };

  private static DruidProcesses processes;
  private static DruidApi druid;
  private static Wikiticker wikiticker;
  private static Optional<SmallDisk> disk = Optional.empty();
  /** Output of dump-segment for the edits in Druid's own columns, by its option. */
  private static final Map<String, List<String>> DUMPED = new LinkedHashMap<>();
  /** Answers of stock Druid. */
  private static final Map<NativeQuery, List<JsonNode>> EXPECTED = new LinkedHashMap<>();

  @BeforeAll
  static void startStock() throws Exception {
    Path jar = Path.of(System.getProperty("extension.jar"));
    Path extension = Files.createDirectories(DruidProcesses.extension(directory));
    Files.copy(jar, extension.resolve(jar.getFileName()));
    Path kafka = Files.createDirectories(DruidProcesses.kafkaExtension(directory));
    jar(kafka.resolve("kafka.jar"), "io/shapeshift/druid/kafka", "META-INF/services");
    List<Path> classPath = classPathWithoutExtension(directory);
    assertHasDruidButNotUs(classPath);
    wikiticker = Wikiticker.extractThirdTo(directory.resolve("sample"));
    Path logs = Path.of(System.getProperty("druid.log.file")).resolveSibling("druid-processes");
    processes = new DruidProcesses(directory, logs, classPath);
    druid = processes.api();
    disk = SmallDisk.mount(processes.tasks(), DISK_BYTES);
    try {
      processes.start(false, Service.values());
    } catch (Exception | AssertionError e) {
      System.err.println(processes.tails());
      throw e;
    }
  }

  @AfterAll
  static void stop() throws IOException {
    try {
      if (processes != null) {
        processes.close();
      }
    } finally {
      disk.ifPresent(SmallDisk::close);
    }
  }

  /** Without the extension Druid silently ignores its options in a spec. */
  @Test
  @Order(1)
  void aStockDruidIgnoresTheOptions() throws Exception {
    druid.dropHiddenSegmentsAtOnce();
    druid.run(ingestion(EDITS), TASK_TIMEOUT);
    druid.awaitServed(EDITS, 2, SERVE_TIMEOUT);
    assertEncodings(EDITS, false);
    for (Service service : Service.values()) {
      assertEquals(List.of(), linesWith(service, "(WARN|ERROR) .*(encodingStrategy|shapeshift)"), service::toString);
    }
    for (NativeQuery query : NativeQuery.all()) {
      List<JsonNode> rows = query.rows(druid, EDITS);
      assertFalse(rows.isEmpty(), () -> "A query without an answer proves nothing: " + query.name());
      EXPECTED.put(query, rows);
    }
    assertEquals(addedPerChannel(wikiticker), addedPerChannel(EDITS));
    dumpEdits(false, DUMPED);
  }

  /**
   * All services except the broker and a Historical get the extension, and then the edits are rewritten. The broker
   * needs no extension, because it reads no column.
   */
  @Test
  @Order(2)
  void fromStockWhileQueriesRun() throws Exception {
    try (QueryLoad load = new QueryLoad(druid, EDITS, EXPECTED)) {
      processes.restart(true, COORDINATOR, MIDDLE_MANAGER, HISTORICAL);
      druid.awaitServed(EDITS, 2, SERVE_TIMEOUT);
      compact(EDITS, Wikiticker.SHAPE_SHIFT);
      druid.awaitServed(EDITS, SERVE_TIMEOUT);
      assertEncodings(EDITS, true);
      load.assertAllRight("From stock to shape-shifting columns");
    }
    assertEquals(List.of(), linesWith(BROKER, UNKNOWN_TYPE));
  }

  /** The configured emitter gets the metrics, also those of a short task; see docs/extension.md. */
  @Test
  @Order(3)
  void metricsOfServicesAndTasks() throws Exception {
    final String metric = "LoggingEmitter - .*\"metric\":\"shapeshift/%s\".*\"value\":[1-9]";
    assertSays(HISTORICAL, metric.formatted("read/chunks"));
    final List<String> task = processes.taskLog(druid.taskIds(EDITS).stream()
        .filter(id -> id.startsWith("compact_")).findFirst().orElseThrow());
    for (String written : List.of("write/segments", "write/bytes")) {
      assertTrue(task.stream().anyMatch(Pattern.compile(metric.formatted(written)).asPredicate()), written);
    }
    assertEquals(List.of(), linesWith(BROKER, "shapeshift/"), "what lacks the extension emits nothing of it");
  }

  /** Tests which messages an operator sees, where they appear, and that adding the jar and restarting are enough. */
  @Test
  @Order(4)
  void aHistoricalWithoutTheExtension() throws Exception {
    Segment segment = druid.segments(EDITS).get(0);
    String id = String.join("_", EDITS, segment.interval().replace('/', '_'), segment.version());
    assertSays(
        SECOND_HISTORICAL,
        "ERROR .*SegmentLocalCacheManager - Failed to load segment in current location .*Please make sure to load all "
            + "the necessary extensions and jars with type 'shapeshift\\.\\w+' on 'druid/historical' service\\. "
            + UNKNOWN_TYPE
    );
    assertSays(
        COORDINATOR,
        "ERROR .*HttpLoadQueuePeon - Server\\[" + processes.address(SECOND_HISTORICAL) + "] failed segment\\["
            + Pattern.quote(id) + "] request\\[(LOAD|REPLICATE)] with cause \\[.* in all locations\\.]"
    );
    assertEquals(1, druid.loadStatus("full").path("_default_tier").path(EDITS).asInt(-1), "copies that are missing");
    assertEquals(0, druid.loadStatus("simple").path(EDITS).asInt(-1), "segments without a copy");
    // If it were the only server, its rows would be missing without an error.
    ObjectNode query = NativeQuery.all().get(0).query().put("dataSource", EDITS);
    DruidApi.await(
        "the Historical to have no rows",
        SERVE_TIMEOUT,
        () -> druid.tryQuery(processes.address(SECOND_HISTORICAL), query),
        reply -> reply.status() == 200 && reply.body().equals("[]")
    );

    try (QueryLoad load = new QueryLoad(druid, EDITS, EXPECTED)) {
      processes.stop(SECOND_HISTORICAL);
      Path extension = DruidProcesses.extension(directory);
      Path away = Files.move(extension, directory.resolve("away"));
      List<String> said = processes.startInVain(SECOND_HISTORICAL);
      Files.move(away, extension);
      String missing = "Extension [" + extension + "] specified in \"druid.extensions.loadList\" didn't exist!?";
      assertTrue(said.stream().anyMatch(line -> line.contains(missing)), said::toString);

      int lines = processes.log(SECOND_HISTORICAL).size();
      processes.restart(true, SECOND_HISTORICAL, BROKER);
      druid.awaitServed(EDITS, 2, SERVE_TIMEOUT);
      List<String> since = processes.log(SECOND_HISTORICAL);
      assertEquals(
          List.of(), since.subList(lines, since.size()).stream().filter(line -> line.contains(UNKNOWN_TYPE)).toList());
      DruidApi.await(
          "no copy to be missing",
          SERVE_TIMEOUT,
          () -> druid.loadStatus("full").path("_default_tier").path(EDITS).asInt(-1),
          copies -> copies == 0
      );
      load.assertAllRight("A Historical and the broker get the extension");
    }
  }

  /** A task without the extension names it in its error, and publishes nothing. */
  @Test
  @Order(5)
  void aTaskWithoutTheExtension() throws Exception {
    List<Segment> before = druid.segments(EDITS);
    ObjectNode compaction = Wikiticker.encodeAndIndex(Wikiticker.compaction(EDITS), Wikiticker.STOCK);
    compaction.withObject("/context").put("druid.indexer.fork.property.druid.extensions.loadList", "[]");
    TaskEnd end = druid.awaitEnd(druid.start(compaction), TASK_TIMEOUT);
    assertFalse(end.success());
    assertTrue(end.error().contains("Failed to load segment[" + EDITS), end.error());
    assertTrue(processes.taskLog(end.id()).stream().anyMatch(line -> line.contains(UNKNOWN_TYPE)), end::id);
    assertEquals(before, druid.segments(EDITS));
  }

  /** Druid's tool dump-segment prints the same for both kinds of columns. */
  @Test
  @Order(6)
  void dumpedSegments() throws Exception {
    Map<String, List<String>> dumped = new LinkedHashMap<>();
    dumpEdits(true, dumped);
    assertEquals(DUMPED, dumped);
  }

  /**
   * One Historical is killed while it loads four segments of six hours, and started again. Then the other is killed, so
   * that only the segments that the first one has loaded answer, and started again as well.
   */
  @Test
  @Order(7)
  void historicalsAreKilled() throws Exception {
    for (int i = 0; i < REPETITIONS; i++) {
      String dataSource = "quarters-" + i;
      try (QueryLoad load = new QueryLoad(druid, EDITS, EXPECTED)) {
        druid.run(
            ingestion(
                dataSource,
                "{\"spec\": {\"dataSchema\": {\"granularitySpec\": {\"segmentGranularity\": \"six_hour\"}}}}"
            ),
            TASK_TIMEOUT
        );
        Path cache = processes.segmentCache(SECOND_HISTORICAL);
        int enough = 1 + RANDOM.nextInt(16);
        DruidApi.await(
            "the Historical to load", SERVE_TIMEOUT, () -> files(cache, dataSource).size(), files -> files >= enough);
        processes.kill(SECOND_HISTORICAL);
        System.out.printf(
            Locale.ROOT, "A Historical is killed with %d files of %s%n", files(cache, dataSource).size(), dataSource);
        processes.start(true, SECOND_HISTORICAL);
        druid.awaitServed(EDITS, 2, SERVE_TIMEOUT);
        druid.awaitServed(dataSource, 2, SERVE_TIMEOUT);
        assertEncodings(dataSource, true);
        assertAnswers(dataSource);

        processes.kill(HISTORICAL);
        String left = processes.address(SECOND_HISTORICAL).getAuthority();
        DruidApi.await(
            "the broker to ask " + left + " alone",
            SERVE_TIMEOUT,
            () -> druid.servers(dataSource),
            Set.of(left)::equals
        );
        assertAnswers(dataSource);
        processes.start(true, HISTORICAL);
        druid.awaitServed(EDITS, 2, SERVE_TIMEOUT);
        druid.awaitServed(dataSource, 2, SERVE_TIMEOUT);
        load.assertAllRight("Historicals are killed");
      }
    }
  }

  /**
   * The disk of the tasks has room for the persisted rows, but not for the merged segment; in repetitions, any room.
   * Where Druid copies what was written while another column was open, it ignores a partial write, with stock columns
   * as well. If the disk gets full in the midst of one, the error is Druid's of a column that is too short.
   */
  @Test
  @Order(8)
  void theDiskOfTasksIsFull() throws Exception {
    SmallDisk small = SmallDisk.orSkip(disk);
    for (int i = 0; i < REPETITIONS; i++) {
      int kilobytes = i == 0 ? 2 << 10 : 256 + RANDOM.nextInt(3 << 10);
      small.leave((long) kilobytes << 10);
      TaskEnd end = druid.awaitEnd(druid.start(ingestion(FAILED)), TASK_TIMEOUT);
      small.leave(DISK_BYTES);
      System.out.printf(Locale.ROOT, "%d KB for a task: %s%n", kilobytes, end.error().lines().findFirst().orElse(""));
      assertFalse(end.success());
      String log = String.join("\n", processes.taskLog(end.id()));
      String error = i == 0 ? FULL_DISK : FULL_DISK + "|" + PARTIAL_COPY;
      assertTrue(Pattern.compile(error).matcher(log).find(), () -> "no \"" + error + "\" in the log of " + end.id());
      assertNothingIsLeft(FAILED);
    }
  }

  /**
   * A task is killed after it has persisted rows, and another while it merges. Then one succeeds where all failed. A
   * kill with a delay can come after the task has published its segment, and even after its end.
   */
  @Test
  @Order(9)
  void tasksAreKilled() throws Exception {
    int unpublished = 0;
    for (int i = 0; i < REPETITIONS; i++) {
      // Directories of the second persist, and of the merged segment.
      for (String writes : List.of("1", "merged")) {
        String id = druid.start(ingestion(FAILED));
        DruidApi.await("the task to write " + writes, TASK_TIMEOUT, () -> isWritten(writes), there -> there);
        // A random delay, so that repetitions kill at different moments.
        TimeUnit.MILLISECONDS.sleep(RANDOM.nextInt(1 + 500 * Math.min(i, 1)));
        processes.peons().forEach(ProcessHandle::destroyForcibly);
        TaskEnd end = druid.awaitEnd(id, TASK_TIMEOUT);
        if (!end.success()) {
          assertEquals(
              "Task execution process exited unsuccessfully with code[137]. See middleManager logs for more details.",
              end.error()
          );
        }
        // From here on Druid publishes no segment of the task.
        assertSays(COORDINATOR, "TaskLockbox - Removing task\\[" + Pattern.quote(id));
        boolean published = end.success() || !druid.segments(FAILED).isEmpty();
        System.out.printf(
            Locale.ROOT, "A task is killed that writes %s: %s%n", writes, published ? "published" : "not published");
        if (published) {
          assertServedRight(FAILED);
          druid.markUnused(FAILED);
          DruidApi.await("no server to have it", SERVE_TIMEOUT, () -> druid.servers(FAILED), Set::isEmpty);
        } else {
          unpublished++;
        }
        deletePushed(FAILED);
        assertNothingIsLeft(FAILED);
      }
    }
    assertTrue(unpublished > 0, "no task was killed before it had published its segment");
    druid.run(ingestion(FAILED), TASK_TIMEOUT);
    assertServedRight(FAILED);
  }

  /** A task that reads Kafka is killed, and the disk of another is full: no row is lost, and none is there twice. */
  @Test
  @Order(10)
  void tasksOfAStreamAreKilledAndTheirDiskIsFull() throws Exception {
    try (KafkaBroker kafka = KafkaBroker.start(directory.resolve("kafka"))) {
      StreamedRows rows = new StreamedRows(kafka, "rows", 2 * STREAMED);
      StreamSpec spec = new StreamSpec("stream", false, false, StreamSpec.OFF_HEAP, Wikiticker.SHAPE_SHIFT, 1, 1);
      StreamedAnswers answers = new StreamedAnswers(druid, spec.dataSource(), spec.rollup());
      druid.supervise(spec.json(kafka, rows.topic()));
      rows.send(STREAMED);
      assertAnswers(answers, rows);
      assertFalse(files(processes.tasks(), "version.bin").isEmpty(), "no rows were persisted");
      try (StreamedLoad load = new StreamedLoad(answers, rows)) {
        load.tasksEnd();
        for (int i = 0; i < REPETITIONS; i++) {
          int appeared = linesWith(BROKER, APPEARED).size();
          processes.peons().forEach(ProcessHandle::destroyForcibly);
          rows.send(STREAMED);
          // The next task has the address of the killed one, and is gone for a moment when ZooKeeper drops that one.
          assertSays(BROKER, APPEARED, appeared + 1);
          assertAnswers(answers, rows);
        }
        if (disk.isPresent()) {
          int failed = druid.failedTasks(spec.dataSource()).size();
          int lines = processes.log(MIDDLE_MANAGER).size();
          disk.get().leave(STREAM_BYTES);
          rows.send(3 * STREAMED);
          List<String> now = DruidApi.await("a task to fail", TASK_TIMEOUT,
              () -> druid.failedTasks(spec.dataSource()), tasks -> tasks.size() > failed);
          disk.get().leave(DISK_BYTES);
          // The task's log is on the same disk, so that the middle manager may be the one to say so.
          List<String> logs = processes.log(MIDDLE_MANAGER);
          logs = new ArrayList<>(logs.subList(lines, logs.size()));
          for (String id : now) {
            logs.addAll(processes.taskLog(id));
          }
          assertTrue(logs.stream().anyMatch(line -> line.contains(FULL_DISK)), now::toString);
          assertAnswers(answers, rows);
        }
        druid.supervisor(spec.dataSource(), "terminate");
        DruidApi.await("the task to end", TASK_TIMEOUT, () -> druid.runningTasks(spec.dataSource()), List::isEmpty);
        druid.awaitServed(spec.dataSource(), 2, SERVE_TIMEOUT);
        answers.assertAnswer(rows.sent());
        load.assertAllRight();
      }
      assertEncodings(spec.dataSource(), true);
    }
  }

  private static void assertAnswers(StreamedAnswers answers, StreamedRows rows) {
    DruidApi.await("all rows", TASK_TIMEOUT, () -> {
      try {
        return answers.rows();
      } catch (AssertionError e) {
        return -1L; // The broker asks a task that has ended.
      }
    }, n -> n == rows.sent().size());
    answers.assertAnswer(rows.sent());
  }

  /** The edits are rewritten in Druid's own columns, and then all services lose the extension. */
  @EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
  @Test
  @Order(11)
  void backToStockWhileQueriesRun() throws Exception {
    try (QueryLoad load = new QueryLoad(druid, EDITS, EXPECTED)) {
      compact(EDITS, Wikiticker.STOCK);
      druid.awaitServed(EDITS, 2, SERVE_TIMEOUT);
      assertEncodings(EDITS, false);
      processes.restart(false, HISTORICAL);
      druid.awaitServed(EDITS, 2, SERVE_TIMEOUT);
      processes.restart(false, SECOND_HISTORICAL, BROKER, COORDINATOR, MIDDLE_MANAGER);
      druid.awaitServed(EDITS, 2, SERVE_TIMEOUT);
      load.assertAllRight("Back to stock");
    }
  }

  // ---- operations

  /** Prints the rows of the edits, and the rows of each channel. */
  private static void dumpEdits(boolean withExtension, Map<String, List<String>> dumped) throws Exception {
    Path segment = druid.segments(EDITS).get(0).directory().toPath();
    for (List<String> options : List.of(
        List.of("--dump", "rows"), List.of("--dump", "bitmaps", "--decompress-bitmaps", "-c", "channel"))) {
      List<String> lines = processes.dump(withExtension, segment, options.toArray(new String[0]));
      assertFalse(lines.isEmpty(), options::toString);
      dumped.put(options.get(1), lines);
    }
  }

  /** A task with all of our options that persists several times, so that it has something to merge. */
  private static ObjectNode ingestion(String dataSource, String... changes) {
    ObjectNode task = wikiticker.ingestion(dataSource, changes);
    task.withObject("/spec/tuningConfig").put("maxRowsInMemory", 2000).setAll(
        (ObjectNode) DruidApi.parse(Wikiticker.OFF_HEAP));
    return Wikiticker.encodeAndIndex(task, Wikiticker.SHAPE_SHIFT);
  }

  private static void compact(String dataSource, String strategy) {
    druid.run(Wikiticker.encodeAndIndex(Wikiticker.compaction(dataSource), strategy), TASK_TIMEOUT);
  }

  /** Returns whether a task has a file in a directory of this name. */
  private static boolean isWritten(String directory) {
    return files(processes.tasks(), "").stream()
        .anyMatch(file -> file.getParent().getFileName().toString().equals(directory));
  }

  /** Files below a directory whose path contains a text. Others may make and delete files at the same time. */
  private static List<Path> files(Path directory, String text) {
    List<Path> files = new ArrayList<>();
    File[] entries = directory.toFile().listFiles();
    for (File entry : entries == null ? new File[0] : entries) {
      if (entry.isDirectory()) {
        files.addAll(files(entry.toPath(), text));
      } else if (entry.getPath().contains(text)) {
        files.add(entry.toPath());
      }
    }
    return files;
  }

  /** Log lines of a service that match a pattern. */
  private static List<String> linesWith(Service service, String pattern) throws IOException {
    return processes.log(service).stream().filter(Pattern.compile(pattern).asPredicate()).toList();
  }

  // ---- assertions

  private static void assertSays(Service service, String pattern) {
    assertSays(service, pattern, 1);
  }

  /** Waits until a service has said it a number of times since its first start. */
  private static void assertSays(Service service, String pattern, int times) {
    DruidApi.await("the " + service + " to say " + pattern, SERVE_TIMEOUT, () -> {
      try {
        return linesWith(service, pattern);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }, lines -> lines.size() >= times);
  }

  /**
   * Deletes from deep storage what a task leaves there if it is killed after Druid has pushed a segment. Each such
   * segment has to be whole. None may be published, because servers would try to load it for ever.
   */
  private static void deletePushed(String dataSource) throws IOException {
    Set<Path> segments = files(processes.deepStorage(), dataSource).stream()
        .map(Path::getParent)
        .collect(Collectors.toSet());
    for (Path segment : segments) {
      assertEquals(List.of(), SegmentChecksums.read(segment).check(segment), segment::toString);
      FileUtils.deleteDirectory(segment.toFile());
    }
  }

  /**
   * Asserts that nothing is published or served, and that no file is left in deep storage, in the task's directory, or
   * in the temporary directory.
   */
  private static void assertNothingIsLeft(String dataSource) {
    assertEquals(List.of(), druid.segments(dataSource));
    assertEquals(Set.of(), druid.servers(dataSource));
    assertEquals(List.of(), files(processes.deepStorage(), dataSource));
    // The middle manager deletes the task's files a moment after it has reported the task's end.
    DruidApi.await(
        "the task's files to be deleted",
        SERVE_TIMEOUT,
        () -> files(processes.tasks().resolve("persistent/task"), "/slot"),
        List::isEmpty
    );
    // A killed process leaves native libraries of Druid's codecs there.
    assertEquals(
        List.of(),
        files(processes.temporary(), "").stream()
            .filter(file -> !LIBRARY_OR_DERBY.matcher(file.getFileName().toString()).matches())
            .toList()
    );
  }

  /** Asserts that both Historicals serve whole segments of shape-shifting columns with all rows. */
  private static void assertServedRight(String dataSource) throws IOException {
    druid.awaitServed(dataSource, 2, SERVE_TIMEOUT);
    assertEncodings(dataSource, true);
    assertEquals(addedPerChannel(wikiticker), addedPerChannel(dataSource));
    assertAnswers(dataSource);
  }

  private static void assertAnswers(String dataSource) {
    List<String> differences = new ArrayList<>();
    EXPECTED.forEach((query, rows) -> {
      String difference = NativeQuery.difference(rows, query.rows(druid, dataSource));
      if (!difference.isEmpty()) {
        differences.add(query.name() + ": " + difference);
      }
    });
    assertEquals(List.of(), differences, dataSource);
  }

  private static void assertEncodings(String dataSource, boolean shapeShifting) throws IOException {
    List<Segment> segments = druid.segments(dataSource);
    assertFalse(segments.isEmpty(), "no segments");
    for (Segment segment : segments) {
      List<StoredColumn> columns = StoredColumn.strings(segment.directory());
      assertFalse(columns.isEmpty(), "no string columns");
      for (StoredColumn column : columns) {
        assertEquals(shapeShifting, column.isShapeShifting(), column::toString);
      }
      Path directory = segment.directory().toPath();
      assertEquals(shapeShifting, SegmentChecksums.exist(directory), segment::toString);
      if (shapeShifting) {
        assertEquals(List.of(), SegmentChecksums.read(directory).check(directory), segment::toString);
      }
    }
  }

  /**
   * Jars of the test class path that are not ours, and the stubs, copied from our test classes.
   *
   * @param directory where the stubs go
   */
  static List<Path> classPathWithoutExtension(Path directory) throws IOException {
    List<Path> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (Files.isRegularFile(path) && !IN_THE_EXTENSION_ONLY.matcher(path.getFileName().toString()).matches()) {
        classPath.add(path);
      }
    }
    // The JVM cannot archive classes with a directory on the class path.
    classPath.add(jar(directory.resolve("stubs.jar"), "org/apache/druid"));
    return classPath;
  }

  /** Packs directories of our test classes. */
  private static Path jar(Path target, String... packed) throws IOException {
    Path testClasses = Path.of(System.getProperty("test.classes"));
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(target))) {
      for (String below : packed) {
        try (Stream<Path> files = Files.walk(testClasses.resolve(below))) {
          for (Path file : files.filter(Files::isRegularFile).toList()) {
            jar.putNextEntry(new JarEntry(testClasses.relativize(file).toString()));
            Files.copy(file, jar);
          }
        }
      }
    }
    return target;
  }

  private static void assertHasDruidButNotUs(List<Path> classPath) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path path : classPath) {
      urls.add(url(path));
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      assertEquals(loader, loader.loadClass("org.apache.druid.cli.Main").getClassLoader());
      for (String ours : List.of(
          "io.shapeshift.druid.segment.ShapeShiftModule", "io.shapeshift.druid.cluster.DruidApi")) {
        assertThrows(ClassNotFoundException.class, () -> loader.loadClass(ours), () -> ours + " is on the class path");
      }
    }
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }

  /** Expected answer of the query, from the sample itself. */
  private static Map<String, List<Long>> addedPerChannel(Wikiticker wikiticker) throws IOException {
    Map<String, List<Long>> channels = new TreeMap<>();
    for (JsonNode row : wikiticker.rows()) {
      channels.merge(
          row.get("channel").asText(),
          List.of(1L, row.get("added").asLong()),
          (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1))
      );
    }
    return channels;
  }

  private static Map<String, List<Long>> addedPerChannel(String dataSource) {
    ObjectNode query = (ObjectNode) DruidApi.parse("""
        {
          "queryType": "groupBy",
          "granularity": "all",
          "intervals": ["2015-09-12/2015-09-13"],
          "dimensions": ["channel"],
          "aggregations": [
            {"type": "count", "name": "rows"},
            {"type": "longSum", "name": "added", "fieldName": "added"}
          ]
        }""");
    JsonNode rows = druid.query(query.put("dataSource", dataSource));
    Map<String, List<Long>> channels = new TreeMap<>();
    for (JsonNode row : rows) {
      JsonNode event = row.get("event");
      channels.put(event.get("channel").asText(), List.of(event.get("rows").asLong(), event.get("added").asLong()));
    }
    assertTrue(channels.size() > 1, () -> "no answer: " + rows);
    return channels;
  }
}
