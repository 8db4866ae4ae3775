// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.MalformedChunkException;
import java.nio.ByteBuffer;
import javax.annotation.Nullable;

/**
 * Section whose values are cut into words, counted from the end of each value. The bytes before the words are the
 * value's head. Distinct words are stored once, except those of values that would become larger.
 *
 * <pre>
 * | bytes  | field                                                                                            |
 * |--------|--------------------------------------------------------------------------------------------------|
 * | 1      | bytes of a word, 4 or 8                                                                          |
 * | 1      | minHead: a head has minHead bytes, and those that are left over; a shorter value is all head     |
 * | 1 to 5 | number of distinct words (VByte)                                                                 |
 * | 16     | least of all words; number of words from the least to the greatest, 0 if it is no positive long  |
 * |        | (little-endian)                                                                                  |
 * | 1      | whether bytes of words are coded: 0 or 1                                                         |
 * | 0, 128 | {@link ByteCode}, if they are                                                                    |
 * |        | {@link WordDictionary}                                                                           |
 * |        | section of the heads, null for null                                                              |
 * |        | number of words of each value, a column of ints                                                  |
 * |        | mode of each value, a column of ints; see {@link WordCode}                                       |
 * |        | {@link Positions} of the values' bits                                                            |
 * | 8      | number of bits of all values (little-endian)                                                     |
 * |        | bits of all values, as in {@link WordCode}, without gaps                                         |
 * | 8      | zero bytes                                                                                       |
 * </pre>
 * Bits are counted from the start of the first value's bytes, the lowest bit of a byte first.
 */
final class WordBlobs extends BlobSection {
  /** Most bytes of a head apart from those that are left over. */
  static final int MAX_MIN_HEAD = 64;

  private final int wordBytes;
  private final WordDictionary dictionary;
  private final BlobSection heads;
  private final ShapeShiftingColumnarIntsSupplier counts;
  private final ShapeShiftingColumnarIntsSupplier modes;
  private final Positions.Bases bases;
  private final WordCode code;
  private final long least;
  /** Code of bytes; null if there is none. */
  @Nullable
  private final ByteCode bytes;
  private final RawBytes bits = new RawBytes();
  private final int bitsOffset;
  private final long numBits;

  WordBlobs(Head head, String column, ByteBuffer content) {
    super(head);
    this.wordBytes = content.get();
    final int minHead = content.get();
    if ((wordBytes != Integer.BYTES && wordBytes != Long.BYTES) || minHead < 0 || minHead > MAX_MIN_HEAD) {
      throw new MalformedChunkException("words have " + wordBytes + " bytes, after a head of at least " + minHead);
    }
    final int numWords =
        Checks.readInt("number of words", content, 0, Integer.MAX_VALUE - WordDictionary.GROUP);
    this.least = content.getLong();
    this.code = new WordCode(wordBytes, numWords, content.getLong());
    this.bytes = Sections.readFlag("whether bytes are coded", content) ? ByteCode.read(content) : null;
    this.dictionary = new WordDictionary(content, numWords);
    this.heads = read(column + " (heads)", content);
    if (heads.numValues() != head.numValues() || !isOfHeads(heads)) {
      throw new MalformedChunkException("the heads of " + head.numValues() + " values are " + heads.numValues()
          + " values in form " + heads.description());
    }
    this.counts = Sections.readInts(column + " (numbers of words)", content, head.numValues());
    this.modes = Sections.readInts(column + " (modes)", content, head.numValues());
    this.bases = new Positions.Bases(content, head.numValues());
    this.numBits = content.getLong();
    this.bits.wrap(content);
    this.bitsOffset = content.position();
    if (numBits < 0 || (numBits + 7) / Byte.SIZE != content.remaining() - Sections.SLACK) {
      throw new MalformedChunkException("there are " + content.remaining() + " bytes for " + numBits + " bits");
    }
  }

  /** Returns whether a section can have the heads: it has no words itself, so that sections do not nest deeply. */
  private static boolean isOfHeads(BlobSection heads) {
    return switch (heads instanceof DistinctBlobs distinct ? distinct.values().form() : heads.form()) {
      case CONSTANT, PLAIN -> true;
      case DISTINCT, WORDS, LZ4, ZSTD -> false;
    };
  }

  int wordBytes() {
    return wordBytes;
  }

  WordDictionary dictionary() {
    return dictionary;
  }

  BlobSection heads() {
    return heads;
  }

  /** Returns the number of words of each value. */
  ShapeShiftingColumnarInts counts() {
    return counts.get();
  }

  /** Returns the mode of each value. */
  ShapeShiftingColumnarInts modes() {
    return modes.get();
  }

  Positions.Bases bases() {
    return bases;
  }

  WordCode code() {
    return code;
  }

  /** Returns the least of all words. */
  long least() {
    return least;
  }

  /** Returns the code of bytes; null if there is none. */
  @Nullable
  ByteCode bytes() {
    return bytes;
  }

  RawBytes bits() {
    return bits;
  }

  /** Returns the position of the first value's first byte in {@link #bits}. */
  int bitsOffset() {
    return bitsOffset;
  }

  /** Returns the number of bits of all values. */
  long numBits() {
    return numBits;
  }

  @Override
  Reader reader() {
    return new WordReader(this);
  }
}
