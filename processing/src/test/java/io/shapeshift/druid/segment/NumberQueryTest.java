// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.query.QueryContext;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.aggregation.Aggregator;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleMaxAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleSumAggregatorFactory;
import org.apache.druid.query.aggregation.FloatMinAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.VectorAggregator;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.filter.NotFilter;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.vector.VectorCursor;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What Druid's cursors, filters and aggregators make of number columns is the same with and without shape-shifting, row
 * by row and by vectors. Nulls count: what stands under them differs.
 */
class NumberQueryTest {
  /** Divides no chunk. */
  private static final int VECTOR_SIZE = 100;
  private static final int MAX_AGGREGATOR_BYTES = 64;
  private static final int AGGREGATORS_PER_COLUMN = 4;

  @TempDir
  private File folder;

  @ParameterizedTest
  @EnumSource(Version.class)
  void filteredAggregates(Version version) {
    final IncrementalIndex rows = NumberRows.inMemory(1, 5000, false);
    final File stockFile = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ourFile = TestSegments.persist(
        rows,
        new File(folder, "ours"),
        TestSegments.shapeShiftAll(OptimizationTarget.FASTER, BlockSize.SMALL),
        version
    );
    try (QueryableIndex stock = TestSegments.open(stockFile); QueryableIndex ours = TestSegments.open(ourFile)) {
      assertSameAggregates(stock, ours);
      // Without the one that has no rows: Druid 37 does not filter such by bitmaps.
      for (String projection : NumberRows.PROJECTIONS.subList(0, 2)) {
        assertSameAggregates(
            stock.getProjectionQueryableIndex(projection),
            ours.getProjectionQueryableIndex(projection)
        );
      }
    }
  }

  private static void assertSameAggregates(QueryableIndex stock, QueryableIndex ours) {
    final Map<String, ColumnType> columns = numberColumns(stock);
    assertTrue(columns.size() > 2, () -> columns.toString());
    final List<AggregatorFactory> all = aggregators(columns);
    int combination = 0;
    for (Filter filter : filters(columns)) {
      final String message = String.valueOf(filter);
      // The first filter, which is none, with all; the others with one aggregator of each column in turns.
      final int first = combination++;
      final List<AggregatorFactory> aggregators = IntStream.range(0, all.size())
          .filter(i -> first == 0 || Tier.tries(first + i, AGGREGATORS_PER_COLUMN))
          .mapToObj(all::get)
          .toList();
      assertEquals(byRow(stock, filter, aggregators), byRow(ours, filter, aggregators), message);
      assertEquals(byVector(stock, filter, aggregators), byVector(ours, filter, aggregators), message);
    }
  }

  private static Map<String, ColumnType> numberColumns(QueryableIndex index) {
    final Map<String, ColumnType> columns = new TreeMap<>();
    for (String name : index.getColumnNames()) {
      final ColumnCapabilities capabilities = index.getColumnCapabilities(name);
      if (capabilities.isNumeric()) {
        columns.put(name, capabilities.toColumnType());
      }
    }
    return columns;
  }

  private static List<AggregatorFactory> aggregators(Map<String, ColumnType> columns) {
    final List<AggregatorFactory> aggregators = new ArrayList<>();
    aggregators.add(new CountAggregatorFactory("rows"));
    for (String column : columns.keySet()) {
      aggregators.add(new LongSumAggregatorFactory("longSum of " + column, column));
      aggregators.add(new DoubleSumAggregatorFactory("doubleSum of " + column, column));
      aggregators.add(new DoubleMaxAggregatorFactory("doubleMax of " + column, column));
      aggregators.add(new FloatMinAggregatorFactory("floatMin of " + column, column));
    }
    return aggregators;
  }

  /** No filter, and for each column some: with few and with many rows, with nulls and without. */
  private static List<Filter> filters(Map<String, ColumnType> columns) {
    final List<Filter> filters = new ArrayList<>();
    filters.add(null);
    columns.forEach((column, type) -> {
      final Filter range = new RangeFilter(column, ColumnType.LONG, 10L, 200L, false, true, null);
      filters.add(range);
      filters.add(new NotFilter(range));
      filters.add(new EqualityFilter(column, ColumnType.LONG, 0L, null));
      filters.add(NullFilter.forColumn(column));
      filters.add(new NotFilter(NullFilter.forColumn(column)));
    });
    return filters;
  }

  private static CursorBuildSpec spec(@Nullable Filter filter) {
    return CursorBuildSpec
        .builder()
        .setFilter(filter)
        .setQueryContext(QueryContext.of(Map.of(QueryContexts.VECTOR_SIZE_KEY, VECTOR_SIZE)))
        .build();
  }

  private static List<Object> byRow(QueryableIndex index, @Nullable Filter filter, List<AggregatorFactory> factories) {
    try (CursorHolder holder = CursorRows.open(index, spec(filter))) {
      final Cursor cursor = holder.asCursor();
      final List<Aggregator> aggregators =
          factories.stream().map(factory -> factory.factorize(cursor.getColumnSelectorFactory())).toList();
      for (; !cursor.isDone(); cursor.advance()) {
        aggregators.forEach(Aggregator::aggregate);
      }
      final List<Object> results = new ArrayList<>();
      aggregators.forEach(aggregator -> results.add(aggregator.get()));
      return results;
    }
  }

  private static List<Object> byVector(
      QueryableIndex index,
      @Nullable Filter filter,
      List<AggregatorFactory> factories
  ) {
    try (CursorHolder holder = CursorRows.open(index, spec(filter))) {
      assertTrue(holder.canVectorize());
      final VectorCursor cursor = holder.asVectorCursor();
      final List<VectorAggregator> aggregators = factories
          .stream()
          .map(factory -> factory.factorizeVector(cursor.getColumnSelectorFactory()))
          .toList();
      final ByteBuffer memory = ByteBuffer.allocate(MAX_AGGREGATOR_BYTES * aggregators.size());
      for (int i = 0; i < aggregators.size(); i++) {
        aggregators.get(i).init(memory, MAX_AGGREGATOR_BYTES * i);
      }
      for (; !cursor.isDone(); cursor.advance()) {
        // Row by row: where an index tells the rows, vectors have other rows, and doubles are added up by vector.
        for (int row = 0; row < cursor.getCurrentVectorSize(); row++) {
          for (int i = 0; i < aggregators.size(); i++) {
            aggregators.get(i).aggregate(memory, MAX_AGGREGATOR_BYTES * i, row, row + 1);
          }
        }
      }
      final List<Object> results = new ArrayList<>();
      for (int i = 0; i < aggregators.size(); i++) {
        results.add(aggregators.get(i).get(memory, MAX_AGGREGATOR_BYTES * i));
      }
      return results;
    }
  }
}
