// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.hash.Hashing;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.extraction.FunctionalExtraction;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.joda.time.Interval;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Filters whose extraction function fails for some values. A query answers as from Druid's own columns if no row that
 * it reads has such a value, whatever an index asks the function; otherwise it fails with the function's own exception.
 */
class FailingFiltersTest {
  private static final int ROWS = 20_000;
  /** The first half of the rows has values up to this one, the other half greater ones as well. */
  private static final int GREATEST_THAT_WORKS = 56;
  private static final Interval FIRST_HALF = Intervals.utc(0, ROWS / 2);
  private static final List<String> COLUMNS = List.of("l", "d", "f", "s");

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  @TempDir
  private static File folder;
  private static QueryableIndex stock;
  private static QueryableIndex ours;

  @BeforeAll
  static void write() {
    stock = write("stock", TestSegments.STOCK);
    ours = write("ours", ShapeShiftIndexSpec.of(TestSegments.STOCK, new EncodingStrategies(
        EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.SMALL), Map.of())));
  }

  @AfterAll
  static void close() {
    stock.close();
    ours.close();
  }

  private static QueryableIndex write(String name, IndexSpec spec) {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(List.of(
            new LongDimensionSchema("l"),
            new DoubleDimensionSchema("d"),
            new FloatDimensionSchema("f"),
            new StringDimensionSchema("s", null, false)
        )))
        .withRollup(false)
        .build();
    final List<Map<String, Object>> rows = IntStream.range(0, ROWS).mapToObj(FailingFiltersTest::row).toList();
    return TestSegments.open(TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows), new File(folder, name), spec, Version.V9));
  }

  private static Map<String, Object> row(int number) {
    // Without order, so that a chunk has packed bits, of which an index asks for all that these can be.
    final int any = Math.floorMod(Hashing.murmur3_32_fixed().hashInt(number).asInt(), 9);
    final int value = number < ROWS / 2 ? any * 7 : any * 17 + 60;
    return Map.of(
        "time", DateTimes.utc(number).toString(), "l", value, "d", (double) value, "f", (float) value, "s", "" + value);
  }

  /** Selects one value in nine by a function that fails for others than those of the first half. */
  private static SelectorDimFilter selector(String column, RuntimeException failure) {
    return new SelectorDimFilter(column, "one of nine", new Extraction(failure));
  }

  /** What is asked so that no value fails. */
  private static List<DimFilter> filters(String column, RuntimeException failure) {
    final DimFilter one = selector(column, failure);
    return List.of(
        one,
        new NotDimFilter(one),
        new OrDimFilter(List.of(one, new RangeFilter(column, ColumnType.LONG, 5L, 9L, false, false, null))),
        new NotDimFilter(new OrDimFilter(List.of(one, selector("l", failure)))),
        new NotDimFilter(new AndDimFilter(List.of(one, selector("l", failure))))
    );
  }

  private static CursorBuildSpec spec(DimFilter filter, Interval interval, boolean isAggregate) {
    final CursorBuildSpec.CursorBuildSpecBuilder spec =
        CursorBuildSpec.builder().setFilter(filter.toFilter()).setInterval(interval);
    return isAggregate
           ? spec.setAggregators(List.<AggregatorFactory>of(new CountAggregatorFactory("n"))).build()
           : spec.build();
  }

  @Test
  void valuesThatAreNotReadDoNotMatter() {
    for (String column : COLUMNS) {
      for (DimFilter filter : filters(column, new IllegalStateException("not read"))) {
        for (boolean isAggregate : new boolean[] {false, true}) {
          final CursorBuildSpec asked = spec(filter, FIRST_HALF, isAggregate);
          final List<Long> rows = CursorRows.longsRowByRow(stock, "__time", asked);
          assertFalse(rows.isEmpty());
          assertEquals(rows, CursorRows.longsRowByRow(ours, "__time", asked), filter::toString);
          assertEquals(
              CursorRows.longsByVectors(stock, "__time", asked),
              CursorRows.longsByVectors(ours, "__time", asked),
              filter::toString
          );
        }
      }
    }
  }

  /** Rows that another filter leaves out are not read either. */
  @Test
  void rowsThatAreLeftOutDoNotMatter() {
    for (String column : COLUMNS) {
      final RangeFilter works =
          new RangeFilter("l", ColumnType.LONG, null, (long) GREATEST_THAT_WORKS, false, false, null);
      final CursorBuildSpec asked = spec(
          new AndDimFilter(List.of(works, selector(column, new IllegalStateException("left out")))),
          Intervals.ETERNITY,
          true
      );
      assertEquals(
          CursorRows.longsByVectors(stock, "__time", asked), CursorRows.longsByVectors(ours, "__time", asked), column);
    }
  }

  /** A filter without an index that stands before the function keeps it from values, as with Druid's own columns. */
  @Test
  void filtersBeforeItAreAskedFirst() {
    final IllegalStateException failure = new IllegalStateException("not asked");
    // Not written as Druid writes a number, so that there is no index.
    final DimFilter works = new SelectorDimFilter("l", "07", null);
    for (String column : COLUMNS) {
      final DimFilter other = new SelectorDimFilter(column, "other", new Extraction(failure));
      final List<DimFilter> parts = new ArrayList<>(List.of(new NotDimFilter(works), selector(column, failure)));
      final DimFilter few = new NotDimFilter(new OrDimFilter(List.copyOf(parts)));
      IntStream.range(0, 5).forEach(
          i -> parts.add(new SelectorDimFilter(column, "none " + i, new Extraction(failure))));
      for (DimFilter filter :
          List.of(new AndDimFilter(List.of(works, other)), few, new NotDimFilter(new OrDimFilter(parts)))) {
        final CursorBuildSpec asked = spec(filter, Intervals.ETERNITY, true);
        final List<Long> rows = CursorRows.longsRowByRow(stock, "__time", asked);
        assertFalse(rows.isEmpty());
        assertEquals(rows, CursorRows.longsRowByRow(ours, "__time", asked), filter::toString);
        assertEquals(rows, CursorRows.longsByVectors(ours, "__time", asked), filter::toString);
      }
    }
  }

  @Test
  void itsOwnExceptionReachesTheQuery() {
    for (String column : COLUMNS) {
      final RuntimeException failure = new IllegalStateException("a function of a user");
      for (DimFilter filter : filters(column, failure)) {
        for (boolean isAggregate : new boolean[] {false, true}) {
          final CursorBuildSpec asked = spec(filter, Intervals.ETERNITY, isAggregate);
          for (QueryableIndex index : List.of(stock, ours)) {
            assertSame(failure, assertThrows(
                RuntimeException.class, () -> CursorRows.longsRowByRow(index, "__time", asked)), filter::toString);
            assertSame(failure, assertThrows(
                RuntimeException.class, () -> CursorRows.longsByVectors(index, "__time", asked)), filter::toString);
          }
        }
      }
      assertEquals(ROWS, CursorRows.longsByVectors(ours, "__time", CursorBuildSpec.FULL_SCAN).size());
    }
  }

  /** Fails for what no row of the first half has. */
  private static final class Extraction extends FunctionalExtraction {
    private Extraction(RuntimeException failure) {
      super(value -> apply(value, failure), false, null, false);
    }

    @Nullable
    private static String apply(@Nullable String value, RuntimeException failure) {
      final double number = value == null ? 0 : Double.parseDouble(value);
      if (number > GREATEST_THAT_WORKS || number % 7 != 0) {
        throw failure;
      }
      return number == 21 ? "one of nine" : "other";
    }

    @Override
    public byte[] getCacheKey() {
      return new byte[] {(byte) 0xFF};
    }
  }
}
