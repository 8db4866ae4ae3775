// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.differential;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.differential.Case.Part;
import io.shapeshift.druid.segment.differential.Case.Storage;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import io.shapeshift.druid.testing.RandomData;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.column.StringEncodingStrategy;
import org.apache.druid.segment.data.CompressionFactory;
import org.apache.druid.segment.data.CompressionStrategy;
import org.apache.druid.segment.data.ConciseBitmapSerdeFactory;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;
import org.apache.druid.segment.incremental.IncrementalIndex;

/** Random tables, and random ways to store each in Druid's columns and in ours. */
final class RandomCases {
  private static final List<Integer> SIZES = List.of(1, 50, 300, 300, 1000, 2500, 6000);

  private RandomCases() {}

  /** A table in parts and how it is stored; of which nothing is asked yet. */
  static Case table(RandomData random, Case.Question nothing) {
    final RandomIngestion ingestion = new RandomIngestion(random, SIZES);
    final int numParts = random.oneOf(List.of(1, 1, 2, 3, 4));
    final List<Part> parts = new ArrayList<>();
    final IncrementalIndex trial = SegmentPair.inMemory(ingestion.schema(), List.of(), false);
    for (int i = 0; i < numParts; i++) {
      final List<Map<String, Object>> rows = new ArrayList<>();
      for (int row = i * ingestion.size() / numParts; row < (i + 1) * ingestion.size() / numParts; row++) {
        final Map<String, Object> next = ingestion.row(row);
        if (isAccepted(trial, ingestion.schema(), next)) {
          rows.add(next);
        }
      }
      parts.add(new Part(random.nextInt(2) == 0, rows));
    }
    trial.close();
    final IndexSpec stock = stock(random);
    final Set<String> columns = new TreeSet<>(ingestion.dimensionNames());
    ingestion.schema().metrics().forEach(metric -> columns.add(metric.getName()));
    columns.add("__time");
    final Storage storage = new Storage(
        random.oneOf(List.of(Version.values())),
        stock,
        ShapeShiftIndexSpec.of(stock, strategies(random, stock, columns)),
        random.nextInt(3) == 0,
        random.nextInt(2) == 0
    );
    return new Case(ingestion.schema(), parts, storage, nothing);
  }

  /**
   * Whether a row can be added; IncrementalIndexDifferentialTest compares how others fail. Druid 37 keeps what such a
   * row has in the dictionaries. Bitmaps of these values are empty, and it fails to read one after another bitmap.
   */
  private static boolean isAccepted(IncrementalIndex trial, TableSchema schema, Map<String, Object> row) {
    try {
      trial.add(schema.inputRow(row));
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static IndexSpec stock(RandomData random) {
    return IndexSpec
        .builder()
        .withBitmapSerdeFactory(
            random.nextInt(4) == 0 ? new ConciseBitmapSerdeFactory() : RoaringBitmapSerdeFactory.getInstance())
        .withDimensionCompression(random.oneOf(
            List.of(CompressionStrategy.LZ4, CompressionStrategy.ZSTD, CompressionStrategy.UNCOMPRESSED)))
        .withMetricCompression(random.oneOf(
            List.of(CompressionStrategy.LZ4, CompressionStrategy.ZSTD, CompressionStrategy.NONE)))
        .withStringDictionaryEncoding(random.oneOf(List.of(
            new StringEncodingStrategy.Utf8(),
            new StringEncodingStrategy.FrontCoded(4, (byte) 1),
            new StringEncodingStrategy.FrontCoded(16, (byte) 0)
        )))
        .withLongEncoding(random.oneOf(List.of(CompressionFactory.LongEncodingStrategy.values())))
        .build();
  }

  private static EncodingStrategies strategies(RandomData random, IndexSpec stock, Set<String> columns) {
    final Map<EncodedType, EncodingStrategy> specific = random.nextInt(3) == 0 ? ofTypes(random) : new HashMap<>();
    if (!(stock.getStringDictionaryEncoding() instanceof StringEncodingStrategy.Utf8)) {
      // Refused beside an encoding of Druid's that is not its default.
      specific.remove(EncodedType.DICTIONARY);
    }
    final EncodingStrategies ofTable = new EncodingStrategies(shapeShift(random), specific);
    if (random.nextInt(2) == 0) {
      return ofTable;
    }
    final Map<String, ColumnOptions> entries = new TreeMap<>();
    for (String column : columns) {
      if (random.nextInt(2) == 0) {
        entries.put(column, columnOptions(random, specific));
      }
    }
    return ofTable.withColumns(entries);
  }

  private static ColumnOptions columnOptions(RandomData random, Map<EncodedType, EncodingStrategy> ofTable) {
    final boolean isOfTypes = random.nextInt(3) == 0;
    final TypeStrategies strategies = new TypeStrategies(
        isOfTypes && random.nextInt(2) == 0 ? strategy(random) : null,
        isOfTypes ? ofTypes(random) : Map.of()
    );
    // An index of a column is refused if all its numbers, or its dictionaries, are Druid's own.
    final boolean hasNumbers =
        mayShapeShift(strategies, ofTable, EncodedType.LONG, EncodedType.DOUBLE, EncodedType.FLOAT);
    final boolean hasTexts = mayShapeShift(strategies, ofTable, EncodedType.DICTIONARY, EncodedType.NESTED);
    return new ColumnOptions(
        strategies,
        hasNumbers && random.nextInt(3) > 0 ? true : null,
        hasTexts && random.nextInt(3) > 0 ? true : null
    );
  }

  private static boolean mayShapeShift(
      TypeStrategies strategies, Map<EncodedType, EncodingStrategy> ofTable, EncodedType... types) {
    return Stream.of(types)
        .map(type -> strategies.get(type) == null ? ofTable.get(type) : strategies.get(type))
        .anyMatch(strategy -> !EncodingStrategy.COMPRESSION.equals(strategy));
  }

  /** Strategies for some types. */
  private static Map<EncodedType, EncodingStrategy> ofTypes(RandomData random) {
    final Map<EncodedType, EncodingStrategy> strategies = new EnumMap<>(EncodedType.class);
    for (EncodedType type : EncodedType.values()) {
      if (random.nextInt(2) == 0) {
        strategies.put(type, strategy(random));
      }
    }
    return strategies;
  }

  private static EncodingStrategy strategy(RandomData random) {
    return random.nextInt(4) == 0 ? EncodingStrategy.COMPRESSION : shapeShift(random);
  }

  private static EncodingStrategy shapeShift(RandomData random) {
    return EncodingStrategy.shapeShift(
        random.oneOf(List.of(OptimizationTarget.values())),
        random.oneOf(List.of(BlockSize.SMALL, BlockSize.SMALL, BlockSize.MIDDLE, BlockSize.LARGE))
    );
  }
}
