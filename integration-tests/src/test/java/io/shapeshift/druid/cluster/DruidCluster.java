// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import io.shapeshift.druid.segment.ShapeShiftModule;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.druid.initialization.DruidModule;
import org.apache.druid.java.util.common.ISE;
import org.apache.druid.testing.embedded.EmbeddedBroker;
import org.apache.druid.testing.embedded.EmbeddedCoordinator;
import org.apache.druid.testing.embedded.EmbeddedDruidCluster;
import org.apache.druid.testing.embedded.EmbeddedDruidServer;
import org.apache.druid.testing.embedded.EmbeddedHistorical;
import org.apache.druid.testing.embedded.EmbeddedIndexer;
import org.apache.druid.testing.embedded.EmbeddedOverlord;
import org.apache.logging.log4j.jul.Log4jBridgeHandler;

/** A whole Druid in this JVM, with our extension: coordinator, overlord, indexer, broker, historical. */
final class DruidCluster implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  /**
   * Memory of each server: the 2 MB of direct memory of Druid's own test servers are too little for a group-by's
   * buffers.
   */
  private static final long SERVER_MEMORY = 512L << 20;

  private static final Map<String, String> COMMON_PROPERTIES = Map.of(
      "druid.storage.zip", "false", // The tests look into the segments in deep storage.
      "druid.processing.buffer.sizeBytes", "16MiB",
      "druid.processing.numThreads", "2",
      "druid.processing.numMergeBuffers", "2",
      // Tasks of streams notice soon, and not within a minute, that their segments are loaded.
      "druid.segment.handoff.pollDuration", "PT1S",
      // The coordinator asks a Historical again soon if the answer about a loaded segment is lost.
      "druid.coordinator.loadqueuepeon.http.hostTimeout", "PT10S",
      // Automatic compaction notices new segments soon, and looks often.
      "druid.manager.segments.pollDuration", "PT1S"
  );

  private final EmbeddedDruidCluster cluster;
  private final DruidApi api;

  private DruidCluster(EmbeddedDruidCluster cluster, DruidApi api) {
    this.cluster = cluster;
    this.api = api;
  }

  /**
   * Starts the services.
   *
   * @param directory  where deep storage, caches and task directories go; made if need be
   * @param properties Druid's runtime properties beyond those that any of our tests needs
   */
  static DruidCluster start(Path directory, Map<String, String> properties) throws Exception {
    // Slots for a parallel task and two subtasks.
    return start(directory, properties, 1, 3, List.of());
  }

  /**
   * Starts the services, with further extensions.
   *
   * @param indexers  how many workers; replicas of a task never run on the same one
   * @param taskSlots how many tasks run on each at a time
   */
  static DruidCluster start(
      Path directory,
      Map<String, String> properties,
      int indexers,
      int taskSlots,
      List<Class<? extends DruidModule>> extensions
  ) throws Exception {
    Files.createDirectories(directory);
    System.setProperty("derby.stream.error.file", directory.resolve("derby.log").toString());
    Log4jBridgeHandler.install(true, null, true); // Jersey and Guice would talk on the console.

    EmbeddedDruidCluster cluster = EmbeddedDruidCluster.withEmbeddedDerbyAndZookeeper();
    cluster.addExtension(ShapeShiftModule.class);
    extensions.forEach(cluster::addExtension);
    COMMON_PROPERTIES.forEach(cluster::addCommonProperty);
    properties.forEach(cluster::addCommonProperty);

    Servers servers = new Servers(cluster, directory);
    URI coordinator = servers.add(new Coordinator());
    URI overlord = servers.add(new Overlord());
    for (int i = 0; i < indexers; i++) {
      servers.add(new Indexer().addProperty("druid.worker.capacity", String.valueOf(taskSlots)));
    }
    servers.add(new Historical());
    URI broker = servers.add(new Broker());

    cluster.start();
    DruidCluster started = new DruidCluster(cluster, new DruidApi(coordinator, overlord, broker));
    try {
      DruidApi.await("Druid to start", START_TIMEOUT, started.api::notReady, String::isEmpty);
    } catch (RuntimeException | Error e) {
      started.close();
      throw e;
    }
    return started;
  }

  DruidApi api() {
    return api;
  }

  @Override
  public void close() {
    cluster.stop();
  }

  // ---- servers that may take their time

  /** Starts a server; throws if it has not started in time. */
  private interface Start {
    void run() throws Exception;
  }

  /**
   * Starts a server that may be slow on a busy machine. Druid's own method gives up after ten seconds, but the server
   * goes on to start; {@link DruidApi#notReady} reports when it has.
   */
  private static void startPatiently(Start start) throws Exception {
    try {
      start.run();
    } catch (ISE e) {
      if (!e.getMessage().startsWith("Timed out waiting for lifecycle")) {
        throw e;
      }
      System.out.println(e.getMessage() + ": it goes on to start");
    }
  }

  private static final class Coordinator extends EmbeddedCoordinator {
    @Override
    public void start() throws Exception {
      startPatiently(super::start);
    }
  }

  private static final class Overlord extends EmbeddedOverlord {
    @Override
    public void start() throws Exception {
      startPatiently(super::start);
    }
  }

  private static final class Indexer extends EmbeddedIndexer {
    @Override
    public void start() throws Exception {
      startPatiently(super::start);
    }
  }

  private static final class Historical extends EmbeddedHistorical {
    @Override
    public void start() throws Exception {
      startPatiently(super::start);
    }
  }

  private static final class Broker extends EmbeddedBroker {
    @Override
    public void start() throws Exception {
      startPatiently(super::start);
    }
  }

  /** Gives each server a free port and a directory below ours. */
  private static final class Servers {
    private final EmbeddedDruidCluster cluster;
    private final Path directory;

    Servers(EmbeddedDruidCluster cluster, Path directory) {
      this.cluster = cluster;
      this.directory = directory;
    }

    <T extends EmbeddedDruidServer<T>> URI add(T server) throws IOException {
      int port = FreePorts.next();
      Path home = Files.createDirectories(directory.resolve(server.getName()));
      server.setServerMemory(SERVER_MEMORY);
      server.setServerDirectMemory(SERVER_MEMORY);
      // Hooks run in order, and the server's own, which set other directories, run first.
      server.addBeforeStartHook((unused, self) -> {
        self.addProperty("druid.plaintextPort", String.valueOf(port));
        self.addProperty("druid.indexer.task.baseDir", home.toString());
        self.addProperty("druid.storage.storageDirectory", directory.resolve("deep-storage").toString());
        self.addProperty("druid.indexer.logs.directory", directory.resolve("task-logs").toString());
        self.addProperty(
            "druid.segmentCache.locations",
            "[{\"path\": \"" + home.resolve("segments") + "\", \"maxSize\": \"10g\"}]"
        );
      });
      cluster.addServer(server);
      return URI.create("http://localhost:" + port);
    }
  }
}
