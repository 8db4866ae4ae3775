// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import com.google.common.base.Ascii;
import io.shapeshift.druid.segment.RandomFilters;
import io.shapeshift.druid.segment.differential.Case.Question;
import io.shapeshift.druid.segment.differential.Case.Way;
import io.shapeshift.druid.testing.RandomData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.query.Druids;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleMaxAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleSumAggregatorFactory;
import org.apache.druid.query.aggregation.FilteredAggregatorFactory;
import org.apache.druid.query.aggregation.FloatMinAggregatorFactory;
import org.apache.druid.query.aggregation.LongMaxAggregatorFactory;
import org.apache.druid.query.aggregation.LongMinAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.cardinality.CardinalityAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.LongLastAggregatorFactory;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.dimension.DimensionSpec;
import org.apache.druid.query.dimension.ExtractionDimensionSpec;
import org.apache.druid.query.extraction.SubstringDimExtractionFn;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.ordering.StringComparators;
import org.apache.druid.query.scan.ScanQuery;
import org.apache.druid.query.spec.MultipleIntervalSegmentSpec;
import org.apache.druid.query.topn.DimensionTopNMetricSpec;
import org.apache.druid.query.topn.NumericTopNMetricSpec;
import org.apache.druid.query.topn.TopNMetricSpec;
import org.apache.druid.query.topn.TopNQueryBuilder;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumn;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;
import org.apache.druid.segment.virtual.FallbackVirtualColumn;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;
import org.joda.time.Interval;

/**
 * Random questions to a table. Those are left out to which Druid's own answer depends on whether there is an index, on
 * how rows are divided into vectors, or on which rows a plan reads first; each such place says so.
 */
final class RandomQuestions {
  private static final String SOURCE = "any";

  private final RandomData random;
  private final List<Map<String, Object>> rows;
  private final List<String> columns;
  private final List<String> projections;
  private final VirtualColumns virtual;
  private final QueryableIndex index;
  private final boolean isConcise;

  /** Questions to a table that Druid has written. */
  RandomQuestions(RandomData random, Case table, QueryableIndex index) {
    this.random = random;
    this.index = index;
    this.isConcise = table.storage().stock().getBitmapSerdeFactory() instanceof ConciseBitmapSerdeFactory;
    this.rows = table.parts().stream().flatMap(part -> part.rows().stream()).toList();
    this.projections = table.schema().projections().stream().map(projection -> projection.getName()).toList();
    this.virtual = VirtualColumns.create(virtualColumns(index));
    this.columns = new ArrayList<>(index.getColumnNames());
    if (!columns.contains(ColumnHolder.TIME_COLUMN_NAME)) {
      columns.add(ColumnHolder.TIME_COLUMN_NAME);
    }
    columns.addAll(virtual.getColumnNames());
    columns.add("missing");
  }

  private List<VirtualColumn> virtualColumns(QueryableIndex index) {
    final List<VirtualColumn> all = new ArrayList<>();
    for (String column : index.getColumnNames()) {
      final ColumnType type = index.getColumnCapabilities(column).toColumnType();
      if (type.isPrimitive() && random.nextInt(5) == 0) {
        all.add(cast("cast_" + column, column));
      }
      if (random.nextInt(3) > 0) {
        continue;
      }
      if (type.is(ValueType.LONG)) {
        all.add(expression("v_" + column, "\"" + column + "\" + 1", ColumnType.LONG));
      } else if (type.isNumeric()) {
        all.add(expression("double_v_" + column, "\"" + column + "\" * 2", ColumnType.DOUBLE));
      } else if (type.is(ValueType.STRING)) {
        all.add(expression(
            "v_" + column,
            random.nextInt(2) == 0 ? "concat(\"" + column + "\", '!')" : "lower(\"" + column + "\")",
            ColumnType.STRING
        ));
      } else if (type.is(ValueType.COMPLEX) && column.startsWith("auto")) {
        all.add(new NestedFieldVirtualColumn(column, "$.k" + random.nextInt(4), "auto_v_" + column, null));
      }
    }
    return all;
  }

  /** A column that has another's indexes, and may have other values. */
  private VirtualColumn cast(String name, String column) {
    final ColumnType type =
        random.oneOf(List.of(ColumnType.LONG, ColumnType.DOUBLE, ColumnType.FLOAT, ColumnType.STRING));
    return switch (random.nextInt(3)) {
      case 0 -> new NestedFieldVirtualColumn(column, "$.", name, type);
      case 1 -> new ExpressionVirtualColumn(name, "\"" + column + "\"", type, ExprMacroTable.nil());
      default -> new FallbackVirtualColumn(name, new ArrayList<>(List.of(random.nextInt(2) == 0
          ? new DefaultDimensionSpec(column, column)
          : new ExtractionDimensionSpec(column, column, new SubstringDimExtractionFn(0, 2)))));
    };
  }

  private static VirtualColumn expression(String name, String expression, ColumnType type) {
    return new ExpressionVirtualColumn(name, expression, type, ExprMacroTable.nil());
  }

  Question next() {
    return switch (random.nextInt(10)) {
      case 0, 1 -> new Question(Way.ROWS, null, scan());
      case 2, 3 -> new Question(Way.VECTORS, null, scan());
      case 4 -> projections.isEmpty() ? new Question(Way.ROWS_DESCENDING, null, scan()) : ofProjection();
      default -> new Question(Way.ENGINE, null, ofEngine());
    };
  }

  private Query<?> ofEngine() {
    return switch (random.nextInt(5)) {
      case 0 -> timeseries();
      case 1 -> topN();
      case 2 -> groupBy();
      case 3 -> engineScan();
      default -> search();
    };
  }

  /**
   * Not filtered by spatial columns, whose index has no null in a projection, where matchers find some; nor by what has
   * empty arrays: Druid's index of a projection forgets these where all others of a part have single values.
   */
  private Question ofProjection() {
    final String projection = random.oneOf(projections);
    final List<String> names = index.getProjectionQueryableIndex(projection).getColumnNames();
    final List<String> filtered = names
        .stream()
        .filter(column -> !column.startsWith("place"))
        .filter(column -> sizes(column).noneMatch(size -> size == 0))
        .toList();
    final ScanQuery scan = Druids
        .newScanQueryBuilder()
        .dataSource(SOURCE)
        .eternityInterval()
        .columns(names)
        .filters(filtered.isEmpty() ? null : filter(filtered))
        .context(context())
        .build();
    return new Question(random.nextInt(2) == 0 ? Way.ROWS : Way.VECTORS, projection, scan);
  }

  /** What a cursor reads. */
  private ScanQuery scan() {
    final List<String> read = some(columns, 4);
    return Druids
        .newScanQueryBuilder()
        .dataSource(SOURCE)
        .intervals(new MultipleIntervalSegmentSpec(List.of(interval())))
        .columns(read)
        .virtualColumns(virtual)
        .filters(filter(columns))
        .context(context())
        .build();
  }

  private List<String> some(List<String> all, int most) {
    return Stream.generate(() -> random.oneOf(all)).limit(random.between(1, most)).distinct().toList();
  }

  private Map<String, Object> context() {
    final Map<String, Object> context = new HashMap<>();
    context.put(QueryContexts.VECTOR_SIZE_KEY, random.oneOf(List.of(1, 7, 100, 512)));
    context.put(QueryContexts.VECTORIZE_VIRTUAL_COLUMNS_KEY, "force");
    context.put(Answers.OPTIMIZES, random.nextInt(2) == 0);
    return context;
  }

  private Map<String, Object> engineContext(boolean vectorizes) {
    final Map<String, Object> context = context();
    context.put(QueryContexts.VECTORIZE_KEY, vectorizes);
    return context;
  }

  /** All time, or what is between two rows, or next to one. */
  private Interval interval() {
    if (random.nextInt(2) == 0) {
      return Intervals.ETERNITY;
    }
    final long one = time();
    final long other = time();
    return Intervals.utc(Math.min(one, other), Math.max(one, other) + random.nextInt(3));
  }

  private long time() {
    return ((Number) random.oneOf(rows).get(TableSchema.TIME)).longValue();
  }

  private Query<?> timeseries() {
    final boolean vectorizes = random.nextInt(2) == 0;
    final Druids.TimeseriesQueryBuilder query = Druids
        .newTimeseriesQueryBuilder()
        .dataSource(SOURCE)
        .intervals(intervals())
        .granularity(granularity())
        .virtualColumns(virtual)
        .filters(filter(columns))
        .aggregators(aggregators(vectorizes))
        .context(engineContext(vectorizes));
    return (random.nextInt(4) == 0 ? query.descending(true) : query).build();
  }

  /** Hours only where there are not too many of them: time has no end. */
  private Granularity granularity() {
    return random.oneOf(List.of(Granularities.ALL, Granularities.ALL, Granularities.HOUR, Granularities.DAY));
  }

  private List<Interval> intervals() {
    final Interval interval = interval();
    return List.of(interval.equals(Intervals.ETERNITY)
        ? Intervals.utc(TableSchema.START - 1000, TableSchema.START + 200_000_000)
        : interval);
  }

  private Query<?> topN() {
    final boolean vectorizes = random.nextInt(2) == 0;
    final List<AggregatorFactory> aggregators = aggregators(vectorizes);
    final TopNMetricSpec metric = random.nextInt(2) == 0
        ? new DimensionTopNMetricSpec(
            null, random.nextInt(2) == 0 ? StringComparators.LEXICOGRAPHIC : StringComparators.NUMERIC)
        : new NumericTopNMetricSpec(random.oneOf(aggregators).getName());
    return new TopNQueryBuilder()
        .dataSource(SOURCE)
        .intervals(intervals())
        .granularity(granularity())
        .virtualColumns(virtual)
        .dimension(dimension(random.oneOf(grouped()), "group", aggregators))
        .metric(metric)
        .threshold(random.oneOf(List.of(1, 5, 1000)))
        .filters(filter(columns))
        .aggregators(aggregators)
        .context(engineContext(vectorizes))
        .build();
  }

  /**
   * A column to group by; as numbers only where nothing asks for the last value: Druid makes one group of those whose
   * numbers become equal, in the order in which it finds them in a table of hashes.
   */
  private DimensionSpec dimension(String column, String name, List<AggregatorFactory> aggregators) {
    final ColumnType type =
        random.oneOf(List.of(ColumnType.STRING, ColumnType.STRING, ColumnType.LONG, ColumnType.DOUBLE));
    return new DefaultDimensionSpec(
        column, name, aggregators.stream().anyMatch(RandomQuestions::isOfLast) ? ColumnType.STRING : type);
  }

  private static boolean isOfLast(AggregatorFactory aggregator) {
    return aggregator instanceof FilteredAggregatorFactory filtered
           ? isOfLast(filtered.getAggregator())
           : aggregator instanceof LongLastAggregatorFactory;
  }

  /** Columns to group by: not those with nested bytes, of which Druid takes the address in memory for the text. */
  private List<String> grouped() {
    return columns.stream().filter(column -> rows.stream().noneMatch(row -> hasBytes(row.get(column)))).toList();
  }

  /** How many values there are in arrays of a column. */
  private IntStream sizes(String column) {
    return rows.stream().map(row -> row.get(column)).filter(Objects::nonNull).mapToInt(value -> {
      if (value instanceof Object[] array) {
        return array.length;
      }
      return value instanceof Collection<?> all ? all.size() : 1;
    });
  }

  private static boolean hasTwice(@Nullable Object value) {
    if (value instanceof Object[] array) {
      return hasTwice(Arrays.asList(array));
    }
    return value instanceof Collection<?> all && new HashSet<>(all).size() < all.size();
  }

  private static boolean hasBytes(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.values().stream().anyMatch(RandomQuestions::hasBytes);
    }
    return value instanceof byte[]
        || (value instanceof Collection<?> all && all.stream().anyMatch(RandomQuestions::hasBytes));
  }

  private Query<?> groupBy() {
    final boolean vectorizes = random.nextInt(2) == 0;
    final List<AggregatorFactory> aggregators = aggregators(vectorizes);
    final List<String> grouped = some(grouped(), 3);
    final GroupByQuery.Builder query = GroupByQuery
        .builder()
        .setDataSource(SOURCE)
        .setInterval(intervals())
        .setGranularity(granularity())
        .setVirtualColumns(virtual)
        .setDimFilter(filter(columns))
        .setAggregatorSpecs(aggregators)
        .setContext(engineContext(vectorizes));
    for (int i = 0; i < grouped.size(); i++) {
      query.addDimension(dimension(grouped.get(i), "group" + i, aggregators));
    }
    return query.build();
  }

  private Query<?> engineScan() {
    final Druids.ScanQueryBuilder query = Druids
        .newScanQueryBuilder()
        .dataSource(SOURCE)
        .intervals(new MultipleIntervalSegmentSpec(List.of(interval())))
        .columns(some(columns, 4))
        .virtualColumns(virtual)
        .filters(filter(columns))
        .context(context());
    if (random.nextInt(2) == 0) {
      query.limit(random.between(1, 100)).offset(random.nextInt(5));
    }
    return query.build();
  }

  /**
   * Not in arrays: Druid reads beyond their index. Nor in columns with a value twice in a row, which counts once where
   * an index answers the filter, and twice where rows are matched.
   */
  private Query<?> search() {
    final List<String> searched = columns
        .stream()
        .filter(column -> !column.contains("auto"))
        .filter(column -> rows.stream().noneMatch(row -> hasTwice(row.get(column))))
        .toList();
    final Druids.SearchQueryBuilder query = Druids
        .newSearchQueryBuilder()
        .dataSource(SOURCE)
        .intervals(List.of(interval()))
        .virtualColumns(virtual)
        .filters(filter(columns))
        .query(random.oneOf(List.of("v", "v1", "1", "", "V2")))
        .context(context());
    // Without a name all columns are searched.
    return query.dimensions(searched.isEmpty() ? List.of("missing") : some(searched, 3)).build();
  }

  /**
   * Metrics of an answer. Not sums of fractions by vectors: each vector's are added up for themselves, and where an
   * index says which rows there are, vectors have other rows.
   */
  private List<AggregatorFactory> aggregators(boolean vectorizes) {
    final List<AggregatorFactory> all = new ArrayList<>();
    all.add(new CountAggregatorFactory("rows"));
    for (int i = random.nextInt(4); i > 0; i--) {
      final String column = random.oneOf(columns);
      final String name = "a" + i;
      final AggregatorFactory metric = switch (random.nextInt(8)) {
        case 0 -> new LongMinAggregatorFactory(name, column);
        case 1 -> new LongMaxAggregatorFactory(name, column);
        case 2 -> new DoubleMaxAggregatorFactory(name, column);
        case 3 -> new FloatMinAggregatorFactory(name, column);
        case 4 -> new CardinalityAggregatorFactory(name, null, List.of(DefaultDimensionSpec.of(column)), false, false);
        case 5 -> new LongLastAggregatorFactory(name, column, null);
        case 6 -> vectorizes
                  ? new LongSumAggregatorFactory(name, column)
                  : new DoubleSumAggregatorFactory(name, column);
        default -> new LongSumAggregatorFactory(name, column);
      };
      final RandomFilters filters = alone(columns);
      all.add(random.nextInt(4) == 0 ? new FilteredAggregatorFactory(metric, filters.leaf(), name) : metric);
    }
    return all;
  }

  /**
   * None, one of any kind alone, or a tree of such as Druid takes alike with indexes and without. With Concise bitmaps
   * no tree: of some, Druid finds more rows than there are, and reads beyond the end of its columns.
   */
  @Nullable
  private DimFilter filter(List<String> filtered) {
    return switch (random.nextInt(isConcise ? 3 : 8)) {
      case 0 -> null;
      case 1, 2 -> alone(filtered).leaf();
      case 3 -> new NotDimFilter(alone(filtered).leaf());
      default -> parts(filtered).tree(random.between(1, 3));
    };
  }

  private RandomFilters alone(List<String> filtered) {
    return new RandomFilters(random, filtered, expressed(filtered), false, this::value);
  }

  private RandomFilters parts(List<String> filtered) {
    return new RandomFilters(random, filtered, expressed(filtered), true, this::value);
  }

  /**
   * Columns without NaN, of which Druid says otherwise by vectors than by rows whether it is greater, and of which an
   * expression takes all values.
   */
  private List<String> expressed(List<String> filtered) {
    final List<String> expressed = filtered
        .stream()
        .filter(this::isPrimitive)
        .filter(column -> Stream.of("double", "float", "auto").noneMatch(Ascii.toLowerCase(column)::contains))
        .toList();
    return expressed.isEmpty() ? List.of("missing") : expressed;
  }

  private boolean isPrimitive(String column) {
    return index.getColumnCapabilities(column) == null || index.getColumnCapabilities(column).isPrimitive();
  }

  /** A value of a column, or one next to it, or any. */
  private Object value(String column) {
    final Map<String, Object> row = random.oneOf(rows);
    @Nullable Object value = row.get(column.equals(ColumnHolder.TIME_COLUMN_NAME) ? TableSchema.TIME : column);
    if (value == null) {
      value = row.get(TableSchema.METRIC_INPUT);
    }
    if (value instanceof List<?> several && !several.isEmpty()) {
      value = random.oneOf(several);
    }
    if (random.nextInt(4) == 0 || !(value instanceof String || value instanceof Number)) {
      return RandomFilters.bound(random);
    }
    return value instanceof Long number && random.nextInt(3) == 0 ? number + random.nextInt(3) - 1 : value;
  }
}
