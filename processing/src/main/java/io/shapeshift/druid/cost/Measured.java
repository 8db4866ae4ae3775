// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a constant of {@link CostModel} that depends on the processor; {@code scripts/benchmark costs} measures it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Measured {
  /** Returns the unit of the constant. */
  String unit();

  /** Returns the benchmark: the read that is timed, or the two reads whose times are divided. */
  String by();
}
