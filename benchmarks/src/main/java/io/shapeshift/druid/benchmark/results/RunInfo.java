// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.results;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Properties;
import javax.annotation.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Origin of results.
 *
 * @param suite    name of the suite, or {@code custom}
 * @param command  the command line
 * @param commit   of the sources that the benchmarks were built from; null if they were not built in a checkout
 * @param dirty    whether these sources had been changed since that commit
 * @param started  when, in ISO 8601
 * @param seconds  how long it took until the last result
 * @param load     of the operating system when it began, in processes; negative if that does not tell
 * @param machine  what it ran on
 * @param jvm      what ran the benchmarks
 */
public record RunInfo(
    String suite,
    List<String> command,
    @Nullable String commit,
    boolean dirty,
    String started,
    long seconds,
    double load,
    Machine machine,
    Jvm jvm
) {
  private static final String UNKNOWN = "unknown";

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /**
   * A machine.
   *
   * @param cpu         name of its processor
   * @param cores       processors that the JVM sees
   * @param memoryBytes its memory
   * @param os          name, version and architecture of the operating system
   */
  public record Machine(String cpu, int cores, long memoryBytes, String os) {
    private static Machine here() {
      return new Machine(
          cpuModel(),
          SYSTEM.getAvailableProcessors(),
          SYSTEM.getTotalMemorySize(),
          SYSTEM.getName() + " " + SYSTEM.getVersion() + " " + SYSTEM.getArch()
      );
    }

    /** Model of the processor; only Linux has it in a file. */
    private static String cpuModel() {
      final Path file = Path.of("/proc/cpuinfo");
      try (var lines = Files.lines(file)) {
        return lines.filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).trim())
            .findFirst()
            .orElse(UNKNOWN);
      } catch (IOException | UncheckedIOException e) {
        return UNKNOWN;
      }
    }
  }

  /**
   * A Java virtual machine.
   *
   * @param name    its name
   * @param version its version
   * @param options what those are started with that measure
   */
  public record Jvm(String name, String version, List<String> options) {
    /** A JVM of the same installation as this one, but with the given options. */
    public static Jvm like(List<String> options) {
      return new Jvm(System.getProperty("java.vm.name"), System.getProperty("java.vm.version"), options);
    }
  }

  /** Start of a run. */
  public static final class Start {
    private final String suite;
    private final List<String> command;
    private final Instant instant = Instant.now();
    private final double load = SYSTEM.getSystemLoadAverage();
    /** Properties of the build, read at once, because the jar may be rebuilt during the run. */
    private final Properties git = git();

    /**
     * Starts now.
     *
     * @param suite   name of the suite
     * @param command the command line
     */
    public Start(String suite, List<String> command) {
      this.suite = suite;
      this.command = command;
    }

    /**
     * Describes the run once something was measured.
     *
     * @param params of a benchmark, for the JVM that measured it
     */
    RunInfo end(BenchmarkParams params) {
      return end(new Jvm(params.getVmName(), params.getVmVersion(), List.copyOf(params.getJvmArgs())));
    }

    /**
     * Describes the run once something was measured.
     *
     * @param jvm what measured it
     */
    RunInfo end(Jvm jvm) {
      return new RunInfo(
          suite,
          command,
          git.getProperty("git.commit.id"),
          Boolean.parseBoolean(git.getProperty("git.dirty")),
          instant.truncatedTo(ChronoUnit.SECONDS).toString(),
          Duration.between(instant, Instant.now()).toSeconds(),
          load,
          Machine.here(),
          jvm
      );
    }

    /** Properties that the build has stored; empty if it was not made in a repository. */
    private static Properties git() {
      final Properties git = new Properties();
      try (InputStream in = RunInfo.class.getResourceAsStream("/io/shapeshift/druid/benchmark/git.properties")) {
        if (in != null) {
          git.load(in);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return git;
    }
  }
}
