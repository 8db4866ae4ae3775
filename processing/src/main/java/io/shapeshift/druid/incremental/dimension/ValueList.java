// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.incremental.dimension;

import java.util.Arrays;

/**
 * Objects that rows refer to by their place in the list. One thread adds; others read what was added before something
 * volatile that they have read.
 */
final class ValueList {
  private volatile Object[] values = new Object[16];
  private int size;

  int add(Object value) {
    if (size == values.length) {
      // Who still has the shorter array finds all there that he knows of.
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

  /** Bytes of the list itself. */
  long bytes() {
    return 16 + 4L * values.length;
  }
}
