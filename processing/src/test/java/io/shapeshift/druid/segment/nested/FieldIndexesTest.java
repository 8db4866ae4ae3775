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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.guava.Comparators;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.filter.DruidPredicateFactory;
import org.apache.druid.query.filter.DruidPredicateMatch;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.TypedInFilter;
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
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.DruidPredicateIndexes;
import org.apache.druid.segment.index.semantic.LexicographicalRangeIndexes;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.NumericRangeIndexes;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.index.semantic.ValueIndexes;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedPathFinder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.roaringbitmap.IntIterator;

/** Indexes of fields find the rows that Druid's find. */
@SuppressWarnings("deprecation") // Druid still asks for StringValueSetIndexes.
class FieldIndexesTest {
  private static final int NUM_ROWS = 300;
  private static final DefaultBitmapResultFactory RESULTS =
      new DefaultBitmapResultFactory(new RoaringBitmapFactory());

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  @TempDir
  private File folder;

  static List<Map<String, Object>> rows() {
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
        object.put("constant", row % 3);
      }
      if (row % 100 == 7) {
        object.put("rareLong", row);
        object.put("rareDouble", row + .25);
        object.put("rareText", "rare" + row);
      }
      object.put("allLongs", (row - 20L) * (row == 3 ? 1L << 55 : 3));
      object.put("allDoubles", row == 5 ? -0. : (row - 9) / 4.);
      object.put("allTexts", "t" + row % 13 + (row % 5 == 0 ? "" : "x"));
      object.put("someTexts", row % 4 == 0 ? null : row % 7 == 0 ? "" : "t" + row % 11);
      object.put("someLongs", row % 5 == 0 ? null : row % 40);
      object.put("mixed", row % 3 == 0 ? "11" : row % 3 == 1 ? (Object) (long) row : (Object) (row + .5));
      object.put("mixedNumbers", row % 3 == 0 ? null : row % 3 == 1 ? (Object) (long) row : (Object) (row + .5));
      rows.add(Map.of("time", DateTimes.utc(row).toString(), "json", object));
    }
    return rows;
  }

  /** The rows in Druid's column and in ours. */
  private interface Test {
    void run(Comparison comparison);
  }

  private void compare(OptimizationTarget target, Test test) throws IOException {
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
      test.run(new Comparison((NestedDataComplexColumn) expected, (NestedDataComplexColumn) actual));
    }
  }

  private static List<String> fieldsOf(String... names) {
    return Arrays.stream(names).map(name -> "$." + name).toList();
  }

  private static final List<String> LONGS = fieldsOf("long", "constant", "rareLong", "allLongs", "someLongs");
  private static final List<String> DOUBLES = fieldsOf("double", "rareDouble", "allDoubles");
  private static final List<String> TEXTS = fieldsOf("text", "rareText", "allTexts", "someTexts");
  private static final List<String> MIXED = fieldsOf("mixed", "mixedNumbers");
  private static final List<String> ALL =
      Stream.of(LONGS, DOUBLES, TEXTS, MIXED, fieldsOf("longs", "strings")).flatMap(List::stream).toList();

  private static final List<Long> LONG_VALUES =
      List.of(Long.MIN_VALUE, -61L, -60L, -1L, 0L, 1L, 2L, 7L, 10L, 11L, 12L, 13L, 39L, 40L, 207L, 208L, 837L, 838L,
          -612489549322387456L, Long.MAX_VALUE);
  private static final List<Double> DOUBLE_VALUES =
      List.of(-2.5, -2.25, -2.125, -0., 0., .25, 7.25, 11.5, 12., 12.5, 13., 72.5, 72.75, 207.25, 300.);
  private static final List<String> TEXT_VALUES =
      List.of("", "-0", "-60", "0", "1", "1.0", "10", "11", "11.0", "11.5", "39", "7", "7.25", "72.5", "rare107",
          "rare7", "rare8", "t", "t0", "t1", "t10x", "t9x", "t9y", "text0", "text299", "text99", "text999", "u", "x");

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void values(OptimizationTarget target) throws IOException {
    compare(target, comparison -> {
      for (String field : ALL) {
        comparison.assertSame(field, "null", NullValueIndex.class, NullValueIndex::get);
        for (Long value : LONG_VALUES) {
          comparison.assertSame(field, value, ValueIndexes.class, all -> all.forValue(value, ColumnType.LONG));
        }
        for (Double value : DOUBLE_VALUES) {
          comparison.assertSame(field, value, ValueIndexes.class, all -> all.forValue(value, ColumnType.DOUBLE));
        }
        for (String value : TEXT_VALUES) {
          comparison.assertSame(field, value, ValueIndexes.class, all -> all.forValue(value, ColumnType.STRING));
          comparison.assertSame(field, value, StringValueSetIndexes.class, all -> all.forValue(value));
        }
        comparison.assertSame(field, null, StringValueSetIndexes.class, all -> all.forValue(null));
        if (!field.equals("$.longs") && !field.equals("$.strings")) {
          comparison.assertIds(field);
        }
      }
    });
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void ranges(OptimizationTarget target) throws IOException {
    compare(target, comparison -> {
      for (boolean startStrict : new boolean[]{false, true}) {
        for (boolean endStrict : new boolean[]{false, true}) {
          for (String field : LONGS) {
            comparison.assertRanges(
                field, List.of(Long.MIN_VALUE, -61L, -60L, 0L, 2L, 10L, 12L, 39L, 207L, 837L), startStrict, endStrict);
            comparison.assertRanges(field, List.of(-60.5, -.5, 0., 10.5, 12., 12.5, 300.), startStrict, endStrict);
          }
          for (String field : DOUBLES) {
            comparison.assertRanges(
                field, List.of(-2.5, -2.25, -2.125, -0., 0., .25, 7.25, 12.5, 72.5, 207.25), startStrict, endStrict);
            comparison.assertRanges(field, List.of(-3L, 0L, 7L, 12L, 300L), startStrict, endStrict);
          }
          for (String field : TEXTS) {
            comparison.assertTextRanges(field, startStrict, endStrict);
          }
        }
      }
    });
  }

  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void sets(OptimizationTarget target) throws IOException {
    compare(target, comparison -> {
      for (String field : ALL) {
        for (int length = 1; length <= TEXT_VALUES.size(); length += 3) {
          comparison.assertTexts(field, TEXT_VALUES.subList(0, length));
          comparison.assertTexts(field, TEXT_VALUES.subList(TEXT_VALUES.size() - length, TEXT_VALUES.size()));
        }
        if (!field.startsWith("$.all")) {
          comparison.assertTexts(field, Arrays.asList(null, "11", "t0", "7.25"));
          comparison.assertTexts(field, Collections.singletonList(null));
        }
        comparison.assertPredicate(field, new TypedInFilter.PredicateFactory(LONG_VALUES, ColumnType.LONG));
        comparison.assertPredicate(field, new TypedInFilter.PredicateFactory(DOUBLE_VALUES, ColumnType.DOUBLE));
        comparison.assertPredicate(field, new TypedInFilter.PredicateFactory(TEXT_VALUES, ColumnType.STRING));
        comparison.assertPredicate(
            field, new TypedInFilter.PredicateFactory(Arrays.asList(null, 11L, 40L), ColumnType.LONG));
        comparison.assertPredicate(
            field, new TypedInFilter.PredicateFactory(Collections.singletonList(null), ColumnType.STRING));
        comparison.assertPredicate(
            field, LikeDimFilter.LikeMatcher.from("%1%", null).predicateFactory(null));
      }
    });
  }

  /** Druid's indexes take the rows of the least value for those of null. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void nullAmongTextsOfFieldWithoutNulls(OptimizationTarget target) throws IOException {
    compare(target, comparison -> {
      final TreeSet<String> texts = new TreeSet<>(Comparators.naturalNullsFirst());
      texts.addAll(Arrays.asList(null, "0", "-2"));
      for (String field : List.of("$.allLongs", "$.allDoubles")) {
        assertEquals(
            Comparison.rows(comparison.ours, field, all ->
                all.as(StringValueSetIndexes.class).forSortedValues(new TreeSet<>(List.of("0", "-2"))), false),
            Comparison.rows(
                comparison.ours, field, all -> all.as(StringValueSetIndexes.class).forSortedValues(texts), false)
        );
      }
    });
  }

  /** Values that a field does not have are in no row, and not in those of null. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void unknownValues(OptimizationTarget target) throws IOException {
    compare(target, comparison -> {
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
    });
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

    private <T> void assertSame(
        String field, @Nullable Object what, Class<T> clazz, Function<T, BitmapColumnIndex> ask) {
      @Nullable final T expected = indexes(stock, field).as(clazz);
      if (expected == null) {
        return;
      }
      @Nullable final T actual = indexes(ours, field).as(clazz);
      for (boolean includeUnknown : new boolean[]{false, true}) {
        final String message = field + " " + clazz.getSimpleName() + " " + what + " " + includeUnknown;
        for (int applied : new int[]{12, NUM_ROWS}) {
          assertEquals(
              rows(ask.apply(expected), includeUnknown, applied),
              rows(ask.apply(actual), includeUnknown, applied),
              message
          );
        }
      }
    }

    private void assertRanges(String field, List<? extends Number> values, boolean startStrict, boolean endStrict) {
      final List<Number> bounds = new ArrayList<>(values);
      bounds.add(null);
      for (@Nullable Number start : bounds) {
        for (@Nullable Number end : bounds) {
          assertSame(
              field, start + " " + startStrict + " to " + end + " " + endStrict, NumericRangeIndexes.class,
              all -> all.forRange(start, startStrict, end, endStrict));
        }
      }
    }

    private void assertTextRanges(String field, boolean startStrict, boolean endStrict) {
      final List<String> bounds =
          Arrays.asList("", "0", "rare107", "rare7", "t", "t0", "t9x", "t9y", "text0", "text99", "u", null);
      for (@Nullable String start : bounds) {
        for (@Nullable String end : bounds) {
          assertSame(
              field, start + " " + startStrict + " to " + end + " " + endStrict, LexicographicalRangeIndexes.class,
              all -> all.forRange(start, startStrict, end, endStrict));
        }
        if (start != null) {
          assertSame(
              field, start + "*1", LexicographicalRangeIndexes.class,
              all -> all.forRange(start, startStrict, start + Character.MAX_VALUE, endStrict,
                  text -> DruidPredicateMatch.of(text != null && text.endsWith("1"))));
        }
      }
    }

    private void assertTexts(String field, List<String> texts) {
      final TreeSet<String> sorted = new TreeSet<>(Comparators.naturalNullsFirst());
      sorted.addAll(texts);
      assertSame(field, texts, StringValueSetIndexes.class, all -> all.forSortedValues(sorted));
    }

    /** Also compares the indexes of sets, which Druid does not have, with its test of all entries. */
    private void assertPredicate(String field, DruidPredicateFactory predicate) {
      assertSame(field, predicate, DruidPredicateIndexes.class, all -> all.forPredicate(predicate));
    }

    private void assertIds(String field) {
      @Nullable
      final DictionaryEncodedStringValueIndex expected =
          indexes(stock, field).as(DictionaryEncodedStringValueIndex.class);
      final DictionaryEncodedStringValueIndex actual = indexes(ours, field).as(DictionaryEncodedStringValueIndex.class);
      assertEquals(expected.getCardinality(), actual.getCardinality());
      for (int id = 0; id < expected.getCardinality(); id++) {
        assertEquals(expected.getValue(id), actual.getValue(id));
        assertEquals(rows(expected.getBitmap(id)), rows(actual.getBitmap(id)));
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

    private static ColumnIndexSupplier indexes(NestedDataComplexColumn column, String field) {
      return column.getColumnIndexSupplier(NestedPathFinder.parseJsonPath(field));
    }

    private static List<Integer> rows(
        NestedDataComplexColumn column,
        String field,
        Function<ColumnIndexSupplier, BitmapColumnIndex> index,
        boolean includeUnknown
    ) {
      return rows(index.apply(indexes(column, field)).computeBitmapResult(RESULTS, includeUnknown));
    }

    private static List<Integer> rows(BitmapColumnIndex index, boolean includeUnknown, int applied) {
      return rows(index.computeBitmapResult(RESULTS, applied, NUM_ROWS, includeUnknown));
    }

    /** Returns the rows; none is null. */
    @Nullable
    private static List<Integer> rows(@Nullable ImmutableBitmap found) {
      if (found == null) {
        return null;
      }
      final List<Integer> rows = new ArrayList<>();
      for (IntIterator each = found.iterator(); each.hasNext(); ) {
        rows.add(each.next());
      }
      return rows;
    }
  }
}
