// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the benchmarks of dictionaries have in common: the encoding, and what the JVM did before. */
// As IndexBenchmark says.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public abstract class DictionaryBenchmark {
  private static final long FIRST_POLLUTION_NANOS = 3_000_000_000L;
  private static final long AGAIN_NANOS = 50_000_000;

  /** See {@link DictionaryEncoding}. */
  @Param({
      "druid-utf8",
      "druid-front-coded-4",
      "druid-front-coded-16",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  })
  private String encoding;

  /** What the JVM did before: {@code fresh}, nothing; {@code polluted}, the same with dictionaries of all kinds. */
  @Param({"fresh", "polluted"})
  private String jvm;

  @Nullable
  private DictionaryPollution pollution;

  final DictionaryEncoding encoding() {
    return DictionaryEncoding.parse(encoding);
  }

  /** Makes a pollution. */
  @FunctionalInterface
  interface Start {
    DictionaryPollution get() throws IOException;
  }

  /** Pollutes the JVM for the first time, if it is to be. */
  final void startPollution(Start start) throws IOException {
    if (jvm.equals("polluted")) {
      pollution = start.get();
      pollution.run(FIRST_POLLUTION_NANOS);
    } else if (!jvm.equals("fresh")) {
      throw new IllegalArgumentException("jvm is " + jvm + ": it must be fresh or polluted");
    }
  }

  /** Pollutes it again: what is measured for long would become the only kind that the compiler cares for. */
  @Setup(Level.Iteration)
  public void pollute() {
    if (pollution != null) {
      pollution.run(AGAIN_NANOS);
    }
  }
}
