// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.LikeDimFilter;
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
        .mapToObj(i -> Map.<String, Object>of("time", DateTimes.utc(i).toString(), TEXT, texts.get(i)))
        .toList();
    return TestSegments.open(
        TestSegments.persist(TestSegments.rowsInMemory(schema, rows), new File(folder, name), spec, version));
  }

  private static IndexSpec ours(OptimizationTarget target) {
    return ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(EncodingStrategy.shapeShift(target, BlockSize.LARGE), Map.of(), Set.of())
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
