// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.dictionary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Pollutes a JVM with all operations on dictionaries of all kinds of texts in all encodings, as on a Historical.
 * Pollute before the first measurement and between measurements: see {@link io.shapeshift.druid.tool.speed.Pollution}.
 */
final class DictionaryPollution {
  private static final int VALUES = 1000;

  private final List<Runnable> tasks = new ArrayList<>();
  /** Consumes the results, so that the compiler cannot remove the work. */
  private final LongAdder sink = new LongAdder();
  private int next;

  private DictionaryPollution() {}

  /** Pollutes by reading. */
  static DictionaryPollution ofReading(Blackhole blackhole) throws IOException {
    final DictionaryPollution pollution = new DictionaryPollution();
    for (TextKind kind : TextKind.values()) {
      final List<String> values = kind.texts(VALUES, 1);
      final Lookups lookups = Lookups.of(values, 1);
      for (DictionaryEncoding encoding : DictionaryEncoding.values()) {
        final DictionaryEncoding.Reader reader = EncodedDictionary.of(encoding, values).readers().get();
        for (ReadOperation operation : ReadOperation.values()) {
          pollution.tasks.add(() -> operation.run(reader, lookups, blackhole));
        }
      }
    }
    Collections.shuffle(pollution.tasks, new Random(1));
    return pollution;
  }

  /** Pollutes by building. */
  static DictionaryPollution ofBuilding() throws IOException {
    final DictionaryPollution pollution = new DictionaryPollution();
    for (TextKind kind : TextKind.values()) {
      final List<String> values = kind.texts(VALUES, 1);
      for (DictionaryEncoding encoding : DictionaryEncoding.values()) {
        for (BuildOperation operation : BuildOperation.values()) {
          final Iterable<String> input = operation.input(encoding, values, 1);
          pollution.tasks.add(() -> pollution.build(encoding, input));
        }
      }
    }
    Collections.shuffle(pollution.tasks, new Random(1));
    return pollution;
  }

  private void build(DictionaryEncoding encoding, Iterable<String> input) {
    try {
      sink.add(BuildOperation.run(encoding, input));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs one operation after the other for at least this time. The next call continues with the next operation. */
  void run(long nanos) {
    final long end = System.nanoTime() + nanos;
    do {
      tasks.get(next).run();
      next = (next + 1) % tasks.size();
    } while (System.nanoTime() < end);
  }
}
