// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.druid.common.semantic.SemanticUtils;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.DefaultQueryMetrics;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.FilterBundle;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.rowsandcols.concrete.QueryableIndexRowsAndColumns;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorFactory;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexSegment;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.timeline.SegmentId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What indexes are computed for queries that read a part of a segment, or may end early. */
class QueriedCursorFactoryTest {
  private static final int NUM_ROWS = 400_000;
  /** Each row is a second, and has a number of its own, which do not ascend. */
  private static final int STEP = 7919;

  @TempDir
  private static File folder;
  private static File segment;

  @BeforeEach
  void write() throws IOException {
    if (segment != null) {
      return;
    }
    final IncrementalIndex rows = new OnheapIncrementalIndex.Builder()
        .setIndexSchema(new IncrementalIndexSchema.Builder()
            .withDimensionsSpec(new DimensionsSpec(List.of(new LongDimensionSchema("number"))))
            .withProjections(List.of(AggregateProjectionSpec
                .builder("projection")
                .groupingColumns(new LongDimensionSchema("__time"), new LongDimensionSchema("number"))
                .aggregators(new CountAggregatorFactory("count"))
                .build()))
            .withRollup(false)
            .build())
        .setMaxRowCount(NUM_ROWS)
        .build();
    for (int row = 0; row < NUM_ROWS; row++) {
      final long number = (long) row * STEP % NUM_ROWS;
      rows.add(new MapBasedInputRow(1000L * row, List.of("number"), Map.of("number", number)));
    }
    segment = TestSegments.persist(
        rows,
        new File(folder, "segment"),
        TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE),
        Version.V9
    );
  }

  /** A spec of a query of some rows. */
  private static CursorBuildSpec.CursorBuildSpecBuilder spec(int from, int to, DimFilter filter) {
    return CursorBuildSpec
        .builder()
        .setInterval(Intervals.utc(1000L * from, 1000L * to))
        .setFilter(filter.toFilter());
  }

  private static CursorBuildSpec.CursorBuildSpecBuilder aggregate(CursorBuildSpec.CursorBuildSpecBuilder spec) {
    return spec.setAggregators(List.of(new CountAggregatorFactory("count")));
  }

  private static DimFilter below(long number) {
    return new RangeFilter("number", ColumnType.LONG, null, number, false, true, null);
  }

  /** How many rows an index leaves; negative if Druid has none. */
  private static int leftByIndex(CursorBuildSpec.CursorBuildSpecBuilder spec) {
    final var seen = new DefaultQueryMetrics<>() {
      private int left = -1;

      @Override
      public void filterBundle(FilterBundle.BundleInfo bundle) {
        left = bundle.getIndex() == null ? -1 : bundle.getIndex().getSelectionSize();
      }
    };
    try (QueryableIndex index = TestSegments.open(segment);
         CursorHolder cursors = QueriedCursorFactory.of(index).makeCursorHolder(spec.setQueryMetrics(seen).build())) {
      cursors.canVectorize();
    }
    return seen.left;
  }

  private static void assertRows(int from, int to, DimFilter filter, List<Long> expected) {
    try (QueryableIndex index = TestSegments.open(segment)) {
      assertEquals(expected, CursorRows.longsRowByRow(index, "number", spec(from, to, filter).build()));
      assertEquals(expected, CursorRows.longsByVectors(index, "number", spec(from, to, filter).build()));
      assertEquals(expected, CursorRows.longsByVectors(index, "number", aggregate(spec(from, to, filter)).build()));
    }
  }

  private static List<Long> numbers(int from, int to, boolean areBelow, long limit) {
    return IntStream.range(from, to).mapToObj(row -> (long) row * STEP % NUM_ROWS)
        .filter(number -> number < limit == areBelow).toList();
  }

  @Test
  void chunksBesideTheIntervalAreNotRead() {
    final int all = leftByIndex(aggregate(spec(0, NUM_ROWS, below(NUM_ROWS / 10))));
    assertEquals(NUM_ROWS / 10, all);
    final int part = leftByIndex(aggregate(spec(200_000, 240_000, below(NUM_ROWS / 10))));
    assertTrue(part >= 4000 && part < all / 2, () -> part + " rows");
    assertRows(200_000, 240_000, below(NUM_ROWS / 10), numbers(200_000, 240_000, true, NUM_ROWS / 10));
  }

  @Test
  void anIntervalOfFewRowsIsMatched() {
    assertEquals(-1, leftByIndex(aggregate(spec(200_000, 201_000, below(NUM_ROWS / 10)))));
    assertRows(200_000, 201_000, below(NUM_ROWS / 10), numbers(200_000, 201_000, true, NUM_ROWS / 10));
  }

  @Test
  void whatIsNotFoundIsNotLeftBesideTheInterval() {
    final DimFilter not = new NotDimFilter(below(NUM_ROWS / 10));
    final int part = leftByIndex(aggregate(spec(200_000, 240_000, not)));
    assertTrue(part >= 36_000 && part < 40_000, () -> part + " rows");
    assertRows(200_000, 240_000, not, numbers(200_000, 240_000, false, NUM_ROWS / 10));
  }

  @Test
  void rowsThatMayBeLimitedHaveAnIndexIfFewAreFound() {
    assertEquals(NUM_ROWS / 1000, leftByIndex(spec(0, NUM_ROWS, below(NUM_ROWS / 1000))));
    assertEquals(-1, leftByIndex(spec(0, NUM_ROWS, below(NUM_ROWS / 5))));
    assertEquals(-1, leftByIndex(spec(0, NUM_ROWS, new NotDimFilter(below(NUM_ROWS / 1000)))));
    assertRows(0, NUM_ROWS, below(NUM_ROWS / 5), numbers(0, NUM_ROWS, true, NUM_ROWS / 5));
  }

  @Test
  void cursorsOfProjectionsHaveSuchIndexes() {
    final DimFilter few = below(NUM_ROWS / 1000);
    assertEquals(NUM_ROWS / 1000, leftByIndex(projected(spec(0, NUM_ROWS, few))));
    for (DimFilter filter : List.of(few, new NotDimFilter(few))) {
      final CursorBuildSpec spec = projected(spec(NUM_ROWS / 4, NUM_ROWS / 2, filter)).build();
      try (QueryableIndex index = TestSegments.open(segment)) {
        assertNotNull(index.getProjection(spec));
        final List<Long> expected = numbers(NUM_ROWS / 4, NUM_ROWS / 2, filter == few, NUM_ROWS / 1000);
        assertEquals(expected, CursorRows.longsRowByRow(index, "number", spec));
        assertEquals(expected, CursorRows.longsByVectors(index, "number", spec));
      }
    }
  }

  /** A query that the projection answers. */
  private static CursorBuildSpec.CursorBuildSpecBuilder projected(CursorBuildSpec.CursorBuildSpecBuilder spec) {
    return aggregate(spec).setGroupingColumns(List.of("number")).setPhysicalColumns(Set.of("__time", "number"));
  }

  /** Druid makes its map when the first segment is loaded, for all that the process loads. */
  @Test
  void segmentsOfAServiceMakeSuchCursors() {
    QueriedCursorFactory.register();
    QueriedCursorFactory.register();
    try (QueryableIndex index = TestSegments.open(segment)) {
      final QueryableIndexSegment served = new QueryableIndexSegment(index, SegmentId.dummy("segment"));
      assertInstanceOf(
          QueriedCursorFactory.class,
          SemanticUtils.makeAsMap(QueryableIndexSegment.class).get(CursorFactory.class).apply(served)
      );
      assertInstanceOf(
          QueriedCursorFactory.class,
          SemanticUtils.makeAsMap(QueryableIndexRowsAndColumns.class).get(CursorFactory.class)
              .apply(new QueryableIndexRowsAndColumns(index))
      );
    }
  }
}
