// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.util.IdentityHashMap;
import java.util.function.Supplier;

/** Cache of the results that forms have computed for one chunk. */
public final class Findings {
  private final IdentityHashMap<Object, Object> byOwner = new IdentityHashMap<>(4);

  /**
   * Returns a form's result for the chunk, computing it at the first call.
   *
   * @param owner key of the result: the form, or a separate object for each of its results
   * @param type  type of the result; each owner has one
   */
  public <T> T once(Object owner, Class<T> type, Supplier<? extends T> finding) {
    Object found = byOwner.get(owner);
    if (found == null) {
      // Not computeIfAbsent, because computing one result may need another.
      found = finding.get();
      byOwner.put(owner, found);
    }
    return type.cast(found);
  }

  /** Returns whether the result of an owner is cached. */
  public boolean has(Object owner) {
    return byOwner.containsKey(owner);
  }

  /** Removes all results. */
  public void clear() {
    byOwner.clear();
  }
}
