// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.form.strings;

import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.cost.DecodeCost;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Coding in {@link FrontCodedBucket}s, with plain heads.
 *
 * @param symbols symbols in which suffixes are encoded; null if suffixes are plain
 */
public record FrontCoding(@Nullable SymbolTable symbols) implements TextCoding {
  /** Front coding without symbols, the fastest coding. */
  public static final FrontCoding PLAIN = new FrontCoding(null);
  /** Base 2 logarithm of the number of texts in a bucket with symbols. */
  public static final int LOG_SIZE_WITH_SYMBOLS = 4;

  static final byte PLAIN_ID = 0;
  static final byte SYMBOLS_ID = 1;

  private static final int LOG_SIZE = 3;

  @Override
  public byte id() {
    return symbols == null ? PLAIN_ID : SYMBOLS_ID;
  }

  @Override
  public String name() {
    return symbols == null ? "front" : "front-suffix-symbols";
  }

  @Override
  public DecodeCost cost() {
    return symbols == null ? DecodeCost.NONE : CostModel.Texts.FRONT_SUFFIX_SYMBOLS_COST;
  }

  @Override
  public int logSize() {
    return symbols == null ? LOG_SIZE : LOG_SIZE_WITH_SYMBOLS;
  }

  @Override
  public int sizeInBytes() {
    return symbols == null ? 0 : symbols.sizeInBytes();
  }

  @Override
  public int memory() {
    return symbols == null ? 0 : symbols.memory();
  }

  @Override
  public void write(ByteBuffer out) {
    if (symbols != null) {
      symbols.write(out);
    }
  }

  @Override
  public BucketWriter writer() {
    return new FrontCodedBucket.Writer(symbols == null ? null : new SymbolEncoder(symbols));
  }

  @Override
  public BucketReader reader(ByteBuffer buffer) {
    return new FrontCodedBucket.Reader(buffer, symbols);
  }
}
