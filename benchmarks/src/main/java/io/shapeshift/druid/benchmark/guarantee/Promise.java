// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import com.google.common.base.Ascii;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.encoding.RowEncodings;

/** What each target promises of every column: a least speed, and a greatest size, in terms of Druid's own columns. */
enum Promise {
  /** Of {@link OptimizationTarget#FASTBUTSMALLISH}, the default. */
  DEFAULT(OptimizationTarget.FASTBUTSMALLISH, "druid-lz4", .95, 1),
  /** Of {@link OptimizationTarget#SMALLER}. */
  SMALLER(OptimizationTarget.SMALLER, "druid-zstd", .7, 1.02),
  /** Of {@link OptimizationTarget#FASTER}. */
  FASTER(OptimizationTarget.FASTER, "druid-lz4", .95, 1.1);

  private final String encoding;
  private final String baseline;
  private final double leastSpeed;
  private final double greatestSize;

  Promise(OptimizationTarget target, String baseline, double leastSpeed, double greatestSize) {
    this.encoding = RowEncodings.shapeShiftName(target);
    this.baseline = baseline;
    this.leastSpeed = leastSpeed;
    this.greatestSize = greatestSize;
  }

  /** Name of the shape-shifting encoding. */
  String encoding() {
    return encoding;
  }

  /** Name of Druid's encoding that it is compared with. */
  String baseline() {
    return baseline;
  }

  /** Druid's time divided by ours is at least this, whichever rows are read. */
  double leastSpeed() {
    return leastSpeed;
  }

  /** Our bytes divided by Druid's are at most this. */
  double greatestSize() {
    return greatestSize;
  }

  /** Its name in options and results. */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
