// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.compare;

import java.util.Locale;

/** What can be said of a pair, the worst first. */
enum Verdict {
  /** Beyond the threshold and the noise, in view of how many pairs there are. */
  SLOWER,
  /** Its interval is beyond the threshold, but among all pairs a few are by chance. */
  PERHAPS_SLOWER,
  /** Nothing is shown. */
  WITHIN_NOISE,
  /** As {@link #PERHAPS_SLOWER}, the other way. */
  PERHAPS_FASTER,
  /** As {@link #SLOWER}, the other way. */
  FASTER;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
