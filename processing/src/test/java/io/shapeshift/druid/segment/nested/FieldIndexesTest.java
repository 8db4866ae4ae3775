// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.guava.Comparators;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.NestedDataColumnSchema;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.index.semantic.ArrayElementIndexes;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.roaringbitmap.IntIterator;

/** Values that a field does not have are in no row, and not in those of null. */
@SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
class FieldIndexesTest {
  private static final int NUM_ROWS = 300;

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  @TempDir
  private File folder;

  private static List<Map<String, Object>> rows() {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int row = 0; row < NUM_ROWS; row++) {
      final Map<String, Object> object = new LinkedHashMap<>();
      object.put("text", "text" + row);
      if (row % 3 > 0) {
        object.put("long", 10L + row % 3);
        object.put("double", 10.5 + row % 3);
        object.put("longs", row % 3 == 1 ? Arrays.asList(1L, null) : row % 2 == 0 ? List.of(1L, 2L) : List.of(2L));
        object.put("doubles", row % 3 == 1 ? Arrays.asList(1.5, null) : List.of(1.5, 2.5));
        object.put("strings", row % 3 == 1 ? Arrays.asList("b", null) : List.of("b", "c"));
      }
      rows.add(Map.of("time", DateTimes.utc(row).toString(), "json", object));
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void unknownValues(OptimizationTarget target) throws IOException {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(new NestedDataColumnSchema("json", 5))))
        .withRollup(false)
        .build();
    final IndexSpec ours = TestSegments.shapeShiftAll(target, BlockSize.SMALL);
    try (IncrementalIndex rows = TestSegments.rowsInMemory(schema, rows());
         QueryableIndex stock =
             TestSegments.open(TestSegments.persist(rows, new File(folder, "s"), TestSegments.STOCK, Version.V9));
         QueryableIndex written =
             TestSegments.open(TestSegments.persist(rows, new File(folder, "o"), ours, Version.V9));
         BaseColumn expected = stock.getColumnHolder("json").getColumn();
         BaseColumn actual = written.getColumnHolder("json").getColumn()) {
      final Comparison comparison =
          new Comparison((NestedDataComplexColumn) expected, (NestedDataComplexColumn) actual);
      for (List<String> texts : List.of(
          Arrays.asList("9", "11"), Arrays.asList(null, "0"), List.of("11", "12", "13"), List.of("-1", "x"),
          List.of("10.5", "11.5"), List.of("10", "12.5", "20"))) {
        final TreeSet<String> sorted = new TreeSet<>(Comparators.naturalNullsFirst());
        sorted.addAll(texts);
        for (String field : List.of("$.long", "$.double")) {
          comparison.assertSame(
              field, texts, indexes -> indexes.as(StringValueSetIndexes.class).forSortedValues(sorted));
        }
      }
      for (Object[] array : new Object[][]{{1L}, {2L}, {0L}, {1L, 2L, 1L}, {1L, 2L}, {3L}, {null}, {0L, null}, {}}) {
        comparison.assertArray("$.longs", array, ColumnType.LONG_ARRAY);
      }
      for (Object[] array : new Object[][]{{1.5}, {.5}, {1.5, 2.5, 1.5}, {1.5, 2.5}, {3.5}, {null}, {.5, null}}) {
        comparison.assertArray("$.doubles", array, ColumnType.DOUBLE_ARRAY);
      }
      for (Object[] array : new Object[][]{{"a"}, {"b"}, {"b", "c", "b"}, {"b", "c"}, {"d"}, {null}, {"a", null}}) {
        comparison.assertArray("$.strings", array, ColumnType.STRING_ARRAY);
      }
    }
  }

  private record Comparison(NestedDataComplexColumn stock, NestedDataComplexColumn ours) {
    private void assertSame(String field, Object what, Function<ColumnIndexSupplier, BitmapColumnIndex> index) {
      for (boolean includeUnknown : new boolean[]{false, true}) {
        assertEquals(
            rows(stock, field, index, includeUnknown),
            rows(ours, field, index, includeUnknown),
            field + " " + what + " " + includeUnknown
        );
      }
    }

    private void assertArray(String field, Object[] array, ColumnType type) {
      assertSame(
          field,
          "= " + Arrays.toString(array),
          indexes -> indexes.as(ValueIndexes.class).forValue(array, type));
      for (@Nullable Object element : array) {
        assertSame(
            field,
            "contains " + element,
            indexes -> indexes.as(ArrayElementIndexes.class).containsValue(element, type.getElementType()));
      }
    }

    private static List<Integer> rows(
        NestedDataComplexColumn column,
        String field,
        Function<ColumnIndexSupplier, BitmapColumnIndex> index,
        boolean includeUnknown
    ) {
      final ColumnIndexSupplier indexes = column.getColumnIndexSupplier(NestedPathFinder.parseJsonPath(field));
      final ImmutableBitmap found = index
          .apply(indexes)
          .computeBitmapResult(new DefaultBitmapResultFactory(new RoaringBitmapFactory()), includeUnknown);
      final List<Integer> rows = new ArrayList<>();
      for (IntIterator each = found.iterator(); each.hasNext(); ) {
        rows.add(each.next());
      }
      return rows;
    }
  }
}
