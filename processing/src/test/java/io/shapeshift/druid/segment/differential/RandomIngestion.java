// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.HostileData;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
import org.apache.druid.query.aggregation.firstlast.first.DoubleFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.FloatFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.LongFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.DoubleLastAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.FloatLastAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.LongLastAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.StringLastAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnType;

/** A random schema, and rows for it: all types of dimensions and metrics, and inputs that fit them badly. */
public final class RandomIngestion {
  private final RandomData random;
  private final List<String> names = new ArrayList<>();
  private final List<DimensionSchema> dimensions = new ArrayList<>();
  /** By dimension, the values of a column of which rows take one after the other; none for values that are new. */
  private final Map<String, List<Object>> shaped = new HashMap<>();
  private final boolean hasSchema;
  private final int cardinality;
  private final int seconds;
  private final int size;
  private final TableSchema schema;

  /**
   * Makes a schema.
   *
   * @param sizes how many rows there may be
   */
  public RandomIngestion(RandomData random, List<Integer> sizes) {
    this.random = random;
    this.cardinality = random.oneOf(List.of(1, 2, 5, 100, 100_000));
    this.seconds = random.oneOf(List.of(0, 1, 3600, 100_000));
    this.hasSchema = random.nextInt(6) != 0;
    final boolean preservesMetrics = random.nextInt(6) == 0;
    this.size = random.oneOf(sizes);
    final int count = random.nextInt(7);
    for (int i = 0; i < count; i++) {
      final DimensionSchema dimension = dimension(i);
      dimensions.add(dimension);
      names.add(dimension.getName());
      if (random.nextInt(2) == 0) {
        shape(dimension);
      }
    }
    this.schema = schema(preservesMetrics);
  }

  public TableSchema schema() {
    return schema;
  }

  /** How many rows there are to be. */
  public int size() {
    return size;
  }

  public List<String> dimensionNames() {
    return names;
  }

  /** A dimension whose name starts with its type, as far as it matters to filters. */
  private DimensionSchema dimension(int number) {
    return switch (random.nextInt(9)) {
      case 0 -> new LongDimensionSchema("long" + number);
      case 1 -> new DoubleDimensionSchema("double" + number);
      case 2 -> new FloatDimensionSchema("float" + number);
      case 3 -> new AutoTypeColumnSchema("auto" + number, null, null);
      case 4 -> new AutoTypeColumnSchema(
          "auto" + number,
          random.oneOf(List.of(ColumnType.LONG, ColumnType.STRING, ColumnType.DOUBLE_ARRAY)),
          null
      );
      case 5 -> new NewSpatialDimensionSchema(
          "place" + number, List.of("place" + number + "x", "place" + number + "y"));
      default -> new StringDimensionSchema(
          "d" + number,
          random.oneOf(Arrays.asList(MultiValueHandling.values())),
          random.nextInt(4) != 0
      );
    };
  }

  /** Gives a dimension values that follow each other in a shape of their own. */
  private void shape(DimensionSchema dimension) {
    final List<Object> values = new ArrayList<>();
    if (dimension instanceof StringDimensionSchema || dimension instanceof AutoTypeColumnSchema) {
      for (int id : ids()) {
        values.add("v" + id);
      }
    } else if (!(dimension instanceof NewSpatialDimensionSchema)) {
      final NumberType type = NumberType.valueOf(dimension.getColumnType().getType().name());
      final Map<String, long[]> shapes = NumberData.shapes(type, size, random);
      for (long bits : shapes.get(random.oneOf(List.copyOf(shapes.keySet())))) {
        // Dictionaries, of columns of type auto for one, take all that is no number for the same, whatever its bits.
        values.add(switch (type) {
          case LONG -> (Object) bits;
          case DOUBLE -> ofOneNaN(Double.longBitsToDouble(bits));
          case FLOAT -> (float) ofOneNaN(Float.intBitsToFloat((int) bits));
        });
      }
    }
    if (!values.isEmpty()) {
      shaped.put(dimension.getName(), values);
    }
  }

  private static double ofOneNaN(double value) {
    return Double.isNaN(value) ? Double.NaN : value;
  }

  /** Skewed, in runs, sorted, unique, the same, in order again and again, or made to be stored badly. */
  private int[] ids() {
    return switch (random.nextInt(7)) {
      case 0 -> random.zipf(size, 1 + cardinality);
      case 1 -> random.runs(size, random.between(1, 9), 1, 20, 300);
      case 2 -> RandomData.sequence(size, 0);
      case 3 -> sorted();
      case 4 -> RandomData.constant(size, 7);
      // In order, from the first again and again.
      case 5 -> IntStream.range(0, size).map(i -> 1000 + i % 384).toArray();
      default -> size < 1000
                 ? random.phrases(size, 9, 9, 33)
                 : Arrays.copyOf(new HostileData(random).ids(), size);
    };
  }

  private int[] sorted() {
    final int[] values = random.uniform(size, 8);
    Arrays.sort(values);
    return values;
  }

  private TableSchema schema(boolean preservesMetrics) {
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
    final Granularity granularity = random.oneOf(List.<Granularity>of(
        Granularities.NONE, Granularities.SECOND, Granularities.HOUR, Granularities.DAY));
    final boolean isProjected = hasSchema && !dimensions.isEmpty() && random.nextInt(4) == 0;
    return new TableSchema(
        spec.build(),
        metrics,
        isProjected ? projections(metrics) : List.of(),
        granularity,
        rollUp,
        preservesMetrics
    );
  }

  private List<AggregateProjectionSpec> projections(List<AggregatorFactory> metrics) {
    final List<AggregateProjectionSpec> projections = new ArrayList<>();
    for (int i = random.between(1, 2); i > 0; i--) {
      final List<AggregatorFactory> aggregators = new ArrayList<>();
      aggregators.add(new CountAggregatorFactory("rows of projection"));
      if (metrics.stream().anyMatch(metric -> metric.getName().equals("longSum"))) {
        aggregators.add(new LongSumAggregatorFactory("longSum", "longSum"));
      }
      final int first = random.nextInt(dimensions.size());
      final List<DimensionSchema> grouped =
          new ArrayList<>(dimensions.subList(first, random.between(first + 1, dimensions.size())));
      final boolean hasTime = random.nextInt(2) == 0;
      if (hasTime) {
        grouped.add(random.nextInt(grouped.size() + 1), new LongDimensionSchema("hour"));
      }
      projections.add(new AggregateProjectionSpec(
          "projection" + i,
          null,
          hasTime
              ? VirtualColumns.create(Granularities.toVirtualColumn(Granularities.HOUR, "hour"))
              : VirtualColumns.EMPTY,
          grouped,
          aggregators.toArray(AggregatorFactory[]::new)
      ));
    }
    return projections;
  }

  private List<AggregatorFactory> metrics() {
    final List<AggregatorFactory> all = List.of(
        new CountAggregatorFactory("count"),
        new LongSumAggregatorFactory("longSum", TableSchema.METRIC_INPUT),
        new DoubleSumAggregatorFactory("doubleSum", TableSchema.METRIC_INPUT),
        new FloatSumAggregatorFactory("floatSum", TableSchema.METRIC_INPUT),
        new LongMaxAggregatorFactory("longMax", TableSchema.METRIC_INPUT),
        new DoubleMaxAggregatorFactory("doubleMax", TableSchema.METRIC_INPUT),
        new FloatMinAggregatorFactory("floatMin", TableSchema.METRIC_INPUT),
        new LongAnyAggregatorFactory("longAny", TableSchema.METRIC_INPUT),
        new LongSumAggregatorFactory("ofNothing", "no such input"),
        new FilteredAggregatorFactory(
            new LongSumAggregatorFactory("filtered", TableSchema.METRIC_INPUT),
            new SelectorDimFilter("d0", "v0", null)
        ),
        new HyperUniquesAggregatorFactory("unique", TableSchema.METRIC_INPUT),
        new LongFirstAggregatorFactory("first", TableSchema.NUMERIC_INPUT, null),
        new LongLastAggregatorFactory("longLast", TableSchema.NUMERIC_INPUT, null),
        new DoubleFirstAggregatorFactory("doubleFirst", TableSchema.NUMERIC_INPUT, null),
        new DoubleLastAggregatorFactory("doubleLast", TableSchema.NUMERIC_INPUT, TableSchema.NUMERIC_INPUT),
        new FloatFirstAggregatorFactory("floatFirst", TableSchema.NUMERIC_INPUT, null),
        new FloatLastAggregatorFactory("floatLast", TableSchema.NUMERIC_INPUT, null),
        new FilteredAggregatorFactory(
            new LongFirstAggregatorFactory("filteredFirst", TableSchema.NUMERIC_INPUT, null),
            new SelectorDimFilter("d0", "v0", null)
        ),
        new LongLastAggregatorFactory("lastOfNothing", "no such input", null),
        new StringLastAggregatorFactory("last", TableSchema.METRIC_INPUT, null, 16)
    );
    return all.stream().filter(metric -> random.nextInt(3) == 0).toList();
  }

  /** The next row. */
  public Map<String, Object> row(int number) {
    final Map<String, Object> row = new LinkedHashMap<>();
    for (DimensionSchema dimension : dimensions) {
      if (random.nextInt(8) != 0) {
        put(row, dimension, number);
      }
    }
    if (random.nextInt(5) != 0) {
      row.put(TableSchema.METRIC_INPUT, number(random.nextInt(10) == 0));
    }
    if (random.nextInt(5) != 0) {
      row.put(TableSchema.NUMERIC_INPUT, random.nextInt(10) == 0 ? "1.5" : number(false));
    }
    if (schema.preservesMetrics() && random.nextInt(2) == 0) {
      row.put("longSum", (long) random.nextInt(100));
      row.put("count", (long) random.nextInt(3));
    }
    // Dimensions that nobody declared come up one after the other, and not in all rows.
    if (!hasSchema) {
      for (int i = 0; i < Math.min(3, number / 20); i++) {
        if (random.nextInt(3) != 0) {
          row.put("new" + i, "v" + random.nextInt(3));
        }
      }
    }
    final long time = seconds == 0 ? 0 : 1000L * random.nextInt(seconds) + random.nextInt(3);
    row.put(TableSchema.TIME, TableSchema.START + time);
    return row;
  }

  private void put(Map<String, Object> row, DimensionSchema dimension, int number) {
    final String name = dimension.getName();
    if (shaped.containsKey(name) && random.nextInt(20) != 0) {
      final List<Object> values = shaped.get(name);
      row.put(name, values.get(number % values.size()));
    } else if (dimension instanceof NewSpatialDimensionSchema) {
      row.put(name + "x", random.nextInt(5));
      row.put(name + "y", random.nextInt(5));
    } else if (dimension instanceof StringDimensionSchema || !hasSchema) {
      row.put(name, random.nextInt(3) == 0 ? anything(0) : "v" + random.nextInt(cardinality));
    } else if (dimension instanceof AutoTypeColumnSchema) {
      row.put(name, random.nextInt(3) == 0 ? "v" + random.nextInt(cardinality) : anything(0));
    } else {
      row.put(name, number(random.nextInt(10) == 0));
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
          List.<Object>of(0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Long.MIN_VALUE, Long.MAX_VALUE, 0L));
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

  /** Values of any class for all keys but one, which has texts alone. */
  private Map<String, Object> map(int depth) {
    final Map<String, Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      final int key = random.nextInt(4);
      map.put("k" + key, key == 3 ? "v" + random.nextInt(cardinality) : anything(depth + 1));
    }
    return map;
  }
}
