// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.testing.DruidArtifacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/** Runs the tool as users do: the launcher of the unpacked distribution, in a process of its own. */
public final class ToolProcess implements AutoCloseable {
  /** The variable of the environment that adds options of the JVM. */
  public static final String JAVA_OPTIONS = "SHAPESHIFT_JAVA_OPTS";
  private static final int TIMEOUT_SECONDS = 180;

  private final Path directory;
  private final Path temporary;
  private final Process process;

  /** The classes of the tool as a JVM of this kind has read them, so that starting it takes half the time. */
  private static final class ClassArchive {
    static final String OPTIONS = dump();

    private ClassArchive() {}

    /** Converts a small segment, for which most classes are needed. */
    private static String dump() {
      try {
        final Path directory = Files.createTempDirectory("tool-classes");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> FileUtils.deleteQuietly(directory.toFile())));
        final Path archive = directory.resolve("classes.jsa");
        final Path segment = DruidArtifacts.fromV8(directory.resolve("segment"));
        try (ToolProcess tool = new ToolProcess(
            Files.createDirectory(directory.resolve("process")),
            "-XX:ArchiveClassesAtExit=" + archive,
            Map.of(),
            "convert", segment.toString(), "--out", directory.resolve("out").toString()
        )) {
          assertEquals(0, tool.await().exitCode());
        }
        assertTrue(Files.exists(archive), "there is no archive of classes");
        return "-XX:SharedArchiveFile=" + archive;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private ToolProcess(Path directory, String classArchive, Map<String, String> environment, String... args)
      throws IOException {
    this.directory = directory;
    this.temporary = Files.createDirectory(directory.resolve("tmp"));
    final Path launcher = Path.of(System.getProperty("distribution"), "bin", "shapeshift");
    final ProcessBuilder builder = new ProcessBuilder(
        Stream.concat(Stream.of(launcher.toString()), Arrays.stream(args)).toList()
    );
    builder.environment().putAll(environment);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put(
        JAVA_OPTIONS,
        String.join(
            " ",
            "-Djava.io.tmpdir=" + temporary,
            compiler(),
            classArchive,
            environment.getOrDefault(JAVA_OPTIONS, "")
        )
    );
    this.process = builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                          .redirectOutput(directory.resolve("out").toFile())
                          .redirectError(directory.resolve("err").toFile())
                          .start();
  }

  /** The compiler of the tests: its processes end before what the second compiler makes of them pays, as tests do. */
  private static String compiler() {
    return System.getProperty("test.compiler", "");
  }

  /** The options of the JVM that all processes have here, for tests that start the launcher by themselves. */
  public static String javaOptions() {
    return compiler() + " " + ClassArchive.OPTIONS;
  }

  /**
   * What a process that has ended leaves.
   *
   * @param exitCode one of {@code cli.ExitCode}
   * @param out      standard output
   * @param err      standard error
   */
  public record Result(int exitCode, String out, String err) {
    /** Standard output of a command that ended well and without a word on standard error. */
    public String fine() {
      assertEquals("", err);
      assertEquals(0, exitCode);
      return out;
    }
  }

  /** Runs the tool to its end, and asserts that it leaves no temporary file. */
  public static Result run(String... args) {
    return run(Map.of(), args);
  }

  /** The same with variables of the environment, of which {@link #JAVA_OPTIONS} adds options to the tests' own. */
  public static Result run(Map<String, String> environment, String... args) {
    try (ToolProcess tool = start(environment, args)) {
      return tool.await();
    }
  }

  /** Starts the tool, for tests that interrupt it. */
  public static ToolProcess start(String... args) {
    return start(Map.of(), args);
  }

  private static ToolProcess start(Map<String, String> environment, String... args) {
    try {
      return new ToolProcess(
          Files.createTempDirectory("tool-process"), ClassArchive.OPTIONS, environment, args);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process, which is that of Java: the launcher becomes it. */
  public Process process() {
    return process;
  }

  /** Waits for the end, and asserts that no temporary file is left. */
  public Result await() {
    try {
      assertTrue(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS), "the tool runs on");
      final Result result = new Result(
          process.exitValue(),
          Files.readString(directory.resolve("out")),
          Files.readString(directory.resolve("err"))
      );
      try (Stream<Path> left = Files.list(temporary)) {
        assertEquals(List.of(), left.toList(), () -> "left behind by " + result);
      }
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Ends the process if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
    FileUtils.deleteQuietly(directory.toFile());
  }
}
