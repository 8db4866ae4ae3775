// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.NestedDataColumnSchema;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/** Rows with nested columns: events, values of every kind under the same paths, rare keys, and few structures. */
public final class NestedRows {
  public static final List<String> COLUMNS = List.of("events", "mixed", "sparse", "nothing", "auto", "kinds");

  private NestedRows() {}

  /** Returns the schema. */
  public static IncrementalIndexSchema schema() {
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(
            COLUMNS.stream()
                   .map(name -> name.equals("auto")
                                ? AutoTypeColumnSchema.of(name)
                                : new NestedDataColumnSchema(name, 5))
                   .toList()))
        .withRollup(false)
        .build();
  }

  /**
   * Returns rows of one hour.
   *
   * @param hour also the seed
   */
  public static List<Map<String, Object>> rows(int hour, int count) {
    final Random random = new Random(hour);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01T00:00:00Z").plusHours(hour).plusMillis(i).toString());
      row.put("events", event(random, i));
      row.put("mixed", random.nextInt(8) == 0 ? null : mixed(random, 0));
      row.put("sparse", random.nextInt(50) == 0 ? Map.of("key" + random.nextInt(100), random.nextInt(5)) : Map.of());
      row.put("nothing", i == 3 ? Map.of() : null);
      row.put("kinds", kind(random, i));
      row.put("auto", random.nextInt(3) == 0 ? "text" + random.nextInt(3) : Map.of("a", random.nextInt(9)));
      rows.add(row);
    }
    return rows;
  }

  private static Map<String, Object> event(Random random, int row) {
    final Map<String, Object> event = new LinkedHashMap<>();
    event.put("id", 1_000_000L + row);
    event.put("host", "host-" + random.nextInt(20));
    event.put("took", random.nextInt(100) / 8.0);
    event.put("ok", random.nextBoolean());
    if (random.nextInt(3) > 0) {
      event.put("message", "user " + random.nextInt(50) + " logged in from 10.0." + random.nextInt(9) + ".1");
    }
    event.put("nested", Map.of("deep", Map.of("level", random.nextInt(4))));
    event.put("tags", List.of("t" + random.nextInt(5), "t" + random.nextInt(5)));
    event.put("parts", List.of(Map.of("n", random.nextInt(3)), Map.of("n", random.nextInt(3))));
    if (random.nextInt(200) == 0) {
      event.put("error", "rare" + random.nextInt(3));
      event.put("code", random.nextInt(1000));
    }
    return event;
  }

  /** Objects of few structures, from which most values follow. */
  private static Map<String, Object> kind(Random random, int row) {
    final int kind = Math.max(0, random.nextInt(40) - 34);
    final Map<String, Object> event = new LinkedHashMap<>();
    event.put("type", row % 97 == 5 ? "exception" : "type" + kind);
    event.put("data" + kind, random.nextInt(1000));
    event.put("array", List.of(kind, 1));
    event.put("constant", "always");
    if (kind > 0) {
      event.put("code", row % 97 == 7 ? -1L : 100L * kind);
      event.put("ratio", kind / 4.0);
      event.put("codeOrText", kind == 1 ? "one" : (Object) (long) kind);
    }
    if (row % 89 == 8) {
      event.put("kept", Arrays.asList(1, "one", null));
    }
    return event;
  }

  /** Values of every kind under the same few paths. */
  @Nullable
  private static Object mixed(Random random, int depth) {
    switch (random.nextInt(depth > 2 ? 9 : 13)) {
      case 0:
        return null;
      case 1:
        return "s" + random.nextInt(30);
      case 2:
        return random.nextInt(100);
      case 3:
        return random.nextLong();
      case 4:
        return random.nextInt(10) / 4.0;
      case 5:
        return random.nextBoolean();
      case 6:
        return Arrays.asList("x", null, "y" + random.nextInt(3));
      case 7:
        return random.nextBoolean() ? List.of(1, 2, random.nextInt(4)) : List.of(0.5, 1.5);
      case 8:
        return random.nextBoolean() ? List.of() : Arrays.asList(1, "one", random.nextInt(3), null);
      case 9:
        return Arrays.asList(mixed(random, depth + 1), mixed(random, depth + 1));
      default:
        final Map<String, Object> object = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          object.put(List.of("a", "b", "a.b", "c[0]", "", "d'e").get(random.nextInt(6)), mixed(random, depth + 1));
        }
        return object;
    }
  }
}
