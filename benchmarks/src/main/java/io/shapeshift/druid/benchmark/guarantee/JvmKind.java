// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;

/** History of a measuring JVM. */
enum JvmKind {
  /** It has read columns of all types, widths and forms, as a Historical has. */
  POLLUTED,
  /** It has read only the measured column, in one encoding. */
  FRESH;

  /** Kinds of JVMs to measure in. */
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
