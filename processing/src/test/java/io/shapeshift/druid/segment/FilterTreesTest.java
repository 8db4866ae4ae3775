// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.differential.Shrinker;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.QueryContext;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.NotDimFilter;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.Cursors;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnHolder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random trees of filters over columns of all types leave the rows that they leave of Druid's own columns, in the same
 * order, by either engine. A failure tells the smallest part of the tree that fails, and a row that differs.
 */
@ExtendWith(RandomData.Seeded.class)
class FilterTreesTest {
  private static final int MOST_FAILURES = 5;

  static {
    ExpressionProcessing.initializeForTests();
  }

  @TempDir
  private File folder;

  private final List<String> failures = new ArrayList<>();
  /** Trees that leave some rows, and not all. */
  private int telling;
  /**
   * Trees for which one of the two has vectors, and the other not: a part that is matched row by row only, as
   * comparisons of columns are, does not count if an index tells that no row is left for it. By vectors Druid takes
   * some numbers of virtual columns for others than by rows. And trees for which Druid's segment has our answer once it
   * uses no index: of nulls its index of {@code bound} filters says that nobody knows, its matcher that they are not
   * between the bounds, and which of them is asked depends on the rows that other indexes leave.
   */
  private int leftOut;

  static IntStream tables() {
    return IntStream.range(0, Tier.pick(3, 100));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void leaveTheRowsThatDruidLeaves(int number, RandomData random) throws IOException {
    final boolean isLarge = number % 5 == 4;
    final Version version = List.of(Version.values()).get(number % 2);
    final OptimizationTarget target = List.of(OptimizationTarget.values()).get(number % 3);
    final IndexSpec spec = ShapeShiftIndexSpec.of(TestSegments.STOCK, TestSegments.withHashIndexes(
        EncodingStrategy.shapeShift(target, isLarge ? BlockSize.LARGE : BlockSize.SMALL),
        number % 4 == 1 ? Set.of(FilteredTable.ROW, "long0", "longMetric") : Set.of()
    ));
    final int numRows = isLarge ? 70_000 : random.between(1, 6000);
    final List<FilteredTable> tables = switch (number % 4) {
      case 2 -> List.of(
          new FilteredTable(random, 0, 1, numRows), new FilteredTable(random, numRows, 1, random.between(1, 6000)));
      case 3 -> List.of(new FilteredTable(random, 0, 2, numRows), new FilteredTable(random, 1, 2, numRows));
      default -> List.of(new FilteredTable(random, 0, 1, numRows));
    };
    final String message = version + " " + target + " " + tables.size() + " of " + numRows + " rows";
    final int trees = isLarge ? Tier.pick(20, 200) : Tier.pick(60, 1000);
    try (QueryableIndex stock = TestSegments.open(segment(tables, "stock", TestSegments.STOCK, version));
         QueryableIndex ours = TestSegments.open(segment(tables, "ours", spec, version))) {
      compare(stock, ours, tables, trees, random, message);
      for (String projection : FilteredTable.PROJECTIONS) {
        compare(
            stock.getProjectionQueryableIndex(projection),
            ours.getProjectionQueryableIndex(projection),
            tables,
            trees / 4,
            random,
            message + " " + projection
        );
      }
    }
    assertEquals("", String.join("\n", failures));
    assertTrue(leftOut <= 3, () -> leftOut + " trees are left out");
    assertTrue(telling > trees / 5, () -> telling + " trees leave some rows in " + message);
  }

  /** Writes the rows, and merges those of several tables. */
  private File segment(List<FilteredTable> tables, String name, IndexSpec spec, Version version) throws IOException {
    final List<File> parts = IntStream
        .range(0, tables.size())
        .mapToObj(i -> TestSegments.persist(tables.get(i).inMemory(), new File(folder, name + i), spec, version))
        .toList();
    if (parts.size() == 1) {
      return parts.get(0);
    }
    return TestSegments.mergeFiles(
        parts,
        FilteredTable.METRICS.toArray(AggregatorFactory[]::new),
        new DimensionsSpec(FilteredTable.DIMENSIONS),
        false,
        new File(folder, name),
        spec,
        version
    );
  }

  private void compare(
      QueryableIndex stock,
      QueryableIndex ours,
      List<FilteredTable> tables,
      int trees,
      RandomData random,
      String message
  ) {
    final boolean isBase = stock.getColumnHolder(FilteredTable.ROW) != null;
    final List<String> columns = new ArrayList<>(stock.getColumnNames());
    if (isBase) {
      columns.add(ColumnHolder.TIME_COLUMN_NAME);
      columns.addAll(FilteredTable.VIRTUAL.getColumnNames());
      columns.add("missing");
    }
    final Function<String, Object> value = column -> random.oneOf(tables).value(column, random);
    final RandomFilters alone = new RandomFilters(random, columns, columns, false, value);
    final RandomFilters parts = new RandomFilters(
        random,
        columns,
        columns.stream().filter(column -> !FilteredTable.mayBeNaN(column)).toList(),
        true,
        value
    );
    for (int i = 0; i < trees && failures.size() < MOST_FAILURES; i++) {
      final DimFilter tree = switch (random.nextInt(6)) {
        case 0 -> alone.leaf();
        case 1 -> new NotDimFilter(alone.leaf());
        default -> parts.tree(random.between(1, 3));
      };
      final CursorBuildSpec.CursorBuildSpecBuilder cursor = CursorBuildSpec
          .builder()
          .setQueryContext(QueryContext.of(Map.of(
              QueryContexts.VECTOR_SIZE_KEY, random.oneOf(List.of(100, 512)),
              QueryContexts.NO_PROJECTIONS, true,
              QueryContexts.VECTORIZE_VIRTUAL_COLUMNS_KEY, "force"
          )));
      if (random.nextInt(2) == 0) {
        // What is aggregated has other indexes than what is read row by row.
        cursor.setAggregators(List.of(new CountAggregatorFactory("count")));
      }
      if (isBase) {
        cursor.setVirtualColumns(FilteredTable.VIRTUAL);
        if (random.nextInt(3) == 0) {
          final long one = time(tables, random);
          final long other = time(tables, random);
          cursor.setInterval(Intervals.utc(Math.min(one, other), Math.max(one, other) + 1));
        }
      }
      final boolean isOptimized = random.nextInt(2) == 0;
      for (Engine engine : Engine.values()) {
        if (engine == Engine.ROWS_DESCENDING && (!isBase || random.nextInt(3) > 0)) {
          continue;
        }
        final var rows = new Object() {
          Object of(QueryableIndex index, DimFilter filter) {
            return engine.rows(index, cursor, isOptimized ? filter.optimize(false) : filter);
          }
        };
        final Object expected = rows.of(stock, tree);
        final int left = expected instanceof List<?> list ? list.size() : 0;
        telling += engine == Engine.ROWS && left > 0 && left < stock.getNumRows() ? 1 : 0;
        final Object found = rows.of(ours, tree);
        if (engine == Engine.VECTORS && !expected.equals(found)
            && Engine.canVectorize(stock, cursor) != Engine.canVectorize(ours, cursor)) {
          leftOut++;
          continue;
        }
        if (!expected.equals(found) && found.equals(rows.of(stock, withoutIndexes(tree)))) {
          leftOut++;
          continue;
        }
        if (!expected.equals(found)) {
          final DimFilter part = smallest(tree, filter -> !rows.of(stock, filter).equals(rows.of(ours, filter)));
          failures.add(String.join(" ",
              engine.name(), difference(rows.of(stock, part), rows.of(ours, part), part, tables) + ":",
              part.getClass().getSimpleName(), part.toString(), "in", String.valueOf(cursor.build().getInterval()),
              isOptimized ? "optimized" : "as it is", "of", message));
        }
      }
    }
  }

  /** The same filter, of which Druid's matchers test each row. */
  private static DimFilter withoutIndexes(DimFilter filter) {
    final JsonNode json = TestSegments.JSON.valueToTree(filter);
    json.findParents("type").stream()
        .filter(parent -> parent.has("dimension") || parent.has("column"))
        .forEach(leaf -> ((ObjectNode) leaf).putObject("filterTuning").put("useBitmapIndex", false));
    try {
      return TestSegments.JSON.treeToValue(json, DimFilter.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long time(List<FilteredTable> tables, RandomData random) {
    return (long) random.oneOf(tables).anyValue(ColumnHolder.TIME_COLUMN_NAME, random);
  }

  /** A part of a tree that fails as well, of which no part does. */
  private static DimFilter smallest(DimFilter tree, Predicate<DimFilter> fails) {
    final Predicate<JsonNode> failsAsJson = json -> {
      try {
        return fails.test(TestSegments.JSON.treeToValue(json, DimFilter.class));
      } catch (JsonProcessingException | RuntimeException e) {
        return false;
      }
    };
    final JsonNode json = TestSegments.JSON.valueToTree(tree);
    try {
      // JSON does not tell the classes of numbers, on which it may depend.
      return failsAsJson.test(json)
             ? TestSegments.JSON.treeToValue(Shrinker.shrink(json, failsAsJson, 1000), DimFilter.class)
             : tree;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What tells one answer from the other. */
  private static String difference(Object expected, Object actual, DimFilter part, List<FilteredTable> tables) {
    if (!(expected instanceof List<?> stock) || !(actual instanceof List<?> ours)) {
      return expected + " but " + actual;
    }
    final List<Object> missing = new ArrayList<>(stock);
    missing.removeAll(Set.copyOf(ours));
    final List<Object> added = new ArrayList<>(ours);
    added.removeAll(Set.copyOf(stock));
    final Object row = !missing.isEmpty() ? missing.get(0) : !added.isEmpty() ? added.get(0) : null;
    return missing.size() + " rows missing and " + added.size() + " added of " + stock.size() + ", as "
        + tables.stream().map(table -> table.row(row, part.getRequiredColumns())).toList();
  }

  /** A way of Druid's to go through the rows. */
  private enum Engine {
    ROWS,
    ROWS_DESCENDING,
    VECTORS;

    /** The rows that a filter leaves, or the class of the exception that Druid throws. */
    Object rows(QueryableIndex index, CursorBuildSpec.CursorBuildSpecBuilder cursor, @Nullable DimFilter filter) {
      final String column = index.getColumnHolder(FilteredTable.ROW) == null ? "firstRow" : FilteredTable.ROW;
      cursor.setPreferredOrdering(this == ROWS_DESCENDING ? Cursors.descendingTimeOrder() : List.of());
      cursor.setFilter(filter.toFilter());
      try {
        return this == VECTORS
               ? CursorRows.longsByVectors(index, column, cursor.build())
               : CursorRows.longsRowByRow(index, column, cursor.build());
      } catch (RuntimeException e) {
        return e.getClass();
      }
    }

    /** Whether the filter that a cursor was asked for last has vectors. */
    static boolean canVectorize(QueryableIndex index, CursorBuildSpec.CursorBuildSpecBuilder cursor) {
      return CursorRows.canVectorize(index, cursor.build());
    }
  }
}
