// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.tool.ToolProcess;
import io.shapeshift.druid.tool.cli.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the command as users do. */
class BuildIT {
  private static final String CSV = "ts,name,n\n2020-01-01,x,1\n2020-01-02,y,2\n";
  private static final int SIGTERM = 15;

  @TempDir
  private Path directory;
  /** What is made must be the only new thing in here. */
  private Path outputs;

  @BeforeEach
  void makeOutputs() throws IOException {
    outputs = Files.createDirectory(directory.resolve("outputs"));
  }

  @Test
  void aGzippedTableBecomesASegment() throws IOException {
    final Path input = directory.resolve("table.csv.gz");
    Files.write(input, Builds.compress("gz", CSV.getBytes(StandardCharsets.UTF_8)));
    final Path out = outputs.resolve("segment");

    final ToolProcess.Result result = ToolProcess.run(Builds.commandLine(
        input, out, "--timestamp", "ts", "--types", "infer"));
    assertEquals(ExitCode.OK, result.exitCode(), result::err);
    assertEquals("", result.err());
    assertTrue(result.out().startsWith("2 rows of " + input), result::out);
    assertEquals(List.of("x", "y"), Builds.values(out, "name"));
    assertEquals(List.of(1L, 2L), Builds.values(out, "n"));
    Builds.assertMade(outputs, out);
  }

  /** It would be noticed by nothing but slow queries. */
  @Test
  void anEntryOfNoColumnIsToldOf() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.json"), "{\"a\": 1}\n{\"a\": 2}\n");
    final ToolProcess.Result result = ToolProcess.run(Builds.commandLine(
        input,
        outputs.resolve("segment"),
        "--no-timestamp",
        "--index-spec", "{\"columns\": {\"nope\": {\"hashIndex\": true}}}"
    ));
    assertEquals(ExitCode.OK, result.exitCode(), result::err);
    assertEquals(
        "WARN ColumnEntries: Column[nope] is not in the segment. Its entry in \"columns\" of the indexSpec changes"
            + " nothing\n",
        result.err()
    );
  }

  @Test
  void severalSegmentsOfJsonLines() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.json"), "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n");
    final Path out = outputs.resolve("deep/segments");
    final ToolProcess.Result result = ToolProcess.run(Builds.commandLine(
        input, out, "--no-timestamp", "--max-rows", "2", "--segment-version", "10", "--csv"));
    assertEquals(ExitCode.OK, result.exitCode(), result::err);
    assertEquals(
        List.of(
            "segment,rows,column,type",
            out + "/0,2,__time,LONG", out + "/0,2,a,LONG", out + "/1,1,__time,LONG", out + "/1,1,a,LONG"
        ),
        result.out().lines().map(line -> line.substring(0, line.lastIndexOf(','))).sorted(
            (a, b) -> a.startsWith("segment") ? -1 : b.startsWith("segment") ? 1 : a.compareTo(b)
        ).toList()
    );
    assertEquals(List.of(1L, 2L), Builds.values(out.resolve("0"), "a"));
    assertEquals(List.of(3L), Builds.values(out.resolve("1"), "a"));
    Builds.assertMade(outputs, out.getParent());
  }

  @Test
  void whatIsInterruptedLeavesNothing() throws Exception {
    final Path input = directory.resolve("endless.csv");
    try (OutputStream out = Files.newOutputStream(input)) {
      out.write("a,b\n".getBytes(StandardCharsets.UTF_8));
      final byte[] rows = "1,x\n2,y\n3,z\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 100; i++) {
        out.write(rows);
      }
    }
    try (ToolProcess tool = ToolProcess.start(
        "build", "--input", input.toString(), "--out", outputs.resolve("segment").toString(), "--no-timestamp",
        "--types", "string", "--max-rows-in-memory", "1000"
    )) {
      while (isEmpty(outputs)) {
        assertTrue(tool.process().isAlive(), "it ended");
        Thread.sleep(20);
      }
      tool.process().destroy();
      final ToolProcess.Result result = tool.await();
      assertEquals(128 + SIGTERM, result.exitCode());
      assertEquals("", result.err());
    }
    assertTrue(isEmpty(outputs));
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }
}
