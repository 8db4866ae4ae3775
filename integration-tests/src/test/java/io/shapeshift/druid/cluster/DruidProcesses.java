// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.curator.test.TestingServer;

/**
 * Druid as an operator runs it: every service in a process of its own, tasks in processes that the middle manager
 * forks, the extension as a jar under {@code extensions/} that Druid loads in a class loader of its own. Each service
 * can be started with and without the extension, stopped, and killed. Only ZooKeeper runs in this JVM, and ends last.
 */
final class DruidProcesses implements AutoCloseable {
  /** Services. There are two Historicals, each of which loads all segments. */
  enum Service {
    COORDINATOR("coordinator"),
    HISTORICAL("historical"),
    SECOND_HISTORICAL("historical"),
    BROKER("broker"),
    MIDDLE_MANAGER("middleManager");

    /** Druid's command that starts it. */
    final String command;

    Service(String command) {
      this.command = command;
    }
  }

  /** Name of the extension in {@code druid.extensions.loadList}, and of its folder. */
  private static final String EXTENSION = "druid-shapeshift";
  /** Name of the extension for tests that reads Kafka, and of its folder. */
  private static final String KAFKA_EXTENSION = "kafka-of-tests";
  private static final Duration START_TIMEOUT = Duration.ofMinutes(6);
  /** The service whose first process archives its classes when it ends, for all services that start later. */
  private static final Service ARCHIVING = Service.HISTORICAL;
  private static final int TAIL_LINES = 60;
  /**
   * Metrics that are written to the log of each service and task. Druid's other metrics are left out, because they
   * would fill the logs.
   */
  private static final List<String> METRICS =
      List.of("shapeshift/write/segments", "shapeshift/write/bytes", "shapeshift/read/chunks");

  private final Path directory;
  private final Path logs;
  private final List<Path> classPath;
  private final TestingServer zooKeeper;
  private final Map<Service, Process> processes = new EnumMap<>(Service.class);
  private final Map<Service, URI> addresses = new EnumMap<>(Service.class);
  /** Extensions that a service with extensions loads. */
  private final List<String> extensions = new ArrayList<>(List.of(EXTENSION));
  private final Map<String, String> commonProperties = new LinkedHashMap<>();
  private final Map<Service, Map<String, String>> properties = new EnumMap<>(Service.class);

  /**
   * Writes the configuration; no service is started yet.
   *
   * @param directory where configuration and data go; the jar of the extension is below it already, see
   *                  {@link #extension}
   * @param logs      a directory for a log of each service, in which nothing else is
   * @param classPath of all services
   */
  DruidProcesses(Path directory, Path logs, List<Path> classPath) throws Exception {
    this.directory = directory;
    this.logs = logs;
    this.classPath = classPath;
    FileUtils.deleteDirectory(logs.toFile());
    Files.createDirectories(logs);
    this.zooKeeper = new TestingServer();
    if (Files.exists(kafkaExtension(directory))) {
      extensions.add(KAFKA_EXTENSION);
    }
    // Cleans up after an interrupted test run; close() does after a complete one.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> handles().forEach(ProcessHandle::destroyForcibly)));
    for (Service service : Service.values()) {
      addresses.put(service, URI.create("http://localhost:" + FreePorts.next()));
      properties.put(service, properties(service));
    }
    Path metrics = Files.createDirectories(directory.resolve("conf")).resolve("metrics.json");
    Files.writeString(
        metrics, json(METRICS.stream().collect(Collectors.toMap(Function.identity(), metric -> List.of()))));
    commonProperties.putAll(commonProperties());
    commonProperties.put("druid.emitter.logging.allowedMetricsPath", metrics.toString());
    Files.writeString(logConfiguration(), """
        <Configuration status="error">
          <Appenders>
            <Console name="Console"><PatternLayout pattern="%d{ISO8601} %-5p [%t] %c{1.} - %m%n"/></Console>
          </Appenders>
          <Loggers><Root level="info"><AppenderRef ref="Console"/></Root></Loggers>
        </Configuration>
        """);
  }

  DruidApi api() {
    URI coordinator = addresses.get(Service.COORDINATOR);
    return new DruidApi(coordinator, coordinator, addresses.get(Service.BROKER));
  }

  URI address(Service service) {
    return addresses.get(service);
  }

  /** The extension's folder, with its jar. */
  static Path extension(Path directory) {
    return directory.resolve("extensions").resolve(EXTENSION);
  }

  /** Folder of the extension that reads Kafka. */
  static Path kafkaExtension(Path directory) {
    return directory.resolve("extensions").resolve(KAFKA_EXTENSION);
  }

  /** Parent of the working directories of the middle manager's tasks. */
  Path tasks() {
    return directory.resolve("tasks");
  }

  /** Deep storage. */
  Path deepStorage() {
    return directory.resolve("deep-storage");
  }

  /** Temporary directory of all services and tasks. */
  Path temporary() {
    return directory.resolve("tmp");
  }

  /** Directory of the segments that a Historical has loaded. */
  Path segmentCache(Service historical) {
    return directory.resolve("segment-cache").resolve(historical.name());
  }

  private Path logConfiguration() {
    return directory.resolve("conf/log4j2.xml");
  }

  /** Archive of Druid's classes from the first process, with which others start faster. */
  private Path classArchive() {
    return directory.resolve("classes.jsa");
  }

  private String readClassArchive() {
    return "-XX:SharedArchiveFile=" + classArchive();
  }

  /** Adds an extension, by the name of its folder, to those that services load which start from now on. */
  void load(String extension) {
    extensions.add(extension);
  }

  // ---- life and death

  /** Starts services, and waits until they are ready. */
  void start(boolean withExtension, Service... services) throws IOException {
    for (Service service : services) {
      launch(service, withExtension);
    }
    DruidApi api = api();
    for (Service service : services) {
      DruidApi.await("the " + service + " to be ready", START_TIMEOUT, () -> {
        if (!processes.get(service).isAlive()) {
          throw new AssertionError("The " + service + " ended with exit status " + processes.get(service).exitValue());
        }
        return isReady(api, service);
      }, ready -> ready);
    }
  }

  private boolean isReady(DruidApi api, Service service) {
    return switch (service) {
      case COORDINATOR -> api.isUp(address(service), "/druid/coordinator/v1/isLeader")
          && api.isUp(address(service), "/druid/indexer/v1/isLeader");
      case HISTORICAL, SECOND_HISTORICAL -> api.isUp(address(service), "/druid/historical/v1/readiness");
      case BROKER -> api.isUp(address(service), "/druid/broker/v1/readiness");
      case MIDDLE_MANAGER -> api.isUp(address(service), "/druid/worker/v1/enabled") && api.hasWorker();
    };
  }

  /** Stops services as an operator does, with SIGTERM, and starts them again. */
  void restart(boolean withExtension, Service... services) throws Exception {
    stop(services);
    start(withExtension, services);
  }

  /** Stops services as an operator does, with SIGTERM. */
  void stop(Service... services) throws InterruptedException {
    for (Service service : services) {
      processes.get(service).destroy();
    }
    for (Service service : services) {
      if (!processes.get(service).waitFor(1, TimeUnit.MINUTES)) {
        throw new AssertionError("The " + service + " does not end");
      }
    }
  }

  /** Kills a service with SIGKILL, as the kernel does when memory runs out. */
  void kill(Service service) throws InterruptedException {
    processes.get(service).destroyForcibly().waitFor();
  }

  /** Starts a service whose extension is missing, and returns its output until it ends. */
  List<String> startInVain(Service service) throws Exception {
    int before = log(service).size();
    launch(service, true);
    if (!processes.get(service).waitFor(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("The " + service + " runs without its extension");
    }
    List<String> log = log(service);
    return log.subList(before, log.size());
  }

  /** Processes of running tasks. */
  List<ProcessHandle> peons() {
    return processes.get(Service.MIDDLE_MANAGER).descendants().toList();
  }

  /**
   * Reads a segment by Druid's {@code dump-segment}.
   *
   * @param withExtension whether it has the extension
   * @param options       more of it
   * @return the lines that it writes
   */
  List<String> dump(boolean withExtension, Path segment, String... options) throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "dump", ".json");
    Path log = logs.resolve("DUMP_SEGMENT.log");
    List<String> command = new ArrayList<>(List.of("tools", "dump-segment", "-d", segment.toString(), "-o", "" + out));
    command.addAll(List.of(options));
    Process process = launch("DUMP_SEGMENT", Map.of("druid.service", "druid/dump"), withExtension, log, command);
    if (!process.waitFor(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new AssertionError("dump-segment fails: see " + log);
    }
    return Files.readAllLines(out);
  }

  private void launch(Service service, boolean withExtension) throws IOException {
    processes.put(
        service,
        launch(
            service.name(),
            properties.get(service),
            withExtension,
            logFile(service),
            List.of("server", service.command)
        )
    );
  }

  /** Starts one of Druid's commands. */
  private Process launch(
      String name,
      Map<String, String> properties,
      boolean withExtension,
      Path log,
      List<String> arguments
  ) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(commonProperties);
    all.putAll(properties);
    all.put("druid.extensions.loadList", json(withExtension ? extensions : List.of()));
    Path configuration = directory.resolve("conf").resolve(name + ".properties");
    write(configuration, all);

    String path = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>(List.of(java(), "-cp", path));
    command.addAll(jvmFlags());
    command.add(
        name.equals(ARCHIVING.name()) && !Files.exists(classArchive())
            ? "-XX:ArchiveClassesAtExit=" + classArchive()
            : readClassArchive()
    );
    command.add("-Ddruid.properties.file=" + configuration);
    command.add("org.apache.druid.cli.Main");
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(Files.createDirectories(temporary()).toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  /** Ends the processes, including forked tasks, and then ZooKeeper, without which they would hang. */
  @Override
  public void close() throws IOException {
    List<ProcessHandle> all = handles();
    all.forEach(ProcessHandle::destroy);
    for (ProcessHandle handle : all) {
      try {
        handle.onExit().get(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        handle.destroyForcibly();
      } catch (Exception e) {
        handle.destroyForcibly();
      }
    }
    zooKeeper.close();
  }

  /** Processes of the services, each preceded by the processes that it forked. */
  private List<ProcessHandle> handles() {
    return processes.values().stream()
        .flatMap(process -> Stream.concat(process.descendants(), Stream.of(process.toHandle())))
        .toList();
  }

  // ---- configuration

  private Map<String, String> commonProperties() throws IOException {
    int derby = FreePorts.next();
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("druid.extensions.directory", directory.resolve("extensions").toString());
    properties.put("druid.host", "localhost");
    properties.put("druid.zk.service.host", zooKeeper.getConnectString());
    // A killed process counts as alive for this time.
    properties.put("druid.zk.service.sessionTimeoutMs", "10000");
    properties.put("druid.metadata.storage.type", "derby");
    properties.put("druid.metadata.storage.connector.host", "localhost");
    properties.put("druid.metadata.storage.connector.port", String.valueOf(derby));
    properties.put(
        "druid.metadata.storage.connector.connectURI",
        "jdbc:derby://localhost:" + derby + "/" + directory.resolve("metadata.db") + ";create=true"
    );
    properties.put("druid.storage.type", "local");
    properties.put("druid.storage.storageDirectory", deepStorage().toString());
    // Tasks of streams notice soon, and not within a minute, that their segments are loaded.
    properties.put("druid.segment.handoff.pollDuration", "PT1S");
    properties.put("druid.indexer.logs.type", "file");
    properties.put("druid.indexer.logs.directory", logs.resolve("tasks").toString());
    properties.put("druid.emitter", "logging");
    properties.put("druid.emitter.logging.shouldFilterMetrics", "true");
    properties.put("druid.monitoring.emissionPeriod", "PT2S");
    properties.put("druid.lookup.enableLookupSyncOnStartup", "false");
    properties.put("druid.processing.buffer.sizeBytes", "8MiB");
    properties.put("druid.processing.numThreads", "1");
    properties.put("druid.processing.numMergeBuffers", "2");
    properties.put("druid.server.http.numThreads", "12");
    return properties;
  }

  private Map<String, String> properties(Service service) throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("druid.service", "druid/" + service.command);
    properties.put("druid.plaintextPort", String.valueOf(address(service).getPort()));
    switch (service) {
      case COORDINATOR -> properties.putAll(Map.of(
          "druid.coordinator.asOverlord.enabled", "true",
          "druid.coordinator.asOverlord.overlordService", "druid/overlord",
          // Ask a Historical again soon if the answer about a loaded segment is lost.
          "druid.coordinator.loadqueuepeon.http.hostTimeout", "PT10S",
          "druid.coordinator.startDelay", "PT1S",
          "druid.coordinator.period", "PT1S",
          "druid.indexer.queue.startDelay", "PT0S",
          "druid.indexer.storage.type", "metadata",
          "druid.manager.segments.pollDuration", "PT1S"
      ));
      case HISTORICAL, SECOND_HISTORICAL -> properties.put(
          "druid.segmentCache.locations",
          json(List.of(Map.of("path", segmentCache(service).toString(), "maxSize", "10g")))
      );
      case BROKER -> properties.put("druid.broker.http.numConnections", "4");
      case MIDDLE_MANAGER -> properties.putAll(Map.of(
          "druid.worker.capacity", "1",
          "druid.indexer.task.baseDir", tasks().toString(),
          "druid.indexer.runner.javaCommand", java(),
          "druid.indexer.runner.javaOptsArray",
          json(Stream.concat(jvmFlags().stream(), Stream.of(readClassArchive())).toList()),
          "druid.indexer.runner.ports", json(List.of(FreePorts.next()))
      ));
    }
    return properties;
  }

  /** Small heaps, and the flags that Druid needs in every JVM, which this JVM was started with too. */
  private List<String> jvmFlags() {
    List<String> flags = new ArrayList<>(List.of(
        "-Xmx384m",
        "-XX:MaxDirectMemorySize=192m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Duser.timezone=UTC",
        "-Dfile.encoding=UTF-8",
        "-Djava.util.logging.manager=org.apache.logging.log4j.jul.LogManager",
        "-Dlog4j.configurationFile=" + logConfiguration(),
        "-Djava.io.tmpdir=" + temporary()
    ));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-"))
        .forEach(flags::add);
    return flags;
  }

  // ---- logs

  private Path logFile(Service service) {
    return logs.resolve(service.name() + ".log");
  }

  /** All log lines of a service since its first start. */
  List<String> log(Service service) throws IOException {
    Path file = logFile(service);
    return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
  }

  /** All log lines of an ended task. */
  List<String> taskLog(String id) throws IOException {
    return Files.readAllLines(logs.resolve("tasks").resolve(id + ".log"), StandardCharsets.UTF_8);
  }

  /** Last log lines of each process and each task. */
  String tails() {
    StringBuilder tails = new StringBuilder();
    try (Stream<Path> files = Files.walk(logs)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        tails.append("\n==== ").append(file).append('\n');
        lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())
            .forEach(line -> tails.append(line).append('\n'));
      }
    } catch (IOException e) {
      tails.append("The logs cannot be read: ").append(e);
    }
    return tails.toString();
  }

  private static void write(Path file, Map<String, String> entries) throws IOException {
    Properties properties = new Properties();
    properties.putAll(entries);
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
  }

  private static String json(Object value) throws JsonProcessingException {
    return DruidApi.JSON.writeValueAsString(value);
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
