// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** Takes as long as a file of its jar says, so that two jars of it differ in speed. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TinyBenchmark {
  static final String TOKENS = "tokens";

  @Param({"x", "y"})
  private String encoding;

  private long tokens;

  /** JMH, also while a benchmark elsewhere on the machine runs: nothing here could disturb these. */
  public static void main(String[] args) throws IOException {
    System.setProperty("jmh.ignoreLock", "true");
    Main.main(args);
  }

  /** Reads the file, and takes the encoding y as thrice as slow. */
  @Setup
  public void setUp() throws IOException {
    try (InputStream in = TinyBenchmark.class.getClassLoader().getResourceAsStream(TOKENS)) {
      tokens = Long.parseLong(new String(in.readAllBytes(), StandardCharsets.UTF_8)) * (encoding.equals("y") ? 3 : 1);
    }
  }

  /** Burns CPU. */
  @Benchmark
  public void burn() {
    Blackhole.consumeCPU(tokens);
  }
}
