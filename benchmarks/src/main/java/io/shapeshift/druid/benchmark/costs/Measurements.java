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
 * Times reads, all of them in turns, and computes the constants from the times. All reads are prepared before the first
 * is timed, so that the compiler has seen all kinds of columns, as on a Historical.
 */
final class Measurements {
  /** Smallest difference between two times, in nanoseconds: a smaller one cannot be told from zero. */
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

  /** Adds a constant, which is identified by its class in the cost model and its field name. */
  void constant(Class<?> group, String name, DoubleSupplier value) {
    if (constants.put(group.getSimpleName() + "." + name, value) != null) {
      throw new IllegalArgumentException(group.getSimpleName() + "." + name + " is measured twice");
    }
  }

  /** Difference of two times, at least {@link #LEAST}. */
  static DoubleSupplier difference(DoubleSupplier one, DoubleSupplier other) {
    return () -> Math.max(LEAST, one.getAsDouble() - other.getAsDouble());
  }

  /** Ratio of two times. */
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
