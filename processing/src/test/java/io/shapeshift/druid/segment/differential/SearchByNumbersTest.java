// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.TableDataSource;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.filter.BoundDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.ordering.StringComparators;
import org.apache.druid.query.search.AllSearchQuerySpec;
import org.apache.druid.query.search.SearchQuery;
import org.apache.druid.query.search.SearchSortSpec;
import org.apache.druid.query.spec.MultipleIntervalSegmentSpec;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Search queries, which match no row where there is an index, find what Druid's find: also where indexes and matchers
 * do not say alike which numbers are equal to, or greater than, another.
 */
class SearchByNumbersTest {
  private static final List<Double> NUMBERS = List.of(0.0, -0.0, 0.1, -0.1, 1.5, Double.NaN, 1e30);

  @TempDir
  private File folder;

  static List<DimFilter> filters() {
    final List<DimFilter> filters = new ArrayList<>();
    for (String column : List.of("double", "float")) {
      for (Object value : List.of(0.0, -0.0, 0.1, 1.5)) {
        filters.add(new EqualityFilter(column, ColumnType.DOUBLE, value, null));
        filters.add(new RangeFilter(column, ColumnType.DOUBLE, value, null, true, false, null));
        filters.add(new RangeFilter(column, ColumnType.DOUBLE, null, value, false, false, null));
        filters.add(new BoundDimFilter(
            column, value.toString(), null, true, false, null, null, StringComparators.NUMERIC));
        filters.add(new BoundDimFilter(
            column, value.toString(), null, false, false, null, null, StringComparators.NUMERIC));
      }
    }
    List.copyOf(filters).forEach(filter -> filters.add(new NotDimFilter(filter)));
    return filters;
  }

  @ParameterizedTest
  @MethodSource("filters")
  void findWhatStockFind(DimFilter filter) {
    final IndexSpec spec = ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(
            EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE), Map.of())
    );
    try (Answers answers = new Answers();
         QueryableIndex stock = segment("stock", TestSegments.STOCK);
         QueryableIndex ours = segment("ours", spec)) {
      assertEquals(answers.of(stock, question(filter)), answers.of(ours, question(filter)));
    }
  }

  private static Case.Question question(DimFilter filter) {
    final SearchQuery query = new SearchQuery(
        new TableDataSource("any"),
        filter,
        Granularities.ALL,
        1000,
        new MultipleIntervalSegmentSpec(List.of(Intervals.ETERNITY)),
        List.of(DefaultDimensionSpec.of("text")),
        VirtualColumns.EMPTY,
        new AllSearchQuerySpec(),
        new SearchSortSpec(StringComparators.LEXICOGRAPHIC),
        null
    );
    return new Case.Question(Case.Way.ENGINE, null, query);
  }

  private QueryableIndex segment(String name, IndexSpec spec) {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      final double number = NUMBERS.get(i % NUMBERS.size());
      rows.add(Map.of(
          "time", DateTimes.utc(i).toString(),
          "text", "t" + number,
          "double", number,
          "float", (float) number
      ));
    }
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new StringDimensionSchema("text"), new DoubleDimensionSchema("double"), new FloatDimensionSchema("float"))))
        .withRollup(false)
        .build();
    return TestSegments.open(
        TestSegments.persist(TestSegments.rowsInMemory(schema, rows), new File(folder, name), spec, Version.V9));
  }
}
