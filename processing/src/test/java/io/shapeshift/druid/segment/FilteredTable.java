// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.google.common.base.Ascii;
import io.shapeshift.druid.form.numbers.NumberType;
import io.shapeshift.druid.testing.NumberData;
import io.shapeshift.druid.testing.RandomData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.DoubleMaxAggregatorFactory;
import org.apache.druid.query.aggregation.FloatMaxAggregatorFactory;
import org.apache.druid.query.aggregation.LongMaxAggregatorFactory;
import org.apache.druid.query.aggregation.LongMinAggregatorFactory;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;
import org.apache.druid.segment.virtual.FallbackVirtualColumn;

/**
 * Random rows of columns of all types that are filtered, in columns of numbers with pieces of other shapes one after
 * the other, so that the chunks of a column have other forms.
 */
final class FilteredTable {
  /** Tells rows apart, and those of projections as well. */
  static final String ROW = "row";
  static final List<String> PROJECTIONS = List.of("byNumbers", "byTime");
  static final List<AggregatorFactory> METRICS = List.of(
      new LongMaxAggregatorFactory("longMetric", "long in"),
      new DoubleMaxAggregatorFactory("doubleMetric", "double in"),
      new FloatMaxAggregatorFactory("floatMetric", "float in")
  );
  static final VirtualColumns VIRTUAL = VirtualColumns.create(
      expression("longPlus", "long1 + 1", ColumnType.LONG),
      expression("doubleTimes", "double1 * 2", ColumnType.DOUBLE),
      expression("textAnd", "concat(text, '!')", ColumnType.STRING),
      expression("textLower", "lower(text)", ColumnType.STRING),
      expression("textAt", "strpos(text, '1')", ColumnType.LONG),
      expression("longOr", "nvl(long2, 7)", ColumnType.LONG),
      expression("floatSame", "\"float1\"", ColumnType.FLOAT),
      expression("doubleCast", "cast(double0, 'LONG')", ColumnType.LONG),
      new FallbackVirtualColumn(
          "fallback",
          new ArrayList<>(List.of(DefaultDimensionSpec.of("missing"), DefaultDimensionSpec.of("long1")))
      )
  );
  /** Dimensions but the first, which is that of {@link #ROW}; all orders by it alone where times are the same. */
  static final List<DimensionSchema> DIMENSIONS = List.of(
      new LongDimensionSchema(ROW),
      new LongDimensionSchema("long0"),
      new LongDimensionSchema("long1"),
      new LongDimensionSchema("long2"),
      new DoubleDimensionSchema("double0"),
      new DoubleDimensionSchema("double1"),
      new DoubleDimensionSchema("double2"),
      new FloatDimensionSchema("float0"),
      new FloatDimensionSchema("float1"),
      new FloatDimensionSchema("float2"),
      new StringDimensionSchema("text"),
      new StringDimensionSchema("unindexed", null, false),
      new StringDimensionSchema("digits"),
      new StringDimensionSchema("digitsUnindexed", null, false),
      new StringDimensionSchema("tags", MultiValueHandling.ARRAY, true),
      new StringDimensionSchema("tagsUnindexed", MultiValueHandling.ARRAY, false),
      AutoTypeColumnSchema.of("autoLong"),
      AutoTypeColumnSchema.of("autoDouble"),
      AutoTypeColumnSchema.of("autoText"),
      AutoTypeColumnSchema.of("autoAny")
  );

  private static final long START = DateTimes.of("2026-01-01T00:00:00Z").getMillis();

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  private final List<Map<String, Object>> rows = new ArrayList<>();

  /**
   * Makes rows.
   *
   * @param first the number of the first row
   * @param step  of the numbers of rows, and of their times
   */
  FilteredTable(RandomData random, int first, int step, int numRows) {
    final Map<String, List<Object>> columns = new LinkedHashMap<>();
    for (NumberType type : NumberType.values()) {
      final String name = Ascii.toLowerCase(type.name());
      for (int i = 0; i < 3; i++) {
        columns.put(name + i, withNulls(type, numbers(type, numRows, random), i, random));
      }
      columns.put(name + " in", withNulls(type, numbers(type, numRows, random), random.nextInt(2), random));
    }
    final int perTime = random.nextInt(2) == 0 ? 1 : random.between(2, 3000);
    final int texts = random.oneOf(List.of(1, 5, 300, 20_000));
    final int perText = random.oneOf(List.of(1, 1, 400));
    // In the order of the rows, from the first text again and again, which may be where forms begin anew.
    final int inOrder = random.nextInt(4) == 0 ? Byte.MAX_VALUE + random.between(0, 2) : 0;
    for (int i = 0; i < numRows; i++) {
      final int at = i;
      final Map<String, Object> row = new HashMap<>();
      columns.forEach((name, values) -> row.put(name, values.get(at)));
      final int number = first + i * step;
      row.put(ROW, number);
      row.put("time", DateTimes.utc(START + number / perTime * 1000L).toString());
      final int text =
          inOrder > 0 ? 10_000 + i % (5 * inOrder) : perText == 1 ? random.nextInt(texts) : i / perText % texts;
      row.put("text", "t" + text);
      row.put("unindexed", inOrder == 0 && text % 7 == 3 ? null : "t" + text);
      row.put("digits", text % 11 == 5 ? null : String.valueOf(text));
      row.put("digitsUnindexed", String.valueOf(text / 4.0));
      row.put("tags", tags(random, 5));
      row.put("tagsUnindexed", tags(random, 300));
      // Not null: with an index of no row Druid forgets of which it does not know, and without one it does not.
      row.put("autoLong", columns.get("long0").get(i));
      row.put("autoDouble", columns.get("double0").get(i));
      row.put("autoText", row.get("text"));
      row.put("autoAny", random.nextInt(2) == 0 ? row.get("text") : (Object) text);
      rows.add(row);
    }
  }

  private static VirtualColumn expression(String name, String expression, ColumnType type) {
    return new ExpressionVirtualColumn(name, expression, type, ExprMacroTable.nil());
  }

  @Nullable
  private static Object tags(RandomData random, int distinct) {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> "g" + random.nextInt(distinct);
      default -> Stream.generate(() -> "g" + random.nextInt(distinct)).limit(random.between(1, 4)).toList();
    };
  }

  /** Numbers in pieces of some shapes, or of one. */
  private static long[] numbers(NumberType type, int numRows, RandomData random) {
    final List<long[]> shapes = new ArrayList<>(NumberData.shapes(type, numRows, random).values());
    shapes.add(outliersByVector(type, numRows, random));
    shapes.add(outliersByVector(type, numRows, random));
    if (random.nextInt(4) == 0) {
      return random.oneOf(shapes);
    }
    final long[] bits = new long[numRows];
    final int vectors = random.oneOf(List.of(1, 2, 4, 8, 32));
    for (int from = 0; from < numRows; ) {
      final int to = Math.min(
          numRows, from + (random.nextInt(3) == 0 ? random.between(1, 512 * vectors) : 512 * vectors));
      System.arraycopy(random.oneOf(shapes), from, bits, from, to - from);
      from = to;
    }
    return bits;
  }

  /** Small numbers with large ones among them, in some vectors of 512 none, in others a few or all. */
  private static long[] outliersByVector(NumberType type, int numRows, RandomData random) {
    final int[] rarities =
        IntStream.generate(() -> random.oneOf(List.of(0, 0, 512, 40, 5, 1))).limit(numRows / 512 + 1).toArray();
    final double divisor = type == NumberType.LONG ? 1 : 10;
    return IntStream
        .range(0, numRows)
        .mapToLong(i -> {
          final int rarity = rarities[i / 512];
          final boolean isOutlier = rarity > 0 && random.nextInt(rarity) == 0;
          return NumberData.bits(type, random.nextInt(isOutlier ? 1 << 22 : 60) / divisor);
        })
        .toArray();
  }

  /**
   * Numbers as objects.
   *
   * @param kind 0 for no nulls, 1 for some here and there, 2 for some in runs
   */
  private static List<Object> withNulls(NumberType type, long[] bits, int kind, RandomData random) {
    final int rarity = random.oneOf(List.of(2, 9, 1000));
    final List<Object> numbers = new ArrayList<>(bits.length);
    boolean isNull = false;
    for (long number : bits) {
      if (kind == 1 || (kind == 2 && random.nextInt(700) == 0)) {
        isNull = random.nextInt(rarity) == 0;
      }
      numbers.add(isNull ? null : switch (type) {
        case LONG -> (Object) number;
        case DOUBLE -> Double.longBitsToDouble(number);
        case FLOAT -> Float.intBitsToFloat((int) number);
      });
    }
    return numbers;
  }

  private static IncrementalIndexSchema schema() {
    final AggregatorFactory[] metrics = Stream
        .concat(
            Stream.of(new LongMinAggregatorFactory("firstRow", ROW)),
            METRICS.stream().map(AggregatorFactory::getCombiningFactory)
        )
        .toArray(AggregatorFactory[]::new);
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(DIMENSIONS))
        .withMetrics(METRICS.toArray(AggregatorFactory[]::new))
        .withQueryGranularity(Granularities.NONE)
        .withRollup(false)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder(PROJECTIONS.get(0))
                .groupingColumns(
                    new LongDimensionSchema("long1"),
                    new DoubleDimensionSchema("double1"),
                    new FloatDimensionSchema("float1"),
                    new StringDimensionSchema("text")
                )
                .aggregators(metrics)
                .build(),
            AggregateProjectionSpec
                .builder(PROJECTIONS.get(1))
                .virtualColumns(VirtualColumns.create(Granularities.toVirtualColumn(Granularities.HOUR, "hour")))
                .groupingColumns(
                    new LongDimensionSchema("hour"),
                    new StringDimensionSchema("digits"),
                    new LongDimensionSchema("long2")
                )
                .aggregators(metrics)
                .build()
        ))
        .build();
  }

  /** Whether a column may have what is not a number, or is made of one that may. */
  static boolean mayBeNaN(String column) {
    final String name = Ascii.toLowerCase(column);
    return name.contains("double") || name.contains("float");
  }

  /** The rows in memory. */
  IncrementalIndex inMemory() {
    return TestSegments.rowsInMemory(schema(), rows);
  }

  /** What a row has in some columns, by its number; nothing if it is not of this table. */
  Map<String, Object> row(@Nullable Object number, Set<String> columns) {
    final Map<String, Object> found = new TreeMap<>();
    rows.stream()
        .filter(row -> number != null && row.get(ROW).equals(((Number) number).intValue()))
        .forEach(row -> columns.forEach(column -> found.put(column, row.get(input(column)))));
    return found;
  }

  /** Where a row in memory has what becomes of a column. */
  private static String input(String column) {
    return column.equals(ColumnHolder.TIME_COLUMN_NAME) ? "time" : column.replace("Metric", " in");
  }

  /** A value that a column has, of strings with several one or several. */
  @Nullable
  Object anyValue(String column, RandomData random) {
    final Map<String, Object> row = rows.get(random.nextInt(rows.size()));
    return column.equals(ColumnHolder.TIME_COLUMN_NAME)
           ? (Object) DateTimes.of(row.get("time").toString()).getMillis()
           : row.get(input(column));
  }

  /** A value of a column, or one next to it, or any. */
  Object value(String column, RandomData random) {
    @Nullable final Object value = anyValue(column, random);
    if (value == null || random.nextInt(4) == 0) {
      return RandomFilters.bound(random);
    }
    final int step = random.nextInt(4) - 2;
    if (value instanceof List<?> several) {
      return random.oneOf(several);
    } else if (step <= 0 || value instanceof String) {
      return value;
    } else if (value instanceof Double number) {
      return Math.nextUp(number);
    } else if (value instanceof Float number) {
      return Math.nextUp(number);
    }
    return ((Number) value).longValue() + step;
  }
}
