// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

/**
 * Weight of a form's slower decoding against its size. Selection multiplies a chunk's bytes by the target's factor,
 * adds {@code perNumber} bytes for each number, and chooses the form with the smallest sum. Costs follow the read speed
 * of each form as measured by {@code scripts/benchmark forms}: see docs/measurements.md.
 *
 * @param smaller         weight under {@link OptimizationTarget#SMALLER}
 * @param fastButSmallish weight under {@link OptimizationTarget#FASTBUTSMALLISH}
 * @param faster          weight under {@link OptimizationTarget#FASTER}
 */
public record DecodeCost(Weight smaller, Weight fastButSmallish, Weight faster) {
  /** Factor of a form that is not used under a target. */
  public static final double NEVER = Double.POSITIVE_INFINITY;
  /** Cost of forms that are read in place at full speed. */
  public static final DecodeCost NONE = factors(1, 1, 1);
  /** Cost of forms that are used only inside codecs. */
  public static final DecodeCost NEVER_ALONE = factors(NEVER, NEVER, NEVER);

  /**
   * Cost of decoding under one target.
   *
   * @param factor    multiplier of the size: 1 or more, {@link #NEVER} if the form is not used
   * @param perNumber bytes added for each number in columns of numbers. Such chunks are often so small that a factor
   *     hardly matters; this constant keeps slow forms from being chosen to save a few bytes.
   */
  public record Weight(double factor, double perNumber) {
    private Weight times(Weight other) {
      return new Weight(factor * other.factor, perNumber + other.perNumber);
    }
  }

  /** Returns a cost with one factor per target and no bytes per number. */
  public static DecodeCost factors(double smaller, double fastButSmallish, double faster) {
    return new DecodeCost(new Weight(smaller, 0), new Weight(fastButSmallish, 0), new Weight(faster, 0));
  }

  /** Returns a cost with the same factors, and with bytes added for each number. */
  public DecodeCost perNumber(double smallerBytes, double fastButSmallishBytes, double fasterBytes) {
    return new DecodeCost(
        new Weight(smaller.factor, smallerBytes),
        new Weight(fastButSmallish.factor, fastButSmallishBytes),
        new Weight(faster.factor, fasterBytes)
    );
  }

  /** Returns the cost of a form whose chunks contain chunks of an inner form. */
  public DecodeCost times(DecodeCost inner) {
    return new DecodeCost(
        smaller.times(inner.smaller), fastButSmallish.times(inner.fastButSmallish), faster.times(inner.faster));
  }

  /** Returns the cost under a target. */
  public Weight under(OptimizationTarget target) {
    return switch (target) {
      case SMALLER -> smaller;
      case FASTBUTSMALLISH -> fastButSmallish;
      case FASTER -> faster;
    };
  }

  /** Returns whether the form is used under some target outside codecs. */
  public boolean isEverUsed() {
    for (OptimizationTarget target : OptimizationTarget.values()) {
      if (under(target).factor != NEVER) {
        return true;
      }
    }
    return false;
  }
}
