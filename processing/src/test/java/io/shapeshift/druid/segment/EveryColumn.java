// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.NewSpatialDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesSerde;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.serde.ComplexMetrics;

/** Rows and a schema with every kind of column that Druid has. */
public final class EveryColumn {
  /** The one projection. */
  public static final String PROJECTION = "byPlain";
  /** The metrics, a complex one among them. */
  public static final List<AggregatorFactory> METRICS = List.of(
      new CountAggregatorFactory("count"),
      new LongSumAggregatorFactory("sum", "number"),
      new HyperUniquesAggregatorFactory("unique", "plain")
  );

  static {
    ComplexMetrics.registerSerde("hyperUnique", new HyperUniquesSerde());
  }

  private EveryColumn() {}

  /** The schema of a segment with every kind of column, and a projection. */
  public static IncrementalIndexSchema schema(boolean rollup) {
    final List<DimensionSchema> dimensions = List.of(
        new StringDimensionSchema("plain"),
        new StringDimensionSchema("unindexed", null, false),
        new StringDimensionSchema("skewed"),
        new StringDimensionSchema("multi", MultiValueHandling.ARRAY, true),
        new StringDimensionSchema("multiUnindexed", MultiValueHandling.SORTED_SET, false),
        new StringDimensionSchema("withNulls"),
        new StringDimensionSchema("emptyStrings"),
        new StringDimensionSchema("constant"),
        new StringDimensionSchema("nullOnly"),
        new StringDimensionSchema("sometimes"),
        new NewSpatialDimensionSchema("place", List.of("x", "y")),
        new LongDimensionSchema("number"),
        new DoubleDimensionSchema("real"),
        AutoTypeColumnSchema.of("auto"),
        AutoTypeColumnSchema.of("json")
    );
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withMetrics(METRICS.toArray(AggregatorFactory[]::new))
        .withRollup(rollup)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder(PROJECTION)
                .groupingColumns(
                    new StringDimensionSchema("plain"),
                    new StringDimensionSchema("withNulls"),
                    new LongDimensionSchema("number")
                )
                .aggregators(new LongSumAggregatorFactory("projected", "number"))
                .build()
        ))
        .build();
  }

  /**
   * Rows of every shape.
   *
   * @param hour rows of different hours overlap in some values only
   */
  public static List<Map<String, Object>> rows(int hour, int count) {
    final Random random = new Random(hour);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01T00:00:00Z").plusHours(hour).plusMillis(i).toString());
      row.put("plain", "p" + (random.nextInt(300) + 100 * hour));
      row.put("unindexed", "u" + i / 100);
      row.put("skewed", random.nextInt(10) == 0 ? "s" + random.nextInt(100_000) : "s0");
      row.put("multi", switch (random.nextInt(5)) {
        case 0 -> null;
        case 1 -> List.of();
        case 2 -> List.of("m" + random.nextInt(10));
        case 3 -> Arrays.asList("m" + random.nextInt(10), null, "");
        default -> List.of("b", "a", "m" + random.nextInt(1000), "a");
      });
      row.put("multiUnindexed", List.of("x" + random.nextInt(3), "y" + random.nextInt(3)));
      row.put("withNulls", random.nextBoolean() ? null : "w" + random.nextInt(50));
      row.put("emptyStrings", random.nextBoolean() ? "" : random.nextBoolean() ? null : "e");
      row.put("constant", "c");
      if (hour % 2 == 1) {
        row.put("sometimes", "t" + random.nextInt(5));
      }
      row.put("x", random.nextInt(10));
      row.put("y", random.nextInt(10));
      row.put("number", random.nextInt(1000));
      row.put("real", random.nextDouble());
      row.put("auto", random.nextBoolean() ? "word" : (Object) random.nextInt(10));
      // Sorted, or the bytes would be others in each JVM.
      row.put("json", new TreeMap<>(Map.of("a", random.nextInt(10), "b", Map.of("c", "d" + i % 7))));
      rows.add(row);
    }
    return rows;
  }

  /** Such rows in memory, without rollup. */
  public static IncrementalIndex inMemory(int hour, int count) {
    return TestSegments.rowsInMemory(schema(false), rows(hour, count));
  }
}
