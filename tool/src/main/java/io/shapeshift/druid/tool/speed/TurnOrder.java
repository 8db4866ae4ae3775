// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.tool.speed;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Order in which compared items take their turns. It changes from round to round, and is the same in each run. With a
 * fixed order, an item would always be measured with the caches and branch predictors that the same other item left
 * behind.
 */
public final class TurnOrder {
  private final Random random = new Random(1);

  /** Items in the order of the next round. */
  public <T> List<T> next(Collection<T> things) {
    final List<T> order = new ArrayList<>(things);
    Collections.shuffle(order, random);
    return order;
  }
}
