// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.rows;

import io.shapeshift.druid.bits.BitRanges;
import java.util.NoSuchElementException;
import org.apache.druid.collections.bitmap.WrappedImmutableRoaringBitmap;
import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.IntIterator;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/**
 * Roaring bitmap with a bit set of the same rows. Iterating over the bit set is faster than iterating over containers.
 */
final class BitsBitmap extends WrappedImmutableRoaringBitmap {
  private final long[] words;

  /**
   * Creates a bitmap.
   *
   * @param bitmap the rows
   * @param words  bit set of the same rows; must not change afterwards
   */
  BitsBitmap(ImmutableRoaringBitmap bitmap, long[] words) {
    super(bitmap);
    this.words = words;
  }

  @Override
  public IntIterator iterator() {
    return new Bits(words, 0);
  }

  @Override
  public PeekableIntIterator peekableIterator() {
    return new Bits(words, 0);
  }

  @Override
  public BatchIterator batchIterator() {
    return new Bits(words, 0);
  }

  @Override
  public boolean get(int value) {
    return value >>> 6 < words.length && (words[value >>> 6] >>> value & 1) != 0;
  }

  /** Iterator over the set bits. */
  private static final class Bits implements PeekableIntIterator, BatchIterator {
    private final long[] words;
    private int index;
    /** Remaining bits of the current word; 0 only at the end. */
    private long word;

    private Bits(long[] words, int start) {
      this.words = words;
      this.index = start >>> 6;
      this.word = index < words.length ? words[index] & -1L << start : 0;
      skipEmpty();
    }

    private Bits(Bits other) {
      this.words = other.words;
      this.index = other.index;
      this.word = other.word;
    }

    private void skipEmpty() {
      while (word == 0 && ++index < words.length) {
        word = words[index];
      }
    }

    @Override
    public boolean hasNext() {
      return word != 0;
    }

    @Override
    public int next() {
      final int row = peekNext();
      word &= word - 1;
      if (word == 0) {
        skipEmpty();
      }
      return row;
    }

    @Override
    public int peekNext() {
      if (word == 0) {
        throw new NoSuchElementException();
      }
      return (index << 6) + Long.numberOfTrailingZeros(word);
    }

    @Override
    public int nextBatch(int[] buffer) {
      int count = 0;
      // Takes whole words while the buffer has room for all their rows.
      while (word != 0 && count <= buffer.length - Long.SIZE) {
        count = BitRanges.list(word, index << 6, buffer, count);
        word = 0;
        skipEmpty();
      }
      for (; word != 0 && count < buffer.length; count++) {
        buffer[count] = next();
      }
      return count;
    }

    @Override
    public void advanceIfNeeded(int minval) {
      if (minval >>> 6 > index) {
        index = Math.min(minval >>> 6, words.length);
        word = index < words.length ? words[index] : 0;
      }
      if (minval >>> 6 == index) {
        word &= -1L << minval;
      }
      if (index < words.length) {
        skipEmpty();
      }
    }

    @Override
    public Bits clone() {
      return new Bits(this);
    }
  }
}
