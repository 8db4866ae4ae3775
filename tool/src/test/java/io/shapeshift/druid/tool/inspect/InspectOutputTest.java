// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ObjectArrays;
import io.shapeshift.druid.segment.EveryColumn;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.ToolProcess.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command prints. */
class InspectOutputTest {
  @TempDir
  private Path folder;

  private Path segment() {
    return TestSegments.persist(
        EveryColumn.inMemory(1, 1000),
        folder.resolve("segment").toFile(),
        TestSegments.SHAPE_SHIFT,
        Version.V9
    ).toPath();
  }

  private static String inspect(Path segment, String... options) {
    final String[] command = {"inspect", segment.toString()};
    return ToolInJvm.run(ObjectArrays.concat(command, options, String.class)).fine();
  }

  @Test
  void chunksOfAllColumnsAreShownOnlyIfAskedFor() {
    final Path segment = segment();
    final long without = inspect(segment).lines().filter(line -> line.contains("chunk  ")).count();
    final long with =
        inspect(segment, "--chunks").lines().filter(line -> line.contains("chunk  ")).count();
    assertEquals(0, without);
    // Two pieces of each of the two columns with several values, dictionaries, indexes, and objects of two columns.
    assertEquals(20 + 2 + 2 * 11 + 2, with);
  }

  @Test
  void csvHasARowForEachChunk() {
    final List<String> lines =
        inspect(segment(), "--csv", "--columns", "constant").lines().toList();
    // A chunk of ids, the dictionary and the index.
    assertEquals(4, lines.size());
    assertEquals(
        "segment,column,part,chunk,offset,firstValue,numValues,form,innerForm,bytes,bitsPerValue",
        lines.get(0)
    );
    assertTrue(lines.get(1).endsWith(",constant,ids,0,26,0,1000,zero,,1,0.008"), lines.get(1));
  }

  @Test
  void segmentsOfEarlierLayoutsAreShown() throws IOException {
    final Path zip = DruidArtifacts.nestedV3(folder.resolve("v3"));
    final JsonNode nested = new ObjectMapper().readTree(inspect(zip, "--json")).path(0);
    assertEquals(zip.toString(), nested.path("path").asText());
    assertEquals(6, nested.path("columns").size());
    final Path old = DruidArtifacts.fromV8(folder.resolve("v8"));
    assertTrue(
        inspect(old).contains("dim0: STRING (multi-value) as lz4, cardinality 3, "),
        () -> inspect(old)
    );
    final Path damaged = DruidArtifacts.damaged(folder.resolve("v9"));
    assertTrue(inspect(damaged).contains("count: LONG as llll, 37 bytes"));
  }

  @Test
  void anUnknownColumnIsAnError() {
    final Path old = DruidArtifacts.fromV8(folder.resolve("v8"));
    final Result result = ToolInJvm.run("inspect", old.toString(), "--columns", "dim0,dim7");
    assertEquals(3, result.exitCode());
    assertEquals("", result.out());
    assertEquals(
        "shapeshift: " + old + ": there is no column dim7. 'shapeshift inspect' lists all columns"
            + System.lineSeparator(),
        result.err()
    );
  }
}
