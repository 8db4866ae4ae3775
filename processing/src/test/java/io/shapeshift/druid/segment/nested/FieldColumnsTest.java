// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.StringUtils;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.dimension.DefaultDimensionSpec;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorFactory;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.NestedDataColumnSchema;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;
import org.apache.druid.segment.vector.VectorCursor;
import org.apache.druid.segment.virtual.NestedFieldVirtualColumn;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cursors over JSON paths count the rows that Druid counts. */
class FieldColumnsTest {
  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  @TempDir
  private File folder;

  private interface Test {
    void run(QueryableIndex stock, QueryableIndex ours);
  }

  private void open(OptimizationTarget target, Test test) throws IOException {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new NestedDataColumnSchema("json", 5))))
        .withRollup(false)
        .build();
    try (IncrementalIndex rows = TestSegments.rowsInMemory(schema, FieldIndexesTest.rows());
         QueryableIndex stock =
             TestSegments.open(TestSegments.persist(rows, new File(folder, "s"), TestSegments.STOCK, Version.V9));
         QueryableIndex ours = TestSegments.open(TestSegments.persist(
             rows, new File(folder, "o"), TestSegments.shapeShiftAll(target, BlockSize.SMALL), Version.V9))) {
      test.run(stock, ours);
    }
  }

  private static CursorBuildSpec spec(String field, @Nullable ColumnType type, @Nullable DimFilter filter) {
    return CursorBuildSpec
        .builder()
        .setVirtualColumns(VirtualColumns.create(new NestedFieldVirtualColumn("json", "$." + field, "v", type)))
        .setFilter(filter == null ? null : filter.toFilter())
        .setAggregators(List.of(new CountAggregatorFactory("n")))
        .build();
  }

  private static int count(CursorFactory factory, CursorBuildSpec spec) {
    try (CursorHolder holder = factory.makeCursorHolder(spec)) {
      @Nullable final VectorCursor cursor = holder.asVectorCursor();
      int count = 0;
      for (; cursor != null && !cursor.isDone(); cursor.advance()) {
        count += cursor.getCurrentVectorSize();
      }
      return count;
    }
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void filters(OptimizationTarget target) throws IOException {
    final List<DimFilter> filters = new ArrayList<>(List.of(
        new RangeFilter("v", ColumnType.LONG, -60L, 207L, false, true, null),
        new RangeFilter("v", ColumnType.LONG, 11L, null, true, false, null),
        new RangeFilter("v", ColumnType.DOUBLE, null, 11.5, false, false, null),
        new RangeFilter("v", ColumnType.DOUBLE, 0., 12.5, false, true, null),
        new RangeFilter("v", ColumnType.STRING, "t1", "text2", false, true, null),
        new EqualityFilter("v", ColumnType.LONG, 11L, null),
        new EqualityFilter("v", ColumnType.DOUBLE, 11.5, null),
        new EqualityFilter("v", ColumnType.STRING, "t1", null),
        new TypedInFilter("v", ColumnType.LONG, Arrays.asList(null, 11L, 12L), null, null),
        new TypedInFilter("v", ColumnType.LONG, List.of(7L, 11L, 12L, 400L), null, null),
        new TypedInFilter("v", ColumnType.STRING, List.of("11", "t1", "t2x", "u"), null, null),
        new LikeDimFilter("v", "t%1%", null, null),
        NullFilter.forColumn("v")
    ));
    filters.addAll(filters.stream().map(NotDimFilter::of).toList());
    open(target, (stock, ours) -> {
      for (String field : List.of(
          "text", "long", "double", "rareLong", "rareText", "allLongs", "allDoubles", "allTexts", "someTexts",
          "someLongs", "constant", "mixed", "mixedNumbers", "missing")) {
        for (ColumnType type :
            Arrays.asList(null, ColumnType.STRING, ColumnType.LONG, ColumnType.DOUBLE)) {
          for (DimFilter filter : filters) {
            final CursorBuildSpec spec = spec(field, type, filter);
            assertEquals(
                count(QueriedCursorFactory.of(stock), spec),
                count(QueriedCursorFactory.of(ours), spec),
                field + " " + type + " " + filter
            );
          }
        }
      }
    });
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void textsHaveDictionary(OptimizationTarget target) throws IOException {
    final Map<String, Boolean> fields =
        Map.of("text", true, "allTexts", true, "someTexts", true, "rareText", true, "mixed", false, "long", false);
    open(target, (stock, ours) -> fields.forEach((field, isText) -> {
      final CursorBuildSpec spec = spec(field, null, null);
      try (CursorHolder holder = QueriedCursorFactory.of(ours).makeCursorHolder(spec);
           CursorHolder expected = QueriedCursorFactory.of(stock).makeCursorHolder(spec)) {
        final VectorCursor cursor = holder.asVectorCursor();
        final VectorCursor objects = expected.asVectorCursor();
        final ColumnCapabilities capabilities = cursor.getColumnSelectorFactory().getColumnCapabilities("v");
        assertEquals(isText, capabilities.isDictionaryEncoded().isTrue(), field);
        if (!isText) {
          return;
        }
        final SingleValueDimensionVectorSelector ids =
            cursor.getColumnSelectorFactory().makeSingleValueDimensionSelector(DefaultDimensionSpec.of("v"));
        final Object[] values = objects.getColumnSelectorFactory().makeObjectSelector("v").getObjectVector();
        for (int row = 0; row < cursor.getCurrentVectorSize(); row++) {
          final int id = ids.getRowVector()[row];
          assertEquals(values[row], ids.lookupName(id));
          assertEquals(id, ids.idLookup().lookupId(ids.lookupName(id)));
          assertEquals(
              values[row],
              StringUtils.fromUtf8Nullable(ids.lookupNameUtf8(id)));
        }
      }
    }));
  }
}
