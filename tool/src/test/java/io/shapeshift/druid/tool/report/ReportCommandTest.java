// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.DruidArtifacts;
import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.ToolProcess;
import io.shapeshift.druid.tool.analysis.Analysis;
import io.shapeshift.druid.tool.cli.ExitCode;
import io.shapeshift.druid.tool.cli.OutputFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command writes, and what it refuses. */
class ReportCommandTest {
  private static final Analysis ANALYSIS = TestAnalysis.of(TestAnalysis.segment("/one", 3));

  @TempDir
  private Path directory;
  private Path json;
  private Path out;

  @BeforeEach
  void makeAnalysis() throws IOException {
    json = Files.writeString(directory.resolve("analysis.json"), OutputFormat.json(ANALYSIS));
    out = directory.resolve("report.html");
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  @Test
  void replacesAPageOnlyIfToldTo() throws IOException {
    Files.writeString(out, "before");
    final ToolProcess.Result refused = ToolInJvm.run("report", "--from", json.toString(), "--out", out.toString());
    assertEquals(
        new ToolProcess.Result(
            ExitCode.FAILED,
            "",
            "shapeshift: " + out + ": it exists already. Name another file, or add --force to replace it\n"
        ),
        refused
    );
    assertEquals("before", Files.readString(out));
    assertEquals(
        ExitCode.OK,
        ToolInJvm.run("report", "--from", json.toString(), "--out", out.toString(), "--force").exitCode()
    );
    assertEquals(ReportWriter.page(ANALYSIS, "What shape-shifting columns would take"), Files.readString(out));
  }

  @Test
  void leavesNothingOfWhatIsNoAnalysis() throws IOException {
    Files.writeString(json, "[1, 2");
    final ToolProcess.Result result = ToolInJvm.run("report", "--from", json.toString(), "--out", out.toString());
    assertEquals(ExitCode.FAILED, result.exitCode());
    final String message = "shapeshift: " + json + ", line 1, column 1: this is no analysis: ";
    assertTrue(result.err().startsWith(message), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
    assertEquals(List.of(json), files());
  }

  /** Not even if told to replace what exists. */
  @Test
  void neverChangesAnInput() throws IOException {
    final Path segment = DruidArtifacts.fromV8(directory.resolve("segment"));
    final Path version = segment.resolve("version.bin");
    final byte[] before = Files.readAllBytes(version);
    assertRefused(
        version + ": this directory is a segment, and segments are never changed. Name a file in another",
        version, segment.toString());
    assertArrayEquals(before, Files.readAllBytes(version));
    final Path page = segment.resolve("report.html");
    assertRefused(
        page + ": this directory is a segment, and segments are never changed. Name a file in another",
        page, "--from", json.toString());
    final Path zip = Files.write(directory.resolve("index.zip"), before);
    assertRefused(
        zip + ": it is an input, and inputs are never changed. Name another file", zip, directory.toString());
    assertRefused(
        json + ": it is an input, and inputs are never changed. Name another file", json, "--from", json.toString());
    assertEquals(OutputFormat.json(ANALYSIS), Files.readString(json));
    assertEquals(List.of(json, zip, segment), files());
  }

  private static void assertRefused(String message, Path out, String... inputs) {
    final ToolProcess.Result result = ToolInJvm.run(Stream.concat(
        Stream.of("report", "--force", "--out", out.toString()),
        Stream.of(inputs)
    ).toArray(String[]::new));
    assertEquals(new ToolProcess.Result(ExitCode.FAILED, "", "shapeshift: " + message + "\n"), result);
  }

  @Test
  void refusesCommandLinesThatSayTooMuchOrTooLittle() {
    assertUsage("Name segments to analyze, or with --from a result of 'analyze --json'", "--out", "x");
    assertUsage(
        "Segments are not analyzed with --from: name either of them", "--out", "x", "--from", "y", "segment");
    assertUsage(
        "--columns, --no-speed and --advise have no effect with --from: give them to 'analyze'",
        "--out", "x", "--from", "y", "--no-speed"
    );
    assertUsage("Missing required option: '--out=FILE'", "--from", "y");
  }

  private static void assertUsage(String message, String... options) {
    final ToolProcess.Result result =
        ToolInJvm.run(Stream.concat(Stream.of("report"), Stream.of(options)).toArray(String[]::new));
    assertEquals(ExitCode.USAGE, result.exitCode());
    assertEquals("shapeshift: " + message, result.err().lines().findFirst().orElse(""));
  }
}
