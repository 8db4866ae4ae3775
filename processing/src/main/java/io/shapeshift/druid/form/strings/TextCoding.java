// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.form.DecodeCost;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/** How the buckets of a dictionary store texts: all of a dictionary in the same way. */
public enum TextCoding {
  /** {@link FrontCodedBucket}s of texts. */
  RAW(0, 3, false, false),
  /** {@link FrontCodedBucket}s of codes, but for heads, which are texts. */
  SUFFIXES(1, 3, false, true),
  /** {@link FrontCodedBucket}s of codes. */
  ALL(2, 3, true, true),
  /** {@link ChainedBucket}s of texts, which are never larger than Druid's own. */
  CHAINED(3, 4, false, false);

  private final byte id;
  private final int logSize;
  private final boolean codesHeads;
  private final boolean codesSuffixes;

  TextCoding(int id, int logSize, boolean codesHeads, boolean codesSuffixes) {
    this.id = (byte) id;
    this.logSize = logSize;
    this.codesHeads = codesHeads;
    this.codesSuffixes = codesSuffixes;
  }

  /** What stands for it in a segment. */
  public byte id() {
    return id;
  }

  /** The coding with an id, or null if there is none. */
  @Nullable
  public static TextCoding byId(byte id) {
    return Arrays.stream(values()).filter(coding -> coding.id == id).findFirst().orElse(null);
  }

  /** The logarithm of the number of texts in each bucket but the last. */
  public int logSize() {
    return logSize;
  }

  /** Whether there is a symbol table. */
  public boolean hasSymbols() {
    return codesSuffixes;
  }

  /** Whether the first bytes of some texts are stored apart, where they are found faster. */
  public boolean hasKeys() {
    return this != CHAINED;
  }

  /** How much slower it is read than what is read fastest. */
  public DecodeCost cost() {
    return switch (this) {
      case RAW -> DecodeCost.NONE;
      case SUFFIXES -> DecodeCost.factors(1, 1.1, 1.6);
      case ALL -> DecodeCost.factors(1, 1.25, 2.2);
      case CHAINED -> DecodeCost.factors(1.02, 1.5, DecodeCost.NEVER);
    };
  }

  /**
   * Makes buckets.
   *
   * @param encoder of symbols; null if there are none
   */
  public BucketWriter writer(@Nullable SymbolEncoder encoder) {
    return this == CHAINED
           ? new ChainedBucket.Writer()
           : new FrontCodedBucket.Writer(codesHeads ? encoder : null, codesSuffixes ? encoder : null);
  }

  /**
   * Reads buckets.
   *
   * @param buffer  where they are, in little-endian order
   * @param symbols null if there are none
   */
  public BucketReader reader(ByteBuffer buffer, @Nullable SymbolTable symbols) {
    return this == CHAINED
           ? new ChainedBucket.Reader(buffer)
           : new FrontCodedBucket.Reader(buffer, codesHeads ? symbols : null, codesSuffixes ? symbols : null);
  }
}
