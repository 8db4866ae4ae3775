// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import java.util.Arrays;

/**
 * Append-only list of objects. Rows refer to an object by its place. One thread adds; other threads read what was added
 * before a volatile write that they have seen.
 */
final class ValueList {
  private volatile Object[] values = new Object[16];
  private int size;

  int add(Object value) {
    if (size == values.length) {
      // A reader that still has the old array finds in it every value whose place it knows.
      values = Arrays.copyOf(values, size + (size >> 1));
    }
    values[size] = value;
    return size++;
  }

  Object get(int place) {
    return values[place];
  }

  int size() {
    return size;
  }

  /** Estimated size of the list in bytes, without its values. */
  long bytes() {
    return 16 + 4L * values.length;
  }
}
