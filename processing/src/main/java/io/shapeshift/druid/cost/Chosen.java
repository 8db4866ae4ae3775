// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Constant of {@link CostModel} that is not measured again: a weight, a share, or a threshold that was set by hand. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Chosen {
  /** Unit of the constant. */
  String unit();

  /** Why it has this value. */
  String reason();
}
