// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.RegexDimFilter;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts that are no Unicode, and a prefix with the last character behind it. */
class UnusualTextsTest {
  private static final String TEXT = "text";

  @TempDir
  private File folder;

  private QueryableIndex write(String name, List<String> texts, boolean hasIndex, IndexSpec spec, Version version) {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(
            List.of(new StringDimensionSchema(TEXT, MultiValueHandling.SORTED_ARRAY, hasIndex))))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> rows = IntStream
        .range(0, texts.size())
        .mapToObj(i -> {
          final Map<String, Object> row = new HashMap<>();
          row.put("time", DateTimes.utc(i).toString());
          row.put(TEXT, texts.get(i));
          return row;
        })
        .toList();
    return TestSegments.open(
        TestSegments.persist(TestSegments.rowsInMemory(schema, rows), new File(folder, name), spec, version));
  }

  private static IndexSpec onlyDictionaries(OptimizationTarget target) {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(
            EncodingStrategy.COMPRESSION,
            Map.of(EncodedType.DICTIONARY, EncodingStrategy.shapeShift(target, BlockSize.LARGE))
        )
    );
  }

  private static IndexSpec ours(OptimizationTarget target) {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(EncodingStrategy.shapeShift(target, BlockSize.LARGE), Map.of())
    );
  }

  private QueryableIndex merge(String name, List<QueryableIndex> parts, IndexSpec spec, Version version)
      throws IOException {
    return TestSegments.open(
        TestSegments.merge(parts, new AggregatorFactory[0], null, false, new File(folder, name), spec, version)
    );
  }

  private static List<Object> rows(QueryableIndex index) {
    return CursorRows.rowByRow(index, TEXT, null);
  }

  /** As Druid's own column says of itself, once it was merged: by a search rows would be missing. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void filtersOfWhatIsOutOfOrderFailRatherThanMissRows(Version version) throws IOException {
    final List<String> texts = Stream
        .concat(
            Stream.of("Hello \uD83D", "Hello \uD83C"),
            IntStream.range(0, 100).mapToObj(i -> "Hello " + i + "\u00E9")
        )
        .toList();
    final DimFilter filter = new EqualityFilter(TEXT, ColumnType.STRING, "Hello 7\u00E9", null);
    for (OptimizationTarget target : OptimizationTarget.values()) {
      final String name = target.toString();
      try (QueryableIndex stock = write("stock" + name, texts, true, TestSegments.STOCK, version);
           QueryableIndex ours = write("ours" + name, texts, true, ours(target), version)) {
        assertEquals(rows(stock), rows(ours));
        final IllegalArgumentException e =
            assertThrows(IllegalArgumentException.class, () -> CursorRows.rowByRow(ours, TEXT, filter));
        assertEquals("Dictionary must be sorted", e.getMessage());
        try (StoredSegment segment = StoredSegment.open(new File(folder, "ours" + name))) {
          final String descriptor = segment
              .columns()
              .stream()
              .filter(column -> column.name().equals(TEXT))
              .findFirst()
              .orElseThrow()
              .descriptor()
              .toString();
          assertTrue(descriptor.contains("ids"), descriptor);
          assertFalse(descriptor.contains("dictionary"), descriptor);
        }
      }
    }
  }

  /**
   * Where there is no index, rows are matched one by one. What looks for one text fails, as in Druid's own column, for
   * it may be there twice.
   */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void whatIsOutOfOrderHasMatchersWithoutAnIndex(OptimizationTarget target) throws IOException {
    final List<String> texts = Stream
        .concat(
            Stream.of("az", "a\uD83D", "\uD83D"),
            IntStream.range(0, 300).mapToObj(i -> i % 9 == 0 ? null : "a" + i % 50 + "\u00E9")
        )
        .toList();
    try (QueryableIndex stock = write("stock", texts, false, TestSegments.STOCK, Version.V9);
         QueryableIndex ours = write("ours", texts, false, ours(target), Version.V9);
         QueryableIndex merged = merge("merged", List.of(ours), ours(target), Version.V9)) {
      for (DimFilter filter : List.of(
          new LikeDimFilter(TEXT, "a1%", null, null),
          new NotDimFilter(new LikeDimFilter(TEXT, "%9_", null, null)),
          new NullFilter(TEXT, null)
      )) {
        final List<Object> expected = CursorRows.rowByRow(stock, TEXT, filter);
        assertFalse(expected.isEmpty());
        assertEquals(expected, CursorRows.rowByRow(ours, TEXT, filter), filter::toString);
        assertEquals(expected, CursorRows.rowByRow(merged, TEXT, filter), filter::toString);
      }
      final DimFilter one = new EqualityFilter(TEXT, ColumnType.STRING, "a7\u00E9", null);
      for (QueryableIndex index : List.of(ours, merged)) {
        final UnsupportedOperationException e =
            assertThrows(UnsupportedOperationException.class, () -> CursorRows.rowByRow(index, TEXT, one));
        assertEquals("Reverse lookup not allowed.", e.getMessage());
      }
    }
  }

  /** As Druid merges its own columns once, which say that they are in order when they are persisted; and again. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void whatIsOutOfOrderIsMerged(Version version) throws IOException {
    final List<String> texts = Stream
        .concat(
            Stream.of("az", "a\uD83D", "\uD83D", ""),
            IntStream.range(0, 100).mapToObj(i -> i % 9 == 0 ? null : "a" + i + "\u00E9")
        )
        .toList();
    final List<String> others = Stream.of("a\uD83C", "a7\u00E9", "b").toList();
    final List<DimFilter> filters = List.of(
        new NullFilter(TEXT, null),
        new NotDimFilter(new NullFilter(TEXT, null)),
        new LikeDimFilter(TEXT, "%7%", null, null),
        new RegexDimFilter(TEXT, "^a.*[?]$", null)
    );
    final List<IndexSpec> specs = Stream
        .of(OptimizationTarget.values())
        .flatMap(target -> Stream.of(ours(target), onlyDictionaries(target)))
        .toList();
    for (int i = 0; i < specs.size(); i++) {
      final IndexSpec spec = specs.get(i);
      final String name = String.valueOf(i);
      try (QueryableIndex stock = write("stock" + name, texts, true, TestSegments.STOCK, version);
           QueryableIndex stockOthers = write("stockOthers" + name, others, true, TestSegments.STOCK, version);
           QueryableIndex ours = write("ours" + name, texts, true, spec, version);
           QueryableIndex oursOthers = write("oursOthers" + name, others, true, spec, version);
           QueryableIndex merged = merge("one" + name, List.of(ours), spec, version);
           QueryableIndex stockOfBoth =
               merge("stockOfBoth" + name, List.of(stock, stockOthers), TestSegments.STOCK, version);
           QueryableIndex both = merge("both" + name, List.of(oursOthers, merged), spec, version);
           QueryableIndex back = merge("back" + name, List.of(both), TestSegments.STOCK, version)) {
        assertEquals(rows(stock), rows(merged));
        // As sets: the rows of one time are in the order of the parts.
        assertEquals(new HashSet<>(rows(stockOfBoth)), new HashSet<>(rows(both)));
        assertEquals(rows(both), rows(back));
        for (DimFilter filter : filters) {
          final Set<Object> expected = new HashSet<>(CursorRows.rowByRow(stockOfBoth, TEXT, filter));
          assertFalse(expected.isEmpty());
          assertEquals(expected, new HashSet<>(CursorRows.rowByRow(both, TEXT, filter)), filter::toString);
          assertEquals(expected, new HashSet<>(CursorRows.rowByRow(back, TEXT, filter)), filter::toString);
        }
      }
    }
  }

  /** Druid's index of such a prefix ends before that character, and its matcher, which has no index, does not. */
  @ParameterizedTest
  @EnumSource(OptimizationTarget.class)
  void aPrefixWithTheLastCharacterBehindIt(OptimizationTarget target) throws IOException {
    final List<String> texts = IntStream
        .range(0, 4000)
        .mapToObj(i -> "abc" + (i % 40 == 0 ? "\uFFFF" : "") + i % 300)
        .toList();
    for (boolean hasIndex : new boolean[] {false, true}) {
      try (QueryableIndex stock = write("stock" + hasIndex, texts, hasIndex, TestSegments.STOCK, Version.V9);
           QueryableIndex ours = write("ours" + hasIndex, texts, hasIndex, ours(target), Version.V9)) {
        for (String prefix : List.of("abc", "abc1", "abc\uFFFF", "abc\uFFFF1", "b")) {
          final DimFilter filter = new LikeDimFilter(TEXT, prefix + "%", null, null);
          assertEquals(
              CursorRows.rowByRow(stock, TEXT, filter),
              CursorRows.rowByRow(ours, TEXT, filter),
              () -> prefix + " of " + hasIndex
          );
        }
      }
    }
  }
}
