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
 * What else a Historical does with dictionaries: all operations on texts of all kinds in all encodings. Whoever
 * measures pollutes first, and again between measurements, as {@link io.shapeshift.druid.tool.speed.Pollution} has it.
 */
final class DictionaryPollution {
  private static final int VALUES = 1000;

  private final List<Runnable> tasks = new ArrayList<>();
  /** What was written, for the compiler to see that somebody wants it. */
  private final LongAdder sink = new LongAdder();
  private int next;

  private DictionaryPollution() {}

  /** Pollution by reading. */
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

  /** Pollution by building. */
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

  /** Does one after the other for at least so long, and goes on there the next time. */
  void run(long nanos) {
    final long end = System.nanoTime() + nanos;
    do {
      tasks.get(next).run();
      next = (next + 1) % tasks.size();
    } while (System.nanoTime() < end);
  }
}
