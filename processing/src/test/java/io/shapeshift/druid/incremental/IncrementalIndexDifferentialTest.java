// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.differential.RandomIngestion;
import io.shapeshift.druid.testing.RandomData;
import io.shapeshift.druid.testing.Tier;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.hll.HyperLogLogCollector;
import org.apache.druid.jackson.AggregatorsModule;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.query.OrderBy;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.query.filter.SelectorDimFilter;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexMergerV10;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexAddResult;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.segment.writeout.OnHeapMemorySegmentWriteOutMediumFactory;
import org.joda.time.Interval;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Comparison of an index in direct memory with Druid's on the heap, by random ingestion: the results of adding rows, of
 * queries in between, and of persisting, where segments are equal byte by byte. {@code -Dshapeshift.cases} sets the
 * number of random schemas.
 */
class IncrementalIndexDifferentialTest {
  private static final int CASES = Integer.getInteger("shapeshift.cases", Tier.pick(200, 40_000));
  private static final Interval FIRST_HALF_HOUR = Intervals.utc(1_700_000_000_000L, 1_700_001_800_000L);
  private static final List<OrderBy> DESCENDING = List.of(OrderBy.descending("__time"));

  /** Sketches of Druid's have the same text for different contents, and numbers of two types may have one text. */
  private static final Comparator<List<Object>> BY_CONTENT = Comparator
      .<List<Object>, String>comparing(Object::toString)
      .thenComparing(row -> row.stream()
          .filter(HyperLogLogCollector.class::isInstance)
          .map(sketch -> Arrays.toString(((HyperLogLogCollector) sketch).toByteArray()))
          .toList().toString())
      .thenComparing(IncrementalIndexDifferentialTest::types);

  @TempDir
  private File folder;

  @BeforeAll
  static void registerTypes() {
    BuiltInTypesModule.registerHandlersAndSerde();
    AggregatorsModule.registerComplexMetricsAndSerde();
  }

  @Test
  void sameAsOnHeap() throws IOException {
    final RandomData seeds = RandomData.shared(18);
    for (int i = 0; i < CASES; i++) {
      final long seed = seeds.nextLong();
      try {
        run(new RandomData(seed));
      } catch (Throwable e) {
        throw new AssertionError("Case " + i + " of seed " + seed, e);
      }
    }
  }

  private void run(RandomData random) throws IOException {
    final RandomIngestion ingestion = new RandomIngestion(random, List.of(1, 7, 50, 300));
    final IncrementalIndexSchema schema = ingestion.schema().incremental();
    final boolean preservesMetrics = ingestion.schema().preservesMetrics();
    try (IncrementalIndex expected = new OnheapIncrementalIndex.Spec(preservesMetrics)
             .builder().setIndexSchema(schema).setMaxRowCount(Integer.MAX_VALUE).build();
         IncrementalIndex actual = new ShapeShiftAppendableIndexSpec(preservesMetrics)
             .builder().setIndexSchema(schema).setMaxRowCount(Integer.MAX_VALUE).build()) {
      final Naming naming = new Naming(random);
      for (int i = 0; i < ingestion.size(); i++) {
        final InputRow row = naming.of(ingestion.schema().inputRow(ingestion.row(i)), ingestion.dimensionNames());
        assertEquals(add(expected, row), add(actual, row));
        assertEquals(expected.numRows(), actual.numRows());
        if (random.nextInt(60) == 0) {
          assertSameAnswers(expected, actual, ingestion, random);
        }
      }
      assertSameAnswers(expected, actual, ingestion, random);
      assertEquals(IndexContent.persisted(expected), IndexContent.persisted(actual));
      assertEquals(expected.getMetadata(), actual.getMetadata());
      assertEquals(IndexContent.events(expected), IndexContent.events(actual));
      if (random.nextInt(4) == 0 && expected.numRows() > 0) {
        assertSameSegments(expected, actual, random);
      }
    }
  }

  /** Inputs that lack dimensions, name them in another order or twice in a row, or name what is no dimension. */
  private static final class Naming {
    private final RandomData random;
    /** Dimension that inputs have a value of, but do not name; null if there is none. */
    @Nullable
    private String unnamed;
    private boolean isReversed;

    private Naming(RandomData random) {
      this.random = random;
    }

    private InputRow of(InputRow row, List<String> dimensions) {
      if (random.nextInt(8) == 0) {
        unnamed = dimensions.isEmpty() || random.nextInt(2) == 0 ? null : random.oneOf(dimensions);
        isReversed = random.nextInt(4) == 0;
      }
      final List<String> named = new ArrayList<>(row.getDimensions());
      named.remove(unnamed);
      if (isReversed) {
        Collections.reverse(named);
      }
      if (random.nextInt(60) == 0) {
        named.add(random.oneOf(List.of("__time", "", "d0")));
      }
      return new MapBasedInputRow(row.getTimestamp(), named, ((MapBasedInputRow) row).getEvent());
    }
  }

  /** Result of adding a row: the number of rows, or the message of a failure. */
  private static String add(IncrementalIndex index, InputRow row) {
    try {
      final IncrementalIndexAddResult result = index.add(row);
      return result.getRowCount() + " rows, " + result.getParseException();
    } catch (RuntimeException e) {
      // Druid may fail like this at an empty array beside a repeated name: it is chance which comes first.
      final boolean isEither =
          e instanceof ArrayIndexOutOfBoundsException || e.toString().contains("occurred more than once");
      return isEither ? "fails" : e.toString();
    }
  }

  private static void assertSameAnswers(
      IncrementalIndex expected,
      IncrementalIndex actual,
      RandomIngestion ingestion,
      RandomData random
  ) {
    assertEquals(expected.isEmpty(), actual.isEmpty());
    assertEquals(expected.getInterval(), actual.getInterval());
    assertEquals(expected.getMinTime(), actual.getMinTime());
    assertEquals(expected.getMaxTime(), actual.getMaxTime());
    final Interval interval = random.nextInt(2) == 0 ? Intervals.ETERNITY : FIRST_HALF_HOUR;
    final List<OrderBy> order = random.nextInt(2) == 0 ? DESCENDING : List.of();
    @Nullable final Filter filter = ingestion.dimensionNames().isEmpty() || random.nextInt(2) == 0
        ? null
        : new SelectorDimFilter(random.oneOf(ingestion.dimensionNames()), random.nextInt(3) == 0 ? null : "v0", null)
            .toFilter();
    List<List<Object>> expectedRows = IndexContent.queried(expected, interval, filter, order);
    List<List<Object>> actualRows = IndexContent.queried(actual, interval, filter, order);
    if (expected.getTimePosition() == 0 && expected.isRollup()) {
      // Queries are only promised an order by time; Druid's map is ordered further.
      assertEquals(times(expectedRows), times(actualRows));
      expectedRows = expectedRows.stream().sorted(BY_CONTENT).toList();
      actualRows = actualRows.stream().sorted(BY_CONTENT).toList();
    }
    assertEquals(expectedRows, actualRows);
  }

  /** Types of values, and of elements of lists. */
  private static String types(@Nullable Object value) {
    if (value instanceof List<?> values) {
      return values.stream().map(IncrementalIndexDifferentialTest::types).toList().toString();
    }
    return value == null ? "" : value.getClass().getName();
  }

  private static List<Object> times(List<List<Object>> rows) {
    return rows.stream().map(row -> row.get(0)).toList();
  }

  private void assertSameSegments(IncrementalIndex expected, IncrementalIndex actual, RandomData random)
      throws IOException {
    final IndexMerger merger = switch (random.nextInt(4)) {
      case 0 -> new IndexMergerV9(
          TestSegments.JSON, TestSegments.INDEX_IO, OnHeapMemorySegmentWriteOutMediumFactory.instance());
      case 1 -> new IndexMergerV10(
          TestSegments.JSON, TestSegments.INDEX_IO, OnHeapMemorySegmentWriteOutMediumFactory.instance());
      case 2 -> TestSegments.merger(TestSegments.Version.V9);
      default -> TestSegments.merger(TestSegments.Version.V10);
    };
    final IndexSpec spec = random.nextInt(2) == 0 ? TestSegments.STOCK : TestSegments.ALL_SHAPE_SHIFT;
    final File expectedSegment = new File(folder, "expected");
    final File actualSegment = new File(folder, "actual");
    merger.persist(expected, Intervals.ETERNITY, expectedSegment, spec, null);
    merger.persist(actual, Intervals.ETERNITY, actualSegment, spec, null);
    assertSameFiles(expectedSegment, actualSegment);
    FileUtils.deleteDirectory(expectedSegment);
    FileUtils.deleteDirectory(actualSegment);
  }

  private static void assertSameFiles(File expected, File actual) throws IOException {
    final SortedMap<String, byte[]> expectedFiles = files(expected.toPath());
    final SortedMap<String, byte[]> actualFiles = files(actual.toPath());
    assertEquals(expectedFiles.keySet(), actualFiles.keySet());
    for (String file : expectedFiles.keySet()) {
      assertArrayEquals(expectedFiles.get(file), actualFiles.get(file), file);
    }
  }

  private static SortedMap<String, byte[]> files(Path folder) throws IOException {
    final SortedMap<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        files.put(folder.relativize(path).toString(), Files.readAllBytes(path));
      }
    }
    return files;
  }
}
