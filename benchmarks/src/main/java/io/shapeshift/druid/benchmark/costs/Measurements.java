// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import io.shapeshift.druid.tool.speed.Turns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Reads that are timed, all of them in turns, and the constants that are worked out of their times. All reads are there
 * before the first is timed, so that the compiler has seen all kinds of columns, as it has on a Historical.
 */
final class Measurements {
  /** Least difference of two times, in nanoseconds: less cannot be told from none. */
  private static final double LEAST = 0.001;

  private final List<LongSupplier> reads = new ArrayList<>();
  private final Map<String, DoubleSupplier> constants = new LinkedHashMap<>();
  private double[] nanos;

  /**
   * Adds a read.
   *
   * @param units how many values, rows or bytes it reads
   * @param read  returns something that depends on all that it reads
   * @return nanoseconds per unit, once the reads are timed
   */
  DoubleSupplier time(double units, LongSupplier read) {
    final int index = reads.size();
    reads.add(read);
    return () -> nanos[index] / units;
  }

  /** Adds a constant, by its class in the cost model and its name there. */
  void constant(Class<?> group, String name, DoubleSupplier value) {
    if (constants.put(group.getSimpleName() + "." + name, value) != null) {
      throw new IllegalArgumentException(group.getSimpleName() + "." + name + " is measured twice");
    }
  }

  /** What one time is above another. */
  static DoubleSupplier difference(DoubleSupplier one, DoubleSupplier other) {
    return () -> Math.max(LEAST, one.getAsDouble() - other.getAsDouble());
  }

  /** How many times one time is another. */
  static DoubleSupplier ratio(DoubleSupplier one, DoubleSupplier other) {
    return () -> one.getAsDouble() / other.getAsDouble();
  }

  /** Times the reads; returns the constants by name. */
  Map<String, Double> measure(Turns turns) {
    nanos = turns.medians(reads);
    return constants.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().getAsDouble()));
  }
}
