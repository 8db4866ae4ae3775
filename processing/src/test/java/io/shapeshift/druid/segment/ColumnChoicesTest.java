// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shapeshift.druid.column.BlockSize;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.segment.TestSegments.Version;
import io.shapeshift.druid.segment.spec.ColumnOptions;
import io.shapeshift.druid.segment.spec.EncodedType;
import io.shapeshift.druid.segment.spec.EncodingStrategies;
import io.shapeshift.druid.segment.spec.EncodingStrategy;
import io.shapeshift.druid.segment.spec.ShapeShiftIndexSpec;
import io.shapeshift.druid.segment.spec.TypeStrategies;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Columns with entries of their own in the indexSpec. */
class ColumnChoicesTest {
  private static final EncodingStrategies DEFAULT = strategies(OptimizationTarget.FASTBUTSMALLISH);
  private static final EncodingStrategies SMALLER = strategies(OptimizationTarget.SMALLER);
  private static final EncodingStrategies STOCK = new EncodingStrategies(EncodingStrategy.COMPRESSION, Map.of());

  @TempDir
  private File folder;

  private static EncodingStrategies strategies(OptimizationTarget target) {
    return new EncodingStrategies(EncodingStrategy.shapeShift(target, BlockSize.SMALL), Map.of());
  }

  private StoredSegment write(String name, EncodingStrategies strategies, Version version) throws IOException {
    final IndexSpec spec = ShapeShiftIndexSpec.of(TestSegments.STOCK, strategies);
    final List<File> persisted = new ArrayList<>();
    for (int hour = 0; hour < 2; hour++) {
      try (IncrementalIndex rows =
               TestSegments.rowsInMemory(EveryColumn.schema(true), EveryColumn.rows(hour, 1000))) {
        persisted.add(TestSegments.persist(rows, new File(folder, name + hour), spec, version));
      }
    }
    return StoredSegment.open(TestSegments.mergeFiles(
        persisted,
        EveryColumn.METRICS.stream().map(AggregatorFactory::getCombiningFactory).toArray(AggregatorFactory[]::new),
        EveryColumn.schema(true).getDimensionsSpec(),
        true,
        new File(folder, name),
        spec,
        version
    ));
  }

  /** A column is written as in a table that has its entry's strategy as a whole, to the byte. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void entriesReplaceTheTablesStrategy(Version version) throws IOException {
    try (StoredSegment ofTable = write("default", DEFAULT, version);
         StoredSegment smaller = write("smaller", SMALLER, version);
         StoredSegment stock = write("stock", STOCK, version)) {
      final Set<String> names = new TreeSet<>();
      ofTable.columns().forEach(column -> names.add(column.name()));
      assertTrue(names.containsAll(Set.of("__time", "plain", "multi", "number", "json", "auto", "unique", "sum")));
      for (boolean isEven : List.of(true, false)) {
        final Map<String, ColumnOptions> entries = new TreeMap<>();
        int place = 0;
        for (String name : names) {
          final boolean hasEntry = place++ % 2 == 0 == isEven;
          if (hasEntry) {
            entries.put(name, new ColumnOptions((place % 3 == 0 ? STOCK : SMALLER).ofTable(), null, null));
          }
        }
        try (StoredSegment mixed = write("mixed" + isEven, DEFAULT.withColumns(entries), version)) {
          assertEquals(ofTable.columns().size(), mixed.columns().size());
          for (StoredSegment.Column column : mixed.columns()) {
            final ColumnOptions entry = entries.get(column.name());
            final StoredSegment like = entry == null
                ? ofTable : entry.strategies().equals(STOCK.ofTable()) ? stock : smaller;
            final StoredSegment.Column expected = like.column(column.file());
            assertEquals(expected.descriptor(), column.descriptor(), column.file());
            assertEquals(expected.body(), column.body(), column.file());
            assertEquals(expected.files(), column.files(), column.file());
          }
        }
      }
    }
  }

  /** The parts of a string column that shape-shift. */
  private static Set<String> parts(StoredSegment.Column column) {
    final Set<String> parts = new TreeSet<>();
    column.part().path("parts").forEach(part -> parts.add(part.asText()));
    return parts;
  }

  /** Only the named part differs from the table's. */
  @ParameterizedTest
  @EnumSource(Version.class)
  void entriesAreOfSingleParts(Version version) throws IOException {
    final ColumnOptions entry = new ColumnOptions(
        new TypeStrategies(null, Map.of(
            EncodedType.INDEX, EncodingStrategy.COMPRESSION)), null, null);
    final ColumnOptions indexed = new ColumnOptions(new TypeStrategies(null, Map.of()), true, null);
    try (StoredSegment ofTable = write("default", DEFAULT, version);
         StoredSegment mixed =
             write("mixed", DEFAULT.withColumns(Map.of("plain", entry, "number", indexed)), version)) {
      for (StoredSegment.Column column : mixed.columns()) {
        final StoredSegment.Column expected = ofTable.column(column.file());
        switch (column.name()) {
          case "plain" -> {
            final Set<String> parts = parts(expected);
            assertTrue(parts.remove("indexes"), column.file());
            assertEquals(parts, parts(column), column.file());
          }
          case "number" -> assertTrue(column.part().path("hashIndex").asBoolean(), column.file());
          default -> assertEquals(expected.body(), column.body(), column.file());
        }
      }
    }
  }
}
