// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.benchmark.Benchmarks;
import io.shapeshift.druid.tool.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Tag("slow")
class CompareCommandTest {
  private static final List<double[]> TEN = List.of(
      new double[]{10, 10.1}, new double[]{10.2, 10}, new double[]{10.1, 10.2});
  private static final List<double[]> TWENTY = List.of(
      new double[]{20, 20.1}, new double[]{20.2, 20}, new double[]{20.1, 20.2});
  private static final String TINY = "TinyBenchmark.burn";

  @TempDir
  private Path directory;

  private record Result(int exitCode, String out, String err) {}

  @Test
  void nothingSlowerIsFine() {
    final Result result = run(write("old", TEN, null), write("new", TEN, null));
    assertEquals(ExitCode.OK, result.exitCode, result.err);
    assertTrue(result.out.contains("1 pair: 0 slower, 0 perhaps slower"), result.out);
  }

  @Test
  void slowerIsNamedWithItsInterval() {
    final Result result = run(write("old", TEN, null), write("new", TWENTY, null));
    assertEquals(ExitCode.DIFFERENT, result.exitCode, result.err);
    assertTrue(result.out.lines().anyMatch(line -> line.startsWith("slower") && line.contains("1.990")), result.out);
    assertTrue(result.out.contains("A.read     encoding=x"), result.out);
  }

  @Test
  void fasterIsNamedAndFine() {
    final Result result = run(write("old", TWENTY, null), write("new", TEN, null));
    assertEquals(ExitCode.OK, result.exitCode, result.err);
    assertTrue(result.out.lines().anyMatch(line -> line.startsWith("faster") && line.contains("0.502")), result.out);
  }

  @Test
  void aThresholdAllowsForSlowdowns() {
    final Result result = run(write("old", TEN, null), write("new", TWENTY, null), "--threshold", "1.5");
    assertEquals(ExitCode.OK, result.exitCode, result.out);
  }

  @Test
  void oneByteMoreIsLarger() {
    final Result result = run(write("old", TEN, 1000L), write("new", TEN, 1001L));
    assertEquals(ExitCode.DIFFERENT, result.exitCode, result.err);
    assertTrue(result.out.lines().anyMatch(line -> line.matches("larger +1.001 +1,000 +1,001 +1 +encoding=x")),
        result.out);
  }

  @Test
  void aSizeThatManyPairsShareIsToldOnce() {
    final Path old = new TestResults(directory.resolve("old"))
        .add("A.read", Map.of("encoding", "x", "selected", "1"), TEN, 50L)
        .add("A.read", Map.of("encoding", "x", "selected", "0.1"), TEN, 50L)
        .write();
    final Path now = new TestResults(directory.resolve("new"))
        .add("A.read", Map.of("encoding", "x", "selected", "1"), TEN, 40L)
        .add("A.read", Map.of("encoding", "x", "selected", "0.1"), TEN, 40L)
        .write();
    final Result result = run(old, now);
    assertEquals(ExitCode.OK, result.exitCode, result.out);
    assertTrue(result.out.lines().anyMatch(line -> line.matches("smaller +0.800 +50 +40 +2 +encoding=x")), result.out);
  }

  @Test
  void aSingleFileIsEnough() {
    final Path old = write("old", TEN, null).resolve("results.json");
    final Path now = write("new", TEN, null).resolve("results.json");
    assertEquals(ExitCode.OK, run(old, now).exitCode);
  }

  @Test
  void severalFilesOfOneBenchmarkAreItsForks() throws IOException {
    final Path old = write("old", TEN, null);
    Files.copy(old.resolve("results.json"), old.resolve("more.json"));
    final JsonNode json = json(run(old, write("new", TEN, null), "--json"));
    assertEquals(6, json.at("/pairs/0/oldForks").asInt());
    assertEquals(3, json.at("/pairs/0/newForks").asInt());
  }

  @Test
  void otherMachinesAndJvmsAreWarnedOf() {
    final Path old = write("old", TEN, null);
    final Path now = write("new", TEN, null);
    final String unknown = run(old, now).out;
    assertTrue(unknown.contains("WARNING: " + old + " has no run.json"), unknown);
    new TestResults(old).run("c0ffee", false, "EPYC", "17");
    new TestResults(now).run("beef", true, "EPYC", "17");
    final String same = run(old, now).out;
    assertFalse(same.contains("WARNING"), same);
    assertTrue(same.contains("commit c0ffee; EPYC, 2 cores, Linux 6.1 amd64; OpenJDK 17 -Xmx2g"), same);
    assertTrue(same.contains("commit beef with changes"), same);
    new TestResults(now).run("beef", true, "Xeon", "21");
    final String other = run(old, now).out;
    assertTrue(other.contains("WARNING: The machines differ"), other);
    assertTrue(other.contains("WARNING: The JVMs or their options differ"), other);
  }

  @Test
  void programsReadJsonAndCsv() throws IOException {
    final Path old = write("old", TEN, 100L);
    final Path now = write("new", TWENTY, 100L);
    final JsonNode json = json(run(old, now, "--json"));
    assertEquals("slower", json.at("/pairs/0/verdict").asText());
    assertEquals("x", json.at("/pairs/0/params/encoding").asText());
    assertEquals(1.99, json.at("/pairs/0/ratio/value").asDouble(), 0.01);
    assertEquals(now.toString(), json.at("/new/path").asText());
    assertTrue(json.at("/again").isNull());
    final List<String> csv = run(old, now, "--csv").out.lines().toList();
    assertTrue(csv.get(0).startsWith("benchmark,mode,param.encoding,verdict,ratio,"), csv.get(0));
    assertTrue(csv.get(1).startsWith("org.example.A.read,avgt,x,slower,1.99"), csv.get(1));
    assertEquals(2, csv.size());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "not JSON | line 1, column 5: this is no result of JMH: Unrecognized token 'not'",
      "{} | line 1, column 1: this is no result of JMH: Cannot deserialize value of type",
      "[] | there is no result of JMH. Name a file that JMH wrote with '-rf json'",
      "[{}] | this is no result of JMH: Missing required creator property 'benchmark'"
  })
  void whatIsNoResultIsRefused(String content, String message) throws IOException {
    final Path file = Files.writeString(directory.resolve("bad.json"), content);
    final Result result = run(write("old", TEN, null), file);
    assertEquals(ExitCode.FAILED, result.exitCode);
    assertTrue(result.err.startsWith("benchmarks: " + file), result.err);
    assertTrue(result.err.contains(message), result.err);
    assertEquals(1, result.err.lines().count(), result.err);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "ns/op | ops/s | it is in ops/s, not in ns/op",
      "[10.0,10.1] | [] | it has no iterations",
      "[10.0,10.1] | [10.0,0.0] | an iteration took 0.0 ns",
      "[10.0,10.1] | [10.0,\"NaN\"] | an iteration took NaN ns"
  })
  void whatIsNoTimeIsRefused(String text, String by, String message) throws IOException {
    final Path file = write("old", TEN, null).resolve("results.json");
    final String content = Files.readString(file);
    assertTrue(content.contains(text), content);
    Files.writeString(file, content.replace(text, by));
    final Result result = run(file, write("new", TEN, null));
    assertEquals(ExitCode.FAILED, result.exitCode);
    assertTrue(result.err.contains(file + ": A.read encoding=x cannot be compared: " + message), result.err);
  }

  @Test
  void whatIsMissingIsNamed() {
    final Result result = run(write("old", TEN, null), directory.resolve("nowhere"));
    assertEquals(ExitCode.FAILED, result.exitCode);
    assertEquals(
        "benchmarks: " + directory.resolve("nowhere") + ": there is no such file" + System.lineSeparator(),
        result.err
    );
  }

  @Test
  void aWrongCommandLineIsRefused() {
    final Path old = write("old", TEN, null);
    final Path now = write("new", TWENTY, null);
    assertEquals(ExitCode.USAGE, run(old).exitCode);
    assertEquals(ExitCode.USAGE, run(old, now, "--json", "--csv").exitCode);
    assertEquals(ExitCode.USAGE, run(old, now, "--threshold", "-1").exitCode);
    assertEquals(ExitCode.USAGE, run(old, now, "--rerun", "--rounds", "1").exitCode);
    assertEquals(ExitCode.USAGE, run(old, now, "--old-jar", "x.jar").exitCode);
    final Result unknown = run(old, now, "--rerun");
    assertEquals(ExitCode.USAGE, unknown.exitCode);
    assertTrue(unknown.err.startsWith("benchmarks: " + old + " is not known to be of a commit"), unknown.err);
    assertTrue(unknown.err.contains("--old-jar"), unknown.err);
    final Result missing = run(old, now, "--rerun", "--old-jar", directory.resolve("no.jar"));
    assertTrue(missing.err.contains("no.jar: there is no such file"), missing.err);
  }

  @Test
  void aJarIsBuiltOfACommitButNotOfChanges() throws IOException {
    final Path old = write("old", TEN, null);
    final Path now = write("new", TWENTY, null);
    new TestResults(old).run("c0ffee", false, "EPYC", "17");
    new TestResults(now).run("beef", true, "EPYC", "17");
    final Path builder = directory.resolve("builder");
    Files.writeString(builder, "#!/bin/sh\necho \"$@\" >> \"$0.log\"\nexit 1\n");
    assertTrue(builder.toFile().setExecutable(true));
    final Result dirty = run(old, now, "--rerun", "--jar-of", builder);
    assertEquals(ExitCode.USAGE, dirty.exitCode);
    assertTrue(dirty.err.contains(now + " is not known to be of a commit without changes"), dirty.err);
    new TestResults(now).run("beef", false, "EPYC", "17");
    final Result failed = run(old, now, "--rerun", "--jar-of", builder);
    assertEquals(ExitCode.FAILED, failed.exitCode);
    assertTrue(failed.err.contains(old + ": no jar can be built of its commit c0ffee"), failed.err);
    assertEquals("--jar c0ffee\n", Files.readString(directory.resolve("builder.log")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "encoding | a,b | JMH takes no value as that of encoding, 'a,b'",
      "encoding | a=b | JMH takes no value as that of encoding, 'a=b'",
      "segmentPath | /no/such/segment | its segment /no/such/segment does not exist any more"
  })
  void whatCannotBeRunAgainIsRefusedBeforeItIsRun(String param, String value, String message) throws IOException {
    final Map<String, String> params = Map.of(param, value);
    final Path old = new TestResults(directory.resolve("old")).add("A.read", params, TEN, null).write();
    final Path now = new TestResults(directory.resolve("new")).add("A.read", params, TWENTY, null).write();
    final Path jar = jar("any.jar", 1);
    final Result result = run(old, now, "--rerun", "--old-jar", jar, "--new-jar", jar);
    assertEquals(ExitCode.FAILED, result.exitCode, result.err);
    assertTrue(result.err.contains(message), result.err);
  }

  @Test
  void theRerunConfirmsWhatIsSlowerAndClearsWhatIsNot() throws IOException {
    final Path old = tiny("old", TEN);
    final Path now = tiny("new", TWENTY);
    // So far apart that no disturbance of the machine brings them together.
    final Path fast = jar("fast.jar", 10);
    final Path slow = jar("slow.jar", 2_000_000);
    final Result confirmed = run(old, now, "--rerun", "--rounds", 2, "--old-jar", fast, "--new-jar", slow, "--json");
    assertEquals(ExitCode.DIFFERENT, confirmed.exitCode, confirmed.err);
    final JsonNode json = json(confirmed);
    assertEquals(2, json.get("pairs").size());
    assertEquals(1, json.get("again").size(), "only what may be slower is measured again");
    assertEquals("y", json.at("/again/0/params/encoding").asText());
    assertEquals(2, json.at("/again/0/oldForks").asInt());
    assertEquals(2, json.at("/again/0/newForks").asInt());
    final Result cleared = run(old, now, "--rerun", "--rounds", 2, "--old-jar", slow, "--new-jar", fast);
    assertEquals(ExitCode.OK, cleared.exitCode, cleared.out);
    assertTrue(cleared.out.contains("1 pair measured again: 0 confirmed slower"), cleared.out);
  }

  @Test
  void aBenchmarkThatFailsInTheRerunIsShown() throws IOException {
    final Path old = write("old", TEN, null);
    final Path now = write("new", TWENTY, null);
    final Path jar = jar("tiny.jar", 1);
    final Result result = run(old, now, "--rerun", "--old-jar", jar, "--new-jar", jar);
    assertEquals(ExitCode.FAILED, result.exitCode);
    assertTrue(result.err.contains(jar + ": A.read encoding=x failed with exit code 1, and said:"), result.err);
    assertTrue(result.err.contains("No matching benchmarks"), result.err);
  }

  private Path write(String name, List<double[]> forks, Long sizeInBytes) {
    return new TestResults(directory.resolve(name))
        .add("A.read", Map.of("encoding", "x"), forks, sizeInBytes)
        .write();
  }

  /** Of two encodings the second takes this long. */
  private Path tiny(String name, List<double[]> forks) throws IOException {
    final Path results = new TestResults(directory.resolve(name))
        .add(TINY, Map.of("encoding", "x"), TEN, null)
        .add(TINY, Map.of("encoding", "y"), forks, null)
        .write();
    final Path file = results.resolve("results.json");
    Files.writeString(
        file,
        Files.readString(file).replace("org.example." + TINY, TinyBenchmark.class.getName() + ".burn")
    );
    return results;
  }

  /** A jar of the class path of this test, whose tiny benchmark takes so long. */
  private Path jar(String name, int tokens) throws IOException {
    final Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, TinyBenchmark.class.getName());
    manifest.getMainAttributes().put(
        Attributes.Name.CLASS_PATH,
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
              .map(entry -> Path.of(entry).toUri().toString())
              .collect(Collectors.joining(" "))
    );
    final Path jar = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar); JarOutputStream entries = new JarOutputStream(out, manifest)) {
      entries.putNextEntry(new ZipEntry(TinyBenchmark.TOKENS));
      entries.write(String.valueOf(tokens).getBytes(StandardCharsets.UTF_8));
    }
    return jar;
  }

  private static JsonNode json(Result result) throws IOException {
    return new ObjectMapper().readTree(result.out);
  }

  private static Result run(Object... args) {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final CommandLine command = Benchmarks.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err, true));
    final int exitCode = command.execute(
        Stream.concat(Stream.of("compare"), Arrays.stream(args).map(Object::toString)).toArray(String[]::new));
    return new Result(exitCode, out.toString(), err.toString());
  }
}
