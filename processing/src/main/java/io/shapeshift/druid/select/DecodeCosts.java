// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.select;

import io.shapeshift.druid.form.OptimizationTarget;
import java.util.Arrays;
import java.util.Map;
import javax.annotation.Nullable;

/**
 * How much a form's slower decoding weighs against its size: selection multiplies the size of a chunk by the form's
 * cost under the target, and the smallest product wins. What the costs are weighed by is how fast each form is read,
 * which {@code scripts/benchmark forms} measures: see docs/benchmarks.md.
 */
final class DecodeCosts {
  /** A form that is not to be used under a target. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  private static final Costs READ_WHERE_IT_LIES = new Costs(1, 1, 1);

  /** By name of the form. */
  private static final Map<String, Costs> COSTS = Map.ofEntries(
      Map.entry("zero", READ_WHERE_IT_LIES),
      Map.entry("constant", READ_WHERE_IT_LIES),
      // One shift and mask per value, vectorised.
      Map.entry("bitpack", READ_WHERE_IT_LIES),
      // Sparse reads are faster than of bits, scans slower.
      Map.entry("unencoded", new Costs(1, 1.01, 1.01)),
      Map.entry("bytepack", new Costs(1, 1.01, 1.01)),
      // The exceptions, and a look at the escape code of each value.
      Map.entry("patched", new Costs(1, 1.03, 1.05)),
      // A load per value from a dictionary of bits.
      Map.entry("dictionary", new Costs(1, 1.06, 1.25)),
      // A loop per run.
      Map.entry("runend", new Costs(1, 1.05, 1.25)),
      // Adds up 64 differences for a single value, on average.
      Map.entry("delta", new Costs(1, 1.15, 2)),
      // Decoded whole before a single value is read.
      Map.entry("rle", new Costs(1.02, NEVER, NEVER)),
      Map.entry("fastpfor", new Costs(1.02, NEVER, NEVER)),
      Map.entry("shuffle", new Costs(NEVER, NEVER, NEVER)),
      Map.entry("bytedictionary", new Costs(NEVER, NEVER, NEVER)),
      Map.entry("bits", new Costs(NEVER, NEVER, NEVER)),
      // Decompressed, then read like the inner form.
      Map.entry("lz4", new Costs(1.03, 1.12, 2)),
      // Several times slower than LZ4.
      Map.entry("zstd", new Costs(1.03, NEVER, NEVER)),
      // Numbers as they are: a copy of memory.
      Map.entry("raw", new Costs(1, 1, 1)),
      // A load of eight bytes and a shift per number.
      Map.entry("wide", new Costs(1, 1.03, 1.1)),
      // The same, and a number from two parts.
      Map.entry("split", new Costs(1, 1.08, 1.3))
  );

  /** By the prefix of the names of forms in a frame: by what the cost of the form is multiplied. */
  private static final Map<String, Costs> FRAMES = Map.of(
      "decimal-", READ_WHERE_IT_LIES,
      // A load per number.
      "dictionary-", new Costs(1, 1.05, 1.15),
      // Adds up 64 differences for a single number, on average.
      "delta-", new Costs(1, 1.15, 2),
      "raw-", READ_WHERE_IT_LIES
  );

  /**
   * What decoding a number counts for besides, in bytes: columns of numbers are often so small that a factor says
   * nothing, and half of next to nothing is not worth a slower read.
   */
  private static final Map<String, Costs> PER_NUMBER = Map.of(
      "delta", new Costs(0, 0.05, 0.3),
      "delta-", new Costs(0, 0.07, 0.4),
      "lz4", new Costs(0, 0.12, 0.4),
      "zstd", new Costs(0.01, NEVER, NEVER)
  );
  private static final Costs NOTHING = new Costs(0, 0, 0);

  private DecodeCosts() {}

  /** The factor by which the form's size counts under the target: 1 or more. */
  static double of(String formName, OptimizationTarget target) {
    final String prefix = prefix(formName);
    @Nullable final Costs costs = COSTS.get(formName.substring(prefix.length()));
    return (costs == null ? READ_WHERE_IT_LIES : costs).under(target)
        * FRAMES.getOrDefault(prefix, READ_WHERE_IT_LIES).under(target);
  }

  /** What decoding counts for in a column of numbers under the target, besides the factor: bytes for each number. */
  static double perNumber(String formName, OptimizationTarget target) {
    final String prefix = prefix(formName);
    return PER_NUMBER.getOrDefault(formName.substring(prefix.length()), NOTHING).under(target)
        + PER_NUMBER.getOrDefault(prefix, NOTHING).under(target);
  }

  private static String prefix(String formName) {
    return formName.substring(0, formName.indexOf('-') + 1);
  }

  /**
   * By what factor a chunk that is read directly may be larger than the same values as Druid's own column has them
   * with this codec.
   */
  static double allowedOverCodec(String formName, OptimizationTarget target) {
    return switch (target) {
      case SMALLER -> formName.equals("zstd") ? 1.02 : 1;
      case FASTBUTSMALLISH -> 1;
      case FASTER -> 1.1;
    };
  }

  /** Whether the form is used under some target, and not by codecs only. */
  static boolean isEverUsed(String formName) {
    return Arrays.stream(OptimizationTarget.values()).anyMatch(target -> of(formName, target) != NEVER);
  }

  /** Whether somebody thought about the cost of this form. */
  static boolean lists(String formName) {
    final String prefix = prefix(formName);
    return COSTS.containsKey(formName.substring(prefix.length())) && (prefix.isEmpty() || FRAMES.containsKey(prefix));
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
