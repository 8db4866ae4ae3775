// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.NestedDataColumnSchema;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Sizes of segments of generated objects, which it prints, relative to Druid's own. Takes two minutes.
 */
@EnabledIfSystemProperty(named = "shapeshift.exhaustive", matches = "true")
class NestedSizesTest {
  private static final String COLUMN = "event";

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  @TempDir
  private File folder;

  private final Random random = new Random(7);

  @ParameterizedTest
  @CsvSource({
      "CALLS, 3000, .25, .20", "CALLS, 100000, .25, .20", "SOME_KEYS, 20000, .20, .20", "USER_KEYS, 200, .35, .35",
      "LISTS, 1500, .35, .25", "LONG_LISTS, 30, .35, .25", "RANDOM, 20000, .35, .25", "METRICS, 50000, .35, .25",
      "FLAT, 50000, .25, .10", "MIXED_LISTS, 20000, .60, .50", "CALLS, 1, .90, .90", "CALLS, 10, .50, .50"
  })
  void areSmallerThanDruids(Objects kind, int rows, double most, double mostOfSmaller) throws IOException {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new NestedDataColumnSchema(COLUMN, 5))))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> events = IntStream.range(0, rows).mapToObj(row -> Map.of(
        "time", DateTimes.of("2026-01-01T00:00:00Z").plusSeconds(row).toString(), COLUMN, object(kind))).toList();
    try (IncrementalIndex index = TestSegments.rowsInMemory(schema, events)) {
      final double stock = size(index, "stock", TestSegments.STOCK);
      final double ours = size(index, "default", spec(OptimizationTarget.FASTBUTSMALLISH)) / stock;
      final double smaller = size(index, "smaller", spec(OptimizationTarget.SMALLER)) / stock;
      System.out.printf(
          Locale.ROOT, "%,d %s, %.0f bytes: default %.3f, smaller %.3f%n", rows, kind, stock, ours, smaller);
      assertTrue(ours <= most, () -> "default: " + ours);
      assertTrue(smaller <= mostOfSmaller, () -> "smaller: " + smaller);
    }
  }

  private static IndexSpec spec(OptimizationTarget target) {
    return TestSegments.shapeShiftAll(target, BlockSize.LARGE);
  }

  private long size(IncrementalIndex index, String name, IndexSpec spec) {
    return FileUtils.sizeOfDirectory(TestSegments.persist(index, new File(folder, name), spec, Version.V9));
  }

  private enum Objects {
    /** Calls of an API: 30 kinds with parameters of their own, identifiers, lists of objects. */
    CALLS,
    /** Eight of 400 keys. */
    SOME_KEYS,
    /** Four keys that no other object has. */
    USER_KEYS,
    /** A list of up to 60 objects. */
    LISTS,
    /** A list of a thousand objects. */
    LONG_LISTS,
    /** Random texts and numbers. */
    RANDOM,
    /** Measured numbers. */
    METRICS,
    /** Two fields of five values. */
    FLAT,
    /** A list of numbers and texts, with which an object is kept. */
    MIXED_LISTS
  }

  private Map<String, Object> object(Objects kind) {
    return switch (kind) {
      case CALLS -> call();
      case SOME_KEYS -> keys(8, i -> "k" + random.nextInt(400), i -> random.nextInt(1000));
      case USER_KEYS -> keys(4, i -> hex(10), i -> hex(20));
      case LISTS -> map("list", list(1 + random.nextInt(60)));
      case LONG_LISTS -> map("list", list(1000));
      case RANDOM -> map("id", hex(32), "x", random.nextDouble(), "n", random.nextLong());
      case METRICS -> map(
          "cpu", random.nextInt(1000) / 10.0, "memory", random.nextInt(1 << 20), "host", "h" + random.nextInt(50),
          "load", random.nextGaussian());
      case FLAT -> map("a", "v" + random.nextInt(5), "b", random.nextInt(5));
      case MIXED_LISTS -> map("list", Arrays.asList(1, "x" + random.nextInt(100), null, random.nextInt(50)),
          "text", hex(30));
    };
  }

  private static Map<String, Object> map(Object... keysAndValues) {
    final Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  private static Map<String, Object> keys(int count, IntFunction<String> key, IntFunction<Object> value) {
    final Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(key.apply(i), value.apply(i));
    }
    return map;
  }

  private List<Object> list(int length) {
    final List<Object> list = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      list.add(map("a", random.nextInt(100), "b", "t" + random.nextInt(50)));
    }
    return list;
  }

  private String hex(int length) {
    final StringBuilder text = new StringBuilder();
    while (text.length() < length) {
      text.append(Character.forDigit(random.nextInt(16), 16));
    }
    return text.toString();
  }

  private Map<String, Object> call() {
    final int kind = random.nextInt(30);
    final Map<String, Object> call = map(
        "eventID", new UUID(random.nextLong(), random.nextLong()).toString(),
        "eventName", "Event" + kind,
        "region", "east-" + random.nextInt(3),
        "address", "10." + random.nextInt(5) + "." + random.nextInt(9) + "." + random.nextInt(200),
        "user", map("type", random.nextBoolean() ? "Root" : "User", "name", "user-" + random.nextInt(50))
    );
    final Random ofKind = new Random(kind);
    final Map<String, Object> parameters = new LinkedHashMap<>();
    for (int i = ofKind.nextInt(8); i > 0; i--) {
      final String key = "parameter" + ofKind.nextInt(40);
      final boolean isNumber = ofKind.nextBoolean();
      if (random.nextInt(4) > 0) {
        parameters.put(key, isNumber ? (Object) random.nextInt(100) : List.of("a" + random.nextInt(4), "b"));
      }
    }
    call.put("parameters", parameters);
    if (random.nextInt(4) == 0) {
      call.put("items", list(1 + random.nextInt(6)));
    }
    return call;
  }
}
