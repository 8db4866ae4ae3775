// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.sketches;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.segment.Druid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.DimensionsSpec;
import org.apache.druid.data.input.impl.StringDimensionSchema;
import org.apache.druid.java.util.common.DateTimes;
import org.apache.druid.java.util.common.Intervals;
import org.apache.druid.java.util.common.granularity.Granularities;
import org.apache.druid.segment.IndexSpec;
import org.apache.druid.segment.incremental.IncrementalIndex;
import org.apache.druid.segment.incremental.IncrementalIndexSchema;
import org.apache.druid.segment.incremental.OnheapIncrementalIndex;

/**
 * Segments of events of a website, rolled up to a sketch for each hour and channel: ids of users, a few of whom visit
 * often, or latencies. A few channels have most events.
 *
 * @param kind    kind of the sketches
 * @param events  number of events
 * @param repeats whether users come again and latencies have two decimals; otherwise no user comes twice, and latencies
 *                have all digits
 */
record SketchSegments(SketchKind kind, int events, boolean repeats) {
  /** Column of the sketches. */
  static final String SKETCH = "sketch";
  /** Column of {@value #GROUPS} groups. */
  static final String GROUP = "group";

  private static final String CHANNEL = "channel";
  private static final String VALUE = "value";
  private static final int GROUPS = 200;
  private static final int CHANNELS = 2000;
  private static final int HOURS = 48;
  private static final int USERS = 300_000;
  private static final long START = DateTimes.of("2026-01-01").getMillis();
  private static final long HOUR = 3_600_000;

  /** Rolls the events up. */
  IncrementalIndex rollUp() {
    final IncrementalIndex index = new OnheapIncrementalIndex.Builder()
        .setIndexSchema(IncrementalIndexSchema.builder()
            .withMinTimestamp(START)
            .withQueryGranularity(Granularities.HOUR)
            .withDimensionsSpec(new DimensionsSpec(
                List.of(new StringDimensionSchema(CHANNEL), new StringDimensionSchema(GROUP))))
            .withMetrics(new SketchAggregatorFactory(SKETCH, VALUE, kind))
            .withRollup(true)
            .build())
        .setMaxRowCount(HOURS * CHANNELS)
        .build();
    final Random random = new Random(7);
    final double[] users = zipf(USERS, 1.05);
    final double[] channels = zipf(CHANNELS, 1.2);
    for (int event = 0; event < events; event++) {
      final int channel = draw(channels, random);
      final int hour = random.nextInt(HOURS);
      final long user = draw(users, random);
      final double latency = Math.exp(3 + random.nextGaussian());
      final double seen = kind.countsIds()
                          ? repeats ? user : event
                          : repeats ? Math.round(latency * 100) / 100d : latency;
      index.add(new MapBasedInputRow(
          START + hour * HOUR,
          List.of(CHANNEL, GROUP),
          Map.of(
              CHANNEL, Integer.toString(channel),
              GROUP, Integer.toString((channel + 31 * hour) % GROUPS),
              VALUE, seen
          )
      ));
    }
    return index;
  }

  /** Sums of the weights of Zipf's law. */
  private static double[] zipf(int number, double exponent) {
    final double[] sums = new double[number];
    double sum = 0;
    for (int i = 0; i < number; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
    }
    return sums;
  }

  private static int draw(double[] sums, Random random) {
    final int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    return found < 0 ? Math.min(-found - 1, sums.length - 1) : found;
  }

  /** Writes a segment whose metrics shape-shift. */
  static void write(IncrementalIndex index, OptimizationTarget target, Path segment) throws IOException {
    write(index, spec(target), segment);
  }

  /** Writes a segment. */
  static void write(IncrementalIndex index, IndexSpec spec, Path segment) throws IOException {
    Druid.merger(9).persist(index, Intervals.ETERNITY, segment.toFile(), spec, null);
  }

  private static IndexSpec spec(OptimizationTarget target) throws JsonProcessingException {
    return Druid.json().readValue(
        String.format(
            Locale.ROOT,
            "{\"complexEncodingStrategy\": {\"strategy\": \"shapeshift\", \"optimizationTarget\": \"%s\"}}",
            target.name().toLowerCase(Locale.ROOT)
        ),
        IndexSpec.class
    );
  }
}
