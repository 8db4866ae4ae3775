// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.google.common.base.Ascii;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/** How the buckets of a dictionary store texts: all of a dictionary in the same way. */
public enum TextCoding {
  /** Front coding with plain heads and suffixes: {@link FrontCodedBucket}s of texts. */
  FRONT(0, 3, false),
  /** Front coding with plain heads, and suffixes made of symbols. */
  FRONT_SUFFIX_SYMBOLS(1, 4, true),
  /** {@link ChainedBucket}s of texts, which are never larger than Druid's own. */
  CHAINED(3, 4, false),
  /** Buckets of a {@link TextPattern}, all of the same size. */
  PATTERN(4, 3, false),
  /** {@link BlockBucket}s, which are smaller than any others of words, and slower. */
  BLOCKS(5, 0, false);

  private final byte id;
  private final int logSize;
  private final boolean hasSymbols;

  TextCoding(int id, int logSize, boolean hasSymbols) {
    this.id = (byte) id;
    this.logSize = logSize;
    this.hasSymbols = hasSymbols;
  }

  /** Name for people: in lower case, with hyphens. */
  public String label() {
    return Ascii.toLowerCase(name()).replace('_', '-');
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

  /**
   * The logarithm of the number of texts in each bucket but the last.
   *
   * @param model of this coding; null if there is none
   */
  public int logSize(@Nullable TextModel model) {
    return this == BLOCKS ? ((BlockModel) model).logSize() : logSize;
  }

  /** Whether there is something that is known of all texts. */
  public boolean hasModel() {
    return this != FRONT && this != CHAINED;
  }

  /** Whether there is a {@link SymbolTable}. */
  public boolean hasSymbols() {
    return hasSymbols;
  }

  /** Whether the first bytes of some texts are stored apart, where they are found faster. */
  public boolean hasKeys() {
    return this != CHAINED && this != BLOCKS;
  }

  /** Whether the beginnings of the first texts of buckets are stored apart, so that one bucket only is searched. */
  public boolean hasSeparators() {
    return this == BLOCKS;
  }

  /** Whether buckets differ in size, so that where each starts is stored. */
  public boolean hasOffsets() {
    return this != PATTERN;
  }

  /** Bytes of the buckets of {@code numTexts} texts, if all buckets have the same size. */
  public long bytes(TextModel model, int numTexts) {
    return ((TextPattern) model).bytes(numTexts);
  }

  /** How much slower it is read than what is read fastest. */
  public DecodeCost cost() {
    return switch (this) {
      case FRONT -> DecodeCost.NONE;
      case FRONT_SUFFIX_SYMBOLS -> CostModel.Texts.FRONT_SUFFIX_SYMBOLS_COST;
      case CHAINED -> CostModel.Texts.CHAINED_COST;
      case PATTERN -> CostModel.Texts.PATTERN_COST;
      case BLOCKS -> CostModel.Texts.BLOCKS_COST;
    };
  }

  /**
   * Takes the model from the buffer, whose position moves behind it; null if there is none.
   *
   * @throws io.shapeshift.druid.form.MalformedChunkException if it contradicts itself
   * @throws java.nio.BufferUnderflowException if the buffer ends within the model
   */
  @Nullable
  public TextModel readModel(ByteBuffer in) {
    return switch (this) {
      case FRONT, CHAINED -> null;
      case FRONT_SUFFIX_SYMBOLS -> SymbolTable.read(in);
      case PATTERN -> TextPattern.read(in);
      case BLOCKS -> BlockModel.read(in);
    };
  }

  /**
   * Makes buckets.
   *
   * @param model of this coding; null if there is none
   */
  public BucketWriter writer(@Nullable TextModel model) {
    return switch (this) {
      case FRONT -> new FrontCodedBucket.Writer(null);
      case FRONT_SUFFIX_SYMBOLS -> new FrontCodedBucket.Writer(new SymbolEncoder((SymbolTable) model));
      case CHAINED -> new ChainedBucket.Writer();
      case PATTERN -> new TextPattern.Writer((TextPattern) model);
      case BLOCKS -> new BlockBucket.Writer((BlockModel) model);
    };
  }

  /**
   * Reads buckets.
   *
   * @param buffer where they are, in little-endian order
   * @param model  of this coding; null if there is none
   */
  public BucketReader reader(ByteBuffer buffer, @Nullable TextModel model) {
    return switch (this) {
      case FRONT -> new FrontCodedBucket.Reader(buffer, null);
      case FRONT_SUFFIX_SYMBOLS -> new FrontCodedBucket.Reader(buffer, (SymbolTable) model);
      case CHAINED -> new ChainedBucket.Reader(buffer);
      case PATTERN -> new TextPattern.Reader(buffer, (TextPattern) model);
      case BLOCKS -> new BlockBucket.Reader(buffer, (BlockModel) model);
    };
  }
}
