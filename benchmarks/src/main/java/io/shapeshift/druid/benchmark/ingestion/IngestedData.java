// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.ingestion;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.Iterables;
import io.trino.tpch.LineItem;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javax.annotation.Nullable;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionSchema;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.LongDimensionSchema;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.java.util.common.granularity.Granularity;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleMaxAggregatorFactory;
import org.apache.druid.query.aggregation.DoubleSumAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.LongLastAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/** Data to ingest: a schema, and rows for it, the same in each run. */
enum IngestedData {
  /** Eight strings of 1,000 values each, two longs and four metrics. Half of the inputs are rolled up. */
  WIDE(Granularities.MINUTE, strings(8), longs(2), metrics(4)) {
    @Override
    List<InputRow> rows(int count) {
      return random(count, 1000, count / 2);
    }
  },
  /** Same columns, but two of three values of strings are in only one row. */
  CARDINALITY(Granularities.MINUTE, strings(8), longs(2), metrics(4)) {
    @Override
    List<InputRow> rows(int count) {
      return random(count, 100_000_000, count / 2);
    }
  },
  /** Three strings and 40 metrics; three of four inputs are rolled up. */
  METRICS(Granularities.MINUTE, strings(3), longs(0), metrics(40)) {
    @Override
    List<InputRow> rows(int count) {
      return random(count, 1000, count / 4);
    }
  },
  /** Three strings, two sketches of unique values, and a last value; nine of ten inputs are rolled up. */
  SKETCHES(
      Granularities.MINUTE,
      strings(3),
      longs(0),
      List.of(
          new CountAggregatorFactory("count"),
          new HyperUniquesAggregatorFactory("unique1", "m1"),
          new HyperUniquesAggregatorFactory("unique2", "m2"),
          new LongLastAggregatorFactory("last", "m3", null)
      )
  ) {
    @Override
    List<InputRow> rows(int count) {
      return random(count, 1000, count / 10);
    }
  },
  /** Druid's sample of edits of Wikipedia, repeated on other days. */
  WIKITICKER(
      Granularities.MINUTE,
      List.of(
          "channel", "cityName", "comment", "countryIsoCode", "countryName", "isAnonymous", "isMinor", "isNew",
          "isRobot", "isUnpatrolled", "metroCode", "namespace", "page", "regionIsoCode", "regionName", "user"
      ),
      List.of(),
      List.of(
          new CountAggregatorFactory("count"),
          new LongSumAggregatorFactory("added", "added"),
          new LongSumAggregatorFactory("deleted", "deleted"),
          new LongSumAggregatorFactory("delta", "delta")
      )
  ) {
    @Override
    List<InputRow> rows(int count) {
      final List<Map<String, Object>> events = wikiticker();
      final List<InputRow> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        final Map<String, Object> event = events.get(i % events.size());
        final long time = DateTimes.of(event.get("time").toString()).getMillis();
        rows.add(row(time + i / events.size() * 86_400_000L, event));
      }
      return rows;
    }
  },
  /** Lineitem of TPC-H: strings, keys as longs, and sums. Hardly any input is rolled up. */
  LINEITEM(
      Granularities.DAY,
      List.of("l_returnflag", "l_linestatus", "l_shipinstruct", "l_shipmode", "l_comment", "l_commitdate"),
      List.of("l_orderkey", "l_partkey", "l_suppkey", "l_linenumber"),
      List.of(
          new CountAggregatorFactory("count"),
          new LongSumAggregatorFactory("quantity", "l_quantity"),
          new DoubleSumAggregatorFactory("price", "l_extendedprice"),
          new DoubleSumAggregatorFactory("discount", "l_discount"),
          new DoubleSumAggregatorFactory("tax", "l_tax")
      )
  ) {
    @Override
    List<InputRow> rows(int count) {
      final List<InputRow> rows = new ArrayList<>();
      for (LineItem item : Iterables.limit(TpchTable.LINE_ITEM.createGenerator(1, 1, 1), count)) {
        final Map<String, Object> event = new HashMap<>();
        for (TpchColumn<LineItem> column : TpchTable.LINE_ITEM.getColumns()) {
          switch (column.getType().getBase()) {
            case IDENTIFIER -> event.put(column.getColumnName(), column.getIdentifier(item));
            case INTEGER -> event.put(column.getColumnName(), column.getInteger(item));
            case DOUBLE -> event.put(column.getColumnName(), column.getDouble(item));
            case VARCHAR -> event.put(column.getColumnName(), column.getString(item));
            case DATE -> event.put(column.getColumnName(), DATES[column.getDate(item)]);
          }
        }
        rows.add(row(item.getShipDate() * 86_400_000L, event));
      }
      return rows;
    }
  };

  private static final long START = DateTimes.of("2026-01-01").getMillis();
  private static final int SEED = 18;
  private static final String[] DATES = IntStream.range(0, 20_000)
      .mapToObj(day -> DateTimes.utc(day * 86_400_000L).toString("yyyy-MM-dd"))
      .toArray(String[]::new);

  @SuppressWarnings("ImmutableEnumChecker") // It is.
  private final Granularity granularity;
  @SuppressWarnings("ImmutableEnumChecker") // It is.
  private final List<String> strings;
  @SuppressWarnings("ImmutableEnumChecker") // It is.
  private final List<String> longs;
  @SuppressWarnings("ImmutableEnumChecker") // Nobody changes it.
  private final List<AggregatorFactory> metrics;

  IngestedData(
      Granularity granularity,
      List<String> strings,
      List<String> longs,
      List<AggregatorFactory> metrics
  ) {
    this.granularity = granularity;
    this.strings = strings;
    this.longs = longs;
    this.metrics = metrics;
  }

  /** Makes the rows, all in memory. */
  abstract List<InputRow> rows(int count);

  IncrementalIndexSchema schema(boolean rollUp) {
    final List<DimensionSchema> dimensions = new ArrayList<>();
    strings.forEach(name -> dimensions.add(new StringDimensionSchema(name)));
    longs.forEach(name -> dimensions.add(new LongDimensionSchema(name)));
    return new IncrementalIndexSchema.Builder()
        .withMinTimestamp(0)
        .withQueryGranularity(granularity)
        .withDimensionsSpec(new DimensionsSpec(dimensions))
        .withMetrics(metrics.toArray(new AggregatorFactory[0]))
        .withRollup(rollUp)
        .build();
  }

  /** Copies an input as a JSON parser would make it: with its own values, and with names that all inputs share. */
  static InputRow parsed(InputRow row) {
    final Map<String, Object> event = new LinkedHashMap<>();
    ((MapBasedInputRow) row).getEvent().forEach((name, value) -> event.put(name, parsed(value)));
    return new MapBasedInputRow(row.getTimestamp(), row.getDimensions(), event);
  }

  @Nullable
  @SuppressWarnings("UnnecessaryBoxing") // A new object each time.
  private static Object parsed(@Nullable Object value) {
    if (value instanceof String text) {
      return new String(text.toCharArray());
    }
    if (value instanceof Double number) {
      return Double.valueOf(number.doubleValue());
    }
    return value instanceof Long number ? Long.valueOf(number.longValue()) : value;
  }

  /** Name of the dimension that queries group by. */
  String grouped() {
    return strings.get(0);
  }

  /** Random rows, of which a given number are distinct. */
  final List<InputRow> random(int count, int cardinality, int distinct) {
    final Random random = new Random(SEED);
    final List<Map<String, Object>> keys = new ArrayList<>();
    final List<String> fields = IntStream.range(0, metrics.size()).mapToObj(i -> "m" + i).toList();
    final List<InputRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      final int key = i < distinct ? i : random.nextInt(distinct);
      if (key == keys.size()) {
        final Map<String, Object> values = new HashMap<>();
        for (int j = 0; j < strings.size(); j++) {
          // Every third dimension has few values.
          values.put(strings.get(j), "value " + random.nextInt(j % 3 == 2 ? Math.min(cardinality, 50) : cardinality));
        }
        longs.forEach(name -> values.put(name, (long) random.nextInt(1000)));
        keys.add(values);
      }
      final Map<String, Object> event = new HashMap<>(keys.get(key));
      for (int j = 0; j < metrics.size(); j++) {
        event.put(fields.get(j), j % 2 == 0 ? (Object) (long) random.nextInt(1000) : (Object) random.nextDouble());
      }
      // A hundred distinct rows per second.
      rows.add(row(START + key * 10L, event));
    }
    return rows;
  }

  final InputRow row(long time, Map<String, Object> event) {
    return new MapBasedInputRow(
        DateTimes.utc(time),
        Stream.concat(strings.stream(), longs.stream()).toList(),
        event
    );
  }

  private static List<String> strings(int count) {
    return IntStream.range(0, count).mapToObj(i -> "string" + i).toList();
  }

  private static List<String> longs(int count) {
    return IntStream.range(0, count).mapToObj(i -> "long" + i).toList();
  }

  /** A count, followed in turn by sums of longs, sums of doubles and maxima. */
  private static List<AggregatorFactory> metrics(int count) {
    final List<AggregatorFactory> metrics = new ArrayList<>();
    metrics.add(new CountAggregatorFactory("count"));
    for (int i = 1; i < count; i++) {
      metrics.add(switch (i % 3) {
        case 0 -> new DoubleMaxAggregatorFactory("max" + i, "m" + i);
        case 1 -> new DoubleSumAggregatorFactory("sum" + i, "m" + i);
        default -> new LongSumAggregatorFactory("sum" + i, "m" + i);
      });
    }
    return metrics;
  }

  private static List<Map<String, Object>> wikiticker() {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(
        new GZIPInputStream(Objects.requireNonNull(
            IngestedData.class.getResourceAsStream("/wikipedia/wikiticker-2015-09-12-sampled.json.gz"))),
        StandardCharsets.UTF_8
    ))) {
      final ObjectMapper json = new ObjectMapper();
      final List<Map<String, Object>> events = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        events.add(json.readValue(line, new TypeReference<Map<String, Object>>() {}));
      }
      return events;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
