// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.golden;

import static io.shapeshift.druid.segment.golden.GoldenRows.hash;
import static io.shapeshift.druid.segment.golden.GoldenRows.word;

import io.shapeshift.druid.testing.sketches.Sketch;
import io.shapeshift.druid.testing.sketches.SketchAggregatorFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.NestedDataColumnSchema;

/** Nested objects and sketches of the golden rows. */
final class GoldenObjects {
  static final List<DimensionSchema> DIMENSIONS = List.of(
      new NestedDataColumnSchema("events", 5),
      new NestedDataColumnSchema("kinds", 5),
      new NestedDataColumnSchema("sparse", 5)
  );
  /** The kind of sketch of each column. */
  static final Map<String, Sketch> SKETCHES = Map.of(
      "thetas", Sketch.THETA,
      "thetaAlways", Sketch.THETA,
      "thetaOfMany", Sketch.THETA,
      "thetaOfFew", Sketch.THETA,
      "tuples", Sketch.TUPLE,
      "registers", Sketch.HLL_8,
      "quantiles", Sketch.KLL,
      "quantilesOfRoots", Sketch.KLL
  );

  private GoldenObjects() {}

  static AggregatorFactory[] metrics() {
    return SKETCHES.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(column -> new SketchAggregatorFactory(column.getKey(), column.getKey(), column.getValue()))
        .toArray(AggregatorFactory[]::new);
  }

  static void add(int i, Map<String, Object> row) {
    row.put("events", hash(i, 70, 30) == 0 ? null : event(i));
    row.put("kinds", kind(i));
    row.put("sparse", hash(i, 71, 5) == 0 ? Map.of("rare " + hash(i, 72, 90) + " of many keys", i) : Map.of());
    row.put("thetas", hash(i, 73, 4) == 0 ? null : sketch("thetas", i, hash(i, 74, 6), 60));
    row.put("thetaOfMany", i % 4 == 0 ? sketch("thetaOfMany", i, hash(i, 78, 4), i % 16 == 0 ? 1 << 30 : 20) : null);
    row.put("quantilesOfRoots", i % 8 == 0 ? quantilesOfRoots(i) : null);
    row.put("thetaAlways", sketch("thetaAlways", 0, 5, 1000));
    row.put("thetaOfFew", sketch("thetaOfFew", hash(i, 75, 5), 40, 100_000));
    row.put("tuples", i % 40 == 0 ? sketch("tuples", i, 20, 200) : null);
    row.put("registers", i % 160 == 0 ? sketch("registers", i, 6000, 1 << 30) : null);
    row.put("quantiles", quantiles(i));
  }

  private static Object sketch(String column, int seed, int count, int bound) {
    final Sketch.Accumulator accumulator = SKETCHES.get(column).accumulator();
    IntStream.range(0, count).forEach(n -> accumulator.add(hash(n, seed + 1000, bound)));
    return accumulator.result();
  }

  /** Sketches of few different sizes, in phrases, whose numbers are nearly always the same. */
  private static Object quantiles(int i) {
    final Sketch.Accumulator accumulator = SKETCHES.get("quantiles").accumulator();
    final int count = 40 + 37 * hash(hash(i / 9, 76, 6) * 9 + i % 9, 77, 5);
    IntStream.range(0, count).forEach(n -> accumulator.add(n == 0 ? i : n % 3));
    return accumulator.result();
  }

  /** Sketches of numbers of both signs, of which few are different in most rows. */
  private static Object quantilesOfRoots(int i) {
    final Sketch.Accumulator accumulator = SKETCHES.get("quantilesOfRoots").accumulator();
    final int bound = i % 64 == 0 ? 1 << 30 : 12;
    IntStream.range(0, 20).forEach(n -> accumulator.add(StrictMath.cbrt(hash(n, i + 2000, bound) - bound / 2)));
    return accumulator.result();
  }

  /** Bytes of a sketch as the aggregator stores it, in hex; null for null. */
  @Nullable
  static String aggregated(String column, @Nullable Object sketch) {
    if (sketch == null) {
      return null;
    }
    final Sketch.Accumulator accumulator = SKETCHES.get(column).accumulator();
    accumulator.merge(sketch);
    return shown(column, accumulator.result());
  }

  /** Bytes of a sketch, in hex; null for null. */
  @Nullable
  static String shown(String column, @Nullable Object sketch) {
    return sketch == null ? null : HexFormat.of().formatHex(SKETCHES.get(column).toBytes(sketch));
  }

  /** Values of all types in fields that most rows have, and rare ones. */
  private static Map<String, Object> event(int i) {
    final Map<String, Object> event = new LinkedHashMap<>();
    event.put("id", 1_000_000 + i);
    event.put("host", "host-" + hash(i, 80, 20));
    event.put("took", hash(i, 81, 100) / 8.0);
    event.put("ok", hash(i, 82, 2) == 0);
    if (hash(i, 83, 3) > 0) {
      event.put("message", "user " + word(i, 84) + " logged in from " + word(i, 85));
    }
    event.put("nested", Map.of("deep", Map.of("level", hash(i, 86, 4))));
    event.put("tags", Arrays.asList("t" + hash(i, 87, 5), i % 9 == 0 ? null : "t" + hash(i, 88, 5)));
    event.put("parts", List.of(Map.of("n", hash(i, 89, 3)), Map.of("n", hash(i, 90, 3))));
    event.put("flags", List.of(i % 2 == 0, i % 3 == 0));
    event.put("longs", List.of(hash(i, 91, 6), 7));
    if (hash(i, 92, 60) == 0) {
      event.put("doubles", List.of(hash(i, 93, 4) / 4.0, 0.5));
      event.put("code", hash(i, 94, 1000));
      event.put("nothing", null);
    }
    if (hash(i, 95, 50) == 0) {
      event.put("kept", Arrays.asList(1, "one", null));
    }
    return event;
  }

  /** Objects of few structures, from which most values follow. */
  private static Map<String, Object> kind(int i) {
    final int kind = Math.max(0, hash(i, 100, 40) - 34);
    final Map<String, Object> event = new LinkedHashMap<>();
    event.put("type", i % 97 == 5 ? "exception" : "type" + kind);
    event.put("data" + kind, hash(i, 101, 1000));
    event.put("array", List.of(kind, 1));
    event.put("constant", "always");
    if (kind > 0) {
      event.put("code", i % 97 == 7 ? -1 : 100 * kind);
      event.put("ratio", kind / 4.0);
      event.put("codeOrText", kind == 1 ? "one" : (Object) kind);
    }
    return event;
  }
}
