// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.cost;

/**
 * How much a form's slower decoding weighs against its size: selection multiplies the bytes of a chunk by the factor of
 * the target, adds {@code perNumber} bytes for each number, and takes the least sum. The costs are set by how fast each
 * form is read, which {@code scripts/benchmark forms} measures: see docs/measurements.md.
 *
 * @param smaller         under {@link OptimizationTarget#SMALLER}
 * @param fastButSmallish under {@link OptimizationTarget#FASTBUTSMALLISH}
 * @param faster          under {@link OptimizationTarget#FASTER}
 */
public record DecodeCost(Weight smaller, Weight fastButSmallish, Weight faster) {
  /** The factor of a form that is not to be used under a target. */
  public static final double NEVER = Double.POSITIVE_INFINITY;
  /** Of forms that are read where they lie, at the full speed. */
  public static final DecodeCost NONE = factors(1, 1, 1);
  /** Of forms that are only used inside codecs. */
  public static final DecodeCost NEVER_ALONE = factors(NEVER, NEVER, NEVER);

  /**
   * The cost of decoding under one target.
   *
   * @param factor    by which the size is multiplied: 1 or more, {@link #NEVER} if the form is not to be used
   * @param perNumber bytes that are added for each number in columns of numbers. These are often so small that a factor
   *                  of almost nothing has no effect; this constant keeps slow forms from saving a few bytes.
   */
  public record Weight(double factor, double perNumber) {
    private Weight times(Weight other) {
      return new Weight(factor * other.factor, perNumber + other.perNumber);
    }
  }

  /** A cost of factors alone, one for each target. */
  public static DecodeCost factors(double smaller, double fastButSmallish, double faster) {
    return new DecodeCost(new Weight(smaller, 0), new Weight(fastButSmallish, 0), new Weight(faster, 0));
  }

  /** The same factors, and bytes for each number in columns of numbers. */
  public DecodeCost perNumber(double smallerBytes, double fastButSmallishBytes, double fasterBytes) {
    return new DecodeCost(
        new Weight(smaller.factor, smallerBytes),
        new Weight(fastButSmallish.factor, fastButSmallishBytes),
        new Weight(faster.factor, fasterBytes)
    );
  }

  /** The cost of a form whose chunks hold chunks of another form. */
  public DecodeCost times(DecodeCost inner) {
    return new DecodeCost(
        smaller.times(inner.smaller), fastButSmallish.times(inner.fastButSmallish), faster.times(inner.faster));
  }

  /** The cost under a target. */
  public Weight under(OptimizationTarget target) {
    return switch (target) {
      case SMALLER -> smaller;
      case FASTBUTSMALLISH -> fastButSmallish;
      case FASTER -> faster;
    };
  }

  /** Whether the form is used under some target, and not by codecs only. */
  public boolean isEverUsed() {
    for (OptimizationTarget target : OptimizationTarget.values()) {
      if (under(target).factor != NEVER) {
        return true;
      }
    }
    return false;
  }
}
