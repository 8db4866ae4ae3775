// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.suite;

import com.google.common.base.Preconditions;
import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/**
 * Benchmarks for all combinations of some values of their parameters.
 *
 * @param benchmarks simple names of their classes
 * @param params     values by name of the parameter; {@code encoding} among them
 * @param iterations how long each of them runs; null for as long as others of its suite
 */
record Grid(List<String> benchmarks, Map<String, List<String>> params, @Nullable Suite.Iterations iterations) {
  static final String ENCODING = "encoding";

  Grid {
    Preconditions.checkArgument(!benchmarks.isEmpty(), "a grid has no benchmarks");
    Preconditions.checkArgument(params.containsKey(ENCODING), "a grid has no encoding");
  }

  /** The grid with other values of a parameter. */
  Grid with(String param, List<String> values) {
    final Map<String, List<String>> others = new LinkedHashMap<>(params);
    others.put(param, values);
    return new Grid(benchmarks, others, iterations);
  }

  /** The grid for some of its benchmarks. */
  Grid of(List<String> some) {
    return new Grid(some, params, iterations);
  }

  /** The grid for one benchmark alone. */
  Grid of(String benchmark) {
    return of(List.of(benchmark));
  }

  /** Number of results. */
  int size() {
    return benchmarks.size() * params.values().stream().mapToInt(List::size).reduce(1, Math::multiplyExact);
  }

  /**
   * Splits the grid into parts of one benchmark that differ only in the encoding. They are measured in succession, so
   * that disturbances of the machine affect them all, and hardly affect the ratios between them.
   */
  List<Grid> byEncoding() {
    return by(params.keySet().stream().filter(name -> !name.equals(ENCODING)).toList());
  }

  /** Splits the grid into parts, each of one benchmark and one value of each of these parameters. */
  List<Grid> by(List<String> names) {
    final List<Grid> pieces = new ArrayList<>();
    for (String benchmark : benchmarks) {
      for (List<String> values : Lists.cartesianProduct(names.stream().map(params::get).toList())) {
        Grid piece = of(benchmark);
        for (int i = 0; i < names.size(); i++) {
          piece = piece.with(names.get(i), List.of(values.get(i)));
        }
        pieces.add(piece);
      }
    }
    return pieces;
  }

  @Override
  public String toString() {
    return String.join(", ", benchmarks) + params.entrySet().stream()
        .map(param -> " " + param.getKey() + "=" + String.join(",", param.getValue()))
        .collect(Collectors.joining());
  }
}
