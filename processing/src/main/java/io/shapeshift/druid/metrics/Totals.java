// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;

/** What this process has written and read of shape-shifting columns since it started. For any number of threads. */
public final class Totals {
  /** Segments that were written. */
  static final String SEGMENTS = "shapeshift/write/segments";
  /** Their columns, by kind. */
  static final String COLUMNS = "shapeshift/write/columns";
  /** Their bytes, by part and form. */
  static final String BYTES = "shapeshift/write/bytes";
  /** What parts would have taken as Druid's own, where that is known. */
  static final String STOCK_BYTES = "shapeshift/write/druidBytes";
  /** Chunks of rows that were read, by what that took. */
  private static final String CHUNKS = "shapeshift/read/chunks";

  private static final ConcurrentMap<Metric, LongAdder> ALL = new ConcurrentHashMap<>();
  private static final LongAdder IN_PLACE = of(new Metric(CHUNKS, Map.of("kind", "inPlace")));
  private static final LongAdder DECODED_WHOLE = of(new Metric(CHUNKS, Map.of("kind", "decodedWhole")));

  private Totals() {}

  /**
   * What is counted.
   *
   * @param name       as an operator sees it
   * @param dimensions and their values, of which there are few
   */
  public record Metric(String name, Map<String, String> dimensions) {}

  private static LongAdder of(Metric metric) {
    return ALL.computeIfAbsent(metric, absent -> new LongAdder());
  }

  static void add(String name, Map<String, String> dimensions, long more) {
    of(new Metric(name, dimensions)).add(more);
  }

  /**
   * Counts chunks of rows that a reader has read.
   *
   * @param all          how many
   * @param decodedWhole of them those that were decompressed or decoded as a whole, not read where they lie
   */
  public static void chunksRead(long all, long decodedWhole) {
    if (all > decodedWhole) {
      IN_PLACE.add(all - decodedWhole);
    }
    if (decodedWhole > 0) {
      DECODED_WHOLE.add(decodedWhole);
    }
  }

  /** Gives all that was counted, in no order. */
  public static void forEach(ObjLongConsumer<Metric> consumer) {
    ALL.forEach((metric, total) -> consumer.accept(metric, total.sum()));
  }
}
