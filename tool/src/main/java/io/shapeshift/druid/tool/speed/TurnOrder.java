// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Order in which things that are compared take their turns: a new one for each round, and the same ones in each run.
 * Under one fixed order a thing is always measured with the caches and branch predictors that the same other thing left
 * behind.
 */
public final class TurnOrder {
  private final Random random = new Random(1);

  /** The things in the order of the next round. */
  public <T> List<T> next(Collection<T> things) {
    final List<T> order = new ArrayList<>(things);
    Collections.shuffle(order, random);
    return order;
  }
}
