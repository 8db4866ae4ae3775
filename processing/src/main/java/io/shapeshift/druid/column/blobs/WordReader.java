// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.column.blobs;

import io.shapeshift.druid.bits.RawBytes;
import io.shapeshift.druid.column.ints.ShapeShiftingColumnarInts;
import io.shapeshift.druid.cost.CostModel;
import io.shapeshift.druid.form.MalformedChunkException;
import io.shapeshift.druid.rows.RowSet;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;

/**
 * Reader of {@link WordBlobs}. While most values are read, it decodes the values of {@link Positions#VALUES_PER_BASE}
 * rows at once into one array, so that a value costs no more than a view of it.
 */
final class WordReader extends BlobSection.Reader {
  private static final int BLOCK = Positions.VALUES_PER_BASE;

  private final WordBlobs section;
  private final WordHeads heads;
  private final BitPositions positions;
  /** Numbers of words in the modes {@link WordCode} has, then the words. */
  private long[] numbers = new long[1 << 8];
  private long lookedUp;
  /** All words; null until enough words are looked up, and if there are many. */
  @Nullable
  private long[] words;
  /** First value of the current block, and the number of its values that were read. */
  private int first = Integer.MIN_VALUE;
  private int numReads;
  /** Whether values of the current block are decoded several at once, for which heads are loaded. */
  private boolean isDense;
  /** Values of the current block that are in {@link #decoded}. */
  private int decodedFrom;
  private int decodedTo;
  private byte[] decoded = new byte[0];
  private ByteBuffer view = ByteBuffer.wrap(decoded);
  /** Whether buffers refer to {@link #decoded} that are kept. */
  private boolean isReferred;
  /** Start of each decoded value, and the end of the last. */
  private final int[] starts = new int[BLOCK + 1];

  WordReader(WordBlobs section) {
    section.super();
    this.section = section;
    this.heads = new WordHeads(section.heads());
    this.positions = new BitPositions();
  }

  /** Positions of the values' bits, and the number and mode of their words. */
  private final class BitPositions extends Positions {
    private final ShapeShiftingColumnarInts countsOf = section.counts();
    private final ShapeShiftingColumnarInts modesOf = section.modes();
    private final int[] count = new int[VALUES_PER_BASE];
    private final int[] mode = new int[VALUES_PER_BASE];

    private BitPositions() {
      super(section.bases(), section.numValues(), section.numBits());
    }

    @Override
    void sizes(int first, int number, long[] sizes) {
      countsOf.get(count, first, number);
      modesOf.get(mode, first, number);
      final WordCode code = section.code();
      for (int i = 0; i < number; i++) {
        if (mode[i] >= WordCode.CODED
            ? section.bytes() == null || count[i] <= 0
            : !code.isValid(count[i], mode[i])) {
          throw new MalformedChunkException("value " + (first + i) + " has " + count[i] + " words in mode " + mode[i]);
        }
        sizes[i + 1] = code.size(count[i], mode[i]);
      }
    }
  }

  @Nullable
  @Override
  ByteBuffer get(int index, boolean isKept) {
    final int inBlock = index & BLOCK - 1;
    if (index - inBlock != first) {
      enter(index - inBlock, index);
    }
    numReads++;
    if (!isDense) {
      return single(index, inBlock, isKept);
    }
    if (inBlock < decodedFrom || inBlock >= decodedTo) {
      decode(inBlock);
    }
    return view(inBlock, isKept);
  }

  private void enter(int block, int index) {
    final boolean isNext = numReads >= CostModel.Blobs.LEAST_READS_OF_BLOCK && Math.abs((long) block - first) == BLOCK;
    first = Integer.MIN_VALUE;
    decodedTo = 0;
    numReads = 0;
    positions.seek(index);
    isDense = index == 0 || isNext;
    if (isDense) {
      heads.load(block, Math.min(BLOCK, section.numValues() - block));
    }
    first = block;
  }

  // ---- values of a block

  @Nullable
  private ByteBuffer view(int inBlock, boolean isKept) {
    if (heads.lengths()[inBlock] == BlobSpill.NULL) {
      return null;
    }
    final int start = starts[inBlock];
    final int end = starts[inBlock + 1];
    if (isKept) {
      isReferred = true;
      return ByteBuffer.wrap(decoded, start, end - start);
    }
    // A strategy may have changed the order.
    return view.clear().limit(end).position(start).order(ByteOrder.BIG_ENDIAN);
  }

  /** Decodes a value of the current block, and as many after it as fit the limit. */
  private void decode(int from) {
    decodedTo = 0;
    final int to = place(from);
    final int size = Math.addExact(starts[to], Long.BYTES);
    if (isReferred || decoded.length < size) {
      decoded = new byte[size];
      view = ByteBuffer.wrap(decoded);
      isReferred = false;
    }
    decodeWords(from, to);
    final byte[] out = decoded;
    final int[] lengths = heads.lengths();
    final int[] counts = positions.count;
    final int wordBytes = section.wordBytes();
    int word = 0;
    for (int i = from; i < to; i++) {
      // May write beyond the head, where the words or the next value follow.
      heads.copy(i, out, starts[i]);
      if (counts[i] > 0) {
        final int at = starts[i] + lengths[i];
        if (positions.mode[i] >= WordCode.CODED) {
          getCoded(i, out, at);
        } else {
          put(numbers, word, counts[i], wordBytes, out, at);
          word += counts[i];
        }
      }
    }
    decodedFrom = from;
    decodedTo = to;
  }

  /** Computes the starts of a value and of those after it that fit the limit, and returns the end of these values. */
  private int place(int from) {
    final int number = Math.min(BLOCK, section.numValues() - first);
    final int[] lengths = heads.lengths();
    final int[] counts = positions.count;
    final int wordBytes = section.wordBytes();
    long end = 0;
    int to = from;
    for (; to < number; to++) {
      if (lengths[to] == BlobSpill.NULL) {
        checkNull(to);
      }
      final long length = checkLength(Math.max(0, lengths[to]) + (long) counts[to] * wordBytes);
      if (end + length > CostModel.Blobs.MOST_BYTES_OF_BLOCK && to > from) {
        break;
      }
      starts[to] = (int) end;
      end += length;
    }
    starts[to] = Math.toIntExact(end);
    return to;
  }

  private void checkNull(int inBlock) {
    if (positions.count[inBlock] != 0) {
      throw new MalformedChunkException("a value that is null has " + positions.count[inBlock] + " words");
    }
  }

  /** Decodes the words of values, except those whose bytes are coded. Values of equal mode have no gaps. */
  private void decodeWords(int from, int to) {
    final int[] modes = positions.mode;
    final int[] counts = positions.count;
    int at = 0;
    for (int i = from; i < to; ) {
      final int mode = modes[i];
      int count = counts[i];
      int end = i + 1;
      for (; mode <= WordCode.PACKED && end < to && modes[end] == mode; end++) {
        count += counts[end];
      }
      if (mode < WordCode.CODED && count > 0) {
        decode(positions.start(i), count, mode, at);
        at += count;
      }
      i = end;
    }
  }

  // ---- a value

  @Nullable
  @SuppressWarnings("ByteBufferBackingArray") // The value starts where the array does.
  private ByteBuffer single(int index, int inBlock, boolean isKept) {
    @Nullable final ByteBuffer head = heads.get(index);
    if (head == null) {
      checkNull(inBlock);
      return null;
    }
    final int count = positions.count[inBlock];
    final int headLength = head.remaining();
    final ByteBuffer value = buffer(headLength + (long) count * section.wordBytes(), isKept);
    head.get(head.position(), value.array(), 0, headLength);
    if (positions.mode[inBlock] >= WordCode.CODED) {
      getCoded(inBlock, value.array(), headLength);
    } else if (count > 0) {
      decode(positions.start(inBlock), count, positions.mode[inBlock], 0);
      put(numbers, 0, count, section.wordBytes(), value.array(), headLength);
    }
    return value;
  }

  // ---- words

  private void getCoded(int inBlock, byte[] out, int at) {
    section.bytes().get(
        section.bits(),
        section.bitsOffset(),
        positions.start(inBlock),
        positions.start(inBlock + 1),
        out,
        at,
        positions.count[inBlock] * section.wordBytes()
    );
  }

  /** Decodes words that follow each other into {@link #numbers}. */
  private void decode(long start, int count, int mode, int at) {
    if (numbers.length - at < count) {
      final long[] larger = new long[Math.max(at + count, Math.min(2 * numbers.length, 1 << 20))];
      System.arraycopy(numbers, 0, larger, 0, at);
      numbers = larger;
    }
    section.code().get(section.bits(), section.bitsOffset(), start, count, mode, numbers, at);
    if (WordCode.hasIds(mode)) {
      lookUp(at, at + count);
    } else {
      for (int i = at; i < at + count; i++) {
        numbers[i] += section.least();
      }
    }
  }

  /** Replaces ids by words. */
  private void lookUp(int from, int to) {
    final WordDictionary dictionary = section.dictionary();
    if (words == null && dictionary.size() <= CostModel.Blobs.MOST_DECODED) {
      lookedUp += to - from;
      words = lookedUp > dictionary.size() / CostModel.Blobs.WORDS_PER_LOOK_UP ? dictionary.decode() : null;
    }
    if (words == null) {
      for (int i = from; i < to; i++) {
        checkId(numbers[i], dictionary.size());
        numbers[i] = dictionary.get((int) numbers[i]);
      }
    } else {
      lookUp(words, numbers, from, to);
    }
  }

  private static void lookUp(long[] words, long[] numbers, int from, int to) {
    for (int i = from; i < to; i++) {
      checkId(numbers[i], words.length);
      numbers[i] = words[(int) numbers[i]];
    }
  }

  private static void checkId(long id, int size) {
    if (id < 0 || id >= size) {
      throw new MalformedChunkException("a value has word " + id + ", of " + size);
    }
  }

  /** Stores words, whose room exists. */
  private static void put(long[] numbers, int word, int count, int wordBytes, byte[] out, int at) {
    if (wordBytes == Long.BYTES) {
      for (int i = 0; i < count; i++) {
        RawBytes.putLong(out, at + Long.BYTES * i, numbers[word + i]);
      }
    } else {
      for (int i = 0; i + 1 < count; i += 2) {
        RawBytes.putLong(out, at + Integer.BYTES * i, numbers[word + i] | numbers[word + i + 1] << Integer.SIZE);
      }
      if ((count & 1) != 0) {
        Words.put4(out, at + Integer.BYTES * (count - 1), (int) numbers[word + count - 1]);
      }
    }
  }

  @Override
  void addNulls(int firstRow, RowSet out) {
    heads.addNulls(firstRow, out);
  }

  @Override
  void close() {
    positions.countsOf.close();
    positions.modesOf.close();
    heads.close();
  }
}
