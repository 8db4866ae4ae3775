// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import java.io.IOException;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/** Reads a dictionary of generated texts. */
public class DictionaryReadFromGeneratorBenchmark extends DictionaryReadBenchmark {
  /** Sets it up for these texts. */
  @Setup
  public void setUp(GeneratedTexts texts, Blackhole blackhole) throws IOException {
    setUp(texts.values(), blackhole);
  }
}
