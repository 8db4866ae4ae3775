// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.form.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.annotation.Nullable;
import org.apache.druid.java.util.common.io.Closer;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.QueryContext;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.extraction.SubstringDimExtractionFn;
import org.apache.druid.query.filter.AndDimFilter;
import org.apache.druid.query.filter.BoundDimFilter;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.ExpressionDimFilter;
import org.apache.druid.query.filter.InDimFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.query.filter.NullFilter;
import org.apache.druid.query.filter.OrDimFilter;
import org.apache.druid.query.filter.RangeFilter;
import org.apache.druid.query.filter.RegexDimFilter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.query.filter.TypedInFilter;
import org.apache.druid.query.ordering.StringComparator;
import org.apache.druid.query.ordering.StringComparators;
import org.apache.druid.segment.BaseLongColumnValueSelector;
import org.apache.druid.segment.ColumnCache;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.QueryableIndexCursorFactory;
import org.apache.druid.segment.VirtualColumns;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.index.BitmapColumnIndex;
import org.apache.druid.segment.vector.VectorCursor;
import org.apache.druid.segment.vector.VectorValueSelector;
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
  private static final List<Object> BOUNDS = List.of(
      0L, 1L, -1L, 100L, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1,
      0.0, -0.0, .1, 1.25, 2.5, 99.99, 100.5, -1.5, 1e300, -1e300, 9e15, 9.3e18, -9.3e18, 1e-320,
      Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, Double.MIN_VALUE,
      0f, -0f, .1f, 1.25f, Float.MAX_VALUE, Float.MIN_VALUE, Float.NaN,
      "0", "0.0", "-0.0", "1.25", "1.250", "100", "100.0", "+100", "1e2", "NaN", "Infinity", "-Infinity", "x", "",
      "1767225600000", "1767226600001", 1767225900000L, 1767226600001.5, "200.5", "9007199254740993", "37.5", 37.5
  );
  private static final List<String> LITERALS = List.of("0", "100", "1.25", "'100'", "0.0");
  private static final List<StringComparator> ORDERS =
      List.of(StringComparators.NUMERIC, StringComparators.NUMERIC, StringComparators.LEXICOGRAPHIC);

  static {
    ExpressionProcessing.initializeForTests();
  }

  @TempDir
  private File folder;

  @ParameterizedTest
  @EnumSource(Version.class)
  void matchesTheRowsThatDruidMatches(Version version, RandomData random) {
    final var rows = NumberRows.inMemory(1, 5000, false);
    final File stockFile = TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version);
    final File ourFile = TestSegments.persist(
        rows,
        new File(folder, "ours"),
        TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.SMALL),
        version
    );
    try (QueryableIndex stock = TestSegments.open(stockFile); QueryableIndex ours = TestSegments.open(ourFile)) {
      assertSame(stock, ours, random);
      for (String projection : NumberRows.PROJECTIONS.subList(0, 2)) {
        assertSame(
            stock.getProjectionQueryableIndex(projection), ours.getProjectionQueryableIndex(projection), random);
      }
    }
  }

  private static void assertSame(QueryableIndex stock, QueryableIndex ours, RandomData random) {
    final Set<String> indexed = new TreeSet<>();
    for (int i = 0; i < Tier.pick(600, 20_000); i++) {
      final DimFilter filter = filter(stock, random);
      final String message = filter.getClass() + ": " + filter;
      assertEquals(byRow(stock, filter), byRow(ours, filter), () -> "by row " + message);
      assertEquals(byVector(stock, filter), byVector(ours, filter), () -> "by vector " + message);
      if (hasIndex(ours, filter)) {
        indexed.add(filter.getClass().getSimpleName());
      }
    }
    assertTrue(indexed.containsAll(Set.of("RangeFilter", "EqualityFilter", "TypedInFilter", "InDimFilter",
        "BoundDimFilter", "SelectorDimFilter", "LikeDimFilter", "NotDimFilter", "AndDimFilter", "RegexDimFilter")),
        () -> "with an index: " + indexed);
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

  private static DimFilter filter(QueryableIndex index, RandomData random) {
    final String column = random.oneOf(COLUMNS);
    return switch (random.nextInt(14)) {
      case 0 -> NullFilter.forColumn(column);
      case 1, 2 -> equality(column, random);
      case 3, 4 -> range(column, random);
      case 5 -> bound(column, random);
      case 6 -> in(column, random);
      case 7 -> new InDimFilter(column, texts(random), null);
      case 8 -> new SelectorDimFilter(
          column,
          random.nextInt(9) == 0 ? null : random.oneOf(BOUNDS).toString(),
          random.nextInt(9) == 0 ? new SubstringDimExtractionFn(0, 2) : null
      );
      case 9 -> new LikeDimFilter(
          column, random.oneOf(BOUNDS) + (random.nextInt(2) == 0 ? "" : "%"), null, null);
      case 10 -> new RegexDimFilter(column, "[" + random.nextInt(10) + "]$", null);
      case 11 -> new NotDimFilter(filter(index, random));
      case 12 -> random.nextInt(2) == 0
                 ? new AndDimFilter(filter(index, random), filter(index, random))
                 : new OrDimFilter(filter(index, random), filter(index, random));
      default -> new ExpressionDimFilter(
          column + (random.nextInt(2) == 0 ? " == " : " > ") + random.oneOf(LITERALS),
          ExprMacroTable.nil());
    };
  }

  private static ColumnType type(RandomData random) {
    return random.oneOf(List.of(ColumnType.LONG, ColumnType.DOUBLE, ColumnType.FLOAT));
  }

  private static DimFilter equality(String column, RandomData random) {
    final ColumnType type = random.nextInt(5) == 0 ? ColumnType.STRING : type(random);
    try {
      return new EqualityFilter(column, type, random.oneOf(BOUNDS), null);
    } catch (RuntimeException e) {
      // Druid refuses what it cannot cast.
      return equality(column, random);
    }
  }

  private static DimFilter range(String column, RandomData random) {
    final ColumnType type = random.nextInt(9) == 0 ? ColumnType.STRING : type(random);
    try {
      return new RangeFilter(
          column, type, orNull(random), orNull(random), random.nextInt(2) == 0, random.nextInt(2) == 0, null);
    } catch (RuntimeException e) {
      return range(column, random);
    }
  }

  @Nullable
  private static Object orNull(RandomData random) {
    return random.nextInt(4) == 0 ? null : random.oneOf(BOUNDS);
  }

  private static DimFilter bound(String column, RandomData random) {
    final Object lower = orNull(random);
    final Object upper = lower == null ? random.oneOf(BOUNDS) : orNull(random);
    return new BoundDimFilter(
        column,
        lower == null ? null : lower.toString(),
        upper == null ? null : upper.toString(),
        random.nextInt(2) == 0,
        random.nextInt(2) == 0,
        null,
        null,
        random.oneOf(ORDERS)
    );
  }

  private static DimFilter in(String column, RandomData random) {
    final ColumnType type = random.nextInt(5) == 0 ? ColumnType.STRING : type(random);
    final List<Object> values = new ArrayList<>();
    for (int i = random.between(1, random.nextInt(2) == 0 ? 4 : 40); i > 0; i--) {
      values.add(random.nextInt(20) == 0 ? null : random.nextInt(2) == 0 ? random.oneOf(BOUNDS) : random.nextInt(300));
    }
    return new TypedInFilter(column, type, values, null, null);
  }

  private static Set<String> texts(RandomData random) {
    final String[] texts = new String[random.between(1, 30)];
    Arrays.setAll(texts, i -> random.nextInt(2) == 0
        ? random.oneOf(BOUNDS).toString()
        : String.valueOf(random.nextInt(300) / 4.0));
    return new TreeSet<>(Arrays.asList(texts));
  }

  private static CursorBuildSpec spec(DimFilter filter, boolean byVector) {
    return CursorBuildSpec
        .builder()
        .setFilter(filter.toFilter())
        .setQueryContext(QueryContext.of(
            Map.of(QueryContexts.VECTOR_SIZE_KEY, 100, QueryContexts.VECTORIZE_KEY, String.valueOf(byVector))))
        .build();
  }

  /** A sum over the column of row numbers would hide swaps: the times and longs of all rows, in order. */
  private static List<Long> byRow(QueryableIndex index, DimFilter filter) {
    try (CursorHolder holder = new QueryableIndexCursorFactory(index).makeCursorHolder(spec(filter, false))) {
      final Cursor cursor = holder.asCursor();
      final List<Long> rows = new ArrayList<>();
      if (cursor == null) {
        return rows;
      }
      final BaseLongColumnValueSelector time =
          cursor.getColumnSelectorFactory().makeColumnValueSelector(rowColumn(index));
      for (; !cursor.isDone(); cursor.advance()) {
        rows.add(time.getLong());
      }
      return rows;
    }
  }

  /** A column that tells rows apart. */
  private static String rowColumn(QueryableIndex index) {
    return index.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME) != null && index.getNumRows() == 5000
           ? ColumnHolder.TIME_COLUMN_NAME
           : "projectedLong";
  }

  private static List<Long> byVector(QueryableIndex index, DimFilter filter) {
    try (CursorHolder holder = new QueryableIndexCursorFactory(index).makeCursorHolder(spec(filter, true))) {
      final List<Long> rows = new ArrayList<>();
      if (!holder.canVectorize()) {
        return rows;
      }
      final VectorCursor cursor = holder.asVectorCursor();
      if (cursor == null) {
        return rows;
      }
      final VectorValueSelector time = cursor.getColumnSelectorFactory().makeValueSelector(rowColumn(index));
      for (; !cursor.isDone(); cursor.advance()) {
        final long[] vector = time.getLongVector();
        for (int i = 0; i < cursor.getCurrentVectorSize(); i++) {
          rows.add(vector[i]);
        }
      }
      return rows;
    }
  }
}
