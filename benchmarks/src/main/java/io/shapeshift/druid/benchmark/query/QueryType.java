// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.query;

import io.shapeshift.druid.tool.cli.ToolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.Druids;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.FilteredAggregatorFactory;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.query.groupby.GroupByQuery;
import org.apache.druid.query.scan.ScanQuery;
import org.apache.druid.query.spec.MultipleIntervalSegmentSpec;
import org.apache.druid.query.topn.TopNQueryBuilder;
import org.apache.druid.segment.column.ColumnHolder;

/** The native queries that are measured; each reads the dimension in all rows that the filter lets through. */
enum QueryType {
  /** Rows and the metric's sum, by value of the dimension. */
  GROUP_BY("groupBy", true) {
    @Override
    Query<?> query(QueriedColumns columns, @Nullable DimFilter filter, Map<String, Object> context) {
      return GroupByQuery.builder()
          .setDataSource(QueriedSegments.DATA_SOURCE)
          .setInterval(ETERNITY)
          .setGranularity(Granularities.ALL)
          .setDimensions(new DefaultDimensionSpec(columns.dimension(), columns.dimension()))
          .setAggregatorSpecs(aggregators(columns))
          .setDimFilter(filter)
          .setContext(context)
          .build();
    }
  },

  /** The same of the ten values that have most rows. */
  TOP_N("topN", false) {
    @Override
    Query<?> query(QueriedColumns columns, @Nullable DimFilter filter, Map<String, Object> context) {
      return new TopNQueryBuilder()
          .dataSource(QueriedSegments.DATA_SOURCE)
          .intervals(ETERNITY)
          .granularity(Granularities.ALL)
          .dimension(columns.dimension())
          .metric(COUNT)
          .threshold(10)
          .aggregators(aggregators(columns))
          .filters(filter)
          .context(context)
          .build();
    }
  },

  /** Rows and the metric's sum in all, and how many rows have one value of the dimension. */
  TIMESERIES("timeseries", true) {
    @Override
    Query<?> query(QueriedColumns columns, @Nullable DimFilter filter, Map<String, Object> context) {
      final List<AggregatorFactory> aggregators = aggregators(columns);
      aggregators.add(new FilteredAggregatorFactory(
          new CountAggregatorFactory("countOfValue"),
          new SelectorDimFilter(columns.dimension(), columns.value(), null)
      ));
      return Druids.newTimeseriesQueryBuilder()
          .dataSource(QueriedSegments.DATA_SOURCE)
          .intervals(ETERNITY)
          .granularity(Granularities.ALL)
          .aggregators(aggregators)
          .filters(filter)
          .context(context)
          .build();
    }
  },

  /** Time, dimension and metric of all rows, in the order of the segment. */
  SCAN("scan", false) {
    @Override
    Query<?> query(QueriedColumns columns, @Nullable DimFilter filter, Map<String, Object> context) {
      final List<String> names = new ArrayList<>(List.of(ColumnHolder.TIME_COLUMN_NAME, columns.dimension()));
      if (columns.sum() != null) {
        names.addAll(columns.sum().requiredFields());
      }
      return Druids.newScanQueryBuilder()
          .dataSource(QueriedSegments.DATA_SOURCE)
          .intervals(ETERNITY)
          .columns(names)
          .resultFormat(ScanQuery.ResultFormat.RESULT_FORMAT_COMPACTED_LIST)
          .filters(filter)
          .context(context)
          .build();
    }
  };

  static final String COUNT = "count";

  private static final MultipleIntervalSegmentSpec ETERNITY =
      new MultipleIntervalSegmentSpec(List.of(Intervals.ETERNITY));

  private final String nativeName;
  private final boolean vectorizable;

  QueryType(String nativeName, boolean vectorizable) {
    this.nativeName = nativeName;
    this.vectorizable = vectorizable;
  }

  abstract Query<?> query(QueriedColumns columns, @Nullable DimFilter filter, Map<String, Object> context);

  /**
   * Makes a query.
   *
   * @param filter    null for none
   * @param vectorize whether it is to read vectors of rows, if Druid can do that in queries of this type; where the
   *                  dimension hinders it, the query fails
   */
  final Query<?> query(QueriedColumns columns, @Nullable DimFilter filter, boolean vectorize) {
    return query(
        columns,
        filter,
        Map.of(
            QueryContexts.VECTORIZE_KEY, vectorize ? "force" : "false",
            // Rows are counted, and columns chosen, of the base table.
            QueryContexts.NO_PROJECTIONS, true
        )
    );
  }

  /** Whether Druid has an engine for queries of this type that reads vectors of rows. */
  final boolean isVectorizable() {
    return vectorizable;
  }

  /** The type of a native query by its name. */
  static QueryType of(String nativeName) {
    return Arrays.stream(values()).filter(type -> type.nativeName.equals(nativeName)).findFirst().orElseThrow(
        () -> new ToolException(
            "query " + nativeName,
            "there is no such query",
            "Name one of " + Arrays.stream(values()).map(type -> type.nativeName).toList()
        )
    );
  }

  private static List<AggregatorFactory> aggregators(QueriedColumns columns) {
    final List<AggregatorFactory> aggregators = new ArrayList<>(List.of(new CountAggregatorFactory(COUNT)));
    if (columns.sum() != null) {
      aggregators.add(columns.sum());
    }
    return aggregators;
  }
}
