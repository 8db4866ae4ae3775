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
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
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
    gzip(input, CSV.getBytes(StandardCharsets.UTF_8));
    final Path out = outputs.resolve("segment");

    final ToolProcess.Result result = build(input, out, "--timestamp", "ts", "--types", "infer");
    assertEquals(ExitCode.OK, result.exitCode(), result::err);
    assertEquals("", result.err());
    assertTrue(result.out().startsWith("2 rows of " + input), result::out);
    assertEquals(List.of("x", "y"), Builds.values(out, "name"));
    assertEquals(List.of(1L, 2L), Builds.values(out, "n"));
    assertMade(out);
  }

  /** It would be noticed by nothing but slow queries. */
  @Test
  void aKeyThatIsNoColumnIsToldOf() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.json"), "{\"a\": 1}\n{\"a\": 2}\n");
    final ToolProcess.Result result = build(
        input, outputs.resolve("segment"), "--no-timestamp", "--index-spec", "{\"hashIndexes\": [\"a\", \"nope\"]}");
    assertEquals(ExitCode.OK, result.exitCode(), result::err);
    assertEquals(
        "WARN UnindexedColumns: Column[nope], of \"hashIndexes\", gets no hash index: there is no such column\n",
        result.err()
    );
  }

  @Test
  void severalSegmentsOfJsonLines() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.json"), "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n");
    final Path out = outputs.resolve("deep/segments");
    final ToolProcess.Result result =
        build(input, out, "--no-timestamp", "--max-rows", "2", "--segment-version", "10", "--csv");
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
    assertMade(out.getParent());
  }

  @Test
  void badInputIsToldInOneMessage() throws IOException {
    final Path missing = directory.resolve("missing.csv");
    assertFailed(missing + ": there is no such file", missing, "--no-timestamp");

    final Path noGzip = Files.writeString(directory.resolve("plain.csv.gz"), CSV);
    assertFailed(
        noGzip + ": it is no gzip file. Its name ends in .gz, so it has to be one",
        noGzip, "--timestamp", "ts"
    );

    final Path cut = directory.resolve("cut.csv.gz");
    gzip(cut, CSV.repeat(100).getBytes(StandardCharsets.UTF_8));
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(cut), 20));
    assertFailed(
        cut + ":1: the compressed data is damaged or ends early: Unexpected end of ZLIB input stream. Make or fetch "
            + "the file again",
        cut, "--timestamp", "ts"
    );

    final Path empty = Files.createFile(directory.resolve("empty.csv"));
    assertFailed(empty + ":1: the file is empty. It needs a header and at least one row", empty, "--no-timestamp");

    final Path fields = Files.writeString(directory.resolve("fields.csv"), CSV + "2020-01-03,z\n");
    assertFailed(
        fields + ":4: found 2 fields where there are 3 columns",
        fields, "--timestamp", "ts"
    );

    final Path utf8 = Files.write(directory.resolve("utf8.csv"), "a\n\u00FC\n".getBytes(StandardCharsets.ISO_8859_1));
    assertFailed(
        utf8 + ":2: byte 1 of the line is not UTF-8. Convert the file to UTF-8, with iconv for example",
        utf8, "--no-timestamp"
    );

    final Path json = Files.writeString(directory.resolve("t.json"), "{\"a\": 1}\nnothing\n");
    assertFailed(
        json + ":2: the line is no JSON object: Unrecognized token 'nothing', at character 8. There must be one "
            + "object on each line: {\"column\": value, ...}; 'jq -c .' makes such lines of JSON that spans several",
        json, "--no-timestamp"
    );
  }

  /** These are found out while the segment is being written. */
  @Test
  void badValuesAreToldInOneMessage() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.csv"), CSV + "soon,z,3\n");
    assertFailed(
        input + ":4: 'soon' in column 'ts' is no time of format 'auto'. Give its format with --timestamp-format",
        input, "--timestamp", "ts", "--max-rows-in-memory", "1"
    );
    assertFailed(
        input + ":2: 'x' in column 'name' is no long. Give the column another type with --type",
        input, "--no-timestamp", "--type", "name=long"
    );
    assertFailed(
        input + ":3: Unable to parse value[y] for field[name]",
        Files.writeString(input, "name\n1\ny\n"), "--no-timestamp", "--metric", "m=longSum:name"
    );
    assertFailed(
        input + ": there is no column 'ts', which --timestamp names. There are name",
        input, "--timestamp", "ts"
    );
  }

  @Test
  void directoriesInUseStayAsTheyAre() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.csv"), CSV);
    final Path kept = Files.writeString(outputs.resolve("kept"), "kept");
    final ToolProcess.Result result = build(input, outputs, "--timestamp", "ts");
    assertEquals(
        "shapeshift: " + outputs + ": it exists already, and is not empty. Name a directory that does not exist yet\n",
        result.err()
    );
    assertEquals(ExitCode.FAILED, result.exitCode());
    assertMade(kept);
    assertEquals("kept", Files.readString(kept));
  }

  @Test
  void wrongCommandLinesAreToldInOneMessage() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.csv"), CSV);
    assertWrong("Either --timestamp COLUMN or --no-timestamp must be given", input);
    assertWrong(
        "Invalid value for option '--metric' (METRIC): 'm=nope:n' is no aggregator: the type 'nope' is none of "
            + "Druid's core",
        input, "--timestamp", "ts", "--metric", "m=nope:n"
    );
    assertWrong(
        "--target and --block-size have no effect with --strategy compression: leave them out",
        input, "--timestamp", "ts", "--strategy", "compression", "--target", "faster"
    );
    assertWrong(
        "--index-spec names intEncodingStrategy, so leave out --strategy, --target, --block-size and the "
            + "strategies of single types",
        input, "--timestamp", "ts", "--strategy", "shapeshift",
        "--index-spec", "{\"intEncodingStrategy\": {\"strategy\": \"compression\"}}"
    );
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

  private void assertFailed(String message, Path input, String... options) throws IOException {
    final ToolProcess.Result result = build(input, outputs.resolve("x/y"), options);
    assertEquals("shapeshift: " + message + "\n", result.err());
    assertEquals("", result.out());
    assertEquals(ExitCode.FAILED, result.exitCode());
    assertMade();
  }

  private void assertWrong(String message, Path input, String... options) throws IOException {
    final ToolProcess.Result result = build(input, outputs.resolve("x/y"), options);
    assertEquals("shapeshift: " + message + "\n'shapeshift build --help' tells of its options.\n", result.err());
    assertEquals("", result.out());
    assertEquals(ExitCode.USAGE, result.exitCode());
    assertMade();
  }

  /** Asserts that nothing else is in the directory of outputs. */
  private void assertMade(Path... expected) throws IOException {
    try (Stream<Path> files = Files.list(outputs)) {
      assertEquals(List.of(expected), files.toList());
    }
  }

  private static ToolProcess.Result build(Path input, Path out, String... options) {
    return ToolProcess.run(Stream.concat(
        Stream.of("build", "--input", input.toString(), "--out", out.toString()),
        Arrays.stream(options)
    ).toArray(String[]::new));
  }

  private static void gzip(Path file, byte[] bytes) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(bytes);
    }
  }
}
