// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporary: does the cluster start at all. */
class EmbeddedClusterIT {
  @TempDir
  static Path directory;

  @Test
  void smoke() throws Exception {
    long t0 = System.nanoTime();
    Wikiticker wikiticker = Wikiticker.extractTo(directory.resolve("sample"));
    try (DruidCluster cluster = DruidCluster.start(directory.resolve("druid"), Map.of())) {
      System.err.println("up " + (System.nanoTime() - t0) / 1_000_000);
      cluster.api().run(wikiticker.ingestion("stock"), Duration.ofSeconds(60));
      System.err.println("ingested " + (System.nanoTime() - t0) / 1_000_000);
      cluster.api().awaitServed("stock", Duration.ofSeconds(60));
      System.err.println("served " + (System.nanoTime() - t0) / 1_000_000 + cluster.api().segments("stock"));
      for (NativeQuery q : NativeQuery.all()) {
        try {
          List<JsonNode> rows = q.rows(cluster.api(), "stock");
          System.err.println((System.nanoTime() - t0) / 1_000_000 + " " + q.name() + ": " + rows.size()
              + " " + (rows.isEmpty() ? "" : rows.get(0) + " " + rows.get(rows.size() - 1)));
          assertFalse(rows.isEmpty());
          assertEquals(rows, q.rows(cluster.api(), "stock"));
        } catch (AssertionError e) {
          System.err.println("FAIL " + q.name() + ": " + e.getMessage());
        }
      }
    }
    System.err.println("down " + (System.nanoTime() - t0) / 1_000_000);
  }
}
