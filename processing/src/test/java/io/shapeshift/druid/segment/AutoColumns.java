// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.column.ColumnType;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/** Rows and a schema with columns of type {@code auto} of every kind that it turns into. */
public final class AutoColumns {
  static final String PROJECTION = "byAll";

  /** Columns of one type, of which a projection may be made. */
  private static final List<String> SCALARS =
      List.of("words", "wordsOrNull", "longs", "longsOrNull", "ascending", "doubles", "doublesOrNull", "nothing");
  private static final List<String> OTHERS = List.of(
      "constant", "one", "half", "words[]", "longs[]", "doubles[]", "wordsOrLongs", "anything", "json", "jsonOrNull",
      "sometimes", "changing"
  );

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  private AutoColumns() {}

  /** The schema, with a projection by columns of each kind but nested data. */
  static IncrementalIndexSchema schema() {
    final List<DimensionSchema> dimensions = Stream.concat(
        Stream.concat(SCALARS.stream(), OTHERS.stream()).<DimensionSchema>map(AutoTypeColumnSchema::of),
        Stream.of(
            new AutoTypeColumnSchema("castToLong", ColumnType.LONG, null),
            new AutoTypeColumnSchema("castToDouble", ColumnType.DOUBLE, null),
            new AutoTypeColumnSchema("castToWords", ColumnType.STRING_ARRAY, null)
        )
    ).toList();
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withRollup(false)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder(PROJECTION)
                .groupingColumns(
                    Stream.concat(SCALARS.stream(), Stream.of("words[]", "wordsOrLongs"))
                          .<DimensionSchema>map(AutoTypeColumnSchema::of)
                          .toList()
                )
                .aggregators(new CountAggregatorFactory("count"))
                .build()
        ))
        .build();
  }

  /**
   * Rows with values of every type.
   *
   * @param hour rows of different hours overlap in some values only, and {@code changing} is of another type
   */
  static List<Map<String, Object>> rows(int hour, int count) {
    final Random random = new Random(hour);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01T00:00:00Z").plusHours(hour).plusMillis(i).toString());
      row.put("words", "w" + (random.nextInt(300) + 100 * hour));
      row.put("wordsOrNull", orNull(random, random.nextInt(5) == 0 ? "" : "w" + random.nextInt(50)));
      row.put("longs", (long) random.nextInt(1_000_000) * (hour + 1) - 500_000);
      row.put("longsOrNull", orNull(random, random.nextLong()));
      row.put("ascending", 1_700_000_000_000L + 3_600_000L * hour + i);
      row.put("doubles", random.nextInt(10_000) / 100.0 - 50);
      row.put("doublesOrNull", orNull(random, random.nextGaussian()));
      row.put("nothing", null);
      row.put("constant", "c");
      row.put("one", 1L);
      row.put("half", 0.5);
      row.put("words[]", orNull(random, words(random)));
      row.put("longs[]", orNull(random, Stream.generate(() -> orNull(random, (long) random.nextInt(20)))
                                              .limit(random.nextInt(4)).toList()));
      row.put("doubles[]", List.of(random.nextInt(5) / 4.0, 0.5));
      row.put("wordsOrLongs", orNull(random, random.nextBoolean() ? "word" + random.nextInt(3) : random.nextInt(90)));
      row.put("anything", switch (random.nextInt(6)) {
        case 0 -> null;
        case 1 -> "word";
        case 2 -> random.nextInt(10);
        case 3 -> 0.5 + random.nextInt(10);
        case 4 -> words(random);
        default -> List.of(1, 2.5, "three");
      });
      row.put("json", Map.of("a", random.nextInt(10), "b", Map.of("c", "d" + i % 7)));
      // The value of "kind" follows from the structure, but for few exceptions.
      row.put("jsonOrNull", orNull(
          random,
          random.nextBoolean()
          ? Map.of("a", "b" + random.nextInt(3))
          : new TreeMap<>(
              Map.of("a", "b" + random.nextInt(3), "kind", random.nextInt(40) == 0 ? "exception" : "rule"))
      ));
      if (hour % 2 == 1) {
        row.put("sometimes", random.nextInt(5));
      }
      row.put("changing", hour % 2 == 1 ? (Object) random.nextInt(50) : "word" + random.nextInt(50));
      row.put("castToLong", orNull(random, "" + random.nextInt(1000)));
      row.put("castToDouble", random.nextBoolean() ? "no number" : "" + random.nextInt(1000) / 8.0);
      row.put("castToWords", random.nextBoolean() ? "alone" : words(random));
      rows.add(row);
    }
    return rows;
  }

  private static List<String> words(Random random) {
    return Arrays.asList("a" + random.nextInt(4), orNull(random, ""), "b" + random.nextInt(2));
  }

  @Nullable
  private static <T> T orNull(Random random, T value) {
    return random.nextInt(3) == 0 ? null : value;
  }

  /** Such rows in memory. */
  public static IncrementalIndex inMemory(int hour, int count) {
    return TestSegments.rowsInMemory(schema(), rows(hour, count));
  }
}
