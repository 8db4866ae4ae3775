// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleMinAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleSumAggregatorFactory;
import org.apache.druid.query.aggregation.FloatMaxAggregatorFactory;
import org.apache.druid.query.aggregation.FloatSumAggregatorFactory;
import org.apache.druid.query.aggregation.LongMaxAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/** Rows and a schema with number columns of all types and uses, with and without nulls, of values of every kind. */
public final class NumberRows {
  /** With a time of its own, with time left out, and one that no row gets into. */
  static final List<String> PROJECTIONS = List.of("hourly", "timeless", "empty");
  /** All dimensions. */
  public static final List<DimensionSchema> DIMENSIONS = List.of(
      new StringDimensionSchema("kind"),
      new LongDimensionSchema("long"),
      new DoubleDimensionSchema("double"),
      new FloatDimensionSchema("float"),
      new LongDimensionSchema("longOrNull"),
      new LongDimensionSchema("nullLong"),
      new DoubleDimensionSchema("doubleOrNull"),
      new DoubleDimensionSchema("nullDouble"),
      new FloatDimensionSchema("floatOrNull"),
      new FloatDimensionSchema("nullFloat")
  );
  /** The metrics, a complex one among them. */
  static final List<AggregatorFactory> METRICS = List.of(
      new CountAggregatorFactory("count"),
      new LongSumAggregatorFactory("longSum", "l"),
      new LongMaxAggregatorFactory("longMaxOrNull", "lOrNull"),
      new DoubleSumAggregatorFactory("doubleSum", "d"),
      new DoubleMinAggregatorFactory("doubleMinOrNull", "dOrNull"),
      new FloatSumAggregatorFactory("floatSum", "f"),
      new FloatMaxAggregatorFactory("floatMaxOrNull", "fOrNull"),
      new HyperUniquesAggregatorFactory("unique", "kind")
  );

  private static final int NUM_KEYS = 300;
  private static final long[] LONGS = {0, 1, -1, 100, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40};
  private static final double[] DOUBLES =
      {0, -0.0, 1.25, Double.NaN, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, Double.MIN_VALUE};
  private static final float[] FLOATS = {0, -0f, 1.25f, Float.NaN, Float.POSITIVE_INFINITY, -Float.MAX_VALUE};

  static {
    // Registers the complex metric's serde.
    EveryColumn.schema(false);
  }

  private NumberRows() {}

  /**
   * A schema with all metrics.
   *
   * @param rollup to the hour
   */
  public static IncrementalIndexSchema schema(
      boolean rollup,
      List<DimensionSchema> dimensions,
      List<AggregateProjectionSpec> projections
  ) {
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withMetrics(METRICS.toArray(AggregatorFactory[]::new))
        .withQueryGranularity(rollup ? Granularities.HOUR : Granularities.NONE)
        .withRollup(rollup)
        .withProjections(projections)
        .build();
  }

  /** The projections, in the order of their names. */
  public static List<AggregateProjectionSpec> projections() {
    final AggregatorFactory[] metrics = {
        new LongSumAggregatorFactory("projectedLong", "long"),
        new DoubleMinAggregatorFactory("projectedDouble", "doubleOrNull"),
        new FloatMaxAggregatorFactory("projectedFloat", "floatOrNull"),
        new HyperUniquesAggregatorFactory("projectedUnique", "kind")
    };
    return List.of(
        AggregateProjectionSpec
            .builder("hourly")
            .virtualColumns(VirtualColumns.create(Granularities.toVirtualColumn(Granularities.HOUR, "hour")))
            .groupingColumns(
                new LongDimensionSchema("hour"),
                new StringDimensionSchema("kind"),
                new LongDimensionSchema("longOrNull")
            )
            .aggregators(metrics)
            .build(),
        AggregateProjectionSpec
            .builder("timeless")
            .groupingColumns(
                new DoubleDimensionSchema("doubleOrNull"),
                new FloatDimensionSchema("float"),
                new FloatDimensionSchema("floatOrNull")
            )
            .aggregators(metrics)
            .build(),
        AggregateProjectionSpec
            .builder("empty")
            .filter(new SelectorDimFilter("kind", "none such", null))
            .groupingColumns(new StringDimensionSchema("kind"), new LongDimensionSchema("long"))
            .aggregators(metrics)
            .build()
    );
  }

  /**
   * Rows in memory.
   *
   * @param seed rows of all seeds are of the same hours, with different values in metrics
   */
  public static IncrementalIndex inMemory(int seed, int count, boolean rollup) {
    return TestSegments.rowsInMemory(schema(rollup, DIMENSIONS, projections()), rows(seed, count));
  }

  /** The rows. */
  public static List<Map<String, Object>> rows(int seed, int count) {
    final Random random = new Random(seed);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      // A key tells all dimensions, so that rollup finds rows to combine.
      final int key = random.nextInt(NUM_KEYS);
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01T00:00:00Z").plusMillis(i * 1000 + seed).toString());
      row.put("kind", "kind" + key % 3);
      row.put("long", key % 10 == 0 ? LONGS[key / 10 % LONGS.length] : key);
      row.put("double", key % 10 == 0 ? DOUBLES[key / 10 % DOUBLES.length] : key / 100.0);
      row.put("float", key % 10 == 0 ? FLOATS[key / 10 % FLOATS.length] : key / 4f);
      row.put("longOrNull", orNull(key, 3, key * 1000L));
      row.put("doubleOrNull", orNull(key, 4, Math.sqrt(key)));
      row.put("floatOrNull", orNull(key, 5, key / 8f));
      // Of quarters sums are exact, whatever the order in which a merge adds them.
      row.put("l", random.nextInt(1000));
      row.put("lOrNull", orNull(random.nextInt(), 2, random.nextInt(1000)));
      row.put("d", random.nextInt(1000) / 4.0);
      row.put("dOrNull", orNull(random.nextInt(), 2, random.nextInt(1000) / 10.0));
      row.put("f", random.nextInt(1000) / 4f);
      row.put("fOrNull", orNull(random.nextInt(), 2, random.nextInt(1000) / 10f));
      rows.add(row);
    }
    return rows;
  }

  @Nullable
  private static Object orNull(int key, int nullEvery, Object value) {
    return key % nullEvery == 0 ? null : value;
  }
}
