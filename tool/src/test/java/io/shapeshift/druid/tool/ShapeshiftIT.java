// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.testing.Tier;
import io.shapeshift.druid.tool.ToolProcess.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What all commands have in common, of the tool as a process. */
class ShapeshiftIT {
  private static final ObjectMapper JSON = new ObjectMapper();

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

  @ParameterizedTest
  @ValueSource(strings = {"build", "analyze", "inspect", "convert", "verify", "report"})
  void everyCommandHasHelp(String command) {
    final Result result = ToolProcess.run(command, "--help");
    assertEquals(0, result.exitCode());
    assertTrue(result.out().startsWith("Usage: shapeshift " + command + " "), result.out());
    assertEquals("", result.err());
  }

  /** All of them, and none; the version is asked of one class. */
  static List<String> commands() {
    return Tier.oneIn(4, Stream.of("", "build", "analyze", "inspect", "convert", "verify", "report"));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void itKnowsItsVersion(String command) {
    final Result result = command.isEmpty() ? ToolProcess.run("--version") : ToolProcess.run(command, "--version");
    assertEquals(0, result.exitCode());
    assertTrue(result.out().matches("druid-shapeshift 37\\.0\\.0-\\d+\\S*\\s+"), result.out());
    assertEquals("", result.err());
  }

  @Test
  void aWrongCommandLineIsUsage() {
    final Result command = ToolProcess.run("analyse");
    assertEquals(2, command.exitCode());
    assertEquals("", command.out());
    assertTrue(command.err().startsWith("shapeshift: Unmatched argument at index 0: 'analyse'"), command.err());
    final Result option = ToolProcess.run("analyze", "--fast", folder.toString());
    assertEquals(2, option.exitCode());
    assertTrue(option.err().startsWith("shapeshift: Unknown option: '--fast'"), option.err());
    final Result both = ToolProcess.run("inspect", "--json", "--csv", folder.toString());
    assertEquals(2, both.exitCode());
    assertTrue(both.err().startsWith("shapeshift: --json, --csv are mutually exclusive"), both.err());
  }

  private void assertFails(String found, String... args) {
    final Result result = ToolProcess.run(args);
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
    final Result notZip = ToolProcess.run(command, zip.toString());
    assertEquals(3, notZip.exitCode());
    assertTrue(notZip.err().startsWith("shapeshift: " + zip + ": "), notZip.err());
    assertEquals(1, notZip.err().lines().count(), notZip.err());
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

  private void shell(String command) throws IOException, InterruptedException {
    final Process shell = new ProcessBuilder("sh", "-e", "-c", command).directory(folder.toFile()).inheritIO().start();
    assertEquals(0, shell.waitFor());
  }

  private Result look(String command, Path path) {
    return command.equals("analyze")
           ? ToolProcess.run(command, "--no-speed", "--json", path.toString())
           : ToolProcess.run(command, "--json", path.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"analyze", "inspect"})
  void ofManySegmentsTheOthersAreShown(String command) throws IOException {
    final Path good = DruidArtifacts.fromV8(folder.resolve("segments/good"));
    final Path bad = DruidArtifacts.fromV8(folder.resolve("segments/bad"));
    Files.write(bad.resolve("version.bin"), new byte[]{0, 0, 0, 8});
    final Result result = look(command, folder);
    assertEquals(
        "shapeshift: " + bad + ": its version is 8, of which this tool knows nothing. Segments of version 9 and 10 "
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
                .withDimensionsSpec(new DimensionsSpec(List.of(new StringDimensionSchema("many"))))
                .withRollup(false)
                .build(),
            Collections.nCopies(600, Map.of("time", "2020-01-01", "many", values))
        ),
        folder.resolve("segment").toFile(),
        TestSegments.STOCK,
        Version.V9
    ).toPath();
    final Map<String, String> little = Map.of(ToolProcess.JAVA_OPTIONS, "-Xmx64m");
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

  @ParameterizedTest
  @ValueSource(strings = {"analyze", "inspect", "verify"})
  void anotherVersionIsSaid(String command) throws IOException {
    final Path segment = DruidArtifacts.fromV8(folder.resolve("segment"));
    Files.write(segment.resolve("version.bin"), new byte[]{0, 0, 0, 8});
    assertFails(
        segment + ": its version is 8, of which this tool knows nothing. Segments of version 9 and 10 can be read; "
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
    final Result result = ToolProcess.run(command, segment.toString());
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
