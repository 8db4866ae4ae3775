// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.incremental.IndexContent;
import io.shapeshift.druid.incremental.ShapeShiftAppendableIndexSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.ExpressionLambdaAggregatorFactory;
import org.apache.druid.query.aggregation.FilteredAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.incremental.AppendableIndexBuilder;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metrics whose aggregators give other results in a buffer than on the heap stay on the heap, as in Druid. */
class HeapMetricTest {
  static {
    ExpressionProcessing.initializeForTests();
  }

  private static AggregatorFactory expression(String name, String fold) {
    return new ExpressionLambdaAggregatorFactory(
        name, Set.of("x"), null, "0", null, false, true, true, fold, null, null, null, null, ExprMacroTable.nil());
  }

  private static List<List<Object>> persisted(AppendableIndexBuilder builder, boolean rollUp) {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new StringDimensionSchema("dim"))))
        .withMetrics(expression("last", "x"), expression("halves", "__acc + x * 0.5"))
        .withRollup(rollUp)
        .build();
    try (IncrementalIndex index = builder.setIndexSchema(schema).setMaxRowCount(100).build()) {
      for (int i = 0; i < 12; i++) {
        final Map<String, Object> row = new HashMap<>();
        row.put("dim", "v" + i % 3);
        row.put("x", i % 4 == 3 ? null : Long.valueOf(i));
        index.add(new MapBasedInputRow(DateTimes.utc(0), List.of("dim"), row));
      }
      return List.copyOf(IndexContent.persisted(index));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void expressionsAreWhatDruidMakesOfThem(boolean rollUp) {
    assertEquals(
        persisted(new OnheapIncrementalIndex.Spec().builder(), rollUp),
        persisted(new ShapeShiftAppendableIndexSpec(false).builder(), rollUp)
    );
  }

  @Test
  void onlyAggregatorsWithoutMoreThanTheirNumberAreInRows() {
    final AggregatorFactory sum = new LongSumAggregatorFactory("sum", "x");
    assertTrue(DirectMetric.isPossible(sum));
    assertTrue(DirectMetric.isPossible(new FilteredAggregatorFactory(sum, new SelectorDimFilter("dim", "v", null))));
    assertFalse(DirectMetric.isPossible(expression("expression", "x")));
    assertFalse(DirectMetric.isPossible(
        new FilteredAggregatorFactory(expression("expression", "x"), new SelectorDimFilter("dim", "v", null))));
  }
}
