// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static org.apache.kafka.clients.CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka in a process of its own, on the class path of these tests: one node that is broker and controller (KRaft). It
 * listens on the loopback address.
 */
final class KafkaBroker implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

  private final Process process;
  private final String address;
  private final Admin admin;
  /** Made when Kafka has started. */
  private KafkaProducer<byte[], byte[]> producer;
  private volatile Exception refused;

  private KafkaBroker(Process process, String address) {
    this.process = process;
    this.address = address;
    this.admin = Admin.create(Map.of(BOOTSTRAP_SERVERS_CONFIG, address));
  }

  /**
   * Starts the node, and waits until it answers.
   *
   * @param directory of its data, its configuration and its log
   */
  static KafkaBroker start(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    String address = "localhost:" + FreePorts.next();
    String controller = "localhost:" + FreePorts.next();
    Path configuration = directory.resolve("server.properties");
    Properties properties = new Properties();
    properties.putAll(Map.of(
        "process.roles", "broker,controller",
        "node.id", "1",
        "controller.quorum.voters", "1@" + controller,
        "controller.listener.names", "CONTROLLER",
        "listeners", "PLAINTEXT://" + address + ",CONTROLLER://" + controller,
        "log.dirs", directory.resolve("data").toString(),
        "offsets.topic.replication.factor", "1",
        "auto.create.topics.enable", "false"
    ));
    try (var out = Files.newBufferedWriter(configuration)) {
      properties.store(out, null);
    }
    format(configuration);

    Path log = directory.resolve("kafka.log");
    Process process = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp", System.getProperty("java.class.path"),
        "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
        "kafka.Kafka", configuration.toString()
    ).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    // Cleans up after an interrupted test run; close() does after a complete one.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    KafkaBroker broker = new KafkaBroker(process, address);
    DruidApi.await("Kafka to start; its log is " + log, START_TIMEOUT, broker::problem, Optional::isEmpty);
    // Of several requests in flight the first may come before the partition of a new topic has a leader, and the second
    // after that; then Kafka refuses the first for ever.
    broker.producer = new KafkaProducer<>(
        Map.of(BOOTSTRAP_SERVERS_CONFIG, address, MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1),
        new ByteArraySerializer(),
        new ByteArraySerializer()
    );
    return broker;
  }

  private static void format(Path configuration) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int status = StorageTool.execute(
        new String[] {"format", "-t", Uuid.randomUuid().toString(), "-c", configuration.toString()},
        new PrintStream(said, true, StandardCharsets.UTF_8)
    );
    if (status != 0) {
      throw new AssertionError("Kafka's storage cannot be formatted: " + said.toString(StandardCharsets.UTF_8));
    }
  }

  private Optional<String> problem() {
    if (!process.isAlive()) {
      throw new AssertionError("Kafka ended with exit status " + process.exitValue());
    }
    try {
      admin.describeCluster().nodes().get(1, TimeUnit.SECONDS);
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while Kafka starts", e);
    } catch (Exception e) {
      return Optional.of(e.toString());
    }
  }

  /** Host and port for clients. */
  String address() {
    return address;
  }

  /** Makes a topic. */
  void create(String topic, int partitions) throws InterruptedException, ExecutionException {
    admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
  }

  /** Sends a record to a partition; {@link #flush} waits until Kafka has it. */
  void send(String topic, int partition, byte[] value) {
    producer.send(new ProducerRecord<>(topic, partition, null, value), (metadata, problem) -> {
      if (problem != null) {
        refused = problem;
      }
    });
  }

  /** Waits until all records that were sent can be read. */
  void flush() {
    producer.flush();
    if (refused != null) {
      throw new IllegalStateException("Kafka does not take a record", refused);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
    admin.close(Duration.ofSeconds(5));
    process.destroyForcibly();
  }
}
