// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import java.util.Map;
import javax.annotation.Nullable;

/**
 * How much a form's slower decoding weighs against its size: selection multiplies the size of a chunk by the form's
 * cost under the target, and the smallest product wins.
 */
final class DecodeCosts {
  /** A form that is not to be used under a target. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  private static final Costs READ_WHERE_IT_LIES = new Costs(1, 1, 1);

  /** By name of the form. */
  private static final Map<String, Costs> COSTS = Map.of(
      "zero", READ_WHERE_IT_LIES,
      "constant", READ_WHERE_IT_LIES,
      "unencoded", READ_WHERE_IT_LIES,
      "bytepack", READ_WHERE_IT_LIES,
      // One store per value, more for short runs; a single read decodes the whole chunk.
      "rle", new Costs(1, 1.03, 1.5),
      // About one shift and mask per value, and the patches.
      "fastpfor", new Costs(1, 1.03, 1.5),
      // Decompressed, then read like the inner form.
      "lz4", new Costs(1, 1.05, 2),
      // Several times slower than LZ4.
      "zstd", new Costs(1, NEVER, NEVER)
  );

  private DecodeCosts() {}

  /** The factor by which the form's size counts under the target: 1 or more. */
  static double of(String formName, OptimizationTarget target) {
    @Nullable final Costs costs = COSTS.get(formName);
    return (costs == null ? READ_WHERE_IT_LIES : costs).under(target);
  }

  /** Whether somebody thought about the cost of this form. */
  static boolean lists(String formName) {
    return COSTS.containsKey(formName);
  }

  private record Costs(double smaller, double fastButSmallish, double faster) {
    double under(OptimizationTarget target) {
      return switch (target) {
        case SMALLER -> smaller;
        case FASTBUTSMALLISH -> fastButSmallish;
        case FASTER -> faster;
      };
    }
  }
}
