// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.InjectableValues;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.cursor.QueriedCursorFactory;
import io.shapeshift.druid.segment.merge.ShapeShiftIndexMergerV10;
import io.shapeshift.druid.segment.merge.ShapeShiftIndexMergerV9;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import io.shapeshift.druid.testing.sketches.SketchAggregatorFactory;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.expression.TestExprMacroTable;
import org.apache.druid.segment.BaseProgressIndicator;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMerger;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.TestHelper;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;
import org.apache.druid.segment.writeout.SegmentWriteOutMediumFactory;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/** Makes real segments, as Druid with the extension does. */
public final class TestSegments {
  /** The versions of segments that Druid 37 writes. */
  public enum Version { V9, V10 }

  public static final ObjectMapper JSON = TestHelper.makeJsonMapper();
  public static final IndexIO INDEX_IO = new IndexIO(JSON, ColumnConfig.DEFAULT);
  public static final IndexSpec STOCK = IndexSpec.builder().build();
  /** Numbers of all types shape-shift. */
  public static final IndexSpec ALL_SHAPE_SHIFT =
      shapeShiftAll(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
  /** Dictionary ids shape-shift. */
  public static final IndexSpec SHAPE_SHIFT = shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);

  static {
    // As the module does in a service, before Druid loads a segment.
    QueriedCursorFactory.register();
    JSON.registerModules(new ShapeShiftModule().getJacksonModules());
    JSON.registerModules(new BuiltInTypesModule().getJacksonModules());
    // Jackson takes no further aggregators once it has read one.
    JSON.registerModule(SketchAggregatorFactory.module());
    JSON.setInjectableValues(
        new InjectableValues.Std()
            .addValue(ExprMacroTable.class.getName(), TestExprMacroTable.INSTANCE)
            .addValue(ObjectMapper.class.getName(), JSON)
            .addValue(IndexIO.class, INDEX_IO)
    );
  }

  private TestSegments() {}

  public static IndexSpec shapeShift(OptimizationTarget target, BlockSize blockSize) {
    return ShapeShiftIndexSpec.of(
        STOCK,
        new EncodingStrategies(null, Map.of(EncodedType.INT, EncodingStrategy.shapeShift(target, blockSize)))
    );
  }

  public static IndexSpec shapeShiftAll(OptimizationTarget target, BlockSize blockSize) {
    final EncodingStrategy strategy = EncodingStrategy.shapeShift(target, blockSize);
    return ShapeShiftIndexSpec.of(STOCK, new EncodingStrategies(strategy, Map.of()));
  }

  /** Strategies of which all types shape-shift, with hash indexes of some columns. */
  public static EncodingStrategies withHashIndexes(EncodingStrategy strategy, Set<String> columns) {
    return new EncodingStrategies(strategy, Map.of()).withColumns(
        columns.stream().collect(Collectors.toMap(
            column -> column, column -> new ColumnOptions(new TypeStrategies(null, Map.of()), true, null))));
  }

  public static IndexMerger merger(Version version) {
    final SegmentWriteOutMediumFactory medium = TmpFileSegmentWriteOutMediumFactory.instance();
    return version == Version.V9
           ? new ShapeShiftIndexMergerV9.Factory(JSON, INDEX_IO, medium).create(true)
           : new ShapeShiftIndexMergerV10.Factory(JSON, INDEX_IO, medium).create();
  }

  /** Rows in memory, as ingestion collects them before it persists. */
  public static IncrementalIndex rowsInMemory(IncrementalIndexSchema schema, List<Map<String, Object>> rows) {
    final IncrementalIndex index = new OnheapIncrementalIndex.Builder()
        .setIndexSchema(schema)
        .setMaxRowCount(Integer.MAX_VALUE)
        .build();
    for (Map<String, Object> row : rows) {
      index.add(
          new MapBasedInputRow(DateTimes.of(row.get("time").toString()), dimensionNames(schema, row.keySet()), row)
      );
    }
    return index;
  }

  private static List<String> dimensionNames(IncrementalIndexSchema schema, Collection<String> fields) {
    final List<String> names = schema.getDimensionsSpec().getDimensionNames();
    return names.isEmpty() ? fields.stream().filter(field -> !field.equals("time")).toList() : names;
  }

  /** Writes rows in memory as a segment. */
  public static File persist(IncrementalIndex rows, File directory, IndexSpec spec, Version version) {
    try {
      return merger(version).persist(rows, Intervals.ETERNITY, directory, spec, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Merges segments that are open.
   *
   * @param dimensions their order; null for that of the segments
   */
  public static File merge(
      List<QueryableIndex> parts,
      AggregatorFactory[] metrics,
      @Nullable DimensionsSpec dimensions,
      boolean rollup,
      File directory,
      IndexSpec spec,
      Version version
  ) throws IOException {
    return merger(version).mergeQueryableIndex(
        parts,
        rollup,
        metrics,
        dimensions,
        directory,
        spec,
        spec,
        new BaseProgressIndicator(),
        null,
        IndexMerger.UNLIMITED_MAX_COLUMNS_TO_MERGE
    );
  }

  /** Merges segments in files, as {@link #merge} does. */
  public static File mergeFiles(
      List<File> parts,
      AggregatorFactory[] metrics,
      @Nullable DimensionsSpec dimensions,
      boolean rollup,
      File directory,
      IndexSpec spec,
      Version version
  ) throws IOException {
    final List<QueryableIndex> indexes = parts.stream().map(TestSegments::open).toList();
    final File merged = merge(indexes, metrics, dimensions, rollup, directory, spec, version);
    indexes.forEach(QueryableIndex::close);
    return merged;
  }

  public static QueryableIndex open(File segment) {
    try {
      return INDEX_IO.loadIndex(segment);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The 39,244 rows of edits of Wikipedia that Druid's tests come with. */
  public static List<Map<String, Object>> wikiticker() {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
        new GZIPInputStream(
            TestSegments.class.getResourceAsStream("/wikipedia/wikiticker-2015-09-12-sampled.json.gz")
        ),
        StandardCharsets.UTF_8
    ))) {
      final List<Map<String, Object>> rows = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        rows.add(JSON.readValue(line, new TypeReference<Map<String, Object>>() {}));
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
