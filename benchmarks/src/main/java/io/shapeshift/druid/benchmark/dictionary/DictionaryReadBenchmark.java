// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import io.shapeshift.druid.benchmark.results.EncodingProfiler;
import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.infra.Blackhole;

/** Reads some thousand values of a dictionary, or all. */
public abstract class DictionaryReadBenchmark extends DictionaryBenchmark {
  /** Name of a {@link ReadOperation}. */
  @Param({"get-random", "get-sorted", "get-utf8", "index-of-hit", "index-of-miss", "iterate", "like"})
  private String operation;

  private ReadOperation read;
  private Lookups lookups;
  private DictionaryEncoding.Reader reader;

  /** Writes the dictionary of these values, and runs the operation once. */
  final void setUp(List<String> values, Blackhole blackhole) throws IOException {
    read = ReadOperation.parse(operation);
    lookups = Lookups.of(values, 2);
    final EncodedDictionary dictionary = EncodedDictionary.of(encoding(), values);
    reader = dictionary.readers().get();
    startPollution(() -> DictionaryPollution.ofReading(blackhole));
    EncodingProfiler.reportDictionary(values.size(), read(blackhole), dictionary.sizeInBytes());
  }

  /** Runs the operation, and returns the number of values it has read. */
  @Benchmark
  public int read(Blackhole blackhole) {
    return read.run(reader, lookups, blackhole);
  }
}
