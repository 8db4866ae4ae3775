// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;

/** What a JVM that measures has read before. */
enum JvmKind {
  /** Columns of all types, widths and forms, as a Historical has. */
  POLLUTED,
  /** Nothing but the column that it measures, in one encoding. */
  FRESH;

  /** Which JVMs measure. */
  enum Choice {
    POLLUTED(ImmutableList.of(JvmKind.POLLUTED)),
    FRESH(ImmutableList.of(JvmKind.FRESH)),
    BOTH(ImmutableList.of(JvmKind.POLLUTED, JvmKind.FRESH));

    private final ImmutableList<JvmKind> kinds;

    Choice(ImmutableList<JvmKind> kinds) {
      this.kinds = kinds;
    }

    ImmutableList<JvmKind> kinds() {
      return kinds;
    }

    @Override
    public String toString() {
      return Ascii.toLowerCase(name());
    }
  }

  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
