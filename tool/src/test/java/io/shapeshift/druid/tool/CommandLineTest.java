// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.ToolProcess.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all commands have in common. */
class CommandLineTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir
  private Path folder;

  /** What it is stands in the jar, and ShapeshiftIT asks for it. */
  @ParameterizedTest
  @ValueSource(strings = {"build", "analyze", "inspect", "convert", "verify", "report"})
  void everyCommandKnowsTheVersion(String command) {
    final Result result = ToolInJvm.run(command, "--version");
    assertEquals(ToolInJvm.run("--version"), result);
    assertEquals(0, result.exitCode());
    assertTrue(result.out().startsWith("druid-shapeshift "), result.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"build", "analyze", "inspect", "convert", "verify", "report"})
  void everyCommandHasHelp(String command) {
    final Result result = ToolInJvm.run(command, "--help");
    assertEquals(0, result.exitCode());
    assertTrue(result.out().startsWith("Usage: shapeshift " + command + " "), result.out());
    assertEquals("", result.err());
  }

  @Test
  void aWrongCommandLineIsUsage() {
    final Result option = ToolInJvm.run("analyze", "--fast", folder.toString());
    assertEquals(2, option.exitCode());
    assertTrue(option.err().startsWith("shapeshift: Unknown option: '--fast'"), option.err());
    final Result both = ToolInJvm.run("inspect", "--json", "--csv", folder.toString());
    assertEquals(2, both.exitCode());
    assertTrue(both.err().startsWith("shapeshift: --json, --csv are mutually exclusive"), both.err());
  }

  private void assertFails(String found, String... args) {
    final Result result = ToolInJvm.run(args);
    assertEquals("shapeshift: " + found + System.lineSeparator(), result.err());
    assertEquals(3, result.exitCode());
    assertEquals("", result.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"analyze", "inspect", "verify"})
  void whatIsNoSegmentIsSaid(String command) throws IOException {
    final Path missing = folder.resolve("missing");
    assertFails(missing + ": there is no such file or directory", command, missing.toString());
    assertFails(
        folder + ": there is no segment here or below. Name a directory with version.bin or druid.segment in it, an "
            + "index.zip from deep storage, or a folder of these",
        command,
        folder.toString()
    );
    final Path zip = Files.write(folder.resolve("index.zip"), new byte[]{1, 2, 3});
    final Result notZip = ToolInJvm.run(command, zip.toString());
    assertEquals(3, notZip.exitCode());
    assertTrue(notZip.err().startsWith("shapeshift: " + zip + ": "), notZip.err());
    assertEquals(1, notZip.err().lines().count(), notZip.err());
  }

  private Result look(String command, Path path) {
    return command.equals("analyze")
           ? ToolInJvm.run(command, "--no-speed", "--json", path.toString())
           : ToolInJvm.run(command, "--json", path.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"analyze", "inspect"})
  void ofManySegmentsTheOthersAreShown(String command) throws IOException {
    final Path good = DruidArtifacts.fromV8(folder.resolve("segments/good"));
    final Path bad = DruidArtifacts.fromV8(folder.resolve("segments/bad"));
    Files.write(bad.resolve("version.bin"), new byte[]{0, 0, 0, 8});
    final Result result = look(command, folder);
    assertEquals(
        "shapeshift: " + bad + ": its version is 8, which this tool cannot read. Segments of version 9 and 10 "
            + "can be read; ingest older ones again with a Druid of today\n",
        result.err()
    );
    assertEquals(3, result.exitCode());
    final JsonNode json = JSON.readTree(result.out());
    final JsonNode segments = command.equals("analyze") ? json.path("segments") : json;
    assertEquals(List.of(good.toString()), segments.findValuesAsText("path"));
  }

  /** Of version 9 no other column says how many rows there are. */
  @ParameterizedTest
  @ValueSource(strings = {"analyze", "inspect"})
  void aDamagedTimeIsADamagedColumn(String command) throws IOException {
    final Path segment = DruidArtifacts.fromV8(folder.resolve("segment"));
    final String[] place = Files.readString(segment.resolve("meta.smoosh")).lines()
        .filter(line -> line.startsWith("__time,")).findFirst().orElseThrow().split(",", -1);
    final Path smoosh = segment.resolve("00000.smoosh");
    final ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(smoosh));
    final int start = Integer.parseInt(place[2]);
    // Behind the descriptor, the version of the numbers.
    bytes.put(start + Integer.BYTES + bytes.getInt(start), (byte) 0x7f);
    Files.write(smoosh, bytes.array());
    final Result result = look(command, segment);
    assertEquals("", result.err());
    assertEquals(1, result.exitCode());
    final List<String> problems = JSON.readTree(result.out()).findValuesAsText("problem");
    assertEquals(1, problems.size(), result.out());
    assertTrue(problems.get(0).startsWith(segment + ", column __time: it cannot be read: "), problems.get(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"analyze", "inspect", "verify"})
  void anotherVersionIsSaid(String command) throws IOException {
    final Path segment = DruidArtifacts.fromV8(folder.resolve("segment"));
    Files.write(segment.resolve("version.bin"), new byte[]{0, 0, 0, 8});
    assertFails(
        segment + ": its version is 8, which this tool cannot read. Segments of version 9 and 10 can be read; "
            + "ingest older ones again with a Druid of today",
        command,
        segment.toString()
    );
  }

  @ParameterizedTest
  @ValueSource(strings = {"analyze", "inspect", "verify"})
  void aTruncatedFileIsSaid(String command) throws IOException {
    final Path segment = DruidArtifacts.fromV8(folder.resolve("segment"));
    final Path smoosh = segment.resolve("00000.smoosh");
    Files.write(smoosh, Arrays.copyOf(Files.readAllBytes(smoosh), 2300));
    final Result result = ToolInJvm.run(command, segment.toString());
    assertEquals(3, result.exitCode(), result.err());
    assertTrue(
        result.err().startsWith("shapeshift: " + segment + ": the place of file index.drd is beyond the end: "),
        result.err()
    );
    assertTrue(
        result.err().endsWith("The segment is damaged: fetch it again from deep storage" + System.lineSeparator()),
        result.err()
    );
  }
}
