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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.curator.test.TestingServer;

/**
 * A Druid as an operator runs it: every service in a process of its own, tasks in processes that the middle manager
 * forks, the extension a jar under {@code extensions/} that Druid loads in a class loader of its own. Only ZooKeeper
 * runs in this JVM.
 */
final class DruidProcesses implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  private static final int TAIL_LINES = 40;

  private final Path directory;
  private final TestingServer zooKeeper;
  private final Map<String, Process> processes = new LinkedHashMap<>();
  private final Map<String, URI> addresses = new LinkedHashMap<>();

  private DruidProcesses(Path directory) throws Exception {
    this.directory = directory;
    this.zooKeeper = new TestingServer();
    // For a test run that is broken off; close() is for one that ends.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> handles().forEach(ProcessHandle::destroyForcibly)));
  }

  /**
   * Starts the services and waits until they are ready.
   *
   * @param directory where configuration, data and logs go; the jar of the extension is below it already, in
   *                  {@code extensions/<name>/}
   * @param extension its name
   * @param classPath of all services
   */
  static DruidProcesses start(Path directory, String extension, List<Path> classPath) throws Exception {
    DruidProcesses druid = new DruidProcesses(directory);
    try {
      druid.startServices(extension, classPath);
      return druid;
    } catch (Exception | Error e) {
      e.addSuppressed(new IllegalStateException(druid.logs()));
      druid.close();
      throw e;
    }
  }

  DruidApi api() {
    URI coordinator = addresses.get("coordinator");
    return new DruidApi(coordinator, coordinator, addresses.get("broker"));
  }

  private void startServices(String extension, List<Path> classPath) throws IOException {
    Path common = Files.createDirectories(directory.resolve("conf/_common"));
    write(common.resolve("common.runtime.properties"), commonProperties(extension));
    Files.writeString(common.resolve("log4j2.xml"), """
        <Configuration status="error">
          <Appenders>
            <Console name="Console"><PatternLayout pattern="%d{ISO8601} %-5p [%t] %c{1.} - %m%n"/></Console>
          </Appenders>
          <Loggers><Root level="info"><AppenderRef ref="Console"/></Root></Loggers>
        </Configuration>
        """);

    startService("coordinator", classPath, Map.of(
        "druid.coordinator.asOverlord.enabled", "true",
        "druid.coordinator.asOverlord.overlordService", "druid/overlord",
        "druid.coordinator.startDelay", "PT1S",
        "druid.coordinator.period", "PT1S",
        "druid.indexer.queue.startDelay", "PT0S",
        "druid.indexer.storage.type", "metadata",
        "druid.manager.segments.pollDuration", "PT1S"
    ));
    startService("historical", classPath, Map.of(
        "druid.segmentCache.locations",
        json(List.of(Map.of("path", directory.resolve("segment-cache").toString(), "maxSize", "10g")))
    ));
    startService("broker", classPath, Map.of("druid.broker.http.numConnections", "4"));
    startService("middleManager", classPath, Map.of(
        "druid.worker.capacity", "1",
        "druid.indexer.task.baseDir", directory.resolve("tasks").toString(),
        "druid.indexer.runner.javaCommand", java(),
        "druid.indexer.runner.javaOptsArray", json(jvmFlags()),
        "druid.indexer.runner.ports", json(List.of(FreePorts.next()))
    ));
    DruidApi api = api();
    DruidApi.await("Druid to start", START_TIMEOUT, () -> {
      assertAlive();
      return api.notReady();
    }, String::isEmpty);
  }

  private void assertAlive() {
    processes.forEach((name, process) -> {
      if (!process.isAlive()) {
        throw new AssertionError("The " + name + " ended with exit status " + process.exitValue());
      }
    });
  }

  private Map<String, String> commonProperties(String extension) throws IOException {
    int derby = FreePorts.next();
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("druid.extensions.directory", directory.resolve("extensions").toString());
    properties.put("druid.extensions.loadList", json(List.of(extension)));
    properties.put("druid.host", "localhost");
    properties.put("druid.zk.service.host", zooKeeper.getConnectString());
    properties.put("druid.metadata.storage.type", "derby");
    properties.put("druid.metadata.storage.connector.host", "localhost");
    properties.put("druid.metadata.storage.connector.port", String.valueOf(derby));
    properties.put(
        "druid.metadata.storage.connector.connectURI",
        "jdbc:derby://localhost:" + derby + "/" + directory.resolve("metadata.db") + ";create=true"
    );
    properties.put("druid.storage.type", "local");
    properties.put("druid.storage.storageDirectory", directory.resolve("deep-storage").toString());
    properties.put("druid.indexer.logs.type", "file");
    properties.put("druid.indexer.logs.directory", directory.resolve("logs/tasks").toString());
    properties.put("druid.lookup.enableLookupSyncOnStartup", "false");
    properties.put("druid.processing.buffer.sizeBytes", "8MiB");
    properties.put("druid.processing.numThreads", "1");
    properties.put("druid.processing.numMergeBuffers", "2");
    properties.put("druid.server.http.numThreads", "12");
    return properties;
  }

  private void startService(String name, List<Path> classPath, Map<String, String> properties) throws IOException {
    int port = FreePorts.next();
    Path conf = Files.createDirectories(directory.resolve("conf").resolve(name));
    Map<String, String> all = new LinkedHashMap<>(properties);
    all.put("druid.service", "druid/" + name);
    all.put("druid.plaintextPort", String.valueOf(port));
    write(conf.resolve("runtime.properties"), all);

    List<String> path = new ArrayList<>(List.of(conf.toString(), directory.resolve("conf/_common").toString()));
    classPath.forEach(entry -> path.add(entry.toString()));
    List<String> command = new ArrayList<>(List.of(java(), "-cp", String.join(File.pathSeparator, path)));
    command.addAll(jvmFlags());
    command.addAll(List.of("org.apache.druid.cli.Main", "server", name));

    Process process = new ProcessBuilder(command)
        .directory(Files.createDirectories(directory.resolve("tmp")).toFile())
        .redirectErrorStream(true)
        .redirectOutput(Files.createDirectories(directory.resolve("logs")).resolve(name + ".log").toFile())
        .start();
    processes.put(name, process);
    addresses.put(name, URI.create("http://localhost:" + port));
  }

  /** Small heaps, and what Druid asks of every JVM: this one was started with it too. */
  private List<String> jvmFlags() {
    List<String> flags = new ArrayList<>(List.of(
        "-Xmx384m",
        "-XX:MaxDirectMemorySize=192m",
        "-XX:TieredStopAtLevel=1",
        "-Duser.timezone=UTC",
        "-Dfile.encoding=UTF-8",
        "-Djava.util.logging.manager=org.apache.logging.log4j.jul.LogManager",
        "-Djava.io.tmpdir=" + directory.resolve("tmp")
    ));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-"))
        .forEach(flags::add);
    return flags;
  }

  /** The end of each process's log, and of each task's. */
  String logs() {
    StringBuilder tails = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory.resolve("logs"))) {
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

  /** Ends the processes, the tasks that they forked among them, and ZooKeeper last: without it they would hang. */
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

  /** The services, and before each what it forked. */
  private List<ProcessHandle> handles() {
    return processes.values().stream()
        .flatMap(process -> Stream.concat(process.descendants(), Stream.of(process.toHandle())))
        .toList();
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
