// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ObjLongConsumer;

/**
 * Counters of what this process has written and read of shape-shifting columns, and of the memory that it let go, since
 * it started. For any number of threads.
 */
public final class Totals {
  /** Number of segments written. */
  static final String SEGMENTS = "shapeshift/write/segments";
  /** Number of their columns, by kind. */
  static final String COLUMNS = "shapeshift/write/columns";
  /** Number of their bytes, by part and form. */
  static final String BYTES = "shapeshift/write/bytes";
  /** Size of these parts as stock columns in bytes, if it is known. */
  static final String STOCK_BYTES = "shapeshift/write/druidBytes";
  /** Number of row chunks read, by the way they were read. */
  private static final String CHUNKS = "shapeshift/read/chunks";

  /** Bytes that pools let go, by pool and reason. */
  private static final String FREED_BYTES = "shapeshift/pool/freedBytes";
  /** Reason for which a pool lets go of an object: fewer objects were borrowed at once lately. */
  public static final String UNUSED = "unused";
  /** Reason for which a pool lets go of an object: keeping it would exceed the bound. */
  public static final String OVER_BOUND = "bound";

  private static final ConcurrentMap<Metric, LongAdder> ALL = new ConcurrentHashMap<>();
  private static final LongAdder IN_PLACE = of(new Metric(CHUNKS, Map.of("kind", "inPlace")));
  private static final LongAdder DECODED_WHOLE = of(new Metric(CHUNKS, Map.of("kind", "decodedWhole")));

  private Totals() {}

  /**
   * Identity of a counter.
   *
   * @param name       name of the metric, as an operator sees it
   * @param dimensions dimensions with their values; few combinations exist
   */
  public record Metric(String name, Map<String, String> dimensions) {}

  private static LongAdder of(Metric metric) {
    return ALL.computeIfAbsent(metric, absent -> new LongAdder());
  }

  static void add(String name, Map<String, String> dimensions, long more) {
    of(new Metric(name, dimensions)).add(more);
  }

  /**
   * Adds the row chunks that a reader has read.
   *
   * @param all          number of chunks
   * @param decodedWhole number of these that were decompressed or decoded as a whole, instead of read in place
   */
  public static void chunksRead(long all, long decodedWhole) {
    if (all > decodedWhole) {
      IN_PLACE.add(all - decodedWhole);
    }
    if (decodedWhole > 0) {
      DECODED_WHOLE.add(decodedWhole);
    }
  }

  /**
   * Adds the bytes of objects that a pool did not keep.
   *
   * @param reason {@link #UNUSED} or {@link #OVER_BOUND}
   */
  public static void freed(String pool, String reason, long bytes) {
    add(FREED_BYTES, Map.of("pool", pool, "reason", reason), bytes);
  }

  /** Passes all counters to a consumer, in no order. */
  public static void forEach(ObjLongConsumer<Metric> consumer) {
    ALL.forEach((metric, total) -> consumer.accept(metric, total.sum()));
  }
}
