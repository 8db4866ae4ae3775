// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.collect.Lists;
import io.shapeshift.druid.segment.index.QueriedRows;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.collections.bitmap.RoaringBitmapFactory;
import org.apache.druid.collections.spatial.search.RectangularBound;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ColumnCapabilities;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.column.DictionaryEncodedColumn;
import org.apache.druid.segment.column.NumericColumn;
import org.apache.druid.segment.column.StringUtf8DictionaryEncodedColumn;
import org.apache.druid.segment.data.IndexedInts;
import org.apache.druid.segment.index.semantic.DictionaryEncodedStringValueIndex;
import org.apache.druid.segment.index.semantic.NullValueIndex;
import org.apache.druid.segment.index.semantic.SpatialIndex;
import org.apache.druid.segment.projections.ConstantTimeColumn;
import org.apache.druid.segment.vector.MultiValueDimensionVectorSelector;
import org.apache.druid.segment.vector.NoFilterVectorOffset;
import org.apache.druid.segment.vector.SingleValueDimensionVectorSelector;
import org.apache.druid.segment.vector.VectorValueSelector;

/** Compares segments by all that a query can see of them. */
public final class SegmentAssertions {
  private static final int VECTOR_SIZE = 512;
  private static final DefaultBitmapResultFactory ROARING =
      new DefaultBitmapResultFactory(new RoaringBitmapFactory());

  private SegmentAssertions() {}

  /** The indexes of a column that is ours, as a query of all rows has them. */
  static ColumnIndexSupplier queried(QueryableIndex index, String column) {
    final var indexes = (QueriedRows.Indexes) index.getColumnHolder(column).getIndexSupplier();
    return indexes.of(QueriedRows.all(index.getNumRows()));
  }

  /** Asserts that two segments have the same rows, dictionaries, capabilities and indexes, projections included. */
  public static void assertSameContent(File expected, File actual, List<String> projections) throws IOException {
    TestSegments.INDEX_IO.validateTwoSegments(expected, actual);
    try (QueryableIndex expectedIndex = TestSegments.open(expected);
         QueryableIndex actualIndex = TestSegments.open(actual)) {
      assertSameColumns("", expectedIndex, actualIndex);
      for (String projection : projections) {
        final QueryableIndex expectedProjection = expectedIndex.getProjectionQueryableIndex(projection);
        assertNotNull(expectedProjection, projection);
        assertSameColumns(projection + "/", expectedProjection, actualIndex.getProjectionQueryableIndex(projection));
      }
    }
  }

  private static void assertSameColumns(String prefix, QueryableIndex expected, QueryableIndex actual)
      throws IOException {
    assertEquals(expected.getNumRows(), actual.getNumRows());
    assertEquals(expected.getColumnNames(), actual.getColumnNames());
    final List<String> columns = Lists.newArrayList(expected.getColumnNames());
    if (expected.getColumnHolder(ColumnHolder.TIME_COLUMN_NAME) != null) {
      columns.add(ColumnHolder.TIME_COLUMN_NAME);
    }
    for (String name : columns) {
      final String column = prefix + name;
      final BaseColumnHolder expectedHolder = expected.getColumnHolder(name);
      final BaseColumnHolder actualHolder = actual.getColumnHolder(name);
      assertEquals(describe(expectedHolder.getCapabilities()), describe(actualHolder.getCapabilities()), column);
      assertSameIndexes(column, expectedHolder, actualHolder);
      try (BaseColumn expectedColumn = expectedHolder.getColumn();
           BaseColumn actualColumn = actualHolder.getColumn()) {
        if (expectedColumn instanceof StringUtf8DictionaryEncodedColumn expectedIds) {
          assertSameIds(column, expected.getNumRows(), expectedIds, (DictionaryEncodedColumn<?>) actualColumn);
        }
        // A projection without a time has one that Druid makes up.
        if (expectedColumn instanceof NumericColumn expectedNumbers
            && !(expectedColumn instanceof ConstantTimeColumn)) {
          assertSameNumbers(column, expected.getNumRows(), expectedNumbers, (NumericColumn) actualColumn);
        }
      }
    }
  }

  private static Map<String, Object> describe(ColumnCapabilities capabilities) {
    final Map<String, Function<ColumnCapabilities, Object>> properties = Map.of(
        "type", ColumnCapabilities::asTypeString,
        "dictionaryEncoded", ColumnCapabilities::isDictionaryEncoded,
        "sorted", ColumnCapabilities::areDictionaryValuesSorted,
        "unique", ColumnCapabilities::areDictionaryValuesUnique,
        "multipleValues", ColumnCapabilities::hasMultipleValues,
        "bitmapIndexes", ColumnCapabilities::hasBitmapIndexes,
        "spatialIndexes", ColumnCapabilities::hasSpatialIndexes,
        "nulls", ColumnCapabilities::hasNulls
    );
    return properties.entrySet().stream()
                     .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().apply(capabilities)));
  }

  private static void assertSameIndexes(String column, ColumnHolder expected, ColumnHolder actual) {
    @Nullable final DictionaryEncodedStringValueIndex expectedIndex =
        index(expected, DictionaryEncodedStringValueIndex.class);
    @Nullable final DictionaryEncodedStringValueIndex actualIndex =
        index(actual, DictionaryEncodedStringValueIndex.class);
    assertEquals(expectedIndex == null, actualIndex == null, column);
    if (expectedIndex != null) {
      assertEquals(expectedIndex.getCardinality(), actualIndex.getCardinality(), column);
      for (int id = 0; id < expectedIndex.getCardinality(); id++) {
        assertEquals(expectedIndex.getValue(id), actualIndex.getValue(id), column);
        assertEquals(rows(expectedIndex.getBitmap(id)), rows(actualIndex.getBitmap(id)), column);
      }
    }
    @Nullable final NullValueIndex expectedNulls = index(expected, NullValueIndex.class);
    @Nullable final NullValueIndex actualNulls = index(actual, NullValueIndex.class);
    // Columns without bitmaps have an index of nulls here, and none in Druid.
    assertTrue(expectedNulls == null || actualNulls != null, column);
    if (expectedNulls != null) {
      assertEquals(nullRows(expectedNulls), nullRows(actualNulls), column);
    }
    @Nullable final SpatialIndex expectedSpatial = index(expected, SpatialIndex.class);
    @Nullable final SpatialIndex actualSpatial = index(actual, SpatialIndex.class);
    assertEquals(expectedSpatial == null, actualSpatial == null, column);
    if (expectedSpatial != null) {
      final List<IntArrayList> found = search(expectedSpatial);
      assertEquals(false, found.isEmpty(), column);
      assertEquals(found, search(actualSpatial), column);
    }
  }

  /** An index of a column, or null where it has none. */
  @Nullable
  private static <T> T index(ColumnHolder holder, Class<T> type) {
    return holder.getIndexSupplier() == null ? null : holder.getIndexSupplier().as(type);
  }

  private static List<IntArrayList> search(SpatialIndex index) {
    final Iterable<ImmutableBitmap> found =
        index.getRTree().search(new RectangularBound(new float[]{0, 0}, new float[]{10, 10}));
    return Lists.newArrayList(found).stream().map(SegmentAssertions::rows).toList();
  }

  private static IntArrayList nullRows(NullValueIndex index) {
    // Bitmaps of other kinds than Roaring are as good here: the index has its own.
    return rows(index.get().computeBitmapResult(ROARING, false));
  }

  private static IntArrayList rows(ImmutableBitmap bitmap) {
    final IntArrayList rows = new IntArrayList(bitmap.size());
    for (var iterator = bitmap.iterator(); iterator.hasNext(); ) {
      rows.add(iterator.next());
    }
    return rows;
  }

  private static void assertSameIds(
      String column,
      int numRows,
      DictionaryEncodedColumn<?> expected,
      DictionaryEncodedColumn<?> actual
  ) {
    assertEquals(expected.length(), actual.length(), column);
    assertEquals(expected.getCardinality(), actual.getCardinality(), column);
    assertEquals(expected.hasMultipleValues(), actual.hasMultipleValues(), column);
    for (int id = 0; id < expected.getCardinality(); id++) {
      assertEquals(expected.lookupName(id), actual.lookupName(id), column);
    }
    for (int row = 0; row < numRows; row++) {
      if (expected.hasMultipleValues()) {
        assertArrayEquals(ids(expected.getMultiValueRow(row)), ids(actual.getMultiValueRow(row)), column);
      } else {
        assertSame(column, row, expected.getSingleValueRow(row), actual.getSingleValueRow(row));
      }
    }
    assertSameVectors(column, numRows, offset -> vectors(expected, offset), offset -> vectors(actual, offset));
  }

  private static int[] ids(IndexedInts row) {
    final int[] ids = new int[row.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = row.get(i);
    }
    return ids;
  }

  /** Asserts that reading by vectors gives the same ids. */
  private static void assertSameVectors(
      String column,
      int numRows,
      Function<NoFilterVectorOffset, Supplier<int[][]>> expected,
      Function<NoFilterVectorOffset, Supplier<int[][]>> actual
  ) {
    final NoFilterVectorOffset offset = new NoFilterVectorOffset(VECTOR_SIZE, 0, numRows);
    final Supplier<int[][]> expectedVectors = expected.apply(offset);
    final Supplier<int[][]> actualVectors = actual.apply(offset);
    int rows = 0;
    for (; !offset.isDone(); offset.advance()) {
      assertArrayEquals(expectedVectors.get(), actualVectors.get(), column);
      rows += offset.getCurrentVectorSize();
    }
    assertEquals(numRows, rows, column);
  }

  private static Supplier<int[][]> vectors(DictionaryEncodedColumn<?> column, NoFilterVectorOffset offset) {
    if (column.hasMultipleValues()) {
      final MultiValueDimensionVectorSelector selector = column.makeMultiValueDimensionVectorSelector(offset);
      return () -> Arrays.stream(selector.getRowVector(), 0, offset.getCurrentVectorSize())
                         .map(SegmentAssertions::ids)
                         .toArray(int[][]::new);
    }
    final SingleValueDimensionVectorSelector selector = column.makeSingleValueDimensionVectorSelector(offset);
    return () -> new int[][]{Arrays.copyOf(selector.getRowVector(), offset.getCurrentVectorSize())};
  }

  /** Asserts that numbers are the same to the bit and nulls are the same; what stands for a null is not looked at. */
  private static void assertSameNumbers(String column, int numRows, NumericColumn expected, NumericColumn actual) {
    assertEquals(expected.length(), actual.length(), column);
    final SimpleAscendingOffset row = new SimpleAscendingOffset(numRows);
    final ColumnValueSelector<?> expectedRow = expected.makeColumnValueSelector(row);
    final ColumnValueSelector<?> actualRow = actual.makeColumnValueSelector(row);
    for (; row.withinBounds(); row.increment()) {
      final int at = row.getOffset();
      assertTrue(
          Objects.equals(expectedRow.getObject(), actualRow.getObject()) && expectedRow.isNull() == actualRow.isNull(),
          () -> column + " at row " + at + " is " + actualRow.getObject() + " in place of " + expectedRow.getObject()
      );
      if (!expectedRow.isNull()) {
        assertSame(column, at, expectedRow.getLong(), actualRow.getLong());
        assertSame(column, at, bits(expectedRow.getDouble()), bits(actualRow.getDouble()));
        assertSame(column, at, bits(expectedRow.getFloat()), bits(actualRow.getFloat()));
        assertSame(column, at, expected.getLongSingleValueRow(at), actual.getLongSingleValueRow(at));
      }
    }
    for (int start : new int[]{0, numRows / 3}) {
      assertSameNumberVectors(column, start, numRows, expected, actual);
    }
  }

  /** Asserts that numbers, or their bits, are the same. */
  private static void assertSame(String column, int row, long expected, long actual) {
    if (expected != actual) {
      assertEquals(expected, actual, column + " at row " + row);
    }
  }

  private static void assertSameNumberVectors(
      String column,
      int start,
      int end,
      NumericColumn expected,
      NumericColumn actual
  ) {
    final NoFilterVectorOffset offset = new NoFilterVectorOffset(VECTOR_SIZE, start, end);
    final VectorValueSelector expectedVector = expected.makeVectorValueSelector(offset);
    final VectorValueSelector actualVector = actual.makeVectorValueSelector(offset);
    for (; !offset.isDone(); offset.advance()) {
      @Nullable final boolean[] expectedNulls = expectedVector.getNullVector();
      @Nullable final boolean[] actualNulls = actualVector.getNullVector();
      final long[] expectedLongs = expectedVector.getLongVector();
      final long[] actualLongs = actualVector.getLongVector();
      final double[] expectedDoubles = expectedVector.getDoubleVector();
      final double[] actualDoubles = actualVector.getDoubleVector();
      final float[] expectedFloats = expectedVector.getFloatVector();
      final float[] actualFloats = actualVector.getFloatVector();
      for (int i = 0; i < offset.getCurrentVectorSize(); i++) {
        final int row = offset.getStartOffset() + i;
        final boolean isNull = expectedNulls != null && expectedNulls[i];
        assertTrue(isNull == (actualNulls != null && actualNulls[i]), () -> column + " at row " + row + ": null");
        if (!isNull) {
          assertSame(column, row, expectedLongs[i], actualLongs[i]);
          assertSame(column, row, bits(expectedDoubles[i]), bits(actualDoubles[i]));
          assertSame(column, row, bits(expectedFloats[i]), bits(actualFloats[i]));
        }
      }
    }
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }
}
