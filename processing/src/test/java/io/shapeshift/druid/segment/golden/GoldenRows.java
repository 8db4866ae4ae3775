// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.segment.golden;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.impl.AggregateProjectionSpec;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionSchema.MultiValueHandling;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.DoubleDimensionSchema;
import org.apache.druid.data.input.impl.FloatDimensionSchema;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.NewSpatialDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleSumAggregatorFactory;
import org.apache.druid.query.aggregation.FloatMaxAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.segment.AutoTypeColumnSchema;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/**
 * What is in the golden segments: rows that a formula gives, for ever, of values that ask for every kind of form. A row
 * has its own time, so that it is found again. What a column shows of a value is the value, but where
 * {@link #shown} says otherwise.
 */
public final class GoldenRows {
  /** Rows of each segment. */
  public static final int COUNT = 800;
  /** The one projection, of which {@link #projected()} are the rows. */
  public static final String PROJECTION = "byFew";
  /** The columns with a hash index. */
  static final Set<String> KEYS = Set.of("longKey", "doubleKey", "floatKey");

  private static final long START = DateTimes.of("2026-01-01T00:00:00Z").getMillis();
  private static final String[] WORDS = {
      "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "juniper", "kelp", "larch"
  };

  static {
    BuiltInTypesModule.registerHandlersAndSerde();
  }

  private GoldenRows() {}

  private static AggregatorFactory[] metrics() {
    return Stream
        .concat(
            Stream.of(
                new CountAggregatorFactory("count"),
                new LongSumAggregatorFactory("longMetric", "longOutliers"),
                new DoubleSumAggregatorFactory("doubleMetric", "doubleDecimal"),
                new FloatMaxAggregatorFactory("floatMetric", "floatDecimal")
            ),
            Arrays.stream(GoldenObjects.metrics()))
        .toArray(AggregatorFactory[]::new);
  }

  public static IncrementalIndexSchema schema() {
    final List<DimensionSchema> dimensions = List.of(
        new StringDimensionSchema("constant"),
        new StringDimensionSchema("blocks"),
        new StringDimensionSchema("few"),
        new StringDimensionSchema("mostly"),
        new StringDimensionSchema("pairs"),
        new StringDimensionSchema("urls"),
        new StringDimensionSchema("codes"),
        new StringDimensionSchema("texts"),
        new StringDimensionSchema("names"),
        new StringDimensionSchema("mails"),
        new StringDimensionSchema("own"),
        new StringDimensionSchema("unindexed", null, false),
        new StringDimensionSchema("never"),
        new StringDimensionSchema("tags", MultiValueHandling.ARRAY, true),
        new StringDimensionSchema("tagsUnindexed", MultiValueHandling.ARRAY, false),
        new StringDimensionSchema("tagsBursts", MultiValueHandling.ARRAY, true),
        new LongDimensionSchema("longLinear"),
        new LongDimensionSchema("longOutliers"),
        new LongDimensionSchema("longJitter"),
        new LongDimensionSchema("longKey"),
        new LongDimensionSchema("longWide"),
        new LongDimensionSchema("longAny"),
        new LongDimensionSchema("longAgain"),
        new DoubleDimensionSchema("doubleDecimal"),
        new DoubleDimensionSchema("doubleKey"),
        new DoubleDimensionSchema("doubleSplit"),
        new DoubleDimensionSchema("doubleAny"),
        new FloatDimensionSchema("floatDecimal"),
        new FloatDimensionSchema("floatKey"),
        new FloatDimensionSchema("floatAny"),
        AutoTypeColumnSchema.of("autoWords"),
        AutoTypeColumnSchema.of("autoLongs"),
        AutoTypeColumnSchema.of("autoDoubles"),
        AutoTypeColumnSchema.of("autoWordArrays"),
        AutoTypeColumnSchema.of("autoLongArrays"),
        AutoTypeColumnSchema.of("autoDoubleArrays"),
        AutoTypeColumnSchema.of("autoMixed"),
        AutoTypeColumnSchema.of("autoNested"),
        AutoTypeColumnSchema.of("autoRoots"),
        new StringDimensionSchema("halves"),
        new NewSpatialDimensionSchema("place", List.of("x", "y"))
    );
    return IncrementalIndexSchema
        .builder()
        .withDimensionsSpec(new DimensionsSpec(
            Stream.concat(dimensions.stream(), GoldenObjects.DIMENSIONS.stream()).toList()))
        .withMetrics(metrics())
        .withRollup(false)
        .withProjections(List.of(
            AggregateProjectionSpec
                .builder(PROJECTION)
                .groupingColumns(new StringDimensionSchema("few"), AutoTypeColumnSchema.of("autoWords"))
                .aggregators(
                    new CountAggregatorFactory("projectedCount"),
                    new LongSumAggregatorFactory("projectedSum", "longOutliers")
                )
                .build()
        ))
        .build();
  }

  /** The finalizer of MurmurHash3 of a number and a salt: 64 bits that look random. */
  static long hash(int i, int salt) {
    long k = i * 0x9E3779B97F4A7C15L + salt;
    k = (k ^ k >>> 33) * 0xFF51AFD7ED558CCDL;
    k = (k ^ k >>> 33) * 0xC4CEB9FE1A85EC53L;
    return k ^ k >>> 33;
  }

  static int hash(int i, int salt, int bound) {
    return (int) Long.remainderUnsigned(hash(i, salt), bound);
  }

  static String word(int i, int salt) {
    return WORDS[hash(i, salt, WORDS.length)];
  }

  /** A value of another column, or null in one row of some. */
  @Nullable
  private static Object orNull(int i, int every, Object value) {
    return hash(i, 99, every) == 0 ? null : value;
  }

  /** All values of all rows, in the order of time. */
  public static List<Map<String, Object>> rows() {
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.utc(time(i)).toString());
      addStrings(i, row);
      addNumbers(i, row);
      addAuto(i, row);
      GoldenObjects.add(i, row);
      rows.add(row);
    }
    return rows;
  }

  /** The time of a row. */
  static long time(int row) {
    return START + 1000L * row;
  }

  private static void addStrings(int i, Map<String, Object> row) {
    row.put("constant", "c");
    row.put("blocks", "block " + i / 150);
    row.put("few", orNull(i, 10, "f" + hash(i, 1, 5)));
    row.put("mostly", hash(i, 2, 50) == 0 ? "other " + hash(i, 3, 20) : "mostly");
    row.put("pairs", i % 7 < 4 ? "" : "pair " + i / 14 % 3);
    final int url = hash(i, 4, 400);
    row.put("urls", "https://" + word(url, 5) + ".example.com/" + word(url, 6) + "/" + word(url, 7) + "-" + url);
    row.put("codes", String.format(Locale.ROOT, "%08x", (int) hash(hash(i, 8, 400), 9)));
    final int text = hash(i, 10, 250);
    row.put(
        "texts", text % 5 == 0 ? "\u00e9t\u00e9 " + text : Long.toString(hash(text, 11), 36) + "\u6f22\ud83d\ude00");
    row.put("names", word(i, 12) + " and " + word(i, 13) + " " + hash(i, 14, 4));
    final int mail = hash(i, 23, 200);
    row.put("mails", Long.toString(hash(mail, 24) >>> 44, 36) + "@" + word(mail, 25)
        + ".customers.mail.example.com/inbox/unread/descending");
    row.put("own", "own" + (100_000 + i));
    row.put("unindexed", orNull(i, 4, word(i, 15)));
    row.put("never", null);
    row.put("halves", "half of a pair \ud83d".substring(0, 15 - i % 2) + i % 40);
    row.put("x", hash(i, 28, 3));
    row.put("y", hash(i, 29, 4) / 4f);
    row.put("tags", tags(i));
    row.put("tagsUnindexed", List.of(word(i, 16), word(i, 17)));
    // One value comes in bursts, two in every other row.
    row.put("tagsBursts", i % 100 < 70 && hash(i, 26, 5) > 0
                          ? List.of("burst", "t" + hash(i, 27, 40), "u" + i % 2)
                          : List.of("t" + hash(i, 27, 40), "u" + i % 2));
  }

  @Nullable
  private static List<String> tags(int i) {
    return switch (hash(i, 18, 5)) {
      case 0 -> null;
      case 1 -> List.of();
      case 2 -> List.of("t" + hash(i, 19, 300));
      case 3 -> Arrays.asList(word(i, 20), null, "");
      default -> List.of("z", word(i, 21), "z", "t" + hash(i, 22, 9));
    };
  }

  private static void addNumbers(int i, Map<String, Object> row) {
    row.put("longLinear", -5_000_000_000L + 60_000L * hash(i, 30, 1000));
    row.put("longOutliers", hash(i, 31, 40) == 0 ? hash(i, 32, 1 << 30) : (long) hash(i, 33, 16));
    row.put("longJitter", orNull(i, 20, START + 1000L * i + hash(i, 34, 60)));
    row.put("longKey", hash(hash(i, 35, 250), 36) >> 8);
    row.put("longWide", hash(i, 37) >>> 24);
    row.put("longAny", orNull(i, 2, hash(i, 38)));
    row.put("longAgain", hash(i % 64, 39) >> 3);
    row.put("doubleDecimal", hash(i, 40, 100) == 0 ? Math.sqrt(i) : (hash(i, 41, 20_000) - 500) / 100.0);
    row.put("doubleKey", orNull(i, 5, doubleKey(i)));
    row.put("doubleSplit", (1 + hash(i, 43, 1 << 30) / 1e9) * (i % 4 == 0 ? 1e12 : 1));
    row.put("doubleAny", i % 2 == 0 ? null : i % 9 == 0 ? (Object) Double.NaN : Double.longBitsToDouble(
        // No other NaN, which Druid may turn into that one.
        hash(i, 44) & ~(1L << 62)));
    row.put("floatDecimal", hash(i, 45, 5000) / 10f);
    row.put("floatKey", orNull(i, 3, (float) StrictMath.cbrt(hash(i, 46, 60) - 20)));
    row.put("floatAny", i % 11 == 0 ? -0f : Float.intBitsToFloat((int) hash(i, 47) & ~(1 << 30)));
  }

  private static double doubleKey(int i) {
    return switch (hash(i, 48, 40)) {
      case 0 -> Double.NaN;
      case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 -> 0.1;
      default -> Math.sqrt(hash(i, 42, 90)) - 2;
    };
  }

  private static void addAuto(int i, Map<String, Object> row) {
    row.put("autoWords", orNull(i, 6, word(i, 50) + hash(i, 51, 12)));
    row.put("autoLongs", orNull(i, 7, 1_000_000L * hash(i, 52, 500)));
    row.put("autoDoubles", orNull(i, 8, hash(i, 53, 400) / 8.0));
    row.put("autoWordArrays", orNull(i, 9, Arrays.asList(word(i, 54), null, word(i, 55))));
    row.put("autoLongArrays", List.of((long) hash(i, 56, 30), 7L));
    row.put("autoDoubleArrays", orNull(i, 3, List.of(hash(i, 57, 9) / 4.0)));
    row.put("autoMixed", orNull(i, 5, i % 2 == 0 ? (Object) word(i, 58) : (long) hash(i, 59, 70)));
    row.put("autoRoots", StrictMath.cbrt(hash(i, 62, 200) - 50));
    // In one order, as Druid stores it as it is.
    row.put("autoNested", new TreeMap<>(Map.of("a", hash(i, 60, 5), "b", Map.of("c", word(i, 61)))));
  }

  /** What a query sees of a row in a column but that of the time. */
  @Nullable
  static Object shown(String column, Map<String, Object> row) {
    return switch (column) {
      case "count" -> 1L;
      case "longMetric" -> ((Number) row.get("longOutliers")).longValue();
      case "doubleMetric" -> row.get("doubleDecimal");
      case "floatMetric" -> row.get("floatDecimal");
      // As UTF-8 has it.
      case "halves" -> row.get(column).toString().replace('\ud83d', '?');
      case "place" -> row.get("x") + "," + row.get("y");
      default -> GoldenObjects.SKETCHES.containsKey(column)
                 ? GoldenObjects.aggregated(column, row.get(column))
                 : shown(row.get(column), column.startsWith("tags"));
    };
  }

  /** What a query sees of a value. */
  @Nullable
  public static Object shown(@Nullable Object value, boolean isMultiValue) {
    if (!isMultiValue || !(value instanceof List<?> values)) {
      return value;
    }
    return values.isEmpty() ? null : values.size() == 1 ? values.get(0) : values;
  }

  /** The rows of the projection in its order: what it groups by, the number of rows, and the sum. */
  static List<List<Object>> projected() {
    final Comparator<String> nullFirst = Comparator.nullsFirst(Comparator.naturalOrder());
    final Map<List<String>, long[]> groups = new TreeMap<>(
        Comparator.<List<String>, String>comparing(key -> key.get(0), nullFirst)
                  .thenComparing(key -> key.get(1), nullFirst)
    );
    for (Map<String, Object> row : rows()) {
      final List<String> key = Arrays.asList((String) row.get("few"), (String) row.get("autoWords"));
      final long[] sums = groups.computeIfAbsent(key, unused -> new long[2]);
      sums[0]++;
      sums[1] += ((Number) row.get("longOutliers")).longValue();
    }
    final List<List<Object>> projected = new ArrayList<>();
    groups.forEach((key, sums) -> projected.add(Arrays.asList(key.get(0), key.get(1), sums[0], sums[1])));
    return projected;
  }
}
