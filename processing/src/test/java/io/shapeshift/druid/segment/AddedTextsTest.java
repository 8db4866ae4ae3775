// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.ColumnFormatException;
import io.shapeshift.druid.form.EncodingException;
import io.shapeshift.druid.form.strings.TextCodings;
import io.shapeshift.druid.form.strings.added.AddedTexts;
import io.shapeshift.druid.form.strings.added.CheckedTexts;
import io.shapeshift.druid.form.strings.added.FailingTexts;
import io.shapeshift.druid.metrics.Totals;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.filter.DimFilter;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.LikeDimFilter;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SegmentLazyLoadFailCallback;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Segments whose dictionaries are in an encoding of another jar are written, merged and read, with it and without. */
class AddedTextsTest {
  private static final int NUM_ROWS = 3000;
  private static final List<String> WITHOUT_JAR = List.of("word", "number");
  private static final List<String> WITH_JAR = List.of("key", "tags", "auto");
  private static final IncrementalIndexSchema SCHEMA = IncrementalIndexSchema
      .builder()
      .withDimensionsSpec(new DimensionsSpec(List.of(
          new StringDimensionSchema("key"),
          new StringDimensionSchema("word"),
          new StringDimensionSchema("tags"),
          new AutoTypeColumnSchema("auto", null, null),
          new AutoTypeColumnSchema("event", null, null),
          new AutoTypeColumnSchema("number", null, null)
      )))
      .withRollup(false)
      .build();

  @TempDir
  private File folder;

  private static void install(FailingTexts... encodings) {
    TextCodings.install(Arrays.stream(encodings).map(AddedTexts::of).toList());
  }

  @AfterEach
  void uninstall() {
    install();
  }

  private static String text(String kind, int i) {
    return i % 100 == 0 ? null : CheckedTexts.withChecksum(kind + Integer.toHexString(i * 0x9E3779B9 >>> 8));
  }

  private static List<Map<String, Object>> rows(int from) {
    return IntStream.range(from, from + NUM_ROWS).mapToObj(i -> {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(i).toString());
      row.put("key", text("k", i));
      row.put("word", "word " + i % 70);
      row.put("tags", List.of(CheckedTexts.withChecksum("t" + i * 7), CheckedTexts.withChecksum("u" + i)));
      row.put("auto", text("a", i));
      row.put("event", Map.of("id", CheckedTexts.withChecksum("e" + i * 31), "n", i));
      row.put("number", (long) i * i);
      return row;
    }).toList();
  }

  private File write(int from, Version version) {
    return TestSegments.persist(
        TestSegments.rowsInMemory(SCHEMA, rows(from)),
        new File(folder, "part" + from),
        TestSegments.ALL_SHAPE_SHIFT,
        version
    );
  }

  private File merged(Version version) throws IOException {
    return TestSegments.mergeFiles(
        List.of(write(0, version), write(NUM_ROWS / 2, version)),
        new AggregatorFactory[0],
        null,
        false,
        new File(folder, "merged"),
        TestSegments.ALL_SHAPE_SHIFT,
        version
    );
  }

  private static long bytesWritten() {
    final long[] bytes = {0};
    Totals.forEach((metric, value) -> {
      if (CheckedTexts.NAME.equals(metric.dimensions().get("form"))) {
        assertEquals("dictionaries", metric.dimensions().get("part"));
        bytes[0] += value;
      }
    });
    return bytes[0];
  }

  private static Map<String, Object> contents(QueryableIndex index, List<String> columns) {
    final Map<String, Object> contents = new HashMap<>();
    columns.forEach(column -> contents.put(column, CursorRows.rowByRow(index, column, null)));
    return contents;
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void segmentsAreWrittenMergedAndRead(Version version) throws IOException {
    final List<String> columns = new ArrayList<>(WITH_JAR);
    columns.addAll(WITHOUT_JAR);
    columns.add("event");
    final String key = text("k", 1707);
    final List<DimFilter> filters = List.of(
        new EqualityFilter("key", ColumnType.STRING, key, null),
        new EqualityFilter("auto", ColumnType.STRING, text("a", 1707), null),
        new EqualityFilter("tags", ColumnType.STRING, CheckedTexts.withChecksum("u1707"), null),
        new LikeDimFilter("key", key.substring(0, 5) + "%" + key.substring(9), null, null)
    );
    final Map<String, Object> expected;
    final List<Object> filtered;
    final File plain = merged(version);
    try (QueryableIndex index = TestSegments.open(plain)) {
      expected = contents(index, columns);
      filtered = filtered(index, filters);
      assertEquals(key, CursorRows.rowByRow(index, "key", filters.get(0)).get(0));
    }
    final long before = bytesWritten();
    folder = new File(folder, "added");
    install(new FailingTexts());
    final File segment = merged(version);
    assertTrue(bytesWritten() > before + 100_000, "metrics name the encoding");
    try (QueryableIndex index = TestSegments.open(segment)) {
      assertEquals(expected, contents(index, columns));
      assertEquals(filtered, filtered(index, filters));
    }
  }

  private static List<Object> filtered(QueryableIndex index, List<DimFilter> filters) {
    final List<Object> found = new ArrayList<>();
    for (DimFilter filter : filters) {
      found.add(CursorRows.rowByRow(index, "key", filter));
      found.add(CursorRows.byVectors(index, "key", filter));
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void withoutTheJarTheOtherColumnsAreRead(Version version) throws IOException {
    install(new FailingTexts());
    final File segment = write(0, version);
    final Map<String, Object> others;
    try (QueryableIndex index = TestSegments.open(segment)) {
      others = contents(index, WITHOUT_JAR);
    }
    install();
    for (boolean isLazy : new boolean[] {false, true}) {
      try (QueryableIndex index =
               TestSegments.INDEX_IO.loadIndex(segment, isLazy, SegmentLazyLoadFailCallback.NOOP)) {
        assertEquals(others, contents(index, WITHOUT_JAR));
        for (String column : WITH_JAR) {
          final ColumnFormatException e =
              assertThrows(ColumnFormatException.class, () -> CursorRows.rowByRow(index, column, null));
          assertTrue(e.getMessage().startsWith("Column["), e.getMessage());
          assertTrue(e.getMessage().contains(column), e.getMessage());
          assertTrue(e.getMessage().contains("encoding[test.checked]"), e.getMessage());
          final DimFilter filter = new EqualityFilter(column, ColumnType.STRING, "some", null);
          assertThrows(ColumnFormatException.class, () -> CursorRows.rowByRow(index, "word", filter));
        }
        assertThrows(ColumnFormatException.class, () -> CursorRows.rowByRow(index, "event", null));
        final ColumnFormatException e = assertThrows(ColumnFormatException.class, () -> TestSegments.merge(
            List.of(index),
            new AggregatorFactory[0],
            null,
            false,
            new File(folder, "merged" + isLazy),
            TestSegments.ALL_SHAPE_SHIFT,
            version
        ));
        assertTrue(e.getMessage().contains("encoding[test.checked]"), e.getMessage());
      }
    }
    install(new FailingTexts());
    try (QueryableIndex index = TestSegments.open(segment)) {
      assertTrue(CursorRows.rowByRow(index, "key", null).contains(text("k", 1)));
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void aFaultOfTheEncodingIsOneError(Version version) throws IOException {
    final FailingTexts encoding = new FailingTexts();
    install(encoding);
    final File segment = write(0, version);
    encoding.fail(FailingTexts.Method.READ, new ArrayIndexOutOfBoundsException("boom"));
    try (QueryableIndex index = TestSegments.open(segment)) {
      final ColumnFormatException e =
          assertThrows(ColumnFormatException.class, () -> CursorRows.rowByRow(index, "key", null));
      assertTrue(e.getMessage().matches("Column\\[.*key]: bucket \\d+ at offset \\d+ of its dictionary: test.checked"
          + " failed, of damaged bytes or by a fault in its jar: java.lang.ArrayIndexOutOfBoundsException: boom\\..*"),
          e.getMessage());
      CursorRows.rowByRow(index, "word", null);
    }
    encoding.fail(FailingTexts.Method.ENCODE, new ArrayIndexOutOfBoundsException("boom"));
    final EncodingException e = assertThrows(EncodingException.class, () -> write(1, version));
    assertTrue(e.getMessage().matches("Column\\[.*key]: Encoding\\[test.checked] failed to encode 16 values: .*"),
        e.getMessage());
  }
}
