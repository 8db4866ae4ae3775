// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.segment.CursorRows;
import io.shapeshift.druid.segment.StoredSegment;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.checksums.SegmentChecksums;
import io.shapeshift.druid.segment.golden.GoldenSegment.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.query.expression.TestExprMacroTable;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.query.filter.Filter;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.Cursor;
import org.apache.druid.segment.CursorBuildSpec;
import org.apache.druid.segment.CursorHolder;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.TestHelper;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Segments that were written once, and are read for ever: whole ones, as golden files have each form for itself.
 *
 * <p>A segment that is missing is written with {@code -Dshapeshift.golden.write=true}, and the test fails then, so that
 * nobody takes it for golden unseen. To write one again, delete it first; once released, do not: where a later writer
 * makes other bytes, keep the old segments beside the new ones, and read both.
 *
 * <p>Nothing of ours in a segment depends on when and where it is written. Zstandard's and LZ4's bytes, however, are
 * those of the libraries that Druid brings: with another version of them a segment may be another one, and no worse.
 */
class GoldenSegmentsTest {
  private static final Path FOLDER = Path.of("src", "test", "resources");
  private static final String WRITE_PROPERTY = "shapeshift.golden.write";
  private static final String V10 = IndexIO.V10_FILE_NAME;

  @TempDir
  private Path folder;

  static List<GoldenSegment> kinds() {
    return GoldenSegment.all();
  }

  private Path write(GoldenSegment kind) {
    return TestSegments.persist(
        kind.table().inMemory(),
        folder.resolve("written").toFile(),
        kind.indexSpec(),
        kind.version()
    ).toPath();
  }

  private Path golden(GoldenSegment kind) throws IOException {
    final Path directory = Files.createDirectories(folder.resolve("golden"));
    // The file itself: its copy in target stays when it is deleted.
    final Path file = FOLDER.resolve(kind.resource().substring(1));
    if (!Files.exists(file) && Boolean.getBoolean(WRITE_PROPERTY)) {
      CompressionUtils.zip(write(kind).toFile(), file.toFile());
      fail("Wrote " + file + ": look at it, and run again without " + WRITE_PROPERTY);
    }
    assertTrue(Files.exists(file), () -> file + " is missing: run this test with -D" + WRITE_PROPERTY + "=true");
    CompressionUtils.unzip(file.toFile(), directory.toFile());
    return directory;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isWhatWasWritten(GoldenSegment kind) throws IOException {
    final Path golden = golden(kind);
    assertEquals(List.of(), SegmentChecksums.read(golden).check(golden));
    try (QueryableIndex index = TestSegments.open(golden.toFile())) {
      final List<Map<String, Object>> rows = kind.table().rows();
      assertEquals(rows.size(), index.getNumRows());
      final IncrementalIndex inMemory = kind.table().inMemory();
      final List<String> columns = new ArrayList<>(inMemory.getDimensionNames(false));
      columns.addAll(inMemory.getMetricNames());
      assertEquals(new TreeSet<>(columns), new TreeSet<>(index.getColumnNames()));
      for (String column : columns) {
        assertEquals(kind.table().shown(column), read(index, column, null), column);
      }
      assertEquals(
          Stream.iterate(0, i -> i + 1).limit(rows.size()).map(GoldenRows::time).toList(),
          read(index, ColumnHolder.TIME_COLUMN_NAME, null)
      );
      checkFilters(index, kind.table(), rows);
      if (kind.table() == Table.WIDE) {
        checkProjection(index);
      }
    }
  }

  /** Each column with an index, by values that it has and one that it has not: the time tells the rows. */
  private static void checkFilters(QueryableIndex index, Table table, List<Map<String, Object>> rows) {
    final Map<String, ColumnType> columns = new TreeMap<>();
    if (table == Table.TALL) {
      for (String strings : List.of("text", "autoText", "zipf", "sessions", "states", "rare", "orders", "autoFlags")) {
        columns.put(strings, ColumnType.STRING);
      }
      columns.put("autoRoots", ColumnType.DOUBLE);
    } else {
      for (String strings : List.of(
          "constant", "blocks", "few", "mostly", "pairs", "urls", "codes", "texts", "names", "own", "unindexed", "tags",
          "tagsUnindexed", "tagsBursts", "mails", "autoWords")) {
        columns.put(strings, ColumnType.STRING);
      }
      for (String longs : List.of("longLinear", "longOutliers", "longKey", "autoLongs")) {
        columns.put(longs, ColumnType.LONG);
      }
      columns.put("doubleKey", ColumnType.DOUBLE);
      columns.put("autoDoubles", ColumnType.DOUBLE);
      columns.put("autoRoots", ColumnType.DOUBLE);
      columns.put("floatKey", ColumnType.FLOAT);
    }
    columns.forEach((column, type) -> {
      final List<Object> wanted = new ArrayList<>(List.of(type.equals(ColumnType.STRING) ? "none such" : -12345));
      for (int row = 3; row < rows.size(); row += rows.size() / 3 + 66) {
        final Object value = rows.get(row).get(column);
        if (value instanceof List<?> values) {
          values.stream().filter(each -> each != null).forEach(wanted::add);
        } else if (value != null) {
          wanted.add(value);
        }
      }
      for (Object value : wanted) {
        final List<Object> expected = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
          final Object found = rows.get(row).get(column);
          if (found instanceof List<?> values ? values.contains(value) : isSame(value, found)) {
            expected.add(GoldenRows.time(row));
          }
        }
        final Filter filter = new EqualityFilter(column, type, value, null);
        assertEquals(expected, read(index, ColumnHolder.TIME_COLUMN_NAME, filter), () -> column + " = " + value);
      }
    });
  }

  private static boolean isSame(Object wanted, @Nullable Object found) {
    return (found instanceof Number number && wanted instanceof Number other)
           ? number.doubleValue() == other.doubleValue() && number.longValue() == other.longValue()
           : wanted.equals(found);
  }

  private static void checkProjection(QueryableIndex index) throws IOException {
    final QueryableIndex projection = index.getProjectionQueryableIndex(GoldenRows.PROJECTION);
    final List<List<Object>> expected = GoldenRows.projected();
    assertEquals(expected.size(), projection.getNumRows());
    final List<String> columns = List.of("few", "autoWords", "projectedCount", "projectedSum");
    for (int i = 0; i < columns.size(); i++) {
      final int column = i;
      assertEquals(expected.stream().map(row -> row.get(column)).toList(), read(projection, columns.get(i), null));
    }
  }

  private static List<Object> read(QueryableIndex index, String column, @Nullable Filter filter) {
    final List<Object> values = new ArrayList<>();
    final CursorBuildSpec spec = CursorBuildSpec.builder().setFilter(filter).build();
    try (CursorHolder holder = CursorRows.open(index, spec)) {
      @Nullable final Cursor cursor = holder.asCursor();
      if (cursor == null) {
        return values;
      }
      final ColumnValueSelector<?> selector = cursor.getColumnSelectorFactory().makeColumnValueSelector(column);
      for (; !cursor.isDone(); cursor.advance()) {
        final Object value = StructuredData.unwrap(selector.getObject());
        values.add(GoldenObjects.SKETCHES.containsKey(column) ? GoldenObjects.shown(column, value) : lists(value));
      }
    }
    return values;
  }

  /** The value, with lists in place of arrays. */
  @Nullable
  private static Object lists(@Nullable Object value) {
    if (value instanceof Object[] array) {
      return Arrays.asList(array);
    }
    if (value instanceof Map<?, ?> map) {
      final Map<Object, Object> object = new HashMap<>();
      map.forEach((key, each) -> object.put(key, lists(each)));
      return object;
    }
    return value;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isWrittenSoToday(GoldenSegment kind) throws IOException {
    final Path golden = golden(kind);
    final Path written = write(kind);
    assertEquals(names(golden), names(written));
    assertEquals(
        Set.of(),
        others(golden, written),
        () -> kind + ": files that get other bytes today. If the segment is released, keep it, and read both");
    if (kind.version() == Version.V10) {
      assertSameV10(kind, golden, written);
      return;
    }
    for (String name : names(golden)) {
      assertEquals(
          -1,
          Files.mismatch(golden.resolve(name), written.resolve(name)),
          () -> kind + ": " + name + " is another one from this offset on"
      );
    }
  }

  /** Names of the files of columns that are not the same in two segments. */
  private static Set<String> others(Path golden, Path written) throws IOException {
    final Set<String> others = new TreeSet<>();
    try (StoredSegment old = StoredSegment.open(golden.toFile());
         StoredSegment today = StoredSegment.open(written.toFile())) {
      others.addAll(old.files().getInternalFilenames());
      others.addAll(today.files().getInternalFilenames());
      for (String name : List.copyOf(others)) {
        if (Objects.equals(old.files().mapFile(name), today.files().mapFile(name))) {
          others.remove(name);
        }
      }
    }
    return others;
  }

  /**
   * Druid's metadata of a segment of version 10 has two properties, of the schema of its base table, in the order in
   * which the JVM happens to list methods: it is compared as JSON, and checksums with the file that they are of.
   */
  private static void assertSameV10(GoldenSegment kind, Path golden, Path written) throws IOException {
    assertEquals(List.of(), SegmentChecksums.read(written).check(written));
    final ByteBuffer expected = ByteBuffer.wrap(Files.readAllBytes(golden.resolve(V10)));
    final ByteBuffer actual = ByteBuffer.wrap(Files.readAllBytes(written.resolve(V10)));
    assertEquals(metadata(expected), metadata(actual), kind::toString);
    assertEquals(-1, expected.mismatch(actual), () -> kind + ": columns are others from this offset on");
  }

  /** Takes version, compression (none) and metadata from the buffer. */
  private static JsonNode metadata(ByteBuffer segment) throws IOException {
    segment.position(2);
    final byte[] json = new byte[segment.order(ByteOrder.LITTLE_ENDIAN).getInt()];
    segment.get(json);
    return TestSegments.JSON.readTree(json);
  }

  /** Who looks into the log of such a service finds the name of the extension. */
  @ParameterizedTest
  @MethodSource("kinds")
  void isRefusedByADruidWithoutTheExtension(GoldenSegment kind) throws IOException {
    final ObjectMapper json = TestHelper.makeJsonMapper();
    final IndexIO stock = new IndexIO(json, ColumnConfig.DEFAULT);
    json.setInjectableValues(
        new InjectableValues.Std()
            .addValue(ExprMacroTable.class.getName(), TestExprMacroTable.INSTANCE)
            .addValue(ObjectMapper.class.getName(), json)
            .addValue(IndexIO.class, stock)
    );
    final Path golden = golden(kind);
    final Exception e = assertThrows(IOException.class, () -> stock.loadIndex(golden.toFile()));
    assertTrue(e.getMessage().contains("Could not resolve type id 'shapeshift."), e.getMessage());
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
