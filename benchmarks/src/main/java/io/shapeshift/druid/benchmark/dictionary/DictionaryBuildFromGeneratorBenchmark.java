// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import io.shapeshift.druid.benchmark.results.EncodingProfiler;
import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Builds a dictionary of generated texts, or merges ten, in memory. */
public class DictionaryBuildFromGeneratorBenchmark extends DictionaryBenchmark {
  /** Name of a {@link BuildOperation}. */
  @Param({"build", "merge"})
  private String operation;

  private DictionaryEncoding encoding;
  private Iterable<String> input;

  /** Draws the texts, and builds their dictionary once to learn its size. */
  @Setup
  public void setUp(GeneratedTexts texts) throws IOException {
    final List<String> values = texts.values();
    encoding = encoding();
    input = BuildOperation.parse(operation).input(encoding, values, 3);
    startPollution(DictionaryPollution::ofBuilding);
    EncodingProfiler.reportDictionary(values.size(), values.size(), build());
  }

  /** Builds the dictionary, and returns its size in bytes. */
  @Benchmark
  public long build() throws IOException {
    return BuildOperation.run(encoding, input);
  }
}
