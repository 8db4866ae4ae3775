// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarIntsSupplier;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.Checks;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
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

  @Override
  Reader reader() {
    return new WordReader();
  }

  /** Positions of the values' bits, and the number and mode of their words. */
  private final class BitPositions extends Positions {
    private final ShapeShiftingColumnarInts countsOf = counts.get();
    private final ShapeShiftingColumnarInts modesOf = modes.get();
    private final int[] count = new int[VALUES_PER_BASE];
    private final int[] mode = new int[VALUES_PER_BASE];

    private BitPositions() {
      super(bases, numValues(), numBits);
    }

    @Override
    void sizes(int first, int number, long[] sizes) {
      countsOf.get(count, first, number);
      modesOf.get(mode, first, number);
      for (int i = 0; i < number; i++) {
        if (mode[i] >= WordCode.CODED ? bytes == null || count[i] <= 0 : !code.isValid(count[i], mode[i])) {
          throw new MalformedChunkException("value " + (first + i) + " has " + count[i] + " words in mode " + mode[i]);
        }
        sizes[i + 1] = code.size(count[i], mode[i]);
      }
    }
  }

  private final class WordReader extends Reader {
    private static final int BLOCK = 1 << 8;

    private final BitPositions positions = new BitPositions();
    private final Reader headsOf = heads.reader();
    private long[] numbers = new long[BLOCK];
    private long lookedUp;
    /** All words; null until enough words are looked up, and if there are many. */
    @Nullable
    private long[] words;

    @Nullable
    @Override
    ByteBuffer get(int index, boolean isKept) {
      @Nullable final ByteBuffer head = headsOf.get(index, false);
      if (head == null) {
        return null;
      }
      final int inBlock = positions.seek(index);
      final int count = positions.count[inBlock];
      final int headLength = head.remaining();
      final ByteBuffer value = buffer(headLength + (long) count * wordBytes, isKept);
      head.get(head.position(), value.array(), value.arrayOffset(), headLength);
      if (count > 0) {
        final int at = value.arrayOffset() + headLength;
        read(positions.start(inBlock), count, positions.mode[inBlock], value.array(), at);
      }
      return value;
    }

    private void read(long start, int count, int mode, byte[] out, int at) {
      if (start < 0 || start + code.size(count, mode) > numBits) {
        throw new MalformedChunkException("a value of " + count + " words starts at bit " + start + ", of " + numBits);
      }
      if (mode >= WordCode.CODED) {
        bytes.get(bits, bitsOffset, start, start + code.size(count, mode), out, at, count * wordBytes);
        return;
      }
      if (numbers.length < count) {
        numbers = new long[Math.max(count, Math.min(2 * numbers.length, 1 << 20))];
      }
      code.get(bits, bitsOffset, start, count, mode, numbers);
      if (WordCode.hasIds(mode)) {
        lookUp(count);
      } else if (mode != WordCode.RAW) {
        for (int i = 0; i < count; i++) {
          numbers[i] += least;
        }
      }
      if (wordBytes == Long.BYTES) {
        for (int i = 0; i < count; i++) {
          Words.put8(out, at + Long.BYTES * i, numbers[i]);
        }
      } else {
        for (int i = 0; i < count; i++) {
          Words.put4(out, at + Integer.BYTES * i, (int) numbers[i]);
        }
      }
    }

    /** Replaces ids by words. */
    private void lookUp(int count) {
      final int size = dictionary.size();
      if (words == null && size <= CostModel.Blobs.MOST_DECODED) {
        lookedUp += count;
        words = lookedUp > size / CostModel.Blobs.WORDS_PER_LOOK_UP ? dictionary.decode() : null;
      }
      for (int i = 0; i < count; i++) {
        final long id = numbers[i];
        if (id < 0 || id >= size) {
          throw new MalformedChunkException("a value has word " + id + ", of " + size);
        }
        numbers[i] = words == null ? dictionary.get((int) id) : words[(int) id];
      }
    }

    @Override
    void addNulls(int firstRow, RowSet out) {
      headsOf.addNulls(firstRow, out);
    }

    @Override
    void close() {
      positions.countsOf.close();
      positions.modesOf.close();
      headsOf.close();
    }
  }
}
