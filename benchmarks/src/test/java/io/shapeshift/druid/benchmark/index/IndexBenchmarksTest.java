// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.benchmark.Jmh;
import io.shapeshift.druid.benchmark.results.ResultFiles;
import io.shapeshift.druid.benchmark.results.RunInfo;
import io.shapeshift.druid.rows.RowSet;
import io.shapeshift.druid.tool.encoding.RowValues;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.query.filter.Filter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.roaringbitmap.IntIterator;

/**
 * Runs each benchmark once to see that it works, and checks that all encodings run the same operations; does not test
 * their speed.
 */
@Tag("slow")
class IndexBenchmarksTest {
  private static final boolean EXHAUSTIVE = Boolean.getBoolean("shapeshift.exhaustive");
  private static final int ROWS = 20_000;

  @TempDir
  private Path directory;

  private static Collection<RunResult> run(String include, Map<String, String[]> params) throws RunnerException {
    final ChainedOptionsBuilder options = Jmh.options(new OptionsBuilder().build())
        .include("\\." + include + "\\.")
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(2)
        .measurementTime(TimeValue.milliseconds(1))
        .shouldFailOnError(true);
    params.forEach(options::param);
    return Jmh.run(options.build(), new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
  }

  /** The CSV of results, lines split at commas. */
  private List<List<String>> csv(Collection<RunResult> results, String name) throws Exception {
    final Path run = directory.resolve("run");
    new ResultFiles(run, new RunInfo.Start("test", List.of())).add(results);
    assertTrue(Files.size(run.resolve(name + ".json")) > 0);
    return Files.readAllLines(run.resolve(name + ".csv")).stream().map(line -> List.of(line.split(",", -1))).toList();
  }

  private static Map<String, String[]> params() {
    return new HashMap<>(Map.of(
        "shape", new String[]{"zipf"},
        "cardinality", new String[]{"1000"},
        "rows", new String[]{"" + ROWS},
        "encoding", new String[]{"druid-roaring", "shapeshift-faster"},
        "jvm", new String[]{"fresh"}
    ));
  }

  @Test
  void building() throws Exception {
    final RowValues.Ids rows = ColumnShape.ZIPF.rows(ROWS, 1000, 1);
    final List<List<String>> csv = csv(run("IndexBuildBenchmark", params()), "index-build-speed");
    final List<String> header = csv.get(0);
    assertEquals(3, csv.size());
    for (List<String> row : csv.subList(1, 3)) {
      assertEquals(header.size(), row.size());
      assertEquals("build", row.get(header.indexOf("task")));
      assertEquals("" + rows.cardinality(), row.get(header.indexOf("values")));
      assertEquals("", row.get(header.indexOf("filter")));
      assertEquals("2", row.get(header.indexOf("iterations")));
      final IndexedColumn column = IndexedColumn.of(IndexEncoding.parse(row.get(header.indexOf("encoding"))), rows);
      assertEquals("" + column.indexBytes(), row.get(header.indexOf("sizeInBytes")));
      assertEquals("" + column.idBytes(), row.get(header.indexOf("idBytes")));
      assertTrue(Double.parseDouble(row.get(header.indexOf("nanosMin"))) > 0);
    }
  }

  @Test
  void filters() throws Exception {
    final Map<String, String[]> params = params();
    params.put("filter", new String[]{"not", "range-0.5"});
    params.put("read", new String[]{"rows", "batches"});
    params.put("shape", new String[]{"uniform"});
    final List<List<String>> csv = csv(run("IndexFilterBenchmark", params), "index-filter-speed");
    final List<String> header = csv.get(0);
    assertEquals(1 + 2 * 2 * 2, csv.size());
    for (List<String> row : csv.subList(1, csv.size())) {
      assertEquals(header.size(), row.size());
      assertEquals("filter", row.get(header.indexOf("task")));
      assertEquals("1000", row.get(header.indexOf("values")));
      assertEquals(
          row.get(header.indexOf("filter")).equals("not") ? "" + (ROWS - ROWS / 1000) : "" + ROWS / 2,
          row.get(header.indexOf("selectedRows"))
      );
      assertTrue(List.of("rows", "batches").contains(row.get(header.indexOf("read"))));
    }
  }

  @Test
  void filtersWhereMuchElseWasFiltered() throws Exception {
    final Map<String, String[]> params = params();
    params.put("filter", new String[]{"not"});
    params.put("read", new String[]{"rows"});
    params.put("jvm", new String[]{"polluted"});
    params.put("encoding", new String[]{"shapeshift-faster"});
    assertEquals(2, csv(run("IndexFilterBenchmark", params), "index-filter-speed").size());
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    for (var bad : Map.of(
        "shape", "round",
        "cardinality", "20001",
        "encoding", "druid-lz4",
        "jvm", "old",
        "filter", "like",
        "read", "once"
    ).entrySet()) {
      final Map<String, String[]> params = params();
      params.put("filter", new String[]{"equality"});
      params.put("read", new String[]{"rows"});
      params.put(bad.getKey(), new String[]{bad.getValue()});
      assertThrows(RunnerException.class, () -> run("IndexFilterBenchmark", params), bad.getKey());
    }
  }

  // ---- what is measured

  @ParameterizedTest
  @EnumSource
  void allEncodingsFindTheRowsOfEachFilter(ColumnShape shape) throws Exception {
    // Each build tries one cardinality for each shape, the exhaustive one all.
    final int[] cardinalities = {2, 300, ROWS};
    final int one = cardinalities[shape.ordinal() % cardinalities.length];
    for (int cardinality : EXHAUSTIVE ? cardinalities : new int[]{one}) {
      final List<RowValues.Ids> rows = List.of(shape.rows(ROWS, cardinality, 1), shape.rows(ROWS, cardinality, 2));
      for (String kind : IndexFilters.KINDS) {
        final List<Filter> filters = IndexFilters.of(kind, rows);
        int[][] expected = null;
        for (IndexEncoding encoding : IndexEncoding.values()) {
          final FilteredColumns columns = FilteredColumns.of(encoding, rows);
          final int[][] found =
              filters.stream().map(columns::find).map(IndexBenchmarksTest::rows).toArray(int[][]::new);
          expected = expected == null ? found : expected;
          for (int i = 0; i < found.length; i++) {
            assertArrayEquals(expected[i], found[i], filters.get(i) + " by " + encoding);
          }
        }
        // Two values need not occur in the same row.
        assertTrue(kind.equals("and") || Arrays.stream(expected).allMatch(found -> found.length > 0), kind);
      }
    }
  }

  private static int[] rows(ImmutableBitmap bitmap) {
    final IntStream.Builder rows = IntStream.builder();
    for (var i = bitmap.iterator(); i.hasNext(); ) {
      rows.add(i.next());
    }
    final int[] found = rows.build().toArray();
    for (FilteredColumns.Read read : FilteredColumns.Read.values()) {
      assertEquals(Arrays.stream(found).asLongStream().sum(), read.sum(bitmap));
    }
    return found;
  }

  @Test
  void filtersSelectWhatTheirNamesSay() throws Exception {
    final List<RowValues.Ids> rows = List.of(ColumnShape.UNIFORM.rows(ROWS, 1000, 1));
    final FilteredColumns columns = FilteredColumns.of(IndexEncoding.DRUID_ROARING, rows);
    for (var values : Map.of(
        "equality", 1, "in-10", 10, "in-1000", 1000, "range-0.01", 10, "range-1", 1000, "prefix", 100, "contains", 100
    ).entrySet()) {
      for (Filter filter : IndexFilters.of(values.getKey(), rows)) {
        assertEquals(values.getValue() * ROWS / 1000, columns.find(filter).size(), filter::toString);
      }
    }
    for (String kind : List.of("range-0", "range-x", "in-x", "between")) {
      assertThrows(IllegalArgumentException.class, () -> IndexFilters.of(kind, rows), kind);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shapesHaveNoValueWithoutRows(ColumnShape shape) {
    for (int cardinality : new int[]{1, 2, 1000, ROWS}) {
      final RowValues.Ids rows = shape.rows(ROWS, cardinality, 7);
      final int[] counts = new int[rows.cardinality()];
      for (int id : rows.ids()) {
        counts[id]++;
      }
      assertTrue(Arrays.stream(counts).allMatch(count -> count > 0));
      assertEquals(ROWS, rows.rows());
      assertArrayEquals(rows.ids(), shape.rows(ROWS, cardinality, 7).ids());
      if (shape == ColumnShape.UNIFORM || shape == ColumnShape.SORTED) {
        assertEquals(cardinality, rows.cardinality());
        assertEquals(1, Arrays.stream(counts).distinct().count());
      }
    }
    final int[] ids = shape.rows(ROWS, 1000, 7).ids();
    final double changes = IntStream.range(1, ROWS).filter(row -> ids[row] != ids[row - 1]).count();
    final int[] counts = new int[1000];
    Arrays.stream(ids).forEach(id -> counts[id]++);
    final double most = Arrays.stream(counts).max().orElseThrow();
    switch (shape) {
      case UNIFORM -> assertTrue(changes > 0.99 * ROWS);
      case SORTED -> assertEquals(999, changes);
      case RUNS -> assertEquals(50, ROWS / changes, 10);
      // The share is ln 2 / ln 1001.
      case ZIPF -> assertEquals(0.1 * ROWS, most, 0.02 * ROWS);
    }
  }

  @Test
  void namesOfEncodings() {
    for (IndexEncoding encoding : IndexEncoding.values()) {
      assertEquals(encoding, IndexEncoding.parse(encoding.toString()));
    }
    final String message =
        assertThrows(IllegalArgumentException.class, () -> IndexEncoding.parse("druid-lz4")).getMessage();
    assertTrue(message.startsWith("There is no encoding druid-lz4 of indexes. There are druid-roaring, "), message);
  }

  @Test
  void keysAreFound() throws RunnerException, IOException {
    assertEquals(4, run("KeyBenchmark", Map.of("rows", new String[] {String.valueOf(ROWS)})).size());
    final KeyBenchmark benchmark = new KeyBenchmark();
    benchmark.rows = ROWS;
    benchmark.write();
    assertEquals(1 << 14, benchmark.hit());
    assertEquals(1 << 14, benchmark.unique());
    assertEquals(0, benchmark.miss());
    assertTrue(benchmark.build() > 3 * ROWS);
    benchmark.close();
  }

  @ParameterizedTest
  @EnumSource(KeySetBenchmark.Kind.class)
  void someKeysAreFound(KeySetBenchmark.Kind kind) throws IOException {
    final KeySetBenchmark benchmark = new KeySetBenchmark();
    benchmark.rows = ROWS;
    benchmark.wanted = 100;
    benchmark.kind = kind;
    benchmark.write();
    assertEquals(100, rows(benchmark.index()).size());
    assertEquals(rows(benchmark.scan()), rows(benchmark.index()));
    benchmark.close();
  }

  private static List<Integer> rows(RowSet found) {
    final List<Integer> rows = new ArrayList<>();
    for (IntIterator row = found.toBitmap(RoaringBitmapFactory.INSTANCE).iterator(); row.hasNext(); ) {
      rows.add(row.next());
    }
    return rows;
  }
}
