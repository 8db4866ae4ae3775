// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.tool.ToolInJvm;
import io.shapeshift.druid.tool.ToolProcess;
import io.shapeshift.druid.tool.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command says of wrong input and wrong command lines, and that it leaves nothing then. */
class BuildMessagesTest {
  private static final String CSV = "ts,name,n\n2020-01-01,x,1\n2020-01-02,y,2\n";

  @TempDir
  private Path directory;
  /** What is made must be the only new thing in here. */
  private Path outputs;

  @BeforeEach
  void makeOutputs() throws IOException {
    outputs = Files.createDirectory(directory.resolve("outputs"));
  }

  @Test
  void badInputIsToldInOneMessage() throws IOException {
    final Path missing = directory.resolve("missing.csv");
    assertFailed(missing + ": there is no such file", missing, "--no-timestamp");

    assertFailed(
        "FILE: it is no gzip file, or a damaged one. Its name ends in .gz, so it has to be one",
        Files.writeString(directory.resolve("plain.csv.gz"), CSV), "--timestamp", "ts"
    );
    assertFailed(
        "FILE: it is no bzip2 file, or a damaged one. Its name ends in .bz2, so it has to be one",
        Files.writeString(directory.resolve("plain.csv.bz2"), CSV), "--timestamp", "ts"
    );
    // Java's reader of gzip does not say more.
    final String damaged = ": the compressed data is damaged or ends early";
    assertFailed("FILE:301" + damaged + ". Make or fetch the file again", cut("gz"), "--timestamp", "ts");
    // A block of bzip2 is checked as a whole.
    assertFailed(
        "FILE:1" + damaged + ": Unexpected end of stream. Make or fetch the file again",
        cut("bz2"), "--timestamp", "ts"
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

  private Path cut(String suffix) throws IOException {
    final byte[] bytes = Builds.compress(suffix, CSV.repeat(100).getBytes(StandardCharsets.UTF_8));
    return Files.write(directory.resolve("cut.csv." + suffix), Arrays.copyOf(bytes, bytes.length - 5));
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
    final ToolProcess.Result result =
        ToolInJvm.run(Builds.commandLine(input, outputs, "--timestamp", "ts"));
    assertEquals(
        "shapeshift: " + outputs + ": it exists already, and is not empty. Name a directory that does not exist yet\n",
        result.err()
    );
    assertEquals(ExitCode.FAILED, result.exitCode());
    Builds.assertMade(outputs, kept);
    assertEquals("kept", Files.readString(kept));
  }

  @Test
  void wrongCommandLinesAreToldInOneMessage() throws IOException {
    final Path input = Files.writeString(directory.resolve("t.csv"), CSV);
    assertWrong("Either --timestamp COLUMN or --no-timestamp must be given", input);
    assertWrong(
        "Invalid value for option '--metric' (METRIC): 'm=nope:n' is no aggregator: the type 'nope' is not one of "
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

  private void assertFailed(String message, Path input, String... options) throws IOException {
    assertRefused(ExitCode.FAILED, message.replace("FILE", input.toString()) + "\n", input, options);
  }

  private void assertWrong(String message, Path input, String... options) throws IOException {
    assertRefused(ExitCode.USAGE, message + "\n'shapeshift build --help' lists its options.\n", input, options);
  }

  private void assertRefused(int exitCode, String message, Path input, String... options) throws IOException {
    assertEquals(
        new ToolProcess.Result(exitCode, "", "shapeshift: " + message),
        ToolInJvm.run(Builds.commandLine(input, outputs.resolve("x/y"), options))
    );
    Builds.assertMade(outputs);
  }
}
