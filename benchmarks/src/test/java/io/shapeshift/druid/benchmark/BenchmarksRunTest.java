// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark once, so that none rots; says nothing of speed. */
class BenchmarksRunTest {
  @Test
  void eachBenchmarkRuns() throws RunnerException {
    final Collection<RunResult> results = new Runner(
        new OptionsBuilder()
            .include(ColumnarIntsReadBenchmark.class.getSimpleName())
            .param("distribution", "runs")
            .param("encoding", "druid-lz4", "shapeshift-fastbutsmallish", "form-rle")
            .param("selected", "0.01")
            .param("polluted", "true")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build()
    ).run();
    // Three ways to read, three encodings.
    assertEquals(9, results.size());
  }
}
