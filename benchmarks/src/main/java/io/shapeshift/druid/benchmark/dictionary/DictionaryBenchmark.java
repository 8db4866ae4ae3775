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

/** Base class of the benchmarks of dictionaries: the encoding, and the pollution of the JVM. */
// The scope is Thread for the reason in IndexBenchmark.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public abstract class DictionaryBenchmark {
  private static final long FIRST_POLLUTION_NANOS = 3_000_000_000L;
  private static final long AGAIN_NANOS = 50_000_000;

  /** Name of a {@link DictionaryEncoding}. */
  @Param({
      "druid-utf8",
      "druid-front-coded-4",
      "druid-front-coded-16",
      "shapeshift-smaller",
      "shapeshift-fastbutsmallish",
      "shapeshift-faster"
  })
  private String encoding;

  /**
   * State of the JVM: {@code fresh}, it has done nothing; {@code polluted}, the same work with dictionaries of all
   * kinds.
   */
  @Param({"fresh", "polluted"})
  private String jvm;

  @Nullable
  private DictionaryPollution pollution;

  final DictionaryEncoding encoding() {
    return DictionaryEncoding.parse(encoding);
  }

  /** Starts the pollution. */
  @FunctionalInterface
  interface Start {
    DictionaryPollution get() throws IOException;
  }

  /** Pollutes the JVM for the first time, if the parameter asks for it. */
  final void startPollution(Start start) throws IOException {
    if (jvm.equals("polluted")) {
      pollution = start.get();
      pollution.run(FIRST_POLLUTION_NANOS);
    } else if (!jvm.equals("fresh")) {
      throw new IllegalArgumentException("jvm is " + jvm + ": it must be fresh or polluted");
    }
  }

  /**
   * Pollutes the JVM again. Otherwise the compiler would specialise the code for the dictionary that is measured for
   * long.
   */
  @Setup(Level.Iteration)
  public void pollute() {
    if (pollution != null) {
      pollution.run(AGAIN_NANOS);
    }
  }
}
