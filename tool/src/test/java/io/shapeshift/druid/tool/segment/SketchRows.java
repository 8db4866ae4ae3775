// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.segment;

import io.shapeshift.druid.segment.TestSegments;
import io.shapeshift.druid.testing.sketches.Sketch;
import io.shapeshift.druid.testing.sketches.SketchAggregatorFactory;
import io.shapeshift.druid.testing.sketches.SketchSerde;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.query.aggregation.CountAggregatorFactory;
import org.apache.druid.query.aggregation.LongSumAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.first.LongFirstAggregatorFactory;
import org.apache.druid.query.aggregation.firstlast.last.StringLastAggregatorFactory;
import org.apache.druid.query.aggregation.hyperloglog.HyperUniquesAggregatorFactory;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;

/** Events that are rolled up to sketches of several types, and to pairs, whose types have columns of their own. */
public final class SketchRows {
  /** Columns of objects. */
  public static final List<String> OBJECTS = List.of("unique", Sketch.THETA.name(), Sketch.KLL.name());
  /** Columns of pairs of a time and a value. */
  public static final List<String> PAIRS = List.of("first", "last");

  static {
    SketchSerde.register();
  }

  private SketchRows() {}

  /** Rolls up events of an hour. */
  public static IncrementalIndex inMemory(int hour) {
    final AggregatorFactory[] metrics = {
        new CountAggregatorFactory("count"),
        new LongSumAggregatorFactory("sum", "user"),
        new HyperUniquesAggregatorFactory("unique", "name"),
        new SketchAggregatorFactory(Sketch.THETA.name(), "user", Sketch.THETA),
        new SketchAggregatorFactory(Sketch.KLL.name(), "latency", Sketch.KLL),
        new LongFirstAggregatorFactory("first", "user", null),
        new StringLastAggregatorFactory("last", "name", null, null)
    };
    final IncrementalIndexSchema schema = IncrementalIndexSchema
        .builder()
        .withQueryGranularity(Granularities.HOUR)
        .withDimensionsSpec(new DimensionsSpec(List.of(new StringDimensionSchema("channel"))))
        .withMetrics(metrics)
        .withRollup(true)
        .build();
    final Random random = new Random(hour);
    final List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < 6000; i++) {
      final Map<String, Object> row = new HashMap<>();
      row.put("time", DateTimes.of("2026-01-01").plusHours(hour).plusMillis(i).toString());
      final int channel = random.nextInt(400);
      row.put("channel", "c" + channel);
      // Some channels have no user, so that there are nulls.
      if (channel >= 20) {
        final int user = random.nextInt(2000);
        row.put("user", user);
        row.put("name", "user" + user);
        row.put("latency", random.nextInt(500) / 4.0);
      }
      rows.add(row);
    }
    return TestSegments.rowsInMemory(schema, rows);
  }
}
