// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.costs;

import io.shapeshift.druid.cost.Chosen;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import io.shapeshift.druid.cost.Measured;
import io.shapeshift.druid.cost.OptimizationTarget;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/**
 * Constant of the cost model.
 *
 * @param name     its class and its own, such as {@code Delta.DENSITY}
 * @param used     its value: a number, or a {@link DecodeCost}
 * @param measured says what is timed; null if the constant is chosen
 * @param chosen   says why; null if the constant is measured
 */
record Constant(String name, Object used, @Nullable Measured measured, @Nullable Chosen chosen) {
  /** All constants, by class. */
  static List<Constant> all() {
    return Arrays.stream(CostModel.class.getDeclaredClasses())
        .sorted(Comparator.comparing(Class::getSimpleName))
        .flatMap(group -> Arrays.stream(group.getDeclaredFields()))
        .filter(field -> Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
        .map(Constant::of)
        .toList();
  }

  private static Constant of(Field field) {
    try {
      return new Constant(
          field.getDeclaringClass().getSimpleName() + "." + field.getName(),
          field.get(null),
          field.getAnnotation(Measured.class),
          field.getAnnotation(Chosen.class)
      );
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean isMeasured() {
    return measured != null;
  }

  /** Returns whether the constant is a time, not a ratio of two times. */
  boolean isTime() {
    return unit().startsWith("ns ");
  }

  /** Value as a number; only measured constants have one. */
  double number() {
    return ((Number) used).doubleValue();
  }

  String unit() {
    return isMeasured() ? measured.unit() : chosen.unit();
  }

  /** The reads that measure it, or the reason for which it was chosen. */
  String basis() {
    return isMeasured() ? measured.by() : "chosen, not measured: " + chosen.reason();
  }

  /** Value for people: for a {@link DecodeCost} the factors under the targets and the bytes per number. */
  String text() {
    return used instanceof DecodeCost cost
           ? Arrays.stream(OptimizationTarget.values()).map(cost::under).map(Constant::text)
               .collect(Collectors.joining(" / "))
           : number(number());
  }

  private static String text(DecodeCost.Weight weight) {
    final String factor = weight.factor() == DecodeCost.NEVER ? "never" : number(weight.factor());
    return weight.perNumber() == 0 ? factor : factor + " + " + number(weight.perNumber());
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
