// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.testing.sketches;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Events of a website, rolled up by hour and channel: ids of users, a few of whom visit often, and latencies.
 *
 * @param events   number of events
 * @param channels number of channels, of which a few have most events
 * @param hours    number of hours
 * @param repeats  whether users come again and latencies have two decimals; otherwise no user comes twice, and
 *                 latencies have all digits
 */
public record SketchStream(int events, int channels, int hours, boolean repeats) {
  private static final int USERS = 300_000;

  /** The stream of the measurements. */
  public static SketchStream large(boolean repeats) {
    return new SketchStream(2_000_000, 2000, 48, repeats);
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

  /** The bytes of a sketch for each hour and channel with events, in this order. */
  public List<byte[]> sketches(Sketch kind) {
    final Random random = new Random(7);
    final double[] userSums = zipf(USERS, 1.05);
    final double[] channelSums = zipf(channels, 1.2);
    final TreeMap<Integer, Sketch.Accumulator> groups = new TreeMap<>();
    for (int event = 0; event < events; event++) {
      final int channel = draw(channelSums, random);
      final int hour = random.nextInt(hours);
      final long user = draw(userSums, random);
      final double latency = Math.exp(3 + random.nextGaussian());
      final Number value = kind.isOfIds()
                           ? (Number) (repeats ? user : event)
                           : (Number) (repeats ? Math.round(latency * 100) / 100d : latency);
      groups.computeIfAbsent(hour * channels + channel, absent -> kind.accumulator()).add(value);
    }
    final List<byte[]> sketches = new ArrayList<>();
    groups.values().forEach(accumulator -> sketches.add(kind.toBytes(accumulator.result())));
    return sketches;
  }
}
