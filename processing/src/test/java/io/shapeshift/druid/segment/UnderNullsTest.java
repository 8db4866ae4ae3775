// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.Aggregator;
import org.apache.druid.query.aggregation.Histogram;
import org.apache.druid.query.aggregation.HistogramAggregatorFactory;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.Cursors;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.historical.HistoricalColumnSelector;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever reads a number without asking whether it is null gets 0 for null, as Druid's own columns have it there:
 * Druid's aggregator {@code histogram} does so.
 */
class UnderNullsTest {
  private static final int ROWS = 3000;
  private static final List<String> COLUMNS = List.of("long", "double", "float", "autoLong", "autoDouble");

  @TempDir
  private File folder;

  private static boolean isNull(int row) {
    return row < 5 || row % 7 == 0 || (row > 1000 && row < 1500) || row == ROWS - 1;
  }

  private static int value(int row) {
    return 5 + row % 100;
  }

  private QueryableIndex write(OptimizationTarget target) {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      final Map<String, Object> values = new HashMap<>();
      values.put("time", DateTimes.utc(row).toString());
      if (!isNull(row)) {
        values.put("long", (long) value(row));
        values.put("double", value(row) + .25);
        values.put("float", value(row) + .25f);
        values.put("autoLong", (long) value(row));
        values.put("autoDouble", value(row) + .25);
      }
      rows.add(values);
    }
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new LongDimensionSchema("long"),
            new DoubleDimensionSchema("double"),
            new FloatDimensionSchema("float"),
            AutoTypeColumnSchema.of("autoLong"),
            AutoTypeColumnSchema.of("autoDouble")
        )))
        .withRollup(false)
        .build();
    return TestSegments.open(TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows),
        new File(folder, "segment"),
        TestSegments.shapeShiftAll(target, BlockSize.SMALL),
        Version.V9
    ));
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void isZero(OptimizationTarget target) {
    try (QueryableIndex index = write(target)) {
      for (boolean descends : new boolean[] {false, true}) {
        final CursorBuildSpec spec = descends
            ? CursorBuildSpec.builder().setPreferredOrdering(Cursors.descendingTimeOrder()).build()
            : CursorBuildSpec.FULL_SCAN;
        for (String column : COLUMNS) {
          try (CursorHolder holder = CursorRows.open(index, spec)) {
            final Cursor cursor = holder.asCursor();
            final ColumnValueSelector<?> selector =
                cursor.getColumnSelectorFactory().makeColumnValueSelector(column);
            for (int time = 0; time < 2; time++) {
              for (int i = 0; i < ROWS; i++, cursor.advance()) {
                assertRow(selector, column, descends ? ROWS - 1 - i : i, (time + i) % 2 == 0);
              }
              cursor.reset();
            }
          }
        }
      }
    }
  }

  private static double number(String column, int row) {
    final double fraction = column.toLowerCase(Locale.ROOT).endsWith("long") ? 0 : .25;
    return isNull(row) ? 0 : value(row) + fraction;
  }

  private static void assertRow(ColumnValueSelector<?> selector, String column, int row, boolean asksFirst) {
    final double expected = number(column, row);
    if (asksFirst) {
      assertEquals(isNull(row), selector.isNull());
    }
    assertEquals((long) expected, selector.getLong());
    assertEquals(expected, selector.getDouble());
    assertEquals((float) expected, selector.getFloat());
    assertEquals(isNull(row), selector.isNull());
    assertEquals(isNull(row) ? null : expected, selector.getObject() == null
        ? null
        : ((Number) selector.getObject()).doubleValue());
    assertEquals(expected, ((HistoricalColumnSelector<?>) selector).getDouble(row));
  }

  @Test
  void isCountedByHistograms() {
    try (QueryableIndex index = write(OptimizationTarget.FASTBUTSMALLISH)) {
      for (String column : COLUMNS) {
        try (CursorHolder holder = CursorRows.open(index, CursorBuildSpec.FULL_SCAN)) {
          final Cursor cursor = holder.asCursor();
          final Aggregator aggregator = new HistogramAggregatorFactory("h", column, List.of(1f, 1000f))
              .factorize(cursor.getColumnSelectorFactory());
          for (; !cursor.isDone(); cursor.advance()) {
            aggregator.aggregate();
          }
          final Histogram expected = new Histogram(new float[] {1, 1000});
          for (int row = 0; row < ROWS; row++) {
            expected.offer((float) number(column, row));
          }
          assertEquals(expected, aggregator.get(), column);
        }
      }
    }
  }
}
