// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form;

import java.util.IdentityHashMap;
import java.util.function.Supplier;

/** What forms have found out about one chunk, each finding once. */
public final class Findings {
  private final IdentityHashMap<Object, Object> byOwner = new IdentityHashMap<>(4);

  /**
   * The result of a form's own computation about the chunk, which is done only once.
   *
   * @param owner who asks: the form, or an object of its own for each of several results
   * @param type  of the result; each owner has one
   */
  public <T> T once(Object owner, Class<T> type, Supplier<? extends T> finding) {
    Object found = byOwner.get(owner);
    if (found == null) {
      // Not by computeIfAbsent: to find one thing out may take another.
      found = finding.get();
      byOwner.put(owner, found);
    }
    return type.cast(found);
  }

  /** Whether there is a result for an owner. */
  public boolean has(Object owner) {
    return byOwner.containsKey(owner);
  }

  /** Forgets all results. */
  public void clear() {
    byOwner.clear();
  }
}
