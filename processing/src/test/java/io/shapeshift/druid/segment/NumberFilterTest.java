// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.QueryContext;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.segment.ColumnCache;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters on numbers, which scan chunks here, match the rows that Druid's matchers of its own columns match. */
@ExtendWith(RandomData.Seeded.class)
class NumberFilterTest {
  private static final List<String> COLUMNS = List.of(
      "__time",
      "long",
      "double",
      "float",
      "longOrNull",
      "nullLong",
      "doubleOrNull",
      "nullDouble",
      "floatOrNull",
      "longSum",
      "longMaxOrNull",
      "doubleSum",
      "doubleMinOrNull",
      "floatSum",
      "floatMaxOrNull"
  );
  static {
    ExpressionProcessing.initializeForTests();
  }

  @TempDir
  private File folder;

  @ParameterizedTest
  @EnumSource(Version.class)
  void matchesTheRowsThatDruidMatches(Version version, RandomData random) {
    compare(Set.of(), version, random);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void matchesThemByHashIndexes(Version version, RandomData random) {
    compare(Set.copyOf(COLUMNS), version, random);
  }

  private void compare(Set<String> hashIndexes, Version version, RandomData random) {
    final var rows = NumberRows.inMemory(1, 5000, false);
    final File stockFile = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final EncodingStrategy strategy =
        EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.SMALL);
    final File ourFile = TestSegments.persist(
        rows,
        new File(folder, "ours"),
        ShapeShiftIndexSpec.of(TestSegments.STOCK, TestSegments.withHashIndexes(strategy, hashIndexes)),
        version
    );
    try (QueryableIndex stock = TestSegments.open(stockFile); QueryableIndex ours = TestSegments.open(ourFile)) {
      final Set<String> indexed = new TreeSet<>();
      assertSame(stock, ours, random, indexed);
      for (String projection : NumberRows.PROJECTIONS.subList(0, 2)) {
        assertSame(
            stock.getProjectionQueryableIndex(projection),
            ours.getProjectionQueryableIndex(projection),
            random,
            indexed
        );
      }
      assertTrue(indexed.containsAll(Set.of("RangeFilter", "EqualityFilter", "TypedInFilter", "InDimFilter",
          "BoundDimFilter", "SelectorDimFilter", "LikeDimFilter", "NotDimFilter", "AndDimFilter", "RegexDimFilter")),
          () -> "with an index: " + indexed);
    }
  }

  /** Compares answers, and adds the kinds of filters that an index answers. */
  private static void assertSame(
      QueryableIndex stock,
      QueryableIndex ours,
      RandomData random,
      Set<String> indexed
  ) {
    final RandomFilters filters =
        new RandomFilters(random, COLUMNS, COLUMNS, false, column -> RandomFilters.bound(random));
    for (int i = 0; i < Tier.pick(200, 20_000); i++) {
      final DimFilter filter = filters.tree(random.nextInt(4) / 3);
      final String message = filter.getClass() + ": " + filter;
      assertEquals(byRow(stock, filter), byRow(ours, filter), () -> "by row " + message);
      assertEquals(byVector(stock, filter), byVector(ours, filter), () -> "by vector " + message);
      if (hasIndex(ours, filter)) {
        indexed.add(filter.getClass().getSimpleName());
      }
    }
  }

  private static boolean hasIndex(QueryableIndex index, DimFilter filter) {
    try (Closer closer = Closer.create()) {
      final ColumnCache columns = new ColumnCache(index, VirtualColumns.EMPTY, closer);
      @Nullable final BitmapColumnIndex bitmaps = filter.toFilter().getBitmapColumnIndex(columns);
      return bitmaps != null
          && bitmaps.computeBitmapResult(
              new DefaultBitmapResultFactory(columns.getBitmapFactory()), index.getNumRows(), index.getNumRows(), false)
          != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CursorBuildSpec spec(DimFilter filter, boolean byVector) {
    return CursorBuildSpec
        .builder()
        .setFilter(filter.toFilter())
        .setQueryContext(QueryContext.of(
            Map.of(QueryContexts.VECTOR_SIZE_KEY, 100, QueryContexts.VECTORIZE_KEY, String.valueOf(byVector))))
        .build();
  }

  private static List<Long> byRow(QueryableIndex index, DimFilter filter) {
    return CursorRows.longsRowByRow(index, rowColumn(index), spec(filter, false));
  }

  private static List<Long> byVector(QueryableIndex index, DimFilter filter) {
    return CursorRows.longsByVectors(index, rowColumn(index), spec(filter, true));
  }

  /** A column that tells rows apart. */
  private static String rowColumn(QueryableIndex index) {
    return index.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME) != null && index.getNumRows() == 5000
           ? ColumnHolder.TIME_COLUMN_NAME
           : "projectedLong";
  }
}
