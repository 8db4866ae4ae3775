// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.testing.sketches.Sketch;
import io.shapeshift.druid.testing.sketches.SketchAggregatorFactory;
import io.shapeshift.druid.testing.sketches.SketchSerde;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.LongFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.StringLastAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.segment.ColumnValueSelector;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.QueryableIndex;
import org.apache.druid.segment.SimpleAscendingOffset;
import org.apache.druid.segment.column.BaseColumnHolder;
import org.apache.druid.segment.column.ComplexColumn;
import org.apache.druid.segment.column.UnknownTypeComplexColumn;
import org.apache.druid.segment.column.ValueType;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.serde.ComplexMetricSerde;
import org.apache.druid.segment.serde.ComplexMetrics;
import org.apache.druid.segment.vector.NoFilterVectorOffset;
import org.apache.druid.segment.vector.VectorObjectSelector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Complex metrics in segments: sketches of all kinds, and the types of Druid's core. */
class ComplexColumnTest {
  private static final String PROJECTION = "byHour";
  private static final List<String> OF_DRUID = List.of("first", "last");

  @TempDir
  private File folder;
  private int segments;

  @BeforeAll
  static void registerSketches() {
    SketchSerde.register();
  }

  private static AggregatorFactory[] metrics() {
    final List<AggregatorFactory> metrics = new ArrayList<>();
    metrics.add(new CountAggregatorFactory("count"));
    for (Sketch kind : Sketch.values()) {
      metrics.add(new SketchAggregatorFactory(kind.name(), kind.isOfIds() ? "user" : "latency", kind));
    }
    metrics.add(new HyperUniquesAggregatorFactory("unique", "channel"));
    metrics.add(new LongFirstAggregatorFactory("first", "user", null));
    metrics.add(new StringLastAggregatorFactory("last", "channel", null, null));
    return metrics.toArray(AggregatorFactory[]::new);
  }

  static IncrementalIndexSchema schema() {
    return IncrementalIndexSchema
        .builder()
        .withQueryGranularity(Granularities.HOUR)
        .withDimensionsSpec(new DimensionsSpec(List.of(new StringDimensionSchema("channel"))))
        .withMetrics(metrics())
        .withRollup(true)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder(PROJECTION)
                .groupingColumns(new StringDimensionSchema("channel"))
                .aggregators(
                    new SketchAggregatorFactory("THETA", "THETA", Sketch.THETA),
                    new HyperUniquesAggregatorFactory("uniqueOfProjection", "channel")
                )
                .build()
        ))
        .build();
  }

  /** Events of some users and channels; some have neither a user nor a latency. */
  static List<Map<String, Object>> rows(int day) {
    final Random random = new Random(day);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01").plusDays(day / 2).plusMinutes(random.nextInt(1440)).toString());
      row.put("channel", "c" + (int) Math.abs(random.nextGaussian() * 10));
      if (!row.get("channel").equals("c7")) {
        row.put("user", (long) Math.abs(random.nextGaussian() * 200));
        row.put("latency", Math.round(100 * Math.exp(random.nextGaussian())) / 100d);
      }
      rows.add(row);
    }
    return rows;
  }

  private static IndexSpec ours(OptimizationTarget target) {
    return TestSegments.shapeShiftAll(target, BlockSize.LARGE);
  }

  private File persist(int day, IndexSpec spec, TestSegments.Version version) {
    return TestSegments.persist(
        TestSegments.rowsInMemory(schema(), rows(day)), new File(folder, "s" + segments++), spec, version);
  }

  private static List<String> complexColumns(QueryableIndex index) {
    return index.getColumnNames().stream()
        .filter(name -> index.getColumnHolder(name).getCapabilities().is(ValueType.COMPLEX))
        .toList();
  }

  /** The bytes of all objects of a column, by row; null for null. */
  private static List<byte[]> bytes(BaseColumnHolder holder, int numRows) throws IOException {
    final ComplexMetricSerde type =
        ComplexMetrics.getSerdeForType(holder.getCapabilities().getComplexTypeName());
    final List<byte[]> bytes = new ArrayList<>();
    try (ComplexColumn column = (ComplexColumn) holder.getColumn()) {
      assertEquals(type.getTypeName(), column.getTypeName());
      final SimpleAscendingOffset row = new SimpleAscendingOffset(numRows);
      final ColumnValueSelector<?> selector = column.makeColumnValueSelector(row);
      final List<Object> kept = new ArrayList<>();
      for (; row.withinBounds(); row.increment()) {
        kept.add(selector.getObject());
      }
      final NoFilterVectorOffset vector = new NoFilterVectorOffset(64, 0, numRows);
      final VectorObjectSelector vectors = column.makeVectorObjectSelector(vector);
      for (int start = 0; !vector.isDone(); vector.advance()) {
        for (int i = 0; i < vector.getCurrentVectorSize(); i++, start++) {
          // Objects stay what they are when others have been read.
          @Nullable final byte[] ofRow = bytes(type, kept.get(start));
          assertArrayEquals(ofRow, bytes(type, vectors.getObjectVector()[i]));
          assertArrayEquals(ofRow, bytes(type, column.getRowValue(start)));
          bytes.add(ofRow);
        }
      }
    }
    return bytes;
  }

  @Nullable
  @SuppressWarnings({"unchecked", "deprecation"}) // Druid's strategies have raw types.
  private static byte[] bytes(ComplexMetricSerde type, @Nullable Object value) {
    return value == null ? null : type.getObjectStrategy().toBytes(value);
  }

  private static void assertSameObjects(File expected, File actual) throws IOException {
    try (QueryableIndex expectedIndex = TestSegments.open(expected);
         QueryableIndex actualIndex = TestSegments.open(actual)) {
      assertSameObjects(expectedIndex, actualIndex);
      assertSameObjects(
          expectedIndex.getProjectionQueryableIndex(PROJECTION), actualIndex.getProjectionQueryableIndex(PROJECTION));
    }
  }

  private static void assertSameObjects(QueryableIndex expected, QueryableIndex actual) throws IOException {
    assertEquals(expected.getNumRows(), actual.getNumRows());
    assertEquals(complexColumns(expected), complexColumns(actual));
    for (String name : complexColumns(expected)) {
      if (name.equals("last")) {
        // Druid writes its objects by another strategy than it reads them by.
        continue;
      }
      final List<byte[]> expectedBytes = bytes(expected.getColumnHolder(name), expected.getNumRows());
      final List<byte[]> actualBytes = bytes(actual.getColumnHolder(name), expected.getNumRows());
      for (int row = 0; row < expected.getNumRows(); row++) {
        assertArrayEquals(expectedBytes.get(row), actualBytes.get(row), name + " at row " + row);
      }
    }
  }

  /** Names of the columns that shape-shift. */
  private static List<String> shapeShifting(File segment) throws IOException {
    try (QueryableIndex index = TestSegments.open(segment)) {
      final List<String> names = new ArrayList<>();
      for (String name : complexColumns(index)) {
        try (ComplexColumn column = (ComplexColumn) index.getColumnHolder(name).getColumn()) {
          if (column.getClass().getSimpleName().equals("ShapeShiftComplexColumn")) {
            names.add(name);
          }
        }
      }
      return names;
    }
  }

  private static void assertOfDruid(File segment) throws IOException {
    final List<String> ours = shapeShifting(segment);
    assertTrue(ours.stream().noneMatch(OF_DRUID::contains), ours::toString);
    assertTrue(ours.containsAll(Stream.of(Sketch.values()).map(Enum::name).toList()), ours::toString);
    assertTrue(ours.contains("unique"), ours::toString);
  }

  @ParameterizedTest
  @EnumSource(TestSegments.Version.class)
  void objectsAreThoseOfDruid(TestSegments.Version version) throws IOException {
    final File stock = persist(0, TestSegments.STOCK, version);
    assertEquals(List.of(), shapeShifting(stock));
    for (OptimizationTarget target : OptimizationTarget.values()) {
      final File ours = persist(0, ours(target), version);
      assertOfDruid(ours);
      assertSameObjects(stock, ours);
    }
  }

  @ParameterizedTest
  @EnumSource(TestSegments.Version.class)
  void segmentsAreMerged(TestSegments.Version version) throws IOException {
    final IndexSpec compressed =
        IndexSpec.builder().withComplexMetricCompression(CompressionStrategy.LZ4).build();
    final List<File> stock = List.of(persist(0, TestSegments.STOCK, version), persist(1, compressed, version));
    final List<File> mixed =
        List.of(persist(0, ours(OptimizationTarget.SMALLER), version), persist(1, TestSegments.STOCK, version));
    final AggregatorFactory[] combining =
        Arrays.stream(metrics()).map(AggregatorFactory::getCombiningFactory).toArray(AggregatorFactory[]::new);
    final File expected = TestSegments.mergeFiles(
        stock, combining, null, true, new File(folder, "stock"), TestSegments.STOCK, version);
    final File merged = TestSegments.mergeFiles(
        mixed, combining, null, true, new File(folder, "ours"), ours(OptimizationTarget.FASTBUTSMALLISH), version);
    assertOfDruid(merged);
    assertSameObjects(expected, merged);
    final File back = TestSegments.mergeFiles(
        List.of(merged), combining, null, true, new File(folder, "back"), TestSegments.STOCK, version);
    assertEquals(List.of(), shapeShifting(back));
    // Some sketches write other bytes when they have been read.
    final File again = TestSegments.mergeFiles(
        List.of(expected), combining, null, true, new File(folder, "again"), TestSegments.STOCK, version);
    assertSameObjects(again, back);
  }

  /** The option of complex metrics alone, and that of everything else. */
  @Test
  void optionSelectsTheColumns() throws IOException {
    final EncodingStrategy strategy =
        EncodingStrategy.shapeShift(OptimizationTarget.FASTBUTSMALLISH, BlockSize.LARGE);
    final IndexSpec alone = ShapeShiftIndexSpec.of(
        TestSegments.STOCK, new EncodingStrategies(null, Map.of(EncodedType.COMPLEX, strategy)));
    final IndexSpec others = ShapeShiftIndexSpec.of(
        TestSegments.STOCK,
        new EncodingStrategies(strategy, Map.of(EncodedType.COMPLEX, EncodingStrategy.COMPRESSION))
    );
    assertOfDruid(persist(0, alone, TestSegments.Version.V9));
    assertEquals(List.of(), shapeShifting(persist(0, others, TestSegments.Version.V9)));
  }

  @Test
  void columnOfAnUnknownTypeIsThatOfDruid() throws IOException {
    final File segment = persist(0, ours(OptimizationTarget.FASTBUTSMALLISH), TestSegments.Version.V9);
    final ComplexMetricSerde type = ComplexMetrics.getSerdeForType(Sketch.CPC.typeName());
    ComplexMetrics.unregisterSerde(Sketch.CPC.typeName());
    try (QueryableIndex index = TestSegments.open(segment)) {
      final BaseColumnHolder holder = index.getColumnHolder(Sketch.CPC.name());
      assertSame(UnknownTypeComplexColumn.instance(), holder.getColumn());
      assertEquals(Sketch.CPC.typeName(), holder.getCapabilities().getComplexTypeName());
    } finally {
      ComplexMetrics.registerSerde(Sketch.CPC.typeName(), type);
    }
  }

  /** A column of a few rows would be larger than Druid's, with its head and its descriptor. */
  @Test
  void smallColumnsStayThoseOfDruid() throws IOException {
    final List<Map<String, Object>> rows = rows(0).subList(0, 2);
    final File ours = TestSegments.persist(
        TestSegments.rowsInMemory(schema(), rows), new File(folder, "ours"), ours(OptimizationTarget.SMALLER),
        TestSegments.Version.V10);
    final File stock = TestSegments.persist(
        TestSegments.rowsInMemory(schema(), rows), new File(folder, "stock"), TestSegments.STOCK,
        TestSegments.Version.V10);
    assertEquals(List.of(), shapeShifting(ours));
    assertSameObjects(stock, ours);
  }
}
