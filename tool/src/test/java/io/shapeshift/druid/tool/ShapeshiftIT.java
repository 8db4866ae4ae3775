// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.ToolProcess.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What all commands have in common, of the tool as a process. */
class ShapeshiftIT {
  @TempDir
  private Path folder;

  @Test
  void withoutACommandItTellsOfAllOfThem() {
    final Result result = ToolProcess.run();
    assertEquals(0, result.exitCode());
    assertEquals("", result.err());
    for (String command : new String[]{"build", "analyze", "inspect", "convert", "verify", "report"}) {
      assertTrue(result.out().matches("(?s).*\n  " + command + " +\\S.*"), result.out());
    }
    assertTrue(result.out().contains("Exit codes:"), result.out());
  }

  /** In the POSIX locale the JVM makes no text of what is no ASCII. */
  @Test
  void namesOfFilesMayHaveAnyLetters() throws IOException, InterruptedException {
    DruidArtifacts.fromV8(folder.resolve("segment"));
    // This JVM may be in that locale itself.
    shell("mkdir segments && mv segment segments/$(printf 'gr\\303\\266\\303\\237e')");
    final Result result = ToolProcess.run(Map.of("LC_ALL", "C"), "verify", folder.toString());
    shell("rm -r segments");
    assertEquals("", result.err());
    assertTrue(result.out().startsWith(folder + "/segments/größe\n"), result.out());
    assertEquals(0, result.exitCode());
  }

  /** The jar says it, so that no command answers other than the tool itself. */
  @Test
  void itKnowsItsVersion() {
    final Result result = ToolProcess.run("--version");
    assertEquals(0, result.exitCode());
    assertTrue(result.out().matches("druid-shapeshift 37\\.0\\.0-\\d+\\S*\\s+"), result.out());
    assertEquals("", result.err());
  }

  @Test
  void theExitCodeIsThatOfTheProcess() {
    final Result command = ToolProcess.run("analyse");
    assertEquals(2, command.exitCode());
    assertEquals("", command.out());
    assertTrue(command.err().startsWith("shapeshift: Unmatched argument at index 0: 'analyse'"), command.err());
    final Path missing = folder.resolve("missing");
    final Result failed = ToolProcess.run("inspect", missing.toString());
    assertEquals("shapeshift: " + missing + ": there is no such file or directory\n", failed.err());
    assertEquals(3, failed.exitCode());
    assertEquals("", failed.out());
  }

  private void shell(String command) throws IOException, InterruptedException {
    final Process shell = new ProcessBuilder("sh", "-e", "-c", command).directory(folder.toFile()).inheritIO().start();
    assertEquals(0, shell.waitFor());
  }

  /** It is no column that is wrong. */
  @Test
  void withoutRoomForTemporaryFilesNothingIsAnalyzed() throws IOException {
    final Path segment = DruidArtifacts.fromV8(folder.resolve("segment"));
    final Path nowhere = folder.resolve("nowhere");
    final Result result = ToolProcess.run(
        Map.of(ToolProcess.JAVA_OPTIONS, "-Djava.io.tmpdir=" + nowhere), "analyze", "--no-speed", segment.toString());
    assertTrue(result.err().startsWith("shapeshift: a library cannot be loaded: "), result.err());
    assertTrue(result.err().contains(" There must be room for it in " + nowhere + ", "), result.err());
    assertTrue(result.err().endsWith(": SHAPESHIFT_JAVA_OPTS=-Djava.io.tmpdir=FOLDER names another\n"), result.err());
    assertEquals(3, result.exitCode());
    assertEquals("", result.out());
  }

  /** Rows of many values take more than the few bytes that they are stored in. */
  @Test
  void tooLittleMemoryIsNoDamage() {
    final List<String> values = Collections.nCopies(20_000, "a");
    final Path segment = TestSegments.persist(
        TestSegments.rowsInMemory(
            IncrementalIndexSchema.builder()
                .withDimensionsSpec(new DimensionsSpec(List.of(
                    new StringDimensionSchema("many", MultiValueHandling.ARRAY, false))))
                .withRollup(false)
                .build(),
            Collections.nCopies(350, Map.of("time", "2020-01-01", "many", values))
        ),
        folder.resolve("segment").toFile(),
        TestSegments.STOCK,
        Version.V9
    ).toPath();
    final Map<String, String> little = Map.of(ToolProcess.JAVA_OPTIONS, "-Xmx40m");
    final String found = "there is not enough memory: Java heap space. Give it more, as with "
        + "SHAPESHIFT_JAVA_OPTS='-Xmx4g -XX:MaxDirectMemorySize=1g'";
    final Result verified = ToolProcess.run(little, "verify", segment.toString());
    assertTrue(verified.out().contains("failed  " + found + "\n"), verified.out());
    assertTrue(verified.out().endsWith("\n1 column could not be checked\n"), verified.out());
    assertEquals(3, verified.exitCode());
    for (String[] command : new String[][]{
        {"convert", segment.toString(), "--out", folder.resolve("out").toString()},
        {"analyze", "--no-speed", segment.toString()}
    }) {
      final Result result = ToolProcess.run(little, command);
      assertEquals("shapeshift: " + segment + ", column many: " + found + "\n", result.err());
      assertEquals(3, result.exitCode());
    }
  }
}
