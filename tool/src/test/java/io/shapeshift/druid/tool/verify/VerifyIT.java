// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.tool.ToolProcess;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.druid.segment.IndexSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process: what it says, and what it exits with. */
class VerifyIT {
  @TempDir
  private Path folder;

  private Path persist(int hour, String name, IndexSpec spec, Version version) {
    return TestSegments.persist(EveryColumn.inMemory(hour, 500), folder.resolve(name).toFile(), spec, version).toPath();
  }

  @Test
  void theSameInTwoVersionsAndWays() throws IOException {
    final Path stock = persist(1, "stock", TestSegments.STOCK, Version.V9);
    final Path ours = persist(1, "ours", TestSegments.SHAPE_SHIFT, Version.V10);
    final ToolProcess.Result same = ToolProcess.run("verify", stock.toString(), ours.toString(), "--json");
    assertEquals(0, same.exitCode(), same.out());
    assertEquals("", same.err());
    final JsonNode segment = new ObjectMapper().readTree(same.out()).path(0);
    assertEquals(ours.toString(), segment.path("other").asText());
    assertEquals(500, segment.path("columns").path(1).path("rows").asInt());
    for (JsonNode column : segment.path("columns")) {
      // Their bytes name the file, which the versions name differently.
      final boolean isAuto = column.path("name").asText().equals("auto");
      assertEquals(isAuto ? "unchecked" : "fine", column.path("status").asText(), column::toString);
    }
  }
}
