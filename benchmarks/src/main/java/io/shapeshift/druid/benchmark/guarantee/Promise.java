// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.guarantee;

import com.google.common.base.Ascii;
import io.shapeshift.druid.cost.OptimizationTarget;
import io.shapeshift.druid.tool.encoding.RowEncodings;

/** Least speed and greatest size of every column under a target, relative to Druid's own columns. */
enum Promise {
  /** Promise of {@link OptimizationTarget#FASTBUTSMALLISH}, the default. */
  DEFAULT(OptimizationTarget.FASTBUTSMALLISH, "druid-lz4", .95, 1),
  /** Promise of {@link OptimizationTarget#SMALLER}. */
  SMALLER(OptimizationTarget.SMALLER, "druid-zstd", .7, 1.02),
  /** Promise of {@link OptimizationTarget#FASTER}. */
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

  /** Name of Druid's encoding, the baseline. */
  String baseline() {
    return baseline;
  }

  /** Least quotient of Druid's time and ours, for every kind of read. */
  double leastSpeed() {
    return leastSpeed;
  }

  /** Greatest quotient of our bytes and Druid's. */
  double greatestSize() {
    return greatestSize;
  }

  /** Name in options and results. */
  @Override
  public String toString() {
    return Ascii.toLowerCase(name());
  }
}
