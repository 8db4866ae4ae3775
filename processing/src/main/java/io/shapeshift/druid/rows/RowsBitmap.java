// SPDX-License-Identifier: Apache-2.0
package io.shapeshift.druid.rows;

import java.util.Arrays;
import java.util.NoSuchElementException;
import org.apache.druid.collections.bitmap.WrappedImmutableRoaringBitmap;
import org.roaringbitmap.BatchIterator;
import org.roaringbitmap.IntIterator;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/**
 * Roaring bitmap with a decoded array of the same rows. Iterating over the array takes a fraction of the time of
 * iterating over containers.
 */
final class RowsBitmap extends WrappedImmutableRoaringBitmap {
  private final int[] rows;
  private final int count;

  /**
   * Creates a bitmap.
   *
   * @param bitmap the rows
   * @param rows   the same rows; the first {@code count} are valid, ascending
   */
  RowsBitmap(ImmutableRoaringBitmap bitmap, int[] rows, int count) {
    super(bitmap);
    this.rows = rows;
    this.count = count;
  }

  @Override
  public IntIterator iterator() {
    return new Rows(rows, count, 0);
  }

  @Override
  public PeekableIntIterator peekableIterator() {
    return new Rows(rows, count, 0);
  }

  @Override
  public BatchIterator batchIterator() {
    return new Rows(rows, count, 0);
  }

  @Override
  public int size() {
    return count;
  }

  @Override
  public boolean isEmpty() {
    return count == 0;
  }

  @Override
  public boolean get(int value) {
    return Arrays.binarySearch(rows, 0, count, value) >= 0;
  }

  /** Iterator over the array. */
  private static final class Rows implements PeekableIntIterator, BatchIterator {
    private final int[] rows;
    private final int count;
    private int next;

    private Rows(int[] rows, int count, int next) {
      this.rows = rows;
      this.count = count;
      this.next = next;
    }

    @Override
    public boolean hasNext() {
      return next < count;
    }

    @Override
    public int next() {
      if (next >= count) {
        throw new NoSuchElementException();
      }
      return rows[next++];
    }

    @Override
    public int nextBatch(int[] buffer) {
      final int length = Math.min(buffer.length, count - next);
      System.arraycopy(rows, next, buffer, 0, length);
      next += length;
      return length;
    }

    @Override
    public int peekNext() {
      if (next >= count) {
        throw new NoSuchElementException();
      }
      return rows[next];
    }

    @Override
    public void advanceIfNeeded(int minval) {
      if (next < count && rows[next] < minval) {
        final int found = Arrays.binarySearch(rows, next, count, minval);
        next = found < 0 ? -found - 1 : found;
      }
    }

    @Override
    public Rows clone() {
      return new Rows(rows, count, next);
    }
  }
}
