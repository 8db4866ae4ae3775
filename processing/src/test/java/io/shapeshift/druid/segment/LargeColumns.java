// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.base.Splitter;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.testing.sketches.Sketch;
import io.shapeshift.druid.testing.sketches.SketchAggregatorFactory;
import io.shapeshift.druid.testing.sketches.SketchSerde;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.DefaultBitmapResultFactory;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.NestedDataColumnSchema;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumn;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnIndexSupplier;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.index.semantic.StringValueSetIndexes;
import org.apache.druid.segment.nested.NestedCommonFormatColumnFormatSpec;
import org.apache.druid.segment.nested.NestedDataComplexColumn;
import org.apache.druid.segment.nested.NestedPathField;
import org.apache.druid.segment.nested.NestedPathPart;
import org.apache.druid.segment.nested.StructuredData;

/** Segments with a column of 3 GiB in any encoding, which no file of a segment can hold. */
public final class LargeColumns {
  private static final String COLUMN = "column";
  private static final int ROW_BYTES = 1 << 16;
  private static final int KEY_BYTES = 1 << 8;
  private static final int PARTS = 52;
  private static final int ROWS_PER_PART = 1000;
  private static final int NUM_ROWS = PARTS * ROWS_PER_PART;
  private static final int READS = 200;
  /** As spills have it, so that parts are written fast. */
  private static final IndexSpec OF_PARTS = IndexSpec
      .builder()
      .withDimensionCompression(CompressionStrategy.UNCOMPRESSED)
      .withMetricCompression(CompressionStrategy.NONE)
      .withAutoColumnFormatSpec(NestedCommonFormatColumnFormatSpec
          .builder()
          .setObjectStorageCompression(CompressionStrategy.UNCOMPRESSED)
          .build())
      .build();
  private static final List<NestedPathPart> TEXT_PATH = List.of(new NestedPathField("text"));

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
    SketchSerde.register();
  }

  private LargeColumns() {}

  /** Kind of a column. */
  public enum Kind {
    /** Strings. */
    STRING(new StringDimensionSchema(COLUMN)),
    /** Strings, as {@code auto}. */
    AUTO(new AutoTypeColumnSchema(COLUMN, null, null)),
    /** Complex metric. */
    SKETCHES(new StringDimensionSchema("kind")) {
      @Override
      Object value(int row) {
        final Sketch.Accumulator sketch = Sketch.THETA.accumulator();
        new Random(row).longs(ROW_BYTES / Long.BYTES).forEach(sketch::add);
        return sketch.result();
      }

      @Override
      AggregatorFactory[] metrics() {
        return new AggregatorFactory[]{new SketchAggregatorFactory(COLUMN, COLUMN, Sketch.THETA)};
      }

      @Override
      void assertSame(Object expected, Object actual) {
        assertArrayEquals(Sketch.THETA.toBytes(expected), Sketch.THETA.toBytes(actual));
      }
    },
    /** Nested objects with a field of long texts. */
    NESTED_TEXT(new NestedDataColumnSchema(COLUMN, 5)) {
      @Override
      Object value(int row) {
        return Map.of("text", text(row), "row", row);
      }

      @Override
      void assertSame(Object expected, Object actual) {
        assertEquals(StructuredData.wrap(expected), StructuredData.wrap(actual));
      }
    },
    /** Nested objects that cannot be rebuilt, because each has keys of its own. */
    NESTED_KEPT(new NestedDataColumnSchema(COLUMN, 5)) {
      @Override
      Object value(int row) {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("row", row);
        // Not few long ones, of which Jackson keeps thousands on the heap.
        for (String key : Splitter.fixedLength(KEY_BYTES).split(text(row))) {
          object.put(key, Map.of());
        }
        return object;
      }

      @Override
      void assertSame(Object expected, Object actual) {
        assertEquals(StructuredData.wrap(expected), StructuredData.wrap(actual));
      }
    };

    private final DimensionsSpec dimensions;

    Kind(DimensionSchema dimension) {
      this.dimensions = new DimensionsSpec(List.of(dimension));
    }

    Object value(int row) {
      return text(row);
    }

    AggregatorFactory[] metrics() {
      return new AggregatorFactory[0];
    }

    void assertSame(Object expected, Object actual) {
      assertEquals(expected, actual);
    }
  }

  /** Random characters of ASCII, so that no coding saves more than a fifth. */
  private static String text(int row) {
    final byte[] text = new byte[ROW_BYTES];
    final Random random = new Random(row);
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) (' ' + random.nextInt(95));
    }
    return new String(text, StandardCharsets.US_ASCII);
  }

  /** Writes a segment, as an ingestion does: parts, which are merged. */
  public static File write(Kind kind, Path directory, IndexSpec spec, Version version) throws IOException {
    final List<File> parts = new ArrayList<>();
    for (int part = 0; part < PARTS; part++) {
      parts.add(part(kind, part, directory));
    }
    final File merged = merge(kind, parts, directory.resolve("merged"), spec, version);
    for (File part : parts) {
      FileUtils.deleteDirectory(part);
    }
    return merged;
  }

  private static File part(Kind kind, int part, Path directory) {
    final List<Map<String, Object>> rows = IntStream.range(0, ROWS_PER_PART)
        .<Map<String, Object>>mapToObj(i -> {
          final int row = part * ROWS_PER_PART + i;
          return Map.of("time", DateTimes.utc(1_600_000_000_000L + row), COLUMN, kind.value(row));
        })
        .toList();
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(kind.dimensions)
        .withMetrics(kind.metrics())
        .withRollup(false)
        .build();
    try (IncrementalIndex index = TestSegments.rowsInMemory(schema, rows)) {
      return TestSegments.persist(
          index, directory.resolve("part" + part).toFile(), OF_PARTS, Version.V9);
    }
  }

  /** Merges segments of a kind. */
  public static File merge(Kind kind, List<File> parts, Path merged, IndexSpec spec, Version version)
      throws IOException {
    return TestSegments.mergeFiles(
        parts, kind.metrics(), kind.dimensions, false, merged.toFile(), spec, version);
  }

  /** Reads some rows, and looks for them in the indexes that the column has. */
  public static void assertHasAllRows(Kind kind, File segment) throws IOException {
    try (QueryableIndex index = TestSegments.open(segment)) {
      assertEquals(NUM_ROWS, index.getNumRows());
      final ColumnHolder holder = index.getColumnHolder(COLUMN);
      try (BaseColumn column = (BaseColumn) holder.getColumn()) {
        final SimpleAscendingOffset offset = new SimpleAscendingOffset(NUM_ROWS);
        final ColumnValueSelector<?> selector = column.makeColumnValueSelector(offset);
        final Random random = new Random(1);
        for (int i = 0; i < READS; i++) {
          final int row = i == 0 ? NUM_ROWS - 1 : random.nextInt(NUM_ROWS);
          offset.setCurrentOffset(row);
          kind.assertSame(kind.value(row), selector.getObject());
          switch (kind) {
            case STRING, AUTO -> assertFound(row, holder.getIndexSupplier(), index);
            case NESTED_TEXT -> {
              final NestedDataComplexColumn nested = (NestedDataComplexColumn) column;
              assertEquals(text(row), nested.makeColumnValueSelector(TEXT_PATH, null, offset).getObject());
              assertFound(row, nested.getColumnIndexSupplier(TEXT_PATH), index);
            }
            case SKETCHES, NESTED_KEPT -> { }
          }
        }
      }
    }
  }

  @SuppressWarnings("deprecation") // The fields of nested columns have no other index of single strings.
  private static void assertFound(int row, ColumnIndexSupplier indexes, QueryableIndex index) {
    final var rows = indexes
        .as(StringValueSetIndexes.class)
        .forValue(text(row))
        .computeBitmapResult(new DefaultBitmapResultFactory(index.getBitmapFactoryForDimensions()), false);
    assertEquals(1, rows.size());
    assertEquals(row, rows.iterator().next());
  }
}
