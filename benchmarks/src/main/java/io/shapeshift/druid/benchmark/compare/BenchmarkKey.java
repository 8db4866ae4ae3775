// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * What tells one measurement from another.
 *
 * @param benchmark name of the method with that of its class
 * @param mode      JMH's short name, such as avgt
 * @param params    values by the names of the parameters
 */
record BenchmarkKey(String benchmark, String mode, SortedMap<String, String> params) {
  /** The class without its package. */
  String className() {
    final String name = benchmark.substring(0, Math.max(0, benchmark.lastIndexOf('.')));
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** Class and method. */
  String shortName() {
    return className() + benchmark.substring(Math.max(0, benchmark.lastIndexOf('.')));
  }

  /** The parameters as people read them. */
  String paramsText() {
    return params.entrySet().stream().map(Object::toString).collect(Collectors.joining(" "));
  }

  @Override
  public String toString() {
    return (shortName() + " " + paramsText()).strip();
  }
}
