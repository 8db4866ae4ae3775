// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark;

import io.shapeshift.druid.benchmark.results.EncodingProfiler;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs JMH with Druid's JVM options, and reports sizes as well as times. */
public final class Jmh {
  private static final int FIRST_THAT_WARNS = 24;

  private Jmh() {}

  /** Options of the measuring JVMs: those of Druid's own scripts, and enough memory. */
  public static List<String> jvmOptions() {
    final List<String> options = new ArrayList<>(List.of(
        "-Xms2g",
        "-Xmx2g",
        "-XX:MaxDirectMemorySize=1g",
        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
        "-Duser.timezone=UTC",
        "-Dfile.encoding=UTF-8"
    ));
    if (Runtime.version().feature() >= FIRST_THAT_WARNS) {
      // Libraries of Druid need these options; older JVMs do not know them.
      options.add("--enable-native-access=ALL-UNNAMED");
      options.add("--sun-misc-unsafe-memory-access=allow");
    }
    return options;
  }

  /** Returns the benchmarks on the class path: the parameter names by simple class name. */
  public static Map<String, Set<String>> benchmarks() {
    return BenchmarkList.defaultList().getAll(silent(), List.of()).stream().collect(Collectors.toMap(
        entry -> entry.getUserClassQName().substring(entry.getUserClassQName().lastIndexOf('.') + 1),
        entry -> entry.getParams().orElse(Map.of()).keySet(),
        (a, b) -> a,
        TreeMap::new
    ));
  }

  /** Number of results if no benchmark fails: one for each mode and each combination of parameters. */
  static int size(Options options) {
    int size = 0;
    for (BenchmarkListEntry entry
        : BenchmarkList.defaultList().find(silent(), options.getIncludes(), options.getExcludes())) {
      final Set<Mode> modes = EnumSet.noneOf(Mode.class);
      modes.addAll(options.getBenchModes().isEmpty() ? Set.of(entry.getMode()) : options.getBenchModes());
      if (modes.remove(Mode.All)) {
        modes.addAll(EnumSet.complementOf(EnumSet.of(Mode.All)));
      }
      int each = modes.size();
      for (Map.Entry<String, String[]> param : entry.getParams().orElse(Map.of()).entrySet()) {
        each *= options.getParameter(param.getKey()).orElse(List.of(param.getValue())).size();
      }
      size += each;
    }
    return size;
  }

  private static OutputFormat silent() {
    return OutputFormatFactory.createFormatInstance(
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
        VerboseMode.SILENT
    );
  }

  /** A builder with the project's options, which take precedence over those of {@code parent}. */
  public static ChainedOptionsBuilder options(Options parent) {
    final List<String> jvmOptions = jvmOptions();
    jvmOptions.addAll(parent.getJvmArgsAppend().orElse(List.of()));
    return new OptionsBuilder()
        .parent(parent)
        .jvmArgsAppend(jvmOptions.toArray(String[]::new))
        .addProfiler(EncodingProfiler.class);
  }

  /** Runs benchmarks. Failed ones are printed and left out, unless the options say otherwise. */
  public static Collection<RunResult> run(Options options) throws RunnerException {
    return new Runner(options).run();
  }

  /** Runs benchmarks, and writes all of JMH's output to a log. */
  public static Collection<RunResult> run(Options options, PrintStream log) throws RunnerException {
    return new Runner(options, OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL)).run();
  }
}
