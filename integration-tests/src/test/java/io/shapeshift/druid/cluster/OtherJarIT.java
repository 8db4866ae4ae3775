// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static io.shapeshift.druid.cluster.DruidProcesses.Service.COORDINATOR;
import static io.shapeshift.druid.cluster.DruidProcesses.Service.HISTORICAL;
import static io.shapeshift.druid.cluster.DruidProcesses.Service.MIDDLE_MANAGER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.cluster.DruidApi.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.StringUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the encoding of the project under {@code examples/}, whose jar is an extension beside ours, in a Druid of
 * separate processes: a task writes with it, and a Historical reads without it and then with it.
 */
class OtherJarIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final int HOSTS = 40;
  private static final int TIMES = 820;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  @Test
  void writesWithTheJarAndReadsWithoutAndWithIt() throws Exception {
    install("druid-shapeshift", Path.of(System.getProperty("extension.jar")));
    install("periodic-encoding", Path.of(System.getProperty("example.jar")));
    final Path rows = Files.createDirectories(directory.resolve("rows")).resolve("hosts.json");
    final Map<String, Long> sums = write(rows);
    final Path logs = Path.of(System.getProperty("druid.log.file")).resolveSibling("druid-processes-of-other-jar");
    try (DruidProcesses processes =
             new DruidProcesses(directory, logs, SeparateProcessesIT.classPathWithoutExtension(directory))) {
      try {
        processes.start(true, COORDINATOR, HISTORICAL, MIDDLE_MANAGER);
        processes.api().run(ingestion(rows.getParent()), TIMEOUT);

        // The segment is loaded, and what is not in the encoding is read.
        final Reply count = DruidApi.await(
            "the segment to be loaded",
            TIMEOUT,
            () -> query(processes, "timeseries", ""),
            reply -> reply.body().contains("\"rows\"")
        );
        assertEquals(HOSTS * TIMES, DruidApi.parse(count.body()).get(0).at("/result/rows").asInt(), count::body);
        final Reply refused = query(processes, "groupBy", "\"dimensions\": [\"host\"],");
        assertEquals(500, refused.status(), refused::body);
        assertTrue(
            refused.body().contains("Column[host]: it is stored in encoding[example.periodic], which no extension of"
                + " this process has. Install the extension whose jar has the encoding"),
            refused::body
        );

        processes.load("periodic-encoding");
        processes.restart(true, HISTORICAL);
        final Reply read = DruidApi.await(
            "the hosts to be read",
            TIMEOUT,
            () -> query(processes, "groupBy", "\"dimensions\": [\"host\"],"),
            reply -> reply.status() == 200 && reply.body().contains("host-")
        );
        final Map<String, Long> found = new TreeMap<>();
        for (JsonNode row : DruidApi.parse(read.body())) {
          found.put(row.at("/event/host").asText(), row.at("/event/sum").asLong());
        }
        assertEquals(sums, found);
      } catch (Exception | AssertionError e) {
        System.err.println(processes.tails());
        throw e;
      }
    }
  }

  private void install(String extension, Path jar) throws Exception {
    final Path folder = Files.createDirectories(directory.resolve("extensions").resolve(extension));
    Files.copy(jar, folder.resolve(jar.getFileName()));
  }

  /** Writes rows of hosts that report in turn, and returns the sum of each. */
  private static Map<String, Long> write(Path file) throws Exception {
    final StringBuilder rows = new StringBuilder();
    final Map<String, Long> sums = new TreeMap<>();
    for (int time = 0; time < TIMES; time++) {
      for (int i = 0; i < HOSTS; i++) {
        final String host = StringUtils.format("host-%02d", i);
        final long load = (time * 31L + i * 17L) % 1009;
        rows.append(StringUtils.format(
            "{\"time\": \"%s\", \"host\": \"%s\", \"load\": %d}%n", DateTimes.utc(1_767_225_600_000L + 10_000L * time),
            host, load));
        sums.merge(host, load, Long::sum);
      }
    }
    Files.writeString(file, rows);
    return sums;
  }

  private static JsonNode ingestion(Path folder) {
    final ObjectNode task = (ObjectNode) DruidApi.parse("""
        {
          "type": "index_parallel",
          "spec": {
            "ioConfig": {
              "type": "index_parallel",
              "inputSource": {"type": "local", "filter": "*.json"},
              "inputFormat": {"type": "json"}
            },
            "dataSchema": {
              "dataSource": "hosts",
              "timestampSpec": {"column": "time", "format": "iso"},
              "dimensionsSpec": {"dimensions": ["host", {"type": "long", "name": "load"}]},
              "granularitySpec": {"segmentGranularity": "day", "rollup": false}
            },
            "tuningConfig": {"type": "index_parallel", "indexSpec": {"encodingStrategy": {"strategy": "shapeshift"}}}
          },
          "context": {
            "druid.indexer.fork.property.druid.extensions.loadList": "[\\"druid-shapeshift\\", \\"periodic-encoding\\"]"
          }
        }""");
    task.withObject("/spec/ioConfig/inputSource").put("baseDir", folder.toString());
    return task;
  }

  private static Reply query(DruidProcesses processes, String type, String dimensions) {
    return processes.api().tryQuery(processes.address(HISTORICAL), DruidApi.parse(StringUtils.format("""
        {
          "queryType": "%s", "dataSource": "hosts", "granularity": "all", "intervals": ["2026-01-01/2026-01-02"], %s
          "aggregations": [
            {"type": "count", "name": "rows"},
            {"type": "longSum", "name": "sum", "fieldName": "load"}
          ]
        }""", type, dimensions)));
  }
}
