// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.nested;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.nested.NestedFieldFormat.Section;
import io.shapeshift.druid.testing.DruidArtifacts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.commons.io.FileUtils;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.filter.EqualityFilter;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.DimensionSelector;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.NestedDataColumnSchema;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedDataComplexTypeSerde;
import org.apache.druid.segment.nested.NestedPathArrayElement;
import org.apache.druid.segment.nested.NestedPathField;
import org.apache.druid.segment.nested.NestedPathPart;
import org.apache.druid.segment.nested.StructuredData;
import org.apache.druid.segment.vector.NoFilterVectorOffset;
import org.apache.druid.segment.vector.VectorObjectSelector;
import org.apache.druid.segment.vector.VectorValueSelector;
import org.apache.druid.utils.CompressionUtils;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.IntIterator;

/** Nested columns have the content of Druid's, whatever they were merged from. */
class NestedColumnTest {
  private static final int NUM_ROWS = 1000;

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  @TempDir
  private File folder;

  private static List<Arguments> written() {
    return Stream.of(OptimizationTarget.values())
                 .flatMap(target -> Stream.of(Version.values()).map(version -> Arguments.of(target, version)))
                 .toList();
  }

  @ParameterizedTest
  @MethodSource("written")
  void persisted(OptimizationTarget target, Version version) throws IOException {
    final IndexSpec ours = TestSegments.shapeShiftAll(target, BlockSize.SMALL);
    try (IncrementalIndex rows = TestSegments.rowsInMemory(NestedRows.schema(), NestedRows.rows(1, NUM_ROWS))) {
      final File written = TestSegments.persist(rows, new File(folder, "ours"), ours, version);
      assertSame(TestSegments.persist(rows, new File(folder, "stock"), TestSegments.STOCK, version), written);
      assertLayouts(written, target);
    }
  }

  /** Inputs of a merge are columns of Druid's, ours, and rows in memory, in any mixture. */
  @ParameterizedTest
  @MethodSource("written")
  void merged(OptimizationTarget target, Version version) throws IOException {
    final IndexSpec ours = TestSegments.shapeShiftAll(target, BlockSize.SMALL);
    final List<File> parts = new ArrayList<>();
    final List<File> stockParts = new ArrayList<>();
    for (int hour = 1; hour <= 3; hour++) {
      try (IncrementalIndex rows =
               TestSegments.rowsInMemory(NestedRows.schema(), NestedRows.rows(hour, NUM_ROWS / 4))) {
        stockParts.add(TestSegments.persist(rows, new File(folder, "stock" + hour), TestSegments.STOCK, version));
        parts.add(
            hour == 2
            ? stockParts.get(1)
            : TestSegments.persist(rows, new File(folder, "ours" + hour), ours, version));
      }
    }
    final File expected = merge(stockParts, TestSegments.STOCK, version, "expected");
    final File actual = merge(parts, ours, version, "actual");
    assertSame(expected, actual);
    assertLayouts(actual, target);
    // And back: Druid's column is made of ours.
    final File back = merge(List.of(actual), TestSegments.STOCK, version, "back");
    assertSame(back, merge(List.of(expected), ours, version, "again"));
  }

  /** The fields of a projection have the types of its parent's, also if its rows have none of the values. */
  @ParameterizedTest
  @MethodSource("written")
  void filteredProjection(OptimizationTarget target, Version version) throws IOException {
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(
            List.of(new NestedDataColumnSchema("event", 5), new StringDimensionSchema("kind"))))
        .withRollup(false)
        .withProjections(List.of(projection("some", "a"), projection("none", "c")))
        .build();
    final List<Map<String, Object>> rows = List.of(
        Map.of("time", "2026-01-01", "kind", "a", "event", Map.of("a", "x")),
        Map.of("time", "2026-01-02", "kind", "b", "event", Map.of("n", 5, "d", 1.5, "l", List.of(1, 2)))
    );
    try (IncrementalIndex index = TestSegments.rowsInMemory(schema, rows)) {
      final IndexSpec ours = TestSegments.shapeShiftAll(target, BlockSize.LARGE);
      final File segment = TestSegments.persist(index, new File(folder, "ours"), ours, version);
      try (QueryableIndex opened = TestSegments.open(segment)) {
        assertEquals(0, opened.getProjectionQueryableIndex("none").getNumRows());
        final QueryableIndex some = opened.getProjectionQueryableIndex("some");
        assertEquals(1, some.getNumRows());
        try (BaseColumn column = some.getColumnHolder("event").getColumn()) {
          final NestedDataComplexColumn event = (NestedDataComplexColumn) column;
          assertEquals(StructuredData.wrap(Map.of("a", "x")), event.getRowValue(0));
          for (String field : List.of("n", "d")) {
            final List<NestedPathPart> path = List.of(new NestedPathField(field));
            final VectorValueSelector numbers =
                event.makeVectorValueSelector(path, null, new NoFilterVectorOffset(8, 0, 1));
            assertEquals(0, numbers.getLongVector()[0], field);
            assertTrue(numbers.getNullVector()[0], field);
            assertNull(event.makeColumnValueSelector(path, null, new SimpleAscendingOffset(1)).getObject(), field);
          }
        }
      }
    }
  }

  private static AggregateProjectionSpec projection(String name, String kind) {
    return AggregateProjectionSpec
        .builder(name)
        .filter(new EqualityFilter("kind", ColumnType.STRING, kind, null))
        .groupingColumns(new NestedDataColumnSchema("event", 5))
        .aggregators(new CountAggregatorFactory("count"))
        .build();
  }

  /** Segments that older releases of Druid wrote, with nested columns of versions 3, 4 and 5. */
  @ParameterizedTest
  @CsvSource({"3, V9", "4, V10", "5, V9"})
  void mergedOld(int format, Version version) throws IOException {
    final Path old = switch (format) {
      case 3 -> DruidArtifacts.nestedV3(folder.toPath().resolve("old"));
      case 4 -> DruidArtifacts.nestedV4(folder.toPath().resolve("old"));
      default -> DruidArtifacts.emptyFieldName(folder.toPath().resolve("old"));
    };
    final File segment = folder.toPath().resolve("segment").toFile();
    if (format == 5) {
      FileUtils.copyDirectory(old.toFile(), segment);
    } else {
      CompressionUtils.unzip(old.toFile(), Files.createDirectory(segment.toPath()).toFile());
    }
    final IndexSpec ours = TestSegments.shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
    // A column that Druid merges of version 3 has paths that it cannot read.
    assertSame(segment, merge(List.of(segment), ours, version, "merged"));
  }

  private File merge(List<File> parts, IndexSpec spec, Version version, String name) throws IOException {
    return TestSegments.mergeFiles(
        parts, new AggregatorFactory[0], null, false, new File(folder, name), spec, version);
  }

  private static void assertLayouts(File segment, OptimizationTarget target) throws IOException {
    try (QueryableIndex index = TestSegments.open(segment);
         BaseColumn column = index.getColumnHolder("kinds").getColumn()) {
      final NestedColumnData data = ((ShapeShiftNestedColumn) column).data();
      assertNotEquals(0, data.structures().numKept());
      final Set<String> byStructure = new TreeSet<>();
      final Set<String> withExceptions = new TreeSet<>();
      for (int field = 0; field < data.numFields(); field++) {
        final NestedField read = data.field(field);
        if (read.sections().containsKey(Section.STRUCTURE_IDS)) {
          final String name = data.names().getString(field);
          byStructure.add(name + (read.firstNumber() == 0 ? " or null" : ""));
          if (read.sections().containsKey(Section.LISTS)) {
            withExceptions.add(name);
          }
        }
      }
      final boolean isFastest = target == OptimizationTarget.FASTER;
      final Set<String> expected =
          Set.of("$.type", "$.array", "$.code or null", "$.ratio or null", "$.codeOrText or null");
      assertEquals(isFastest ? Set.of() : expected, byStructure);
      assertEquals(
          isFastest ? Set.of() : Set.of("$.type", "$.array", "$.code", "$.ratio", "$.codeOrText"), withExceptions);
    }
  }

  private static void assertSame(File expected, File actual) throws IOException {
    try (QueryableIndex stock = TestSegments.open(expected); QueryableIndex ours = TestSegments.open(actual)) {
      int nested = 0;
      for (String column : stock.getColumnNames()) {
        if (!ColumnType.NESTED_DATA.equals(stock.getColumnHolder(column).getCapabilities().toColumnType())) {
          continue;
        }
        nested++;
        try (BaseColumn stockColumn = stock.getColumnHolder(column).getColumn();
             BaseColumn ourColumn = ours.getColumnHolder(column).getColumn()) {
          assertInstanceOf(ShapeShiftNestedColumn.class, ourColumn, column);
          assertEquals(
              stock.getColumnHolder(column).getCapabilities().toColumnType(),
              ours.getColumnHolder(column).getCapabilities().toColumnType()
          );
          assertSame(
              column, stock.getNumRows(), (NestedDataComplexColumn) stockColumn, (NestedDataComplexColumn) ourColumn);
        }
      }
      assertTrue(nested > 0, "there is no nested column");
    }
  }

  static void assertSame(
      String name, int numRows, NestedDataComplexColumn stock, NestedDataComplexColumn ours) throws IOException {
    for (int row = 0; row < numRows; row++) {
      @Nullable final StructuredData expected = StructuredData.wrap(stock.getRowValue(row));
      @Nullable final StructuredData actual = StructuredData.wrap(ours.getRowValue(row));
      assertEquals(expected, actual, name + " " + row);
      assertArrayEquals(
          NestedDataComplexTypeSerde.INSTANCE.toBytes(expected), NestedDataComplexTypeSerde.INSTANCE.toBytes(actual));
    }
    assertEquals(List.copyOf(stock.getNestedFields()), List.copyOf(ours.getNestedFields()));
    final List<List<NestedPathPart>> paths = new ArrayList<>(stock.getNestedFields());
    for (List<NestedPathPart> path : List.copyOf(paths)) {
      paths.add(Stream.concat(path.stream(), Stream.of(new NestedPathArrayElement(1))).toList());
    }
    paths.add(List.of(new NestedPathArrayElement(77)));
    for (List<NestedPathPart> path : paths) {
      assertSamePath(name + " " + path, numRows, path, stock, ours);
    }
  }

  private static void assertSamePath(
      String message,
      int numRows,
      List<NestedPathPart> path,
      NestedDataComplexColumn stock,
      NestedDataComplexColumn ours
  ) {
    assertEquals(stock.getFieldTypes(path), ours.getFieldTypes(path), message);
    assertEquals(stock.getFieldLogicalType(path), ours.getFieldLogicalType(path), message);
    assertEquals(stock.isNumeric(path), ours.isNumeric(path), message);
    final SimpleAscendingOffset offset = new SimpleAscendingOffset(numRows);
    final ColumnValueSelector<?> expected = stock.makeColumnValueSelector(path, null, offset);
    final ColumnValueSelector<?> actual = ours.makeColumnValueSelector(path, null, offset);
    final DimensionSelector expectedTexts = stock.makeDimensionSelector(path, null, null, offset);
    final DimensionSelector actualTexts = ours.makeDimensionSelector(path, null, null, offset);
    for (; offset.withinBounds(); offset.increment()) {
      final String row = message + " row " + offset.getOffset();
      assertSameObject(expected.getObject(), actual.getObject(), row);
      assertEquals(expected.isNull(), actual.isNull(), row);
      if (!expected.isNull()) {
        assertEquals(expected.getLong(), actual.getLong(), row);
        assertEquals(expected.getDouble(), actual.getDouble(), row);
      }
      assertSameObject(expectedTexts.getObject(), actualTexts.getObject(), row);
    }
    assertSameVectors(message, numRows, path, stock, ours);
    assertSameIndexes(
        message,
        stock.getColumnIndexSupplier(path),
        ours.getColumnIndexSupplier(path),
        stock.getFieldTypes(path) != null && stock.getFieldTypes(path).stream().anyMatch(ColumnType::isArray)
    );
  }

  private static void assertSameObject(@Nullable Object expected, @Nullable Object actual, String message) {
    if (expected instanceof Object[] array) {
      assertArrayEquals(array, (Object[]) actual, message);
    } else {
      assertEquals(expected, actual, message);
    }
  }

  private static void assertSameVectors(
      String message,
      int numRows,
      List<NestedPathPart> path,
      NestedDataComplexColumn stock,
      NestedDataComplexColumn ours
  ) {
    final NoFilterVectorOffset offset = new NoFilterVectorOffset(64, 0, numRows);
    final VectorObjectSelector expected = stock.makeVectorObjectSelector(path, null, offset);
    final VectorObjectSelector actual = ours.makeVectorObjectSelector(path, null, offset);
    final boolean areNumbers = stock.isNumeric(path);
    @Nullable
    final VectorValueSelector expectedNumbers =
        areNumbers ? stock.makeVectorValueSelector(path, null, offset) : null;
    @Nullable
    final VectorValueSelector actualNumbers = areNumbers ? ours.makeVectorValueSelector(path, null, offset) : null;
    for (; !offset.isDone(); offset.advance()) {
      for (int i = 0; i < offset.getCurrentVectorSize(); i++) {
        assertSameObject(expected.getObjectVector()[i], actual.getObjectVector()[i], message);
        if (areNumbers) {
          @Nullable final boolean[] nulls = expectedNumbers.getNullVector();
          final boolean isNull = nulls != null && nulls[i];
          assertEquals(isNull, actualNumbers.getNullVector() != null && actualNumbers.getNullVector()[i], message);
          if (!isNull) {
            assertEquals(expectedNumbers.getLongVector()[i], actualNumbers.getLongVector()[i], message);
            assertEquals(expectedNumbers.getDoubleVector()[i], actualNumbers.getDoubleVector()[i], message);
          }
        }
      }
    }
  }

  private static void assertSameIndexes(
      String message,
      @Nullable ColumnIndexSupplier stock,
      @Nullable ColumnIndexSupplier ours,
      boolean hasArrays
  ) {
    assertEquals(stock == null, ours == null, message);
    if (stock == null) {
      return;
    }
    @Nullable final NullValueIndex expectedNulls = stock.as(NullValueIndex.class);
    @Nullable final NullValueIndex actualNulls = ours.as(NullValueIndex.class);
    assertEquals(expectedNulls == null, actualNulls == null, message);
    if (expectedNulls != null) {
      assertEquals(rows(expectedNulls), rows(actualNulls), message);
    }
    @Nullable
    final DictionaryEncodedStringValueIndex expected = stock.as(DictionaryEncodedStringValueIndex.class);
    @Nullable final DictionaryEncodedStringValueIndex actual = ours.as(DictionaryEncodedStringValueIndex.class);
    assertEquals(expected == null, actual == null, message);
    if (expected != null) {
      assertEquals(bitmaps(expected, hasArrays), bitmaps(actual, hasArrays), message);
    }
  }

  private static List<Integer> rows(NullValueIndex index) {
    return rows(index.get().computeBitmapResult(
        new DefaultBitmapResultFactory(new RoaringBitmapFactory()), false));
  }

  private static List<Integer> rows(ImmutableBitmap bitmap) {
    final List<Integer> rows = new ArrayList<>();
    for (IntIterator each = bitmap.iterator(); each.hasNext(); ) {
      rows.add(each.next());
    }
    return rows;
  }

  /**
   * Rows of each value that some row has. A dictionary of ours has the elements of arrays besides, and Druid does not
   * tell the text of an array.
   */
  private static List<String> bitmaps(DictionaryEncodedStringValueIndex index, boolean hasArrays) {
    final List<String> bitmaps = new ArrayList<>();
    for (int id = 0; id < index.getCardinality(); id++) {
      final List<Integer> rows = rows(index.getBitmap(id));
      if (!rows.isEmpty()) {
        bitmaps.add((hasArrays ? "" : index.getValue(id)) + ": " + rows);
      }
    }
    return bitmaps;
  }
}
