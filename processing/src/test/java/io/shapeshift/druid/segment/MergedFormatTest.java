// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shapeshift.druid.segment.TestSegments.Version;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.expression.TestExprMacroTable;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.DefaultColumnFormatConfig;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.column.ColumnHolder;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.virtual.ExpressionVirtualColumn;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The format of nested and {@code auto} columns of merged segments. */
class MergedFormatTest {
  private static final int NUM_ROWS = 300;
  private static final int NUM_PERSISTS = 3;
  private static final String UNCOMPRESSED = """
      {"dimensionCompression": "uncompressed", "metricCompression": "uncompressed", "jsonCompression": "uncompressed"}
      """;
  private static final String SHAPE_SHIFT = "{\"encodingStrategy\": \"shapeshift\"}";
  private static final String DECLARED = """
      [{"type": "json", "name": "nested"},
       {"type": "json", "name": "nestedWithOptions",
        "columnFormatSpec": {"objectStorageCompression": "lzf",
                             "longFieldBitmapIndexType": {"type": "nullValueIndex"}}},
       {"type": "auto", "name": "auto"},
       {"type": "auto", "name": "autoWithOptions", "columnFormatSpec": {"dictionaryEncodedColumnCompression": "lzf"}},
       {"type": "auto", "name": "longs"},
       {"type": "auto", "name": "asDoubles", "castToType": "DOUBLE"}]
      """;

  /** Requested indexSpec without strategies. */
  private enum Asked {
    LZ4("{}"),
    ZSTD("""
        {"dimensionCompression": "zstd", "metricCompression": "zstd", "jsonCompression": "zstd",
         "stringDictionaryEncoding": {"type": "frontCoded", "bucketSize": 4}}
        """);

    private final String json;

    Asked(String json) {
      this.json = json;
    }
  }

  private static final ObjectMapper JSON = TestSegments.JSON.copy().setInjectableValues(
      new InjectableValues.Std().addValue(
          DefaultColumnFormatConfig.class, new DefaultColumnFormatConfig(null, null, null, null)));

  static {
    ExpressionProcessing.initializeForTests();
  }

  @TempDir
  private File folder;

  private static IndexSpec spec(String json, String strategies) throws IOException {
    final ObjectNode spec = (ObjectNode) JSON.readTree(json);
    return JSON.treeToValue(
        spec.setAll((ObjectNode) JSON.readTree(strategies)), IndexSpec.class);
  }

  private static DimensionsSpec declared() throws IOException {
    return new DimensionsSpec(
        List.of(JSON.readValue(DECLARED, DimensionSchema[].class)));
  }

  private static IncrementalIndexSchema schema(DimensionsSpec dimensions) {
    if (dimensions.useSchemaDiscovery()) {
      return IncrementalIndexSchema.builder().withDimensionsSpec(dimensions).withRollup(false).build();
    }
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(dimensions)
        .withRollup(false)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder("projection")
                .virtualColumns(new ExpressionVirtualColumn(
                    "next", "longs + 1", ColumnType.LONG, TestExprMacroTable.INSTANCE))
                .groupingColumns(
                    AutoTypeColumnSchema.of("auto"),
                    AutoTypeColumnSchema.of("longs"),
                    AutoTypeColumnSchema.of("next")
                )
                .aggregators(new CountAggregatorFactory("count"))
                .build()
        ))
        .build();
  }

  private static List<Map<String, Object>> rows(int from, int to) {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      final Map<String, Object> nested = Map.of("x", i % 50, "y", "text " + i % 7, "z", i / 8.0);
      rows.add(Map.of(
          "time", DateTimes.utc(i).toString(),
          "nested", nested,
          "nestedWithOptions", nested,
          "auto", i % 3 == 0 ? "word " + i % 20 : i % 100,
          "autoWithOptions", "word " + i % 20,
          "longs", i % 30,
          "asDoubles", i % 40
      ));
    }
    return rows;
  }

  /** Rows in one persist. */
  private File written(IncrementalIndexSchema schema, IndexSpec spec, String name, Version version) {
    return TestSegments.persist(
        TestSegments.rowsInMemory(schema, rows(0, NUM_ROWS)), new File(folder, name), spec, version);
  }

  /** Rows in several persists that are merged, as ingestion does. */
  private File merged(
      IncrementalIndexSchema schema,
      @Nullable DimensionsSpec dimensions,
      IndexSpec ofPersists,
      IndexSpec spec,
      String name,
      Version version
  ) throws IOException {
    final List<File> persists = new ArrayList<>();
    for (int i = 0; i < NUM_PERSISTS; i++) {
      persists.add(TestSegments.persist(
          TestSegments.rowsInMemory(
              schema, rows(i * NUM_ROWS / NUM_PERSISTS, (i + 1) * NUM_ROWS / NUM_PERSISTS)),
          new File(folder, name + "-" + i),
          ofPersists,
          version
      ));
    }
    return TestSegments.mergeFiles(
        persists, new AggregatorFactory[0], dimensions, false, new File(folder, name), spec, version);
  }

  /** Rows of a segment, ingested with the dimensions that Druid's compaction finds in the segment. */
  private File compacted(File segment, IndexSpec spec, String name, Version version) throws IOException {
    final List<DimensionSchema> dimensions = new ArrayList<>();
    try (QueryableIndex index = TestSegments.open(segment)) {
      for (String column : index.getAvailableDimensions()) {
        final ColumnHolder holder = index.getColumnHolder(column);
        dimensions.add(holder.getColumnFormat().getColumnSchema(column));
      }
    }
    // Tasks get their specs as JSON. Effective schemas are those of Druid's appenderator.
    final DimensionsSpec found = JSON.readValue(
        JSON.writeValueAsBytes(new DimensionsSpec(dimensions)), DimensionsSpec.class);
    final DimensionsSpec effective = found.withDimensions(
        found.getDimensions().stream().map(dimension -> dimension.getEffectiveSchema(spec)).toList());
    return merged(schema(effective), found, spec, spec, name, version);
  }

  private static Map<String, JsonNode> descriptors(File directory) throws IOException {
    final Map<String, JsonNode> descriptors = new TreeMap<>();
    try (StoredSegment segment = StoredSegment.open(directory)) {
      segment.columns().forEach(column -> descriptors.put(column.file(), column.descriptor()));
    }
    return descriptors;
  }

  /** Columns have the same descriptors and bytes. */
  private static void assertSameColumns(File expected, File actual) throws IOException {
    assertEquals(descriptors(expected), descriptors(actual));
    try (StoredSegment first = StoredSegment.open(expected); StoredSegment second = StoredSegment.open(actual)) {
      for (StoredSegment.Column column : first.columns()) {
        final Map<String, ByteBuffer> files = second.column(column.file()).files();
        assertEquals(column.body(), second.column(column.file()).body(), column.file());
        assertEquals(column.files(), files, column.file());
      }
    }
  }

  /** Format of a column, with the parts of Druid within those of ours. */
  private static JsonNode format(File directory, String column, Version version) throws IOException {
    final JsonNode part = descriptors(directory).get(version == Version.V9 ? column : "__base/" + column)
        .path("parts").path(0);
    return (part.has("stock") ? part.path("stock") : part).path("columnFormatSpec");
  }

  @ParameterizedTest
  @CsvSource({
      "V9, encodingStrategy, LZ4", "V9, encodingStrategy, ZSTD", "V9, dictionaryEncodingStrategy, LZ4",
      "V10, encodingStrategy, ZSTD"
  })
  void persistsDoNotDecide(Version version, String property, Asked asked) throws IOException {
    final IncrementalIndexSchema schema = schema(declared());
    final IndexSpec persists = spec(UNCOMPRESSED, "{\"encodingStrategy\": {\"strategy\": \"compression\"}}");
    final IndexSpec spec = spec(asked.json, "{\"" + property + "\": \"shapeshift\"}");
    assertSameColumns(
        written(schema, spec, "once", version),
        merged(schema, schema.getDimensionsSpec(), persists, spec, "merged", version)
    );
  }

  /** Stock Druid's behaviour, which stays where no strategy is requested. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void persistsDecideInStockDruid(Version version) throws IOException {
    final IncrementalIndexSchema schema = schema(declared());
    final IndexSpec persists = spec(UNCOMPRESSED, "{}");
    final File merged = merged(schema, schema.getDimensionsSpec(), persists, spec("{}", "{}"), "merged", version);
    final File once = written(schema, persists, "once", version);
    for (String column : List.of("nested", "nestedWithOptions", "auto", "autoWithOptions", "longs")) {
      assertEquals(format(once, column, version), format(merged, column, version), column);
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void discoveredColumnsFollowTheIndexSpec(Version version) throws IOException {
    final IncrementalIndexSchema schema = schema(DimensionsSpec.builder().useSchemaDiscovery(true).build());
    final IndexSpec spec = spec(Asked.ZSTD.json, SHAPE_SHIFT);
    final File once = written(schema, spec, "once", version);
    final IndexSpec persists = spec(
        "{\"autoColumnFormatSpec\": {\"longFieldBitmapIndexType\": {\"type\": \"nullValueIndex\"}}}", "{}");
    assertSameColumns(once, merged(schema, schema.getDimensionsSpec(), persists, spec, "merged", version));
  }

  /** Compaction copies all options of a segment into its dimensionsSpec. */
  @ParameterizedTest
  @CsvSource({"V9, LZ4", "V9, ZSTD", "V10, ZSTD"})
  void compactionFollowsTheIndexSpec(Version version, Asked asked) throws IOException {
    final IndexSpec spec = spec(asked.json, SHAPE_SHIFT);
    final IncrementalIndexSchema schema = schema(declared());
    final File before = written(schema, spec(UNCOMPRESSED, "{}"), "before", version);
    final File compacted = compacted(before, spec, "compacted", version);
    final File fresh = written(schema, spec, "fresh", version);
    for (String column : List.of("nested", "auto", "longs", "asDoubles")) {
      assertEquals(format(fresh, column, version), format(compacted, column, version), column);
      assertNotEquals(format(before, column, version), format(compacted, column, version), column);
    }
    // No indexSpec has this option, so it stays that of the column.
    final JsonNode withOptions = format(compacted, "nestedWithOptions", version);
    assertEquals("nullValueIndex", withOptions.path("longFieldBitmapIndexType").path("type").asText());
    assertEquals(
        format(fresh, "nested", version).path("objectStorageCompression"),
        withOptions.path("objectStorageCompression")
    );
    assertEquals(size(fresh, "nested"), size(compacted, "nested"));
    assertTrue(size(compacted, "nested") < size(before, "nested"));
  }

  private static long size(File directory, String column) throws IOException {
    try (StoredSegment segment = StoredSegment.open(directory)) {
      return segment.columns().stream()
                    .filter(stored -> stored.name().equals(column))
                    .flatMap(stored -> stored.files().values().stream())
                    .mapToLong(ByteBuffer::remaining)
                    .sum();
    }
  }
}
