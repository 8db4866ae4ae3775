// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import com.google.common.base.Ascii;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.annotation.Nullable;

/** Coding of a dictionary's texts in buckets; a dictionary has one coding for all texts. */
public enum TextCoding {
  /** Front coding with plain heads and suffixes: {@link FrontCodedBucket}. */
  FRONT(0, 3, false),
  /** Front coding with plain heads, and suffixes encoded with symbols. */
  FRONT_SUFFIX_SYMBOLS(1, 4, true),
  /** {@link ChainedBucket}, which is never larger than Druid's front coding. */
  CHAINED(3, 4, false),
  /** Buckets of a {@link TextPattern}, all of the same size. */
  PATTERN(4, 3, false),
  /** {@link BlockBucket}, the smallest coding for long texts and natural language, and the slowest. */
  BLOCKS(5, 0, false);

  private final byte id;
  private final int logSize;
  private final boolean hasSymbols;

  TextCoding(int id, int logSize, boolean hasSymbols) {
    this.id = (byte) id;
    this.logSize = logSize;
    this.hasSymbols = hasSymbols;
  }

  /** Returns the display name, in lower case with hyphens. */
  public String label() {
    return Ascii.toLowerCase(name()).replace('_', '-');
  }

  /** Returns the id in a segment. */
  public byte id() {
    return id;
  }

  /** Returns the coding with an id, or null if the id is unknown. */
  @Nullable
  public static TextCoding byId(byte id) {
    return Arrays.stream(values()).filter(coding -> coding.id == id).findFirst().orElse(null);
  }

  /**
   * Returns the base 2 logarithm of the number of texts in each bucket except the last.
   *
   * @param model the model of this coding; null if it has none
   */
  public int logSize(@Nullable TextModel model) {
    return this == BLOCKS ? ((BlockModel) model).logSize() : logSize;
  }

  /** Returns whether the coding stores a model of all texts. */
  public boolean hasModel() {
    return this != FRONT && this != CHAINED;
  }

  /** Returns whether the model is a {@link SymbolTable}. */
  public boolean hasSymbols() {
    return hasSymbols;
  }

  /** Returns whether the first bytes of some texts are stored separately, to speed up searches. */
  public boolean hasKeys() {
    return this != CHAINED && this != BLOCKS;
  }

  /**
   * Returns whether prefixes of the buckets' first texts are stored separately, so that a search reads only one bucket.
   */
  public boolean hasSeparators() {
    return this == BLOCKS;
  }

  /** Returns whether buckets differ in size, so that offsets are stored. */
  public boolean hasOffsets() {
    return this != PATTERN;
  }

  /** Returns the size in bytes of the buckets of {@code numTexts} texts, if all buckets have the same size. */
  public long bytes(TextModel model, int numTexts) {
    return ((TextPattern) model).bytes(numTexts);
  }

  /** Returns the decoding cost, relative to the fastest coding. */
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
   * Reads the model and advances the buffer past it; null if the coding has none.
   *
   * @throws io.shapeshift.druid.form.MalformedChunkException if the model is invalid
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
   * Creates a writer of buckets.
   *
   * @param model the model of this coding; null if it has none
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
   * Creates a reader of buckets.
   *
   * @param buffer contains the buckets, in little-endian order
   * @param model  the model of this coding; null if it has none
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
