// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a constant of {@link CostModel} that is set by hand and not measured again: a weight, a share, or a threshold.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Chosen {
  /** Returns the unit of the constant. */
  String unit();

  /** Returns the reason for the value. */
  String reason();
}
