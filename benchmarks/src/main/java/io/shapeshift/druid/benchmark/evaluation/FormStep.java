// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.benchmark.evaluation;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Technique that forms use, in the order in which the paper on BtrBlocks (SIGMOD 2023, section 6.2) adds them, with
 * those that it does not have at the end. A form of numbers is a frame and a form of ints, and may use two techniques.
 */
enum FormStep {
  /** Values as they are. Each set of forms has it, as it stores all values. */
  UNCOMPRESSED("uncompressed"),
  /** One value for all rows. */
  ONE_VALUE("one value"),
  /** Runs of equal values: lengths or ends. */
  RUNS("runs"),
  /** Most values in few bits, and exceptions apart. */
  PATCHED("patched"),
  /** Positions in a list of the distinct values of a chunk. */
  DICTIONARY("dictionary"),
  /** Differences to a minimum, divided by a common divisor, in few bits or bytes. */
  BIT_PACKING("bit packing"),
  /** Differences to the value before. */
  DELTA("differences"),
  /** Doubles as integers divided by a power of ten. */
  DECIMALS("decimals"),
  /** High and low bits apart, or differences of more than 31 bits. */
  SPLIT("split"),
  /** Entropy coding: frequent values in fewer bits. */
  ENTROPY("entropy coding"),
  /** LZ4 over any of these. */
  LZ4("LZ4"),
  /** Zstandard over any of these. */
  ZSTD("Zstandard");

  private final String text;

  FormStep(String text) {
    this.text = text;
  }

  /**
   * Techniques of a form.
   *
   * @param form name of a form of ints or of numbers
   * @throws IllegalArgumentException if a technique is not known
   */
  static Set<FormStep> of(String form) {
    final int dash = form.indexOf('-');
    final FormStep ints = ofInts(form.substring(dash + 1));
    if (dash < 0) {
      return EnumSet.of(ints);
    }
    return switch (form.substring(0, dash)) {
      case "linear", "raw" -> EnumSet.of(ints);
      case "delta" -> EnumSet.of(DELTA, ints);
      // One value, or runs of values, are what is stored: the frame has no more than that value, or one for each run.
      case "decimal" -> ints == ONE_VALUE ? EnumSet.of(ints) : EnumSet.of(DECIMALS, ints);
      case "dictionary" -> ints == ONE_VALUE || ints == RUNS ? EnumSet.of(ints) : EnumSet.of(DICTIONARY, ints);
      default -> throw new IllegalArgumentException("Of which step is the form " + form + "?");
    };
  }

  private static FormStep ofInts(String form) {
    return switch (form) {
      case "unencoded", "raw" -> UNCOMPRESSED;
      case "zero", "constant" -> ONE_VALUE;
      case "rle", "runend" -> RUNS;
      case "patched" -> PATCHED;
      case "dictionary" -> DICTIONARY;
      case "bitpack", "bytepack", "radix" -> BIT_PACKING;
      case "delta" -> DELTA;
      case "split", "wide" -> SPLIT;
      case "tans" -> ENTROPY;
      case "lz4" -> LZ4;
      case "zstd" -> ZSTD;
      default -> throw new IllegalArgumentException("Of which step is the form " + form + "?");
    };
  }

  /** Tests of the names of forms, by name of the set: one technique after the other, and all but one of them. */
  static Map<String, Predicate<String>> sets() {
    final Map<String, Predicate<String>> sets = new LinkedHashMap<>();
    for (FormStep step : values()) {
      sets.put((step == UNCOMPRESSED ? "" : "+ ") + step.text, form -> last(form).compareTo(step) <= 0);
    }
    for (FormStep step : values()) {
      if (step != UNCOMPRESSED) {
        sets.put("without " + step.text, form -> !of(form).contains(step));
      }
    }
    return sets;
  }

  private static FormStep last(String form) {
    return Collections.max(of(form));
  }
}
