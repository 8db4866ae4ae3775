// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import io.shapeshift.druid.testing.RandomData;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.NewSpatialDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleMaxAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleSumAggregatorFactory;
import org.apache.druid.query.aggregation.FilteredAggregatorFactory;
import org.apache.druid.query.aggregation.FloatMinAggregatorFactory;
import org.apache.druid.query.aggregation.FloatSumAggregatorFactory;
import org.apache.druid.query.aggregation.LongMaxAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.any.LongAnyAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.LongFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.StringLastAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;

/** A random schema, and rows for it: all types of dimensions and metrics, and inputs that fit them badly. */
final class RandomIngestion {
  static final String PROJECTION = "by the first";
  private static final long START = 1_700_000_000_000L;
  private static final String METRIC_INPUT = "input";

  private final RandomData random;
  private final List<String> names = new ArrayList<>();
  private final List<DimensionSchema> dimensions = new ArrayList<>();
  private final boolean hasSchema;
  private final int cardinality;
  private final int seconds;
  private final int size;
  private final IncrementalIndexSchema schema;
  private final boolean preservesMetrics;
  /** A dimension that inputs have a value of, but do not name; null if there is none. */
  @Nullable
  private String unnamed;
  private boolean isReversed;

  RandomIngestion(RandomData random) {
    this.random = random;
    this.cardinality = random.oneOf(List.of(1, 2, 5, 100, 100_000));
    this.seconds = random.oneOf(List.of(0, 1, 3600, 100_000));
    this.hasSchema = random.nextInt(6) != 0;
    this.preservesMetrics = random.nextInt(6) == 0;
    this.size = random.oneOf(List.of(1, 7, 50, 300));
    int count = random.nextInt(7);
    for (int i = 0; i < count; i++) {
      final DimensionSchema dimension = dimension("d" + i);
      dimensions.add(dimension);
      names.add(dimension.getName());
    }
    this.schema = schema();
  }

  IncrementalIndexSchema getSchema() {
    return schema;
  }

  boolean preservesMetrics() {
    return preservesMetrics;
  }

  int size() {
    return size;
  }

  boolean hasProjection() {
    return !schema.getProjections().isEmpty();
  }

  List<String> dimensionNames() {
    return names;
  }

  private DimensionSchema dimension(String name) {
    return switch (random.nextInt(9)) {
      case 0 -> new LongDimensionSchema(name);
      case 1 -> new DoubleDimensionSchema(name);
      case 2 -> new FloatDimensionSchema(name);
      case 3 -> new AutoTypeColumnSchema(name, null, null);
      case 4 -> new AutoTypeColumnSchema(
          name,
          random.oneOf(List.of(ColumnType.LONG, ColumnType.STRING, ColumnType.DOUBLE_ARRAY)),
          null
      );
      case 5 -> new NewSpatialDimensionSchema(name, List.of(name + "x", name + "y"));
      default -> new StringDimensionSchema(
          name,
          random.oneOf(Arrays.asList(MultiValueHandling.values())),
          random.nextInt(4) != 0
      );
    };
  }

  private IncrementalIndexSchema schema() {
    final List<DimensionSchema> ordered = new ArrayList<>(dimensions);
    final boolean timeFirst = random.nextInt(3) != 0;
    if (hasSchema && !timeFirst) {
      ordered.add(random.nextInt(ordered.size() + 1), new LongDimensionSchema("__time"));
    }
    final DimensionsSpec.Builder spec = DimensionsSpec.builder().setForceSegmentSortByTime(timeFirst);
    if (hasSchema) {
      spec.setDimensions(ordered);
    } else {
      spec.useSchemaDiscovery(random.nextInt(2) == 0);
    }
    final boolean rollUp = random.nextInt(3) != 0;
    final List<AggregatorFactory> metrics = metrics();
    final IncrementalIndexSchema.Builder builder = new IncrementalIndexSchema.Builder()
        .withMinTimestamp(Granularities.DAY.bucketStart(START))
        .withQueryGranularity(random.oneOf(List.<Granularity>of(
            Granularities.NONE, Granularities.SECOND, Granularities.HOUR, Granularities.DAY)))
        .withDimensionsSpec(spec.build())
        .withRollup(rollUp)
        .withMetrics(metrics.toArray(new AggregatorFactory[0]));
    if (hasSchema && !dimensions.isEmpty() && random.nextInt(4) == 0) {
      builder.withProjections(List.of(new AggregateProjectionSpec(
          PROJECTION,
          null,
          VirtualColumns.EMPTY,
          dimensions.subList(0, 1),
          new AggregatorFactory[] {new CountAggregatorFactory("rows of projection")}
      )));
    }
    return builder.build();
  }

  private List<AggregatorFactory> metrics() {
    final List<AggregatorFactory> all = List.of(
        new CountAggregatorFactory("count"),
        new LongSumAggregatorFactory("longSum", METRIC_INPUT),
        new DoubleSumAggregatorFactory("doubleSum", METRIC_INPUT),
        new FloatSumAggregatorFactory("floatSum", METRIC_INPUT),
        new LongMaxAggregatorFactory("longMax", METRIC_INPUT),
        new DoubleMaxAggregatorFactory("doubleMax", METRIC_INPUT),
        new FloatMinAggregatorFactory("floatMin", METRIC_INPUT),
        new LongAnyAggregatorFactory("longAny", METRIC_INPUT),
        new LongSumAggregatorFactory("ofNothing", "no such input"),
        new FilteredAggregatorFactory(
            new LongSumAggregatorFactory("filtered", METRIC_INPUT),
            new SelectorDimFilter("d0", "v0", null)
        ),
        new HyperUniquesAggregatorFactory("unique", METRIC_INPUT),
        new LongFirstAggregatorFactory("first", METRIC_INPUT, null),
        new StringLastAggregatorFactory("last", METRIC_INPUT, null, 16)
    );
    return all.stream().filter(metric -> random.nextInt(3) == 0).toList();
  }

  /** The next row. */
  InputRow row(int number) {
    final Map<String, Object> event = new LinkedHashMap<>();
    for (int i = 0; i < dimensions.size(); i++) {
      if (random.nextInt(8) != 0) {
        put(event, dimensions.get(i));
      }
    }
    if (random.nextInt(5) != 0) {
      event.put(METRIC_INPUT, number(random.nextInt(10) == 0));
    }
    if (preservesMetrics && random.nextInt(2) == 0) {
      event.put("longSum", (long) random.nextInt(100));
      event.put("count", (long) random.nextInt(3));
    }
    // Dimensions that nobody declared come up one after the other, and not in all rows.
    final List<String> rowDimensions = new ArrayList<>(names);
    if (!hasSchema) {
      rowDimensions.removeIf(name -> !event.containsKey(name));
      for (int i = 0; i < Math.min(3, number / 20); i++) {
        if (random.nextInt(3) != 0) {
          event.put("new" + i, "v" + random.nextInt(3));
          rowDimensions.add("new" + i);
        }
      }
    }
    arrange(rowDimensions);
    final long time = START + (seconds == 0 ? 0 : 1000L * random.nextInt(seconds) + random.nextInt(3));
    return new MapBasedInputRow(new DateTime(time, DateTimeZone.UTC), rowDimensions, event);
  }

  /** For some inputs one after the other, dimensions are not named, or in another order; or what is no dimension is. */
  private void arrange(List<String> rowDimensions) {
    if (random.nextInt(8) == 0) {
      unnamed = names.isEmpty() || random.nextInt(2) == 0 ? null : random.oneOf(names);
      isReversed = random.nextInt(4) == 0;
    }
    rowDimensions.remove(unnamed);
    if (isReversed) {
      Collections.reverse(rowDimensions);
    }
    if (random.nextInt(60) == 0) {
      rowDimensions.add(random.oneOf(List.of("__time", "", "d0")));
    }
  }

  private void put(Map<String, Object> event, DimensionSchema dimension) {
    final String name = dimension.getName();
    if (dimension instanceof NewSpatialDimensionSchema) {
      event.put(name + "x", random.nextInt(5));
      event.put(name + "y", random.nextInt(5));
    } else if (dimension instanceof StringDimensionSchema || !hasSchema) {
      event.put(name, random.nextInt(3) == 0 ? anything(0) : "v" + random.nextInt(cardinality));
    } else if (dimension instanceof AutoTypeColumnSchema) {
      event.put(name, random.nextInt(3) == 0 ? "v" + random.nextInt(cardinality) : anything(0));
    } else {
      event.put(name, number(random.nextInt(10) == 0));
    }
  }

  private Object number(boolean bad) {
    if (bad) {
      return random.oneOf(Arrays.asList("no number", null, "", "17", "1.5"));
    }
    return switch (random.nextInt(6)) {
      case 0 -> (Object) (random.nextInt(cardinality) - 2);
      case 1 -> (Object) (random.nextInt(cardinality) / 4.0);
      case 2 -> (Object) random.nextLong();
      case 3 -> random.oneOf(
          List.<Object>of(
              0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Long.MIN_VALUE, Long.MAX_VALUE, 0L));
      default -> (Object) (long) random.nextInt(cardinality);
    };
  }

  /** What dimensions of strings and of type auto get: of all classes, single, in lists, nested. */
  private Object anything(int depth) {
    return switch (random.nextInt(depth > 1 ? 6 : 12)) {
      case 0 -> null;
      case 1 -> random.oneOf(List.of("", "v0", "ü", "\uD83D\uDE00", "a longer text, which is not so often there"));
      case 2 -> number(false);
      case 3 -> random.oneOf(List.<Object>of(1, 1L, 1.0, 1.0f, new BigDecimal("1"), (1L << 53) + 1, 1L << 53));
      case 4 -> random.nextInt(2) == 0;
      case 5 -> "v" + random.nextInt(cardinality);
      case 6 -> new ArrayList<>();
      case 7 -> new ArrayList<>(Arrays.asList((Object) null));
      case 8, 9 -> list();
      case 10 -> map(depth);
      default -> depth == 0 ? "text".getBytes(StandardCharsets.UTF_8) : "text";
    };
  }

  private Object list() {
    final List<Object> list = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      list.add(random.nextInt(6) == 0 ? null : "v" + random.nextInt(Math.min(4, cardinality)));
    }
    return random.nextInt(4) == 0 ? list.toArray() : list;
  }

  private Map<String, Object> map(int depth) {
    final Map<String, Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      map.put("k" + random.nextInt(3), anything(depth + 1));
    }
    return map;
  }
}
